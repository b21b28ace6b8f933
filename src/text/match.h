// Whether a text begins with a marker, when not all of it may be there yet.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace BELAY_NAMESPACE::text {

/// How many bytes may wait for a decision, outside of bare JSON. Beyond it they are what they look like: text.
inline constexpr std::size_t kHold = 512;
/// The same for JSON without any marker around it, whose first keys decide.
inline constexpr std::size_t kHoldBare = 4096;
/// The same for an end marker in what may be a string, whose end decides.
inline constexpr std::size_t kHoldString = 64 * 1024;

enum class Is : std::uint8_t {
  no,
  more,  ///< it may be, when more bytes come
  yes,
};

struct Match {
  Is is = Is::no;
  std::size_t length = 0;  ///< yes: the bytes of the marker
  bool exact = true;       ///< yes: it is spelled as it should be
  explicit operator bool() const { return is == Is::yes; }
};

/// The literal itself, byte for byte.
Match match_literal(std::string_view text, std::string_view literal, bool final);

/// A marker. Those in angle brackets are known in other case and with white space before their end as well; with
/// `attributes`, also with attributes. Not exact then.
Match match_marker(std::string_view text, std::string_view marker, bool final, bool attributes = false);

/// How long a closing tag or special token at the front of the text is, whatever its name: </x> or <|x|>. A marker as a
/// model misspells it. `more` when that is not decided.
Match match_closer(std::string_view text, bool final);

/// Where the first byte from `from` on stands that is no white space, as a length. It counts within kHold bytes of the
/// front: what stands further away is `no`, however much of the text is there already.
Match next_byte(std::string_view text, std::size_t from, bool final);

/// A few literals; empty ones do not count.
struct Words {
  std::string_view items[4];
  [[nodiscard]] const std::string_view* begin() const { return items; }
  [[nodiscard]] const std::string_view* end() const {
    const std::string_view* p = items;
    while (p < items + 4 && !p->empty()) ++p;
    return p;
  }
  [[nodiscard]] bool empty() const { return items[0].empty(); }
};

/// The first of them that the text begins with. `more` when none does, but one may.
Match match_any(std::string_view text, const Words& markers, bool final, bool attributes = false);

}  // namespace BELAY_NAMESPACE::text
