#include "table.h"

#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace belay::cli {

std::size_t columns_of(const Output& out) {
  constexpr std::size_t kLeast = 40;
  winsize size{};
  if (!out.is_terminal() || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kTerminalColumns;
  return std::max<std::size_t>(size.ws_col, kLeast);
}

std::string padded(std::string_view text, std::size_t width) {
  std::string out = clipped(text, width);
  const std::size_t used = columns(out);
  return used < width ? out + std::string(width - used, ' ') : out;
}

std::string padded_left(std::string_view text, std::size_t width) {
  const std::string out = clipped(text, width);
  const std::size_t used = columns(out);
  return used < width ? std::string(width - used, ' ') + out : out;
}

std::vector<std::string> pieces(std::string_view text, std::size_t width) {
  std::vector<std::string> out(1);
  std::size_t used = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    if (used > 0 && used + glyph.columns > width) {
      out.emplace_back();
      used = 0;
    }
    out.back() += glyph.text;
    used += glyph.columns;
    text.remove_prefix(glyph.bytes);
  }
  return out;
}

namespace {

std::string without_tabs(std::string_view line) {
  std::string out;
  for (const char c : line)
    if (c == '\t')
      out.append(4, ' ');
    else
      out += c;
  return out;
}

// One line of a text, without its end; not much further than until `out` has more than `at_most`.
void wrap(std::string_view line, std::size_t width, std::size_t at_most, std::vector<std::string>& out) {
  const std::size_t lead = std::min(line.find_first_not_of(' '), line.size());
  const std::string indent(std::min(lead, width / 2), ' ');
  line.remove_prefix(lead);
  std::string current = indent;
  std::size_t used = indent.size();
  const auto next = [&] {
    out.push_back(std::move(current));
    current = indent;
    used = indent.size();
  };
  while (!line.empty() && out.size() <= at_most) {
    const std::size_t spaces = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view word = line.substr(spaces, line.find(' ', spaces) - spaces);
    line.remove_prefix(std::min(spaces + word.size(), line.size()));
    if (word.empty()) break;
    const std::size_t size = columns(word);
    if (used > indent.size() && used + spaces + size > width)
      next();
    else if (used > indent.size()) {
      current.append(spaces, ' ');
      used += spaces;
    }
    // A word that no line holds is broken where it must be.
    for (const std::string& piece : pieces(word, width - indent.size())) {
      if (used > indent.size() && used + columns(piece) > width) next();
      current += piece;
      used += columns(piece);
    }
  }
  if (current.find_first_not_of(' ') == std::string::npos) current.clear();
  out.push_back(std::move(current));
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t at_most) {
  std::vector<std::string> out;
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::string_view whole = text;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    wrap(without_tabs(line), width, at_most, out);
    if (out.size() > at_most) {
      const auto ends = std::ranges::count(whole, '\n');
      out.resize(at_most - 1);
      out.push_back("... (" + std::to_string(whole.size()) + " bytes in all" +
                    (ends > 0 ? ", " + std::to_string(ends + 1) + " lines" : "") + ")");
      return out;
    }
    if (end == text.size()) return out;
    text.remove_prefix(end + 1);
  }
}

}  // namespace belay::cli
