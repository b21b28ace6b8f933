#include "screen/forming.h"

#include <belay/screen/partial_text.h>

#include "screen/short_text.h"

#include <algorithm>

namespace BELAY_NAMESPACE::screen {
namespace {

constexpr std::size_t kRaw = 256 * 1024;  // bytes of arguments that are kept for an excerpt
constexpr std::size_t kKey = 14;
constexpr std::size_t kSmall = 16;  // items of a container that is shown as it is

std::string_view tail_of(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t from = text.size() - bytes;
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80) ++from;
  return text.substr(from);
}

// Small enough to be written as it is: a few flat items.
bool small(const json::Partial& value) {
  if (value.kind() == json::Kind::array) {
    if (value.size() > kSmall) return false;
    bool flat = true;
    value.each_item([&](const json::Partial& item) {
      flat &= item.kind() != json::Kind::array && item.kind() != json::Kind::object &&
              (item.kind() != json::Kind::string || item.as_string().size() < 200);
    });
    return flat;
  }
  return value.kind() != json::Kind::object;
}

std::string padded(std::string_view key) {
  std::string shown = clipped(key, kKey);
  shown.append(kKey - std::min(kKey, columns(shown)) + 2, ' ');
  return shown;
}

// Of a long text the end is shown, where it grows, and how long it is.
std::string member_row(std::string_view key, const json::Partial& value, std::size_t width) {
  std::string out = padded(key);
  const std::size_t room = width > columns(out) + 4 ? width - columns(out) : 4;
  if (value.kind() == json::Kind::string) {
    const std::string_view text = value.as_string();
    if (text.size() <= room - 3 && text.find('\n') == text.npos)
      return out + clipped(text, room - 1) + (value.closed() ? "" : std::string(kOpenMark));
    const std::string size = "  " + size_text(text);
    const std::size_t left = room > columns(size) + 8 ? room - columns(size) - 4 : 8;
    std::string_view last = tail_of(text, left);
    if (const std::size_t newline = last.rfind('\n'); newline != last.npos && newline + 1 < last.size())
      last.remove_prefix(newline + 1);
    while (last.size() > 1 && (last[0] == ' ' || last[0] == '\n')) last.remove_prefix(1);
    return clipped(out + "..." + clipped(last, left) + size, width);
  }
  if (small(value)) return out + clipped(partial_text(value), room);
  const std::string_view what = value.kind() == json::Kind::array ? "item" : "member";
  return clipped(out + counted(value.size(), what), width);
}

}  // namespace

void Forming::push(std::string_view piece) {
  if (reading_) return;
  reader_.push(piece);
  bytes_ += piece.size();
  if (raw_.size() < kRaw) raw_ += piece;
}

const std::vector<std::string>& Forming::rows(std::size_t width, std::size_t most) {
  if (drawn_width_ == width && !rows_.empty() && bytes_ < drawn_at_ + drawn_at_ / 32 + 1) return rows_;
  rows_.clear();
  drawn_at_ = bytes_;
  drawn_width_ = width;
  const json::MaybePartial value = reader_.value();
  if (reading_ || !value || value->kind() != json::Kind::object) return rows_;
  std::size_t more = 0;
  value->each_member([&](std::string_view key, const json::Partial& member) {
    if (rows_.size() < most)
      rows_.push_back(member_row(key, member, width));
    else
      ++more;
  });
  if (more > 0) rows_.push_back("and " + counted(more, "more member"));
  return rows_;
}

std::string Forming::in_short(std::size_t width) {
  const json::Reading& reading = finish(true);
  if (reading.document.empty()) return {};
  return short_arguments(reading.document.root(), width);
}

const json::Reading& Forming::finish(bool cut) {
  if (!reading_) reading_ = reader_.finish(cut ? json::Ending::cut : json::Ending::complete);
  return *reading_;
}

std::optional<std::string_view> Forming::raw() const {
  if (bytes_ != raw_.size()) return std::nullopt;
  return raw_;
}

}  // namespace BELAY_NAMESPACE::screen
