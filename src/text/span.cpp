#include "text/span.h"

namespace belay::text {

bool Span::step(char c) {
  switch (c) {
    case ' ':
    case '\n':
    case '\t':
    case '\r': return false;
    case '"': quote_ = c; break;
    case '\'':
      // An apostrophe opens a string only where a value or a key may begin.
      if (last_ == '{' || last_ == '[' || last_ == ',' || last_ == ':' || last_ == '(') quote_ = c;
      break;
    case '{':
    case '[': ++depth_; break;
    case '}':
    case ']': last_ = c; return depth_ > 0 && --depth_ == 0;
    default: break;
  }
  last_ = c;
  return false;
}

Span::Stop Span::scan(std::string_view bytes, std::size_t from, const ByteSet& marks) {
  std::size_t i = from;
  while (i < bytes.size()) {
    if (quote_ == 0) {
      char c = bytes[i];
      if (marks.has(c)) return {i, At::mark};
      ++i;
      if (step(c)) return {i, At::closed};
      continue;
    }
    if (escaped_) {
      escaped_ = false;
      ++i;
      continue;
    }
    i = find_quote(bytes, i, quote_);
    if (i == bytes.size()) break;
    if (bytes[i] == '\\')
      escaped_ = true;
    else
      quote_ = 0;
    ++i;
  }
  return {i, At::end};
}

}  // namespace belay::text
