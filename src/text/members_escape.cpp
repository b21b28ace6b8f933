// Escapes in strings, as Python has them, and JSON.
#include "base/utf8.h"
#include "json/scan.h"
#include "text/members_state.h"

#include <algorithm>

namespace BELAY_NAMESPACE::text {

// One that stands for a character that a path or a pattern could have meant otherwise: C:\temp\data.
void Members::State::known_escape() {
  if (known_escape_) return;
  known_escape_ = true;
  if (!unknown_escape_) return;
  receipt_.grade = json::Grade::guess;
  for (std::size_t i = first_unknown_; i < receipt_.edits.size(); ++i)
    if (receipt_.edits[i].kind == Kind::unknown_escape) receipt_.edits[i].grade = json::Grade::guess;
}

void Members::State::unknown_escape() {
  unknown_escape_ = true;
  receipt_.add(Kind::unknown_escape, known_escape_ ? json::Grade::guess : json::Grade::safe, offset(), 1);
  add("\\");
  ++pos_;
}

void Members::State::add_escaped(std::uint32_t code_point, std::size_t length) {
  char bytes[4];
  add({bytes, static_cast<std::size_t>(utf8::put(code_point, bytes) - bytes)});
  pos_ += length;
}

// Half an escape at the end of everything is nobody's text.
Members::State::Next Members::State::wait_for_escape() {
  if (!final_) return Next::wait;
  guess(Kind::broken_escape, offset(), left());
  pos_ = size_;
  return Next::go;
}

// \xhh, \uhhhh, \Uhhhhhhhh
Members::State::Next Members::State::hex_escape(std::size_t digits) {
  const auto read = [&](std::size_t from, std::size_t count, std::uint32_t& value) {
    value = 0;
    std::size_t n = 0;
    for (; n < count && from + n < left() && json::hex(here()[from + n]) >= 0; ++n)
      value = value << 4 | static_cast<std::uint32_t>(json::hex(here()[from + n]));
    return n;
  };
  std::uint32_t value = 0;
  const std::size_t n = read(2, digits, value);
  if (n < digits) {
    if (2 + n == left()) return wait_for_escape();
    guess(Kind::broken_escape, offset(), 2 + n);
    add("\\");
    ++pos_;
    return Next::go;
  }
  const std::size_t length = 2 + digits;
  known_escape();
  if (digits == 4 && value >= 0xD800 && value <= 0xDBFF) {
    // JSON's way to write what lies beyond U+FFFF; Python would leave two halves.
    const std::string_view behind = rest().substr(length, 2);
    if (std::string_view("\\u").starts_with(behind) && left() < length + 6 && !final_) {
      std::uint32_t part = 0;
      if (behind.size() < 2 || length + 2 + read(length + 2, 4, part) == left()) return Next::wait;
    }
    std::uint32_t low = 0;
    if (behind == "\\u" && read(length + 2, 4, low) == 4 && low >= 0xDC00 && low <= 0xDFFF) {
      if (python()) safe(Kind::foreign_escape, offset(), length + 6);
      add_escaped(0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00), length + 6);
      return Next::go;
    }
  }
  if (value >= 0xD800 && value <= 0xDFFF) {
    guess(Kind::lone_surrogate, offset(), length);
    value = 0xFFFD;
  } else if (value > 0x10FFFF) {
    guess(Kind::broken_escape, offset(), length);
    value = 0xFFFD;
  } else if (!python() && digits != 4) {
    guess(Kind::foreign_escape, offset(), length);
  }
  add_escaped(value, length);
  return Next::go;
}

Members::State::Next Members::State::step_escape() {
  if (left() < 2) return wait_for_escape();
  const char c = here()[1];
  if (raw_) {
    // The backslash stays, and keeps a quote from ending the string.
    const std::size_t n = c == quote_ || c == '\\' ? 2 : 1;
    add({here(), n});
    pos_ += n;
    return Next::go;
  }
  static constexpr std::string_view kLetters = "abfnrtv", kBytes = "\a\b\f\n\r\t\v";
  if (const std::size_t i = kLetters.find(c); i != std::string_view::npos) {
    known_escape();
    if (!python() && (c == 'a' || c == 'v')) guess(Kind::foreign_escape, offset(), 2);
    add_escaped(static_cast<std::uint32_t>(kBytes[i]), 2);
    return Next::go;
  }
  switch (c) {
    case '\\': add_escaped('\\', 2); return Next::go;
    case '"':
    case '\'':
      if (!python() && c == '\'') safe(Kind::escaped_quote, offset(), 2);
      add_escaped(static_cast<std::uint32_t>(c), 2);
      return Next::go;
    case '/':
      if (python()) break;
      add_escaped('/', 2);
      return Next::go;
    case 'x': return hex_escape(2);
    case 'u': return hex_escape(4);
    case 'U':
      if (!python()) break;
      return hex_escape(8);
    case 'N':
      // \N{EM DASH}: no table of names here.
      if (python()) guess(Kind::unknown_escape, offset(), 2);
      if (!python()) break;
      add({here(), 2});
      pos_ += 2;
      return Next::go;
    case '\r':
    case '\n': {
      if (c == '\r' && left() < 3 && !final_) return Next::wait;
      const std::size_t length = c == '\r' && left() >= 3 && here()[2] == '\n' ? 3 : 2;
      if (!python()) guess(Kind::foreign_escape, offset(), length);
      pos_ += length;
      return Next::go;
    }
    default: break;
  }
  if (c >= '0' && c <= '7') {
    std::size_t n = 1;
    std::uint32_t value = 0;
    for (; n < 4 && n < left() && here()[n] >= '0' && here()[n] <= '7'; ++n)
      value = value * 8 + static_cast<std::uint32_t>(here()[n] - '0');
    if (n < 4 && n == left() && !final_) return Next::wait;
    known_escape();
    if (!python()) guess(Kind::foreign_escape, offset(), n);
    add_escaped(value, n);
    return Next::go;
  }
  unknown_escape();
  return Next::go;
}

}  // namespace BELAY_NAMESPACE::text
