#include "text/span.h"

namespace BELAY_NAMESPACE::text {

bool Span::step(char c) {
  if (quote_ != 0) {
    if (escaped_)
      escaped_ = false;
    else if (c == '\\')
      escaped_ = true;
    else if (c == quote_)
      quote_ = 0;
    return false;
  }
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
    case ']':
      last_ = c;
      if (depth_ == 0) return false;
      --depth_;
      return depth_ == 0;
    default: break;
  }
  last_ = c;
  return false;
}

Span::Stop Span::scan(std::string_view bytes, std::size_t from, const ByteSet& marks, const ByteSet& inner) {
  std::size_t i = from;
  while (i < bytes.size()) {
    const bool string = quote_ != 0;
    if (string && !escaped_) {
      i = quote_ == '"' ? inner.find(bytes, i) : find_quote(bytes, i, quote_);
      if (i == bytes.size()) break;
    }
    const char c = bytes[i];
    const bool own = string && (c == quote_ || c == '\\');
    if (!escaped_ && !own && (string ? inner : marks).has(c)) return {i, At::mark};
    ++i;
    if (step(c)) return {i, At::closed};
  }
  return {i, At::end};
}

Span::Stop Span::scan(std::string_view bytes, std::size_t from) {
  static const ByteSet kNone;
  static const ByteSet kString = [] {
    ByteSet set;
    set.add('"');
    set.add('\\');
    return set;
  }();
  return scan(bytes, from, kNone, kString);
}

}  // namespace BELAY_NAMESPACE::text
