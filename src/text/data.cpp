#include "text/data.h"

#include "text/scan.h"

namespace belay::text {
namespace {

bool is_word_byte(char c) { return is_name_byte(c) || c == '+' || c == '$' || static_cast<unsigned char>(c) >= 0x80; }

}  // namespace

void Data::clear() {
  closers_.clear();
  quote_ = 0;
  escaped_ = word_ = false;
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
  if (outside(c)) return true;
  clear();
  return false;
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

}  // namespace belay::text
