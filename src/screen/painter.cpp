#include "screen/painter.h"

#include <belay/screen/text.h>

#include <algorithm>

namespace BELAY_NAMESPACE::screen {
namespace {

// Terminals that know it show nothing before the end; others ignore it.
constexpr std::string_view kBegin = "\x1b[?2026h\x1b[?25l";
constexpr std::string_view kEnd = "\x1b[?25h\x1b[?2026l";

std::string up(std::size_t n) { return n == 0 ? std::string() : "\x1b[" + std::to_string(n) + "A"; }
std::string right(std::size_t n) { return n == 0 ? std::string() : "\x1b[" + std::to_string(n) + "C"; }

}  // namespace

std::size_t shown_columns(std::string_view row) {
  std::string plain;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '\x1b')
      while (i < row.size() && row[i] != 'm') ++i;
    else
      plain += row[i];
  }
  return columns(plain);
}

std::string ascii_only(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (static_cast<unsigned char>(text[0]) < 0x80) {
      out += text[0];
      text.remove_prefix(1);
      continue;
    }
    const Glyph g = first_glyph(text);
    out.append(g.columns, '?');
    text.remove_prefix(g.bytes);
  }
  return out;
}

std::string Painter::to_top() { return up(row_) + "\r"; }

std::string Painter::draw(const Frame& frame) {
  if (!anew_ && frame.transcript.empty() && frame.rows == rows_ && frame.row == row_ && frame.column == column_)
    return {};
  std::string out(kBegin);
  out += to_top();
  const bool fresh = anew_ || !frame.transcript.empty();
  if (fresh) {
    out += "\x1b[J";
    out += frame.transcript;
    rows_.clear();
  }
  for (std::size_t i = 0; i < frame.rows.size(); ++i) {
    if (i > 0) out += "\r\n";
    if (!fresh && i < rows_.size() && rows_[i] == frame.rows[i]) continue;
    // Wiped before it is written: behind a full row the cursor stands on its last character.
    if (!fresh) out += "\x1b[K";
    out += frame.rows[i];
  }
  if (!fresh && rows_.size() > frame.rows.size()) out += frame.rows.empty() ? "\x1b[J" : "\r\n\x1b[J\x1b[A";
  if (!frame.rows.empty()) out += "\r" + up(frame.rows.size() - 1 - frame.row) + right(frame.column);
  out += kEnd;
  rows_ = frame.rows;
  row_ = frame.rows.empty() ? 0 : frame.row;
  column_ = frame.rows.empty() ? 0 : frame.column;
  anew_ = false;
  return out;
}

std::string Painter::wipe() {
  std::string out = to_top() + "\x1b[J\x1b[?25h";
  forget();
  return out;
}

void Painter::resized(std::size_t width) {
  width = std::max<std::size_t>(width, 1);
  std::size_t above = column_ / width;
  for (std::size_t i = 0; i < row_ && i < rows_.size(); ++i)
    above += (std::max<std::size_t>(shown_columns(rows_[i]), 1) - 1) / width + 1;
  row_ = above;
  anew_ = true;
}

void Painter::forget() {
  rows_.clear();
  row_ = column_ = 0;
  anew_ = false;
}

}  // namespace BELAY_NAMESPACE::screen
