// Lines about servers: within a terminal's columns, and whole where they go elsewhere.
#pragma once

#include "io.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

class McpLines {
 public:
  /// For what goes to this output.
  explicit McpLines(const Output& out);

  /// One line that begins at column `indent`: cut at the end of the terminal's.
  [[nodiscard]] std::string cut(std::string_view text, std::size_t indent) const;
  /// The same, at most `columns` wide on a terminal.
  [[nodiscard]] std::string cut(std::string_view text, std::size_t indent, std::size_t columns) const;
  /// All of a text, on further lines with the same indent where it is too long for one.
  [[nodiscard]] std::string fold(std::string_view text, std::size_t indent) const;
  /// The same of words that are not to be broken, though they may hold spaces. They must be printable.
  [[nodiscard]] std::string fold(const std::vector<std::string>& words, std::size_t indent) const;

 private:
  std::size_t width_;  // 0: as wide as need be
};

}  // namespace belay::cli
