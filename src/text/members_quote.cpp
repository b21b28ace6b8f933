// Whether a quote ends its string, and whether another string goes on with it.
#include "json/word.h"
#include "text/members_state.h"

#include <algorithm>

namespace BELAY_NAMESPACE::text {

std::size_t Members::State::past_space(std::size_t from) const {
  const std::string_view rest(here(), std::min(left(), kHold));
  while (from < rest.size() && (is_blank(rest[from]) || is_gap(rest, from)))
    from = is_blank(rest[from]) ? from + 1 : past_blank(rest, from);
  return from;
}

// Whether a name with its separator stands there: then only a comma was missing.
Members::State::Answer Members::State::names_follow(std::size_t from) const {
  std::size_t i = from;
  while (i < left() && i < kHold && in_name(here()[i])) ++i;
  if (i == from && i < left()) return Answer::no;
  i = past_space(i);
  if (i >= kHold) return Answer::no;
  const auto at_end = [&] { return final_ ? Answer::no : Answer::more; };
  if (i == left()) return at_end();
  if (here()[i] == ':') return frames_.back().type == Frame::Type::keywords ? Answer::no : Answer::yes;
  if (here()[i] != '=') return Answer::no;
  if (i + 1 == left()) return at_end();
  return here()[i + 1] == '=' ? Answer::no : Answer::yes;
}

// Whether a string stands there, with up to two letters before its quote.
Members::State::Answer Members::State::quote_follows(std::size_t from, std::size_t& prefix) const {
  prefix = 0;
  while (from + prefix < left() && prefix < 3) {
    if (is_quote(here()[from + prefix]))
      return prefix == 0 || json::is_string_prefix({here() + from, prefix}) ? Answer::yes : Answer::no;
    if (!starts_name(here()[from + prefix])) return Answer::no;
    ++prefix;
  }
  return prefix == 3 || final_ ? Answer::no : Answer::more;
}

// In f(x="say "hi" to me") the quotes inside are followed by what cannot follow a value.
Members::State::Answer Members::State::quote_ends_string() const {
  const std::size_t i = past_space(1);
  if (i >= kHold) return Answer::yes;
  if (i == left()) return final_ ? Answer::yes : Answer::more;
  const char c = here()[i];
  if (is_closer(c) || c == ',' || c == ';' || c == '#' || c == '<' || c == '\\') return Answer::yes;
  if (is_quote(c)) return Answer::yes;
  if (c == '+' || c == '%' || c == '*' || c == '.' || c == '[' || c == ':' || c == '=')
    return inner_quote_ || !python() ? Answer::no : Answer::yes;
  if (!starts_name(c)) return Answer::no;
  if (python()) {
    std::size_t prefix = 0;
    const Answer joined = quote_follows(i, prefix);
    if (joined != Answer::no) return joined;
  }
  return frames_.back().named() ? names_follow(i) : Answer::no;
}

// "a" "b" is one string in Python, and so is "a" + "b". The string stays open until something else follows.
Members::State::Next Members::State::step_after_string() {
  if (skip_space() == Next::wait) return Next::wait;
  if (left() == 0) return Next::go;
  const bool plus = *here() == '+';
  const std::size_t from = plus ? past_space(1) : 0;
  if (plus && from == left() && !final_ && from < kHold) return Next::wait;
  std::size_t prefix = 0;
  const Answer joined = quote_follows(from, prefix);
  if (joined == Answer::more) return Next::wait;
  if (joined == Answer::no) {
    builder_.close_string();
    value_done();
    return Next::go;
  }
  return join_string(from, prefix);
}

// Goes on with the string that ended, or the name: a quote stands behind `from` bytes and `prefix` letters.
Members::State::Next Members::State::join_string(std::size_t from, std::size_t prefix) {
  const std::size_t start = pos_;
  const std::string_view letters(here() + from, prefix);
  pos_ += from + prefix;
  const std::uint64_t at = base_ + start;
  const Next next = open_string(string_is_key_, letters);
  if (next == Next::wait) {
    pos_ = start;
    return next;
  }
  // Between the items of a list a comma is as likely to be missing.
  const bool doubtful = from > 0 || line_end_ || frames_.back().type == Frame::Type::array;
  receipt_.add(Kind::concatenated, doubtful ? json::Grade::guess : json::Grade::safe, at, offset() - at);
  joined_ = true;
  return next;
}

}  // namespace BELAY_NAMESPACE::text
