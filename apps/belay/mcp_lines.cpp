#include "mcp_lines.h"

#include "table.h"
#include "terminal.h"

#include <algorithm>

namespace belay::cli {

McpLines::McpLines(const Output& out) : width_(out.is_terminal() ? columns_of(out) : 0) {}

std::string McpLines::cut(std::string_view text, std::size_t indent) const {
  return width_ == 0 ? printable(text) : clipped(text, width_ - std::min(width_ - 1, indent));
}

std::string McpLines::cut(std::string_view text, std::size_t indent, std::size_t columns) const {
  return width_ == 0 ? printable(text) : clipped(text, std::min(columns, width_ - std::min(width_ - 1, indent)));
}

std::string McpLines::fold(std::string_view text, std::size_t indent) const {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    words.push_back(printable(word));
  }
  return fold(words, indent);
}

std::string McpLines::fold(const std::vector<std::string>& words, std::size_t indent) const {
  std::string out;
  std::size_t used = 0;
  for (const std::string& word : words) {
    const std::size_t size = columns(word);
    if (used > 0 && width_ != 0 && indent + used + 1 + size > width_) {
      out += "\n" + std::string(indent, ' ');
      used = 0;
    } else if (&word != words.data()) {
      out += ' ';
      ++used;
    }
    out += word;
    used += size;
  }
  return out;
}

}  // namespace belay::cli
