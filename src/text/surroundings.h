// What the text around calls says against them: that they are only quoted, or that one ended too early.
#pragma once

#include <belay/version.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::text {

/// Elements of markup that are open: <note>, <function=f>, <parameter name="x">.
class Elements {
 public:
  /// What more of them than these hold is not known.
  static constexpr std::size_t kOpen = 64, kName = 64;

  /// Takes a byte behind `calls` calls. Gives the first of the calls that stand inside an element, where it ends.
  std::optional<std::size_t> step(char c, std::size_t calls);
  /// The next byte that matters.
  [[nodiscard]] std::size_t find(std::string_view bytes, std::size_t from) const {
    return in_ == In::text ? std::min(bytes.find('<', from), bytes.size()) : from;
  }
  void clear() { *this = {}; }

 private:
  struct Open {
    std::string name;
    std::size_t calls;  // that had begun before it
  };
  enum class In : std::uint8_t { text, name, attributes };
  std::optional<std::size_t> end_tag(std::size_t calls);

  In in_ = In::text;
  std::string name_;    // of the tag that is read, with its slash
  bool empty_ = false;  // <tag/>
  std::vector<Open> open_;
};

/// Follows all text of a turn. Constant memory; work is linear, and a search for `<` as long as there is no call.
class Surroundings {
 public:
  /// What speaks against the calls from `first` on: the text up to `behind`.
  struct Doubt {
    std::size_t first, behind;
  };
  /// A call begins. `bare`: only its form says that it is one, so prose behind it makes it an example.
  void begin_call(std::size_t call, bool bare);
  /// A call is over.
  void end_call();
  /// Takes text behind `calls` calls, up to the first byte that speaks against them; all of it when none does.
  std::optional<Doubt> text(std::string_view bytes, std::size_t calls);
  void clear() { *this = {}; }

 private:
  bool is_prose(char c);
  bool closes_string(char c);

  Elements elements_;
  std::optional<std::size_t> bare_;  // the first bare call that no prose follows yet
  std::size_t token_ = 0;            // bytes of the tag or token that is read behind it
  bool quote_ = false;               // behind the last call came a quote
  std::uint64_t brackets_ = 0;       // likewise, brackets that are open
  std::size_t doubted_ = 0;          // calls that the end of a string spoke against
};

}  // namespace BELAY_NAMESPACE::text
