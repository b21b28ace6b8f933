#include "text/raw_value.h"

#include "base/utf8.h"
#include "text/characters.h"
#include "text/scan.h"

#include <belay/json/reader.h>

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::text {
namespace {

using json::EditKind;

// What is longer is no number, and hardly anything else that was not meant as a text.
constexpr std::size_t kHead = 64;

std::uint8_t type_of(json::Value value) {
  switch (value.kind()) {
    case json::Kind::null: return kNull;
    case json::Kind::boolean: return kBoolean;
    case json::Kind::number: return value.as_int64() || value.as_uint64() ? kInteger | kNumber : kNumber;
    case json::Kind::string: return kString;
    case json::Kind::array: return kArray;
    case json::Kind::object: return kObject;
  }
  return kNoType;
}

// A line break at the end belongs to the tags where one stands at the start as well, or where the format puts it there.
std::string_view without_breaks(std::string_view s, Lines lines) {
  if (s.starts_with("\r\n"))
    s.remove_prefix(2);
  else if (s.starts_with("\n"))
    s.remove_prefix(1);
  else if (lines != Lines::own)
    return s;
  if (s.ends_with("\r\n"))
    s.remove_suffix(2);
  else if (s.ends_with("\n"))
    s.remove_suffix(1);
  return s;
}

}  // namespace

void RawValue::begin(std::uint8_t types, std::uint64_t offset, bool bare) {
  types_ = types;
  bare_ = bare;
  head_.clear();
  declared_ = kNoType;
  streams_ = types == kString || types == kAnyType || types == kNoType;
  opened_ = false;
  start_ = lines_ != Lines::exact;
  blank_ = true;
  padded_ = lines_ == Lines::own;
  tail_.clear();
  text_.clear();
  offset_ = offset;
  quoting_ = escaping_ = false;
}

// As far as a strict reader would be in a string: enough to know that a tag stands in one.
void RawValue::note_quotes(std::string_view bytes) {
  for (const char c : bytes) {
    if (escaping_)
      escaping_ = false;
    else if (c == '"')
      quoting_ = !quoting_;
    else
      escaping_ = quoting_ && c == '\\';
  }
}

void RawValue::give(std::string_view bytes) {
  if (bytes.empty()) return;
  characters_.push(bytes, [this](std::string_view piece) {
    if (piece.data() == utf8::kReplacement.data()) receipt_.guess(EditKind::invalid_utf8, offset_, 1);
    builder_.append(piece);
  });
}

void RawValue::append(std::string_view bytes) {
  if (bytes.empty()) return;
  if (bare_ && head_.size() < kHead) head_ += bytes.substr(0, kHead - head_.size());
  const bool was_blank = blank_;
  if (blank_) blank_ = past_space(bytes, 0) == bytes.size();
  if (!streams_ || blank_) {
    if (!streams_ && (types_ & (kObject | kArray)) != 0) note_quotes(bytes);
    text_ += bytes;
    return;
  }
  // White space waits until it is certain that it begins a string.
  if (was_blank && !text_.empty()) {
    std::string space = std::move(text_);
    text_.clear();
    stream(space);
  }
  stream(bytes);
}

void RawValue::stream(std::string_view bytes) {
  if (!opened_) {
    builder_.open_string();
    opened_ = true;
  }
  if (start_) {
    // "\r" waits for its "\n" in tail_, like a line break at the end.
    while (!bytes.empty()) {
      if (bytes.front() == '\r' && tail_.empty()) {
        tail_ = "\r";
        bytes.remove_prefix(1);
        continue;
      }
      start_ = false;
      if (bytes.front() == '\n') {
        bytes.remove_prefix(1);
        tail_.clear();
        padded_ = true;
      }
      break;
    }
    if (bytes.empty()) return;
  }
  if (!tail_.empty()) {
    if (tail_ == "\r" && bytes.front() == '\n') {
      tail_ = "\r\n";
      bytes.remove_prefix(1);
      if (bytes.empty()) return;
    }
    give(tail_);
    tail_.clear();
  }
  std::size_t keep = bytes.ends_with("\r\n") ? 2 : bytes.ends_with('\n') || bytes.ends_with('\r') ? 1 : 0;
  tail_ = bytes.substr(bytes.size() - keep);
  give(bytes.substr(0, bytes.size() - keep));
}

// Nothing stands between the tags: an empty list or object, where only one of them can.
bool RawValue::read_nothing() {
  const std::uint8_t empty = types_ & (kString | kArray | kObject);
  if (empty == kNoType || empty == kString) return false;
  if (empty != kArray && empty != kObject) receipt_.guess(EditKind::missing_value, offset_, 0);
  if ((empty & kString) != 0) return false;
  if (empty == kArray ? builder_.open_array() : builder_.open_object()) builder_.close();
  return true;
}

// A text that is a value of JSON, where no schema says which of the two is meant. Of a value that may be a string or
// something else, null and numbers are hardly texts.
void RawValue::doubt_bare(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || text.size() >= kHead) return;
  const json::Reading reading = json::read(text, {.mode = json::Mode::strict});
  if (reading.verdict.word() != json::Word::valid) return;
  std::uint8_t doubtful = kAnyType & ~kString;
  if (!streams_) doubtful = kNull | ((types_ & (kInteger | kNumber)) != 0 ? kInteger | kNumber : kNoType);
  if ((type_of(reading.document.root()) & doubtful) != 0)
    receipt_.guess(EditKind::unquoted_string, offset_, text.size());
}

void RawValue::end() {
  const bool nothing = head_.empty() || (blank_ && (types_ & kString) == 0);
  if (bare_ && nothing && read_nothing()) return;
  if (bare_ && streams_ && types_ != kString) doubt_bare(head_);
  if (!streams_) return read_text();
  if (blank_ && !text_.empty()) stream(std::exchange(text_, {}));
  if (!opened_) builder_.open_string();
  // A carriage return alone is no line break.
  if (!padded_ || tail_ == "\r") give(tail_);
  characters_.flush([this](std::string_view piece) {
    receipt_.guess(EditKind::invalid_utf8, offset_, 1);
    builder_.append(piece);
  });
  builder_.close_string();
}

bool RawValue::cut() {
  if (!streams_ || !opened_) return false;
  end();
  return true;
}

void RawValue::forget() {
  opened_ = false;
  tail_.clear();
  text_.clear();
  head_.clear();
}

void RawValue::read_text() {
  std::size_t from = past_space(text_, 0), to = text_.size();
  while (to > from && is_space(text_[to - 1])) --to;
  std::string_view text = std::string_view(text_).substr(from, to - from);
  // Where a text may stand, other white space may be a part of it.
  if ((types_ & kString) == 0) {
    receipt_.spaces(text.substr(0, past_any_space(text, 0)), offset_ + from);
    const std::string_view kept = without_spaces(text);
    from += static_cast<std::size_t>(kept.data() - text.data());
    receipt_.spaces(std::string_view(text_).substr(from + kept.size(), to - from - kept.size()),
                    offset_ + from + kept.size());
    text = kept;
  }
  if ((types_ & kNull) != 0 && text == "null") return builder_.null();
  json::ReaderOptions options;
  options.limits = limits_;
  json::Reading reading = json::read(text, options);
  // 10 // 3: what the reader takes for a comment may be a part of the value. And words have no place beside a value
  // between tags: they may be another parameter whose tags are damaged.
  bool doubtful = reading.edits_total > reading.edits.size();
  for (json::Edit& e : reading.edits)
    if (e.kind == EditKind::comment || e.kind == EditKind::prose || e.kind == EditKind::special_token)
      doubtful = true, e.grade = json::Grade::guess;
  if (doubtful) reading.verdict.grade = json::Grade::guess;
  const bool one = reading.verdict.end == json::End::complete && reading.verdict.count == 1;
  // Words that mean null in other languages are words where a string may stand; so are numbers that are spelled oddly.
  const std::uint8_t type = one ? type_of(reading.document.root()) : std::uint8_t{kNoType};
  const bool exact = (type & (kNull | kNumber)) == 0 || reading.edits_total == 0;
  const bool certain = one && exact && reading.verdict.grade != json::Grade::guess;
  const bool fits = (type & types_ & ~kString) != 0;
  bool json = false;
  if (declared_ != kNoType) {
    const bool agrees = one && (type & declared_) != 0;
    // A text, says the schema: what is no string of JSON stands as it is.
    const bool text_only = types_ == kString && type != kString;
    const bool scalar = (type & (kArray | kObject)) == 0;
    json = agrees && !text_only;
    if (!agrees)
      receipt_.guess(one ? EditKind::marker_spelling : EditKind::unquoted_string, offset_ + from, 0);
    else if (text_only)
      receipt_.add(EditKind::marker_spelling, scalar ? json::Grade::safe : json::Grade::guess, offset_ + from, 0);
  }
  // What may be a string is one, unless it is exactly something else that fits.
  if (json || (certain && fits) || (one && (types_ & kString) == 0)) {
    for (const json::Edit& e : reading.edits) receipt_.add(e.kind, e.grade, offset_ + from + e.offset, e.length);
    // Edits that were not kept count as well.
    receipt_.total += reading.edits_total - reading.edits.size();
    receipt_.grade = std::max(receipt_.grade, reading.verdict.grade);
    return builder_.copy(reading.document.root());
  }
  if (bare_ && types_ != (kString | kNull)) doubt_bare(text);
  // [1, 2 where a list may stand: what was damaged is hardly a text.
  if ((types_ & kString) != 0 && !text.empty() &&
      ((text.front() == '[' && (types_ & kArray) != 0) || (text.front() == '{' && (types_ & kObject) != 0)))
    receipt_.guess(EditKind::wrong_opener, offset_ + from, 0);
  std::string_view plain = lines_ == Lines::exact ? std::string_view(text_) : without_breaks(text_, lines_);
  if (!utf8::valid(plain)) {
    receipt_.guess(EditKind::invalid_utf8, offset_, text_.size());
    return builder_.string(utf8::replaced(plain));
  }
  builder_.string(plain);
}

}  // namespace BELAY_NAMESPACE::text
