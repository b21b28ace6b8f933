#include "screen/markup.h"

#include <algorithm>

namespace BELAY_NAMESPACE::screen {
namespace {

constexpr std::size_t kFence = 3;

std::string_view without_spaces(std::string_view row) {
  row.remove_prefix(std::min(row.find_first_not_of(' '), row.size()));
  while (row.ends_with(' ')) row.remove_suffix(1);
  return row;
}

// As many of this character as stand at the front.
std::size_t run(std::string_view text, char c) { return std::min(text.find_first_not_of(c), text.size()); }

bool heading(std::string_view row) {
  const std::size_t marks = run(row, '#');
  return marks >= 1 && marks <= 6 && row.size() > marks && row[marks] == ' ';
}

// Bytes of "  - ", "12. " at the front, with the spaces before; 0 for none.
std::size_t list_mark(std::string_view row) {
  std::size_t at = run(row, ' ');
  const std::size_t digits = at;
  while (at < row.size() && row[at] >= '0' && row[at] <= '9') ++at;
  if (at == digits) {
    if (at >= row.size() || (row[at] != '-' && row[at] != '*' && row[at] != '+')) return 0;
  } else if (at - digits > 4 || at >= row.size() || (row[at] != '.' && row[at] != ')')) {
    return 0;
  }
  ++at;
  return at < row.size() && row[at] == ' ' ? at : 0;
}

// Where a span that begins at the front ends, marks included; 0 when it does not end here.
std::size_t code_span(std::string_view text) {
  const std::size_t marks = run(text, '`');
  for (std::size_t at = text.find('`', marks); at != text.npos;) {
    const std::size_t here = run(text.substr(at), '`');
    if (here == marks) return at + marks;
    at = text.find('`', at + here);
  }
  return 0;
}
std::size_t bold_span(std::string_view text) {
  if (text.size() < 5 || text[2] == ' ' || text[2] == '*') return 0;
  const std::size_t end = text.find("**", 3);
  return end == text.npos || text[end - 1] == ' ' ? 0 : end + 2;
}

std::string inline_marks(std::string_view text, const Style& style) {
  std::string out;
  std::size_t failed = 0;  // marks that were looked for in vain: not again for each of them
  while (!text.empty()) {
    const std::size_t at = failed >= 8 ? text.npos : text.find_first_of("`*");
    if (at == text.npos) return out.append(text);
    out += text.substr(0, at);
    text.remove_prefix(at);
    const bool code = text[0] == '`';
    const std::size_t size = code ? code_span(text) : text.starts_with("**") ? bold_span(text) : 0;
    if (size == 0) {
      const std::size_t marks = run(text, text[0]);
      if (code || marks > 1) ++failed;
      out += text.substr(0, marks);
      text.remove_prefix(marks);
      continue;
    }
    out += code ? style.cyan(text.substr(0, size)) : style.bold(text.substr(0, size));
    text.remove_prefix(size);
  }
  return out;
}

}  // namespace

std::string Markup::row(std::string_view row, const Style& style) {
  std::string out = open_row(row, style);
  const std::string_view text = without_spaces(row);
  if (fence_ == 0) {
    for (const char c : {'`', '~'})
      if (run(text, c) >= kFence && text.substr(run(text, c)).find('`') == text.npos) {
        fence_ = c;
        fence_size_ = run(text, c);
      }
  } else if (run(text, fence_) == text.size() && text.size() >= fence_size_) {
    fence_ = 0;
  }
  return out;
}

std::string Markup::open_row(std::string_view row, const Style& style) const {
  if (!style.coloured()) return std::string(row);
  const std::string_view text = without_spaces(row);
  const bool marks = run(text, '`') >= kFence || run(text, '~') >= kFence;
  if (fence_ != 0 || marks)
    return fence_ != 0 && !(marks && run(text, fence_) == text.size()) ? style.cyan(row) : style.dim(row);
  if (heading(row)) return style.bold(row);
  const std::size_t mark = list_mark(row);
  return style.yellow(row.substr(0, mark)) + inline_marks(row.substr(mark), style);
}

}  // namespace BELAY_NAMESPACE::screen
