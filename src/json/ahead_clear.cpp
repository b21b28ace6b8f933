// What nearly always stands behind the quote that ends a string: ,"name": and }, { and the like. Ahead::walk() would
// come to the same answer, byte by byte.
#include "json/ahead.h"
#include "json/plain.h"

namespace BELAY_NAMESPACE::json {
namespace {

bool begins_comment(const char* p, const char* end) {
  return end - p > 1 && p[0] == '/' && (p[1] == '/' || p[1] == '*');
}

// "name": — whether commas were forgotten or not, a key with its colon is no text.
bool is_quoted_key(const char* p, const char* end) {
  const std::size_t length = quoted_length(p + 1, end, *p);
  if (length == 0) return false;
  const char* const colon = past_few_spaces(p + 2 + length, end);
  return colon < end && *colon == ':';
}

bool is_bare_key(const char* p, const char* end) {
  const std::size_t length = bare_length(p, end);
  return length > 0 && length <= 64 && p + length < end && p[length] == ':';
}

// Behind the comma.
bool clearly_goes_on(const char* p, const char* end, const Frame& frame, bool inner) {
  if (p == end || frame.type == Frame::Type::wrapper) return false;
  const bool object = frame.type == Frame::Type::object;
  switch (*p) {
    case '}':
    case ']':
    case ',': return true;
    case '{':
    case '[': return !object || !inner;
    case '/': return begins_comment(p, end);
    case '"':
    case '\'': return object ? is_quoted_key(p, end) : !inner || *p == '\'';
    default: return object && (!inner || frame.bare_keys) && is_bare_key(p, end);
  }
}

}  // namespace

bool Ahead::clearly_ends_string(const char* p, std::size_t n, const Frames& frames, bool inner) const {
  if (state_ != State::idle) return false;
  constexpr std::size_t kMostClosers = 4;
  const char* const end = p + n;
  std::size_t depth = frames.size();
  bool closed = false;
  while (depth > 0) {
    const Frame& frame = frames[depth - 1];
    const bool object = frame.type == Frame::Type::object;
    p = past_few_spaces(p, end);
    if (p == end) return false;
    switch (*p) {
      case ',': return clearly_goes_on(past_few_spaces(p + 1, end), end, frame, inner);
      case '}':
      case ']':
        if (*p != (object ? '}' : ']') || (!object && frame.type != Frame::Type::array)) return false;
        if (frames.size() - depth == kMostClosers) return false;
        --depth;
        ++p;
        closed = true;
        continue;
      case '{':
      case '[': return closed && !object;
      case '/': return begins_comment(p, end);
      case '"':
      case '\'': return object && is_quoted_key(p, end);
      default: return false;
    }
  }
  return false;
}

}  // namespace BELAY_NAMESPACE::json
