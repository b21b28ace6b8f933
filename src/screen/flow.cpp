#include "screen/flow.h"

#include "screen/columns.h"

#include <belay/screen/text.h>

#include <algorithm>

namespace BELAY_NAMESPACE::screen {
namespace {

// A row may hold any number of marks that take no room; what it costs to draw it again must not grow with them.
constexpr std::size_t kBytesAColumn = 8;

std::size_t wanted(unsigned char lead) {
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : lead >= 0xE0 && lead < 0xF0 ? 3 : lead >= 0xC2 && lead < 0xE0 ? 2 : 1;
}

// Whether more bytes could still make a character of it.
bool may_grow(std::string_view text) {
  if (text.size() >= wanted(static_cast<unsigned char>(text[0]))) return false;
  return std::ranges::all_of(text.substr(1), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; });
}

}  // namespace

void Flow::end_row() {
  rows_.push_back(std::move(row_));
  row_.clear();
  used_ = space_ = space_used_ = 0;
}

// The row is full: what stands behind its last space goes on to the next one.
void Flow::break_row() {
  if (space_ == 0) return end_row();
  std::string rest = row_.substr(space_);
  const std::size_t rest_used = used_ - space_used_;
  row_.resize(space_);
  while (row_.ends_with(' ')) row_.pop_back();
  end_row();
  row_ = std::move(rest);
  used_ = rest_used;
}

void Flow::glyph(std::string_view text, std::size_t columns) {
  const bool space = text == " ";
  if (used_ + columns > width_ || row_.size() > width_ * kBytesAColumn) {
    // A space at the end of a full row is the break itself.
    if (space && where_ == Break::words) return end_row();
    break_row();
    if (used_ + columns > width_) end_row();
  }
  if (columns > width_) {  // a name in angle brackets on a very narrow screen
    for (char c : text) glyph({&c, 1}, 1);
    return;
  }
  row_ += text;
  used_ += columns;
  // Not behind the spaces that a line begins with: they are its indentation.
  if (space && where_ == Break::words && row_.find_first_not_of(' ') != row_.npos) {
    space_ = row_.size();
    space_used_ = used_;
  }
}

// Bytes at the beginning that are nothing but themselves, and fit.
std::size_t Flow::plain(std::string_view piece) {
  const std::size_t room = std::min(piece.size(), width_ - std::min(used_, width_));
  std::size_t n = 0;
  while (n < room && piece[n] > ' ' && piece[n] <= '~') ++n;
  if (row_.size() + n > width_ * kBytesAColumn) return 0;
  row_ += piece.substr(0, n);
  used_ += n;
  return n;
}

// In prose an emoji keeps what makes it one. One selector, and nothing behind any other character: it would be a way to
// hide text.
bool Flow::selects(std::string_view piece) {
  return emoji_ && where_ == Break::words && (piece.starts_with("\xEF\xB8\x8E") || piece.starts_with("\xEF\xB8\x8F"));
}

void Flow::take(std::string_view piece, bool last) {
  std::string joined;
  if (!cut_.empty() || last) {
    joined = std::exchange(cut_, {});
    joined += piece;
    piece = joined;
  }
  while (!piece.empty()) {
    const char c = piece[0];
    if (std::exchange(returned_, false) && c != '\n') glyph("<return>", 8);
    if (c > ' ' && c <= '~') {
      if (const std::size_t n = plain(piece); n > 0) {
        emoji_ = false;
        piece.remove_prefix(n);
        continue;
      }
    }
    if (c == '\n') {
      end_row();
    } else if (c == '\r') {
      returned_ = true;
    } else if (c == '\t') {
      for (std::size_t n = kTab - used_ % kTab; n > 0; --n) glyph(" ", 1);
    } else if (!last && may_grow(piece)) {
      cut_ = piece;
      return;
    } else if (selects(piece)) {
      emoji_ = false;
      row_ += piece.substr(0, 3);
      piece.remove_prefix(3);
      continue;
    } else {
      const Glyph g = first_glyph(piece);
      emoji_ = g.bytes >= 3 && piece.starts_with(g.text);
      glyph(g.text, g.columns);
      piece.remove_prefix(g.bytes);
      continue;
    }
    emoji_ = false;
    piece.remove_prefix(1);
  }
  if (!last) return;
  if (std::exchange(returned_, false)) glyph("<return>", 8);
  if (!row_.empty()) end_row();
}

void Flow::narrow(std::size_t width) {
  width_ = std::max<std::size_t>(width, 4);
  if (used_ <= width_) return;
  // The row is harmless text already, so that it can be taken once more.
  const std::string open = std::exchange(row_, {});
  std::string cut = std::exchange(cut_, {});
  const bool returned = std::exchange(returned_, false);
  used_ = space_ = space_used_ = 0;
  take(open, false);
  cut_ = std::move(cut);
  returned_ = returned;
}

Rows rows_of(std::string_view text, std::size_t width, std::size_t most, Flow::Break where) {
  Rows out;
  Flow flow(width, where);
  auto add = [&](std::string row) {
    if (out.rows.size() < most)
      out.rows.push_back(std::move(row));
    else
      ++out.more;
  };
  std::string last;
  auto keep = [&](std::string row) {
    if (out.rows.size() == most && out.more == 0) last = row;
    add(std::move(row));
  };
  flow.push(text, keep);
  flow.finish(keep);
  if (out.more == 1) {
    out.rows.push_back(std::move(last));
    out.more = 0;
  }
  return out;
}

Rows last_rows_of(std::string_view text, std::size_t width, std::size_t most) {
  Rows out = rows_of(text, width, text.size() + 1);
  if (out.rows.size() <= most + 1) return out;
  out.more = out.rows.size() - most;
  out.rows.erase(out.rows.begin(), out.rows.begin() + static_cast<std::ptrdiff_t>(out.more));
  return out;
}

}  // namespace BELAY_NAMESPACE::screen
