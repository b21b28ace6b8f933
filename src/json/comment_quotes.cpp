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
    else if (c == '"')
      quote(Kind::twofold, last_[0]);
    else if (curly)
      quote(byte < 0x9C ? Kind::curly_single : Kind::curly_double, last_[2]);
    odd_ ^= c == '"';
    last_ = {c, last_[0], last_[1]};
  }
}

void CommentLosses::add(std::string_view bytes) {
  constexpr std::size_t kLongestKey = 64;
  constexpr std::string_view kDots = "...", kEllipsis = "\u2026", kBeginsValue = "\"'{[";
  for (char c : bytes) {
    if (!begun_ && is_space(c)) continue;
    // A member or item that was taken out on purpose is all of its comment.
    if (!begun_) line_ &= kBeginsValue.find(c) == kBeginsValue.npos;
    begun_ = true;
    if (dotted_) {
      dotted_ = c == kDots[dots_] || c == kEllipsis[dots_];
      if (dotted_) elided_ = ++dots_ == kDots.size();
      dotted_ &= !elided_;
    }
    if (line_) see_second(c);
    if (c == ',') before_comma_ = last_;
    if (!is_space(c)) comma_ = c == ',';
    if (line_ && !member_) {
      switch (in_) {
        case In::words:
          if ((c == '"' || c == '\'') && !in_name(last_)) {
            quote_ = c;
            length_ = 0;
            in_ = In::key;
          }
          break;
        case In::key:
          if (c == quote_ && length_ > 0)
            in_ = In::key_done;
          else if (!in_name(c) || ++length_ > kLongestKey)
            in_ = In::words;
          break;
        case In::key_done:
          member_ = c == ':';
          if (!is_space(c)) in_ = In::words;
          break;
      }
    }
    // A line end that was written out is one between words.
    last_ = c == 'n' && last_ == '\\' ? ' ' : c;
  }
}

// [1, // one 2, // two: the sign of a second comment, which no word touches.
void CommentLosses::see_second(char c) {
  const bool apart = is_space(last_) || last_ == ',' || last_ == ';';
  if (sign_) member_ |= is_space(c);
  sign_ = (c == '#' && apart) || (slash_ && c == '/');
  slash_ = c == '/' && apart;
}

void CommentLosses::end() {
  constexpr std::string_view kEndsItem = "\"'`]}0123456789";
  member_ |= line_ && comma_ && kEndsItem.find(before_comma_) != kEndsItem.npos;
}

void CommentQuotes::quote(Kind kind, char before) {
  constexpr std::string_view kBeforeString = "([{,:;=";
  if (kind == Kind::backtick && before == '`') return;  // a fence
  if (open_ == kind) {
    open_ = Kind::none;
  } else if (before == '\0' || is_space(before) || kBeforeString.find(before) != kBeforeString.npos) {
    if (open_ == Kind::none) open_ = kind;
  } else if (open_ == Kind::none) {
    closing_ = true;
    (kind == Kind::single ? stray_single_ : stray_) = true;
  }
}

}  // namespace belay::json
