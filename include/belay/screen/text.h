// Text from strangers, made safe and measurable for a terminal.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::screen {

/// One character as it is shown, and how much room it takes.
struct Glyph {
  std::string text;  ///< the character, or its name in angle brackets: <newline>, <U+001B>, <xFF>
  std::size_t columns = 0;
  std::size_t bytes = 0;  ///< of the input
};

/// The first character of `text`, which must not be empty. Control characters, characters that cannot be seen or that
/// turn the writing direction or choose a variant, and bytes that are not UTF-8 are shown by name.
Glyph first_glyph(std::string_view text);

/// `text` with every such character shown by name.
std::string printable(std::string_view text);
/// Columns that printable(text) takes.
std::size_t columns(std::string_view text);
/// printable(text), cut to `width` columns; what was cut is shown as "...".
std::string clipped(std::string_view text, std::size_t width);

/// printable(text) in lines of at most 80 columns, broken at spaces; all but the first behind `indent` spaces, where
/// the first begins too. A word that is longer has a line of its own.
std::string folded(std::string_view text, std::size_t indent);

/// Part of a text with a line of marks under the place that is meant.
struct Excerpt {
  std::string line;
  std::string marks;
};

/// The line of `text` around [offset, offset + length), at most `width` columns wide.
Excerpt excerpt(std::string_view text, std::uint64_t offset, std::uint64_t length, std::size_t width);

/// Colours, when the output is a terminal that wants them.
class Style {
 public:
  explicit Style(bool coloured) : coloured_(coloured) {}
  /// Coloured only on a terminal, and not when NO_COLOR is set or TERM is "dumb".
  static Style for_terminal(bool is_terminal);

  [[nodiscard]] bool coloured() const { return coloured_; }
  [[nodiscard]] std::string bold(std::string_view s) const { return paint("1", s); }
  [[nodiscard]] std::string dim(std::string_view s) const { return paint("2", s); }
  [[nodiscard]] std::string red(std::string_view s) const { return paint("31", s); }
  [[nodiscard]] std::string green(std::string_view s) const { return paint("32", s); }
  [[nodiscard]] std::string yellow(std::string_view s) const { return paint("33", s); }
  [[nodiscard]] std::string cyan(std::string_view s) const { return paint("36", s); }

 private:
  [[nodiscard]] std::string paint(std::string_view code, std::string_view s) const;
  bool coloured_;
};

}  // namespace BELAY_NAMESPACE::screen
