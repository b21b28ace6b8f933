// Keys whose quotes are not where they should be.
#include "json/mender.h"
#include "json/scan.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace BELAY_NAMESPACE::json {
namespace {

// Where a key may have ended before its colon.
struct KeyEnd {
  std::size_t length = 0;
  std::size_t quote = 0;  // bytes of a quote that ended it
  std::size_t colon = 0;  // 0: nowhere
};

// {"a:1}, {"a”:1}, {"a':1}
KeyEnd ends_at_colon(std::string_view key) {
  const std::size_t colon = key.find(':');
  if (colon == key.npos || colon == 0) return {};
  const std::string_view name = key.substr(0, colon);
  for (std::string_view quote : {"\u201D", "'", "`"})
    if (name.size() > quote.size() && name.ends_with(quote)) return {name.size() - quote.size(), quote.size(), colon};
  return {colon, 0, colon};
}

// {'a":1}, {'a’:1}, {‘a':1}
KeyEnd ends_at_quote(std::string_view key) {
  constexpr std::string_view kQuotes[] = {"\"", "'", "\u2019", "\u201D"};
  for (std::size_t at = key.find_first_of("\"'\xE2", 1); at != key.npos; at = key.find_first_of("\"'\xE2", at + 1)) {
    const auto quote = std::ranges::find_if(kQuotes, [&](std::string_view q) { return key.substr(at).starts_with(q); });
    if (quote == std::end(kQuotes)) continue;
    const std::size_t next = key.find_first_not_of(" \t\r\n", at + quote->size());
    if (next == key.npos) return {};
    if (key[next] == ':') return {at, quote->size(), next};
  }
  return {};
}

}  // namespace

// Remembers where the line of the key's first line feed begins, for places in it when it is read again. The search back
// ends at the line feed before, so that all of them together pass the text once.
void Mender::note_key_line() {
  if (std::exchange(key_line_feed_, true)) return;
  std::size_t before = std::string_view(data_, pos_).rfind('\n');
  key_line_start_ = before == std::string_view::npos ? line_start_ : base_ + before + 1;
}

// Those of the first n, now that they are known to stand in the key.
void Mender::list_key_controls(std::size_t n) {
  for (std::uint64_t at : std::span(key_controls_).first(n)) safe(EditKind::control_character, at, 1);
  key_controls_.clear();
}

// Whether a key in straight quotes or backticks, which is a name, and its colon begin `quote` bytes from here. Both are
// near, so that looking again when more bytes have come costs little.
Answer Mender::key_follows(std::size_t quote) const {
  constexpr std::size_t kLongest = 64;
  const std::string_view text(here(), left());
  const std::string_view name = text.substr(quote + 1, kLongest);
  const std::size_t length = static_cast<std::size_t>(std::ranges::find_if_not(name, in_name) - name.begin());
  const std::string_view behind = text.substr(quote + 1 + length, kLongest);
  if (behind.empty()) return final_ ? Answer::no : Answer::more;
  if (length == 0 || behind[0] != text[quote]) return Answer::no;
  const std::size_t colon = behind.find_first_not_of(" \t\r\n", 1);
  if (colon != behind.npos) return behind[colon] == ':' ? Answer::yes : Answer::no;
  return final_ || behind.size() == kLongest ? Answer::no : Answer::more;
}

// {"a: 1,
//  b": 2} and {`a":1,"b`:2}: a key over several lines that has punctuation in it, or one in other quotes that has the
// end of a string in it, is two keys with a wrong quote each, more likely than one.
bool Mender::key_swallows() const {
  if (key_lines_) return key_.find_first_of(":,;={}[]") != std::string::npos;
  if (quote_ == Quote::straight_double) {
    // {'a': 1, "b': 2, 'c": 3}
    const std::size_t end = key_.find("':");
    return key_quote_ == Quote::straight_single && end != key_.npos && key_.find(", '", end) != key_.npos;
  }
  for (std::size_t at = key_.find('"'); at != std::string::npos; at = key_.find('"', at)) {
    at = key_.find_first_not_of(" \n\r\t", at + 1);
    if (at == std::string::npos) return false;
    if (key_[at] == ':' || key_[at] == ',') return true;
  }
  return false;
}

// {"a:1}, {"a:"b"} and {'a": "b"}: the key lacks its last quote, or has another one. A key is not visible yet, so it
// can be read again, from its colon.
bool Mender::reread_key() {
  if (inner_quote_ || !key_plain_ || key_.size() > kHold) return false;
  const bool other = quote_ == Quote::straight_single || quote_ == Quote::backtick || quote_ == Quote::smart_single;
  const KeyEnd end = quote_ == Quote::straight_double ? ends_at_colon(key_) : other ? ends_at_quote(key_) : KeyEnd{};
  if (end.colon == 0) return false;
  const std::size_t colon = end.colon, length = end.length;
  std::uint64_t again = content_at_ + colon;
  list_key_controls(static_cast<std::size_t>(std::ranges::lower_bound(key_controls_, again) - key_controls_.begin()));
  guess(end.quote > 0 ? EditKind::quote_spelling : EditKind::missing_quote, content_at_ + length, end.quote);
  if (again >= base_) {
    pos_ = static_cast<std::size_t>(again - base_);
  } else {
    // The key began in an earlier window: put its end in front of this one, and leave the rest of a large piece alone.
    std::string window = key_.substr(colon);
    leave_behind();
    std::ptrdiff_t lines = std::count(window.begin(), window.end(), '\n');
    if (lines > 0) {
      line_ -= static_cast<std::uint64_t>(lines);
      std::size_t before = std::string_view(key_).substr(0, colon).rfind('\n');
      line_start_ = before == std::string_view::npos ? key_line_start_ : content_at_ + before + 1;
    }
    base_ = again;
    std::size_t n = data_ == held_.data() ? size_ : std::min(size_, kHold);
    window.append(data_, n);
    if (n < size_) rest_ = {data_ + n, size_ - n};
    held_ = std::move(window);
    data_ = held_.data();
    size_ = held_.size();
  }
  key_.resize(length);
  if (!s_.builder.key(key_)) guess(EditKind::duplicate_key, string_at_, key_.size() + 1);
  in_ = In::colon;
  return true;
}

}  // namespace BELAY_NAMESPACE::json
