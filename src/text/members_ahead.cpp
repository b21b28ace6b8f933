#include "text/members_ahead.h"

namespace BELAY_NAMESPACE::text {

Ahead::Stop Ahead::look(std::string_view text, bool final) {
  const bool all = text.size() >= kReach;
  Stop stop = walk(text.substr(0, kReach));
  if (stop == Stop::more && (all || final)) stop = Stop::far;
  if (stop != Stop::more) start();
  return stop;
}

bool Ahead::triple(std::string_view text) const { return text[at_ + 1] == text[at_] && text[at_ + 2] == text[at_]; }

Ahead::Stop Ahead::walk(std::string_view text) {
  for (; at_ < text.size(); ++at_) {
    const char c = text[at_];
    if (comment_) {
      comment_ = c != '\n';
      continue;
    }
    if (quote_) {
      if (c == '\\') {
        if (at_ + 1 == text.size()) return Stop::more;
        ++at_;
      } else if (c == quote_) {
        if (triple_) {
          if (at_ + 2 >= text.size()) return Stop::more;
          if (!triple(text)) continue;
          at_ += 2;
        }
        quote_ = 0;
      }
      continue;
    }
    switch (c) {
      case ' ':
      case '\t':
      case '\r':
      case '\f':
      case '\v':
      case '\\':  // a line that goes on
      case '\n': continue;
      case '#': comment_ = true; continue;
      case '"':
      case '\'':
        if (at_ + 2 >= text.size()) return Stop::more;
        triple_ = triple(text);
        quote_ = c;
        if (triple_) at_ += 2;
        break;
      case '(':
      case '[':
      case '{': ++depth_; break;
      case ')':
      case ']':
      case '}':
        if (depth_ == 0) return any_ ? Stop::closer : Stop::empty;
        --depth_;
        break;
      case ',':
        if (depth_ == 0) return Stop::comma;
        break;
      case ':':
        if (depth_ == 0) return Stop::colon;
        break;
      case '=':
        if (depth_ > 0) break;
        if (at_ + 1 == text.size()) return Stop::more;
        if (text[at_ + 1] == '=')
          ++at_;
        else if (at_ == 0 || (text[at_ - 1] != '!' && text[at_ - 1] != '<' && text[at_ - 1] != '>'))
          return Stop::equals;
        break;
      default: break;
    }
    any_ = true;
  }
  return Stop::more;
}

}  // namespace BELAY_NAMESPACE::text
