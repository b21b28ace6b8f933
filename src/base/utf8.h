// UTF-8: checking, stepping, mending.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::utf8 {

/// One character at the front of some bytes.
struct Step {
  enum class Is : std::uint8_t { whole, incomplete, invalid };
  Is is;
  /// whole: its bytes. incomplete: all that is there. invalid: the bytes that U+FFFD stands for (1 to 3).
  std::uint8_t length;
};
Step step(const char* p, std::size_t n) noexcept;

/// True when the bytes are UTF-8, whole characters only.
bool valid(std::string_view s) noexcept;

/// How far some bytes are UTF-8: `whole` bytes of whole characters, then `tail` bytes (0 to 3) of one that may still be
/// completed. When the sum is less than the size, the bytes there are invalid.
struct Extent {
  std::size_t whole;
  std::size_t tail;
};
Extent extent(std::string_view s) noexcept;

/// The text with U+FFFD for each maximal invalid part.
std::string replaced(std::string_view s);

/// Appends a code point. Surrogates and values beyond U+10FFFF become U+FFFD.
void append(std::uint32_t code_point, std::string& out);
/// Writes a code point (not a surrogate) to `out` and gives the end: at most 4 bytes.
char* put(std::uint32_t code_point, char* out) noexcept;

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

}  // namespace BELAY_NAMESPACE::utf8
