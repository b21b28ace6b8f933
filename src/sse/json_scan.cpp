#include "sse/json_scan.h"

#include <cstddef>
#include <cstring>

namespace BELAY_NAMESPACE::sse {
namespace {

// The quote that ends a string, found by memchr and then by the backslashes before it: strings are long, escapes rare.
struct Quote {
  const char* at;  // or the end
  bool escaped;    // what stands there
};
Quote find_quote(const char* p, const char* end, bool escaped) {
  const void* found = std::memchr(p, '"', static_cast<std::size_t>(end - p));
  const char* at = found != nullptr ? static_cast<const char*>(found) : end;
  const char* slashes = at;
  while (slashes != p && slashes[-1] == '\\') --slashes;
  const bool odd = (at - slashes) % 2 != 0;
  return {at, odd != (escaped && slashes == p)};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes digits from the front; false when there is none.
bool digits(std::string_view& text) {
  if (text.empty() || !is_digit(text.front())) return false;
  while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
  return true;
}

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.starts_with('0'))
    text.remove_prefix(1);
  else if (!digits(text))
    return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!digits(text)) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (!digits(text)) return false;
  }
  return text.empty();
}

}  // namespace

const char* ValueScan::run(const char* p, const char* end) {
  while (p != end) {
    if (in_string_) {
      const Quote quote = find_quote(p, end, escaped_);
      escaped_ = quote.at == end && quote.escaped;
      if (quote.at == end) return end;
      p = quote.at + 1;
      if (quote.escaped) continue;
      in_string_ = false;
    } else {
      switch (*p++) {
        case '"': in_string_ = true; continue;
        case '{':
        case '[': ++depth_; continue;
        case '}':
        case ']': --depth_; break;
        default: continue;
      }
    }
    if (depth_ == 0) {
      over_ = true;
      return p;
    }
  }
  return end;
}

bool is_scalar(std::string_view text) { return text == "true" || text == "false" || text == "null" || is_number(text); }

bool is_whole_json(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  if (text.empty()) return false;
  if (text.front() != '{' && text.front() != '[' && text.front() != '"') return is_scalar(text);
  ValueScan scan;
  const char* end = text.data() + text.size();
  return scan.run(text.data(), end) == end && scan.over();
}

}  // namespace BELAY_NAMESPACE::sse
