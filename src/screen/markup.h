// Markdown in what a model says, made easier to read by colours alone: no character is added, removed or moved.
#pragma once

#include <belay/screen/text.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::screen {

/// Takes rows as a Flow gives them, in order: harmless already, and broken to the width. Headings, bold, code spans,
/// fenced code and the marks of lists get a colour, where they begin and end in one row; everything else stays plain.
/// Without colours every row stays as it is. Linear in the bytes.
class Markup {
 public:
  /// The row as it is to be shown; the next one may be inside a fence that it opens.
  std::string row(std::string_view row, const Style& style);
  /// The same for a row that is not whole yet: changes nothing.
  [[nodiscard]] std::string open_row(std::string_view row, const Style& style) const;

 private:
  char fence_ = 0;              // backtick or tilde, inside of one
  std::size_t fence_size_ = 0;  // how many
};

}  // namespace BELAY_NAMESPACE::screen
