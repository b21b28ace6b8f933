#include <belay/screen/text.h>

#include "base/hidden.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>

namespace BELAY_NAMESPACE::screen {
namespace {

struct Range {
  char32_t from, to;
};

// The private use area of fonts is drawn: people have icons there.
bool named(char32_t c) {
  const Hidden is = hidden(c);
  return is != Hidden::no && !(is == Hidden::own_use && c <= 0xF8FF);
}

constexpr std::array kWide{
    Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x23E9, 0x23EC},   Range{0x23F0, 0x23F0},
    Range{0x23F3, 0x23F3},   Range{0x25FD, 0x25FE},   Range{0x2614, 0x2615},   Range{0x2648, 0x2653},
    Range{0x267F, 0x267F},   Range{0x2693, 0x2693},   Range{0x26A1, 0x26A1},   Range{0x26AA, 0x26AB},
    Range{0x26BD, 0x26BE},   Range{0x26C4, 0x26C5},   Range{0x26CE, 0x26CE},   Range{0x26D4, 0x26D4},
    Range{0x26EA, 0x26EA},   Range{0x26F2, 0x26F3},   Range{0x26F5, 0x26F5},   Range{0x26FA, 0x26FA},
    Range{0x26FD, 0x26FD},   Range{0x2705, 0x2705},   Range{0x270A, 0x270B},   Range{0x2728, 0x2728},
    Range{0x274C, 0x274C},   Range{0x274E, 0x274E},   Range{0x2753, 0x2755},   Range{0x2757, 0x2757},
    Range{0x2795, 0x2797},   Range{0x27B0, 0x27B0},   Range{0x27BF, 0x27BF},   Range{0x2B1B, 0x2B1C},
    Range{0x2B50, 0x2B50},   Range{0x2B55, 0x2B55},   Range{0x2E80, 0xA4CF},   Range{0xA960, 0xA97C},
    Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF01, 0xFF60},
    Range{0xFFE0, 0xFFE6},   Range{0x1F004, 0x1F004}, Range{0x1F0CF, 0x1F0CF}, Range{0x1F18E, 0x1F18E},
    Range{0x1F191, 0x1F19A}, Range{0x1F200, 0x1F265}, Range{0x1F300, 0x1FAFF}, Range{0x20000, 0x3FFFD},
};
constexpr std::array kCombining{
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD}, Range{0x0610, 0x061A}, Range{0x064B, 0x065F},
    Range{0x0E31, 0x0E31}, Range{0x0E34, 0x0E3A}, Range{0x0E47, 0x0E4E}, Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF},
    Range{0x20D0, 0x20FF}, Range{0x3099, 0x309A}, Range{0xFE20, 0xFE2F},
};

bool in(const auto& ranges, char32_t c) {
  return std::ranges::any_of(ranges, [c](Range r) { return c >= r.from && c <= r.to; });
}

struct Decoded {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0 when the bytes are not UTF-8
};

Decoded decode(std::string_view s) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || s.size() < size) return {};
  char32_t code = lead & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (code < least[size] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, size};
}

std::string hex(char32_t n, std::size_t digits) {
  std::string s;
  for (; n != 0 || s.size() < digits; n >>= 4) s += "0123456789ABCDEF"[n & 15];
  std::ranges::reverse(s);
  return s;
}

std::string name_of(char32_t c) {
  if (c == '\n') return "<newline>";
  if (c == '\r') return "<return>";
  if (c == '\t') return "<tab>";
  return "<U+" + hex(c, 4) + ">";
}

}  // namespace

Glyph first_glyph(std::string_view text) {
  if (text[0] >= ' ' && text[0] <= '~') return {std::string(1, text[0]), 1, 1};
  const Decoded d = decode(text);
  if (d.bytes == 0) return {"<x" + hex(static_cast<unsigned char>(text[0]), 2) + ">", 5, 1};
  if (named(d.code)) {
    std::string name = name_of(d.code);
    return {name, name.size(), d.bytes};
  }
  const std::size_t columns = in(kCombining, d.code) ? 0 : in(kWide, d.code) ? 2 : 1;
  return {std::string(text.substr(0, d.bytes)), columns, d.bytes};
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    Glyph g = first_glyph(text);
    out += g.text;
    text.remove_prefix(g.bytes);
  }
  return out;
}

std::size_t columns(std::string_view text) {
  std::size_t n = 0;
  while (!text.empty()) {
    Glyph g = first_glyph(text);
    n += g.columns;
    text.remove_prefix(g.bytes);
  }
  return n;
}

std::string clipped(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t used = 0;
  std::size_t fits = 0;  // bytes of out that leave room for "..."
  while (!text.empty()) {
    Glyph g = first_glyph(text);
    if (used + g.columns > width) return out.substr(0, fits) + "...";
    out += g.text;
    used += g.columns;
    if (used + 3 <= width) fits = out.size();
    text.remove_prefix(g.bytes);
  }
  return out;
}

std::string folded(std::string_view text, std::size_t indent) {
  constexpr std::size_t kWidth = 80;
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t size = columns(word);
    if (column > indent && column + 1 + size > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      out += ' ';
      ++column;
    }
    out += printable(word);
    column += size;
  }
  return out;
}

Excerpt excerpt(std::string_view text, std::uint64_t offset, std::uint64_t length, std::size_t width) {
  const std::size_t at = static_cast<std::size_t>(std::min<std::uint64_t>(offset, text.size()));
  const std::size_t to = at + static_cast<std::size_t>(std::min<std::uint64_t>(length, text.size() - at));
  std::size_t start = at - std::min(at, 4 * width);  // enough bytes, however many a column takes
  if (const std::size_t newline = text.substr(0, at).rfind('\n'); newline != text.npos)
    start = std::max(start, newline + 1);
  std::size_t end = std::min(text.find('\n', to), text.size());
  end = std::min(end, at + 4 * width);

  // The place and what follows get what they need, up to half of the width; what comes before gets the rest.
  const std::size_t after = std::min(columns(text.substr(at, end - at)) + 1, width / 2);
  std::deque<Glyph> before;
  std::size_t used = 0;
  bool skipped = false;
  for (std::size_t i = start; i < at; i += before.back().bytes) {
    before.push_back(first_glyph(text.substr(i, at - i)));
    used += before.back().columns;
    for (; used + 3 > width - after; before.pop_front(), skipped = true) used -= before.front().columns;
  }
  Excerpt e;
  if (skipped) e.line = "...", used += 3;
  for (const Glyph& g : before) e.line += g.text;
  e.marks.assign(used, ' ');
  e.marks += '^';
  for (std::size_t i = at, bytes = 0; i < end; i += bytes) {
    const Glyph g = first_glyph(text.substr(i, end - i));
    bytes = g.bytes;
    if (used + g.columns + (i + bytes < end ? 3 : 0) > width) {
      e.line += "...";
      break;
    }
    e.line += g.text;
    used += g.columns;
    if (i < to && e.marks.size() < used) e.marks.append(used - e.marks.size(), '~');
  }
  return e;
}

Style Style::for_terminal(bool is_terminal) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool refused =
      (no_color != nullptr && *no_color != '\0') || (term != nullptr && std::string_view(term) == "dumb");
  return Style(is_terminal && !refused);
}

std::string Style::paint(std::string_view code, std::string_view s) const {
  if (!coloured_ || s.empty()) return std::string(s);
  return "\x1b[" + std::string(code) + "m" + std::string(s) + "\x1b[0m";
}

}  // namespace BELAY_NAMESPACE::screen
