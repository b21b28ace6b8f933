#include <belay/screen/editor.h>
#include <belay/screen/text.h>

#include "screen/columns.h"
#include "screen/short_text.h"

#include <algorithm>

namespace BELAY_NAMESPACE::screen {
namespace {

// A text may be megabytes; what is drawn of it is around the cursor.
constexpr std::size_t kAround = 64 * 1024;

}  // namespace

Editor::Drawn Editor::draw(std::size_t width, std::string_view prompt, std::size_t most) const {
  const std::size_t indent = std::min(columns(prompt), width / 2);
  const std::size_t room = std::max<std::size_t>(width - indent, 2);
  std::size_t from = cursor_ > kAround ? line_begin(cursor_ - kAround) : 0;
  if (cursor_ - from > 2 * kAround) from = cursor_ - kAround;
  while (from > 0 && from < text_.size() && (static_cast<unsigned char>(text_[from]) & 0xC0) == 0x80) ++from;
  Drawn out;
  std::string row;
  std::size_t used = 0;
  bool placed = false;
  auto next = [&] {
    out.rows.push_back(std::move(row));
    row.clear();
    used = 0;
  };
  std::size_t at = from;
  while (true) {
    if (at >= cursor_ && !placed) {
      // The cursor needs a column of its own.
      if (used >= room) next();
      out.row = out.rows.size();
      out.column = used;
      placed = true;
    }
    if (at >= text_.size() || (placed && out.rows.size() > out.row + most)) break;
    if (text_[at] == '\n') {
      next();
      ++at;
      continue;
    }
    if (text_[at] == '\t') {
      const std::size_t spaces = kTab - used % kTab;
      if (used + spaces > room) next();
      row.append(spaces, ' ');
      used += spaces;
      ++at;
      continue;
    }
    const Glyph g = first_glyph(std::string_view(text_).substr(at));
    if (used + g.columns > room && used > 0) next();
    row += g.columns > room ? std::string("?") : g.text;
    used += g.columns > room ? 1 : g.columns;
    at += g.bytes;
  }
  next();
  // The rows around the cursor.
  const std::size_t shown = std::min(std::max<std::size_t>(most, 1), out.rows.size());
  std::size_t first = out.row >= shown ? out.row - shown + 1 : 0;
  first = std::min(first, out.rows.size() - shown);
  out.rows = {out.rows.begin() + static_cast<std::ptrdiff_t>(first),
              out.rows.begin() + static_cast<std::ptrdiff_t>(first + shown)};
  out.row -= first;
  // Of a long text, a paste say, its beginning is seen too, and how much there is. The cursor is in the last row then.
  constexpr std::size_t kFolds = 4;  // rows, from which on that leaves room for the rest
  if ((first > 0 || from > 0) && shown >= kFolds) {
    const std::string_view line = std::string_view(text_).substr(0, line_end(0)).substr(0, 4 * room);
    out.rows[0] = clipped(line, room);
    out.rows[1] = clipped("[... " + size_text(text_) + " ...]", room);
  }
  for (std::size_t i = 0; i < out.rows.size(); ++i)
    out.rows[i] = (i == 0 && columns(prompt) == indent ? std::string(prompt) : std::string(indent, ' ')) + out.rows[i];
  out.column += indent;
  return out;
}

}  // namespace BELAY_NAMESPACE::screen
