#include "text/data.h"

#include "text/scan.h"

namespace BELAY_NAMESPACE::text {
namespace {

bool is_word_byte(char c) { return is_name_byte(c) || c == '+' || c == '$' || static_cast<unsigned char>(c) >= 0x80; }

}  // namespace

void Data::clear() {
  closers_.clear();
  quote_ = 0;
  escaped_ = word_ = false;
  comment_ = Comment::none;
}

void Data::begin(char bracket) {
  clear();
  closers_.push_back(bracket == '{' ? '}' : ']');
  want_ = Want::first;
}

bool Data::step(char c) {
  if (quote_ != 0) {
    // A string ends on its line; what looks like one and does not was an apostrophe.
    if (c == '\n') return clear(), false;
    if (escaped_)
      escaped_ = false;
    else if (c == '\\')
      escaped_ = true;
    else if (c == quote_)
      quote_ = 0;
    return true;
  }
  if (comment_ != Comment::none ? in_comment(c) : outside(c)) return true;
  clear();
  return false;
}

// // and /* */; the slash alone is nothing.
bool Data::in_comment(char c) {
  switch (comment_) {
    case Comment::slash:
      if (c != '/' && c != '*') return false;
      comment_ = c == '/' ? Comment::line : Comment::block;
      break;
    case Comment::line:
      if (c == '\n') comment_ = Comment::none;
      break;
    case Comment::block:
      if (c == '*') comment_ = Comment::star;
      break;
    case Comment::star: comment_ = c == '/' ? Comment::none : c == '*' ? Comment::star : Comment::block; break;
    case Comment::none: break;
  }
  return true;
}

bool Data::outside(char c) {
  // A colon is part of names elsewhere; here it ends one.
  if (word_ && is_word_byte(c) && c != ':') return true;
  word_ = false;
  if (is_space(c)) return true;
  switch (c) {
    case '{':
    case '[':
      if (want_ == Want::colon || want_ == Want::after || closers_.size() >= kDepth) return false;
      if (in_object() && want_ != Want::value) return false;
      closers_.push_back(c == '{' ? '}' : ']');
      want_ = Want::first;
      return true;
    case '}':
    case ']':
      if (c != closers_.back() || want_ == Want::colon || want_ == Want::value) return false;
      closers_.pop_back();
      want_ = Want::after;
      return true;
    case ',':
      if (want_ != Want::after) return false;
      want_ = Want::item;
      return true;
    case ':':
      if (want_ != Want::colon) return false;
      want_ = Want::value;
      return true;
    case '/':
      // In a list the first thing may just as well be a path.
      if (want_ == Want::first && !in_object()) return false;
      comment_ = Comment::slash;
      return true;
    default: break;
  }
  const bool quote = c == '"' || c == '\'';
  if (!quote && !is_word_byte(c)) return false;
  if (want_ == Want::colon || want_ == Want::after) return false;
  if (quote)
    quote_ = c;
  else
    word_ = true;
  want_ = in_object() && want_ != Want::value ? Want::colon : Want::after;
  return true;
}

}  // namespace BELAY_NAMESPACE::text
