// What needs no second look, because it can only be read in one way: members and items as JSON has them, or with names
// and quotes of other languages. Most of a damaged text is like that. Each of these functions does what the step of its
// place would do, over several steps; where it does not know what it sees, or not all of it is there yet, it leaves
// everything as it is, and the step does it.
#include "json/mender.h"
#include "json/plain.h"

namespace BELAY_NAMESPACE::json {

Mender::Next Mender::take_clear() {
  while (pos_ < size_ && !failed_ && !ended_) {
    const char c = *here();
    switch (in_) {
      case In::key:
      case In::value:
        if (is_space(c))
          skip_space(kPlainGlyphs[static_cast<unsigned char>(c)]);
        else if (!(in_ == In::key ? take_key(c) : take_value(c)))
          return Next::go;
        break;
      case In::after:
        if (prose_at_ > 0 || !take_after(c)) return Next::go;
        break;
      case In::string:
        if (step_string() == Next::wait) return Next::wait;
        break;
      default: return Next::go;
    }
  }
  return Next::go;
}

// "name":, 'name': and name:
bool Mender::take_key(char c) {
  const char* const p = here();
  const char* const end = data_ + size_;
  if (c == '"' || c == '\'') {
    const std::size_t length = quoted_length(p + 1, end, c);
    const std::size_t colon = length + 2;
    if (length == 0 || colon >= left() || p[colon] != ':') return false;
    open_string(kPlainGlyphs[static_cast<unsigned char>(c)], true);
    pos_ += length + 1;
    string_end_ = offset();
    key_quote_ = quote_;
    if (!s_.builder.key({p + 1, length})) guess(EditKind::duplicate_key, string_at_, length + 2);
  } else if (c == '}') {
    return take_closer(Frame::Type::object);
  } else {
    const std::size_t length = bare_length(p, end);
    if (length == 0 || length == left() || p[length] != ':') return false;
    start_word();
    pos_ += length;
    word_end_ = offset();
    name_key({p, length}, length, true);
  }
  see_colon(ColonSign::colon);
  ++pos_;
  in_ = In::value;
  return true;
}

bool Mender::take_value(char c) {
  switch (c) {
    case '"':
    case '\'': open_string(kPlainGlyphs[static_cast<unsigned char>(c)], false); return true;
    case '{':
      if (open(Frame::Type::object)) ++pos_;
      return true;
    case '[':
      if (open(Frame::Type::array)) ++pos_;
      return true;
    case ']': return take_closer(Frame::Type::array);
    default: return take_word();
  }
}

// A number or a literal, and what shows that it has ended.
bool Mender::take_word() {
  const char* const p = here();
  const char* const end = data_ + size_;
  std::size_t n = bare_length(p, end);
  if (n > 0 && end - p > static_cast<std::ptrdiff_t>(n) + 1 && p[n] == '.' && is_digit(p[n + 1]))
    n += 1 + bare_length(p + n + 1, end);
  if (n == 0 || n == left()) return false;
  const bool ends = p[n] == ',' || p[n] == '}' || p[n] == ']' || p[n] == '\n';
  // {"a":1 "b":2}: the quote ends it, and the space belongs to neither.
  const bool spaced = p[n] == ' ' && n + 1 < left() && (p[n + 1] == '"' || p[n + 1] == '\'');
  if (!ends && !spaced) return false;
  const WordValue v = read_word({p, n});
  if (v.tag == Tag::string) return false;
  start_word();
  pos_ += n;
  word_end_ = offset();
  build_word(v, {p, n}, word_at_, n);
  value_done();
  pos_ += spaced;
  return true;
}

bool Mender::take_after(char c) {
  Frame& frame = frames_.back();
  const bool object = frame.type == Frame::Type::object;
  if (!object && frame.type != Frame::Type::array) return false;
  switch (c) {
    case ',':
      if (frame.semicolons) return false;
      comma_ = offset();
      comma_length_ = 1;
      comma_seen_ = true;
      comma_hides_ = comma_ends_code_ = elided_ = false;
      ++pos_;
      break;
    case ' ':
    case '\n':
    case '\r':
    case '\t': skip_space(kPlainGlyphs[static_cast<unsigned char>(c)]); return true;
    case '}': return take_closer(Frame::Type::object);
    case ']': return take_closer(Frame::Type::array);
    case '{':
      if (object) return false;
      [[fallthrough]];
    case '"':
    case '\'': guess(EditKind::missing_comma, offset(), 0); break;
    default: return false;
  }
  in_ = object ? In::key : In::value;
  return true;
}

// The closer of what is innermost.
bool Mender::take_closer(Frame::Type type) {
  const Frame& frame = frames_.back();
  if (frame.type != type || frame.doubled) return false;
  settle_before_close();
  ++pos_;
  pop();
  return true;
}

}  // namespace BELAY_NAMESPACE::json
