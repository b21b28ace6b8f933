#include "json/comment_quotes.h"

#include "json/scan.h"

namespace belay::json {

void CommentQuotes::add(std::string_view bytes) {
  constexpr std::string_view kBehindString = ",:;=}])";
  for (char c : bytes) {
    if (closing_ && !is_space(c)) {
      loose_ |= kBehindString.find(c) != kBehindString.npos;
      closing_ = false;
    }
    // Curly quotes are known by their last byte: E2 80 98 to 9F.
    const auto byte = static_cast<unsigned char>(c);
    const bool curly = byte >= 0x98 && byte <= 0x9F && last_[0] == '\x80' && last_[1] == '\xE2';
    if (c == '\'' || c == '`')
      quote(c == '`' ? Kind::backtick : Kind::single, last_[0]);
    else if (c == '"' && doubles_)
      quote(Kind::twofold, last_[0]);
    else if (curly)
      quote(byte < 0x9C ? Kind::curly_single : Kind::curly_double, last_[2]);
    last_ = {c, last_[0], last_[1]};
  }
}

void CommentQuotes::quote(Kind kind, char before) {
  constexpr std::string_view kBeforeString = "([{,:;=";
  if (open_ == kind) {
    open_ = Kind::none;
  } else if (before == '\0' || is_space(before) || kBeforeString.find(before) != kBeforeString.npos) {
    if (open_ == Kind::none) open_ = kind;
  } else if (open_ == Kind::none) {
    closing_ = true;
  }
}

}  // namespace belay::json
