// Texts as lines, and bytes that are no text.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::builtin {

/// The lines of a text, each with its '\n'; the last may have none. Views into `text`.
std::vector<std::string_view> lines_of(std::string_view text);

/// The number of lines that lines_of() gives.
std::size_t line_count(std::string_view text);

/// Without spaces, tabs and line ends at its end.
std::string_view without_end_space(std::string_view line);
/// Without them at its beginning either.
std::string_view without_space(std::string_view line);

/// At most `most` bytes of a line, whole characters, with `...` and the number of bytes when it was longer.
std::string clipped(std::string_view line, std::size_t most);

/// What bytes are, as far as their beginning tells.
struct Sight {
  bool binary = false;
  std::string media_type;  ///< of an image: png, jpeg, gif, webp
};
Sight sight_of(std::string_view beginning);
inline constexpr std::size_t kBeginning = 8 * 1024;  ///< bytes of a file that tell what it is

/// How many parts of a text are not UTF-8, and whether they are so many that it is none.
struct Damage {
  std::size_t parts = 0;
  std::size_t first = 0;  ///< where the first of them is
  bool binary = false;
};
Damage damage_of(std::string_view text);

/// Whether all these bytes are a text, so that a diff of them means something.
bool is_text(std::string_view bytes);

/// Why bytes are no text, as half a sentence; empty when they are one. `at`: where in the file they begin.
std::string why_binary(std::string_view bytes, std::uint64_t at = 0);

std::string base64(std::string_view bytes);

/// `1 line`, `2 lines`.
std::string counted(std::size_t number, std::string_view what);

}  // namespace BELAY_NAMESPACE::builtin
