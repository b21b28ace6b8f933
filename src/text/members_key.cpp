// Names: without quotes, with them, or missing.
#include "base/utf8.h"
#include "json/word.h"
#include "text/members_state.h"

#include <algorithm>

namespace BELAY_NAMESPACE::text {
namespace {

bool ends_key_word(char c) {
  return is_blank(c) || is_quote(c) || is_closer(c) || c == ':' || c == ',' || c == '=' || c == '(' || c == '[' ||
         c == '{';
}

}  // namespace

Members::State::Next Members::State::start_key() {
  Frame& frame = frames_.back();
  const bool keywords = frame.type == Frame::Type::keywords;
  const char c = *here();
  word_.clear();
  word_at_ = word_end_ = value_at_ = offset();
  word_spaced_ = never_scalar_ = key_is_string_ = false;
  word_depth_ = 0;
  if (c == '*' && python()) {
    if (left() < 3 && !final_) return Next::wait;
    const std::string_view stars = rest().substr(0, 3);
    if (stars == "**{") {
      guess(Kind::stray_bytes, offset(), 2);
      if (open(Frame::Type::spread, '}')) pos_ += 3;
    } else {
      start_stray();
    }
    return Next::go;
  }
  if (c == '{' && frames_.size() == 1 && !frame.any) {
    // f({"x": 1}): the parameters themselves, unless the first one may be an object.
    const auto& properties = frame.shape->properties;
    if (properties.empty() || !properties[0].shape.declared || !(properties[0].shape.types & kObject)) {
      guess(Kind::wrong_opener, offset(), 1);
      if (open(Frame::Type::spread, '}')) ++pos_;
      return Next::go;
    }
  }
  if (is_quote(c)) {
    if (!keywords) return open_string(true, {});
    const Ahead::Stop stop = ahead_.look(rest(), final_);
    if (stop == Ahead::Stop::more) return Next::wait;
    if (stop == Ahead::Stop::colon || stop == Ahead::Stop::equals) {
      const Next next = open_string(true, {});
      if (next == Next::go) safe(Kind::quote_spelling, word_at_, 1);
      return next;
    }
  } else if (Next next; open_token(true, next)) {
    return next;
  } else if (keywords ? starts_name(c) : c != '[' && c != '{' && c != '(') {
    in_ = In::key_word;
    return Next::go;
  }
  nameless_ = true;
  in_ = In::value;
  return Next::go;
}

Members::State::Next Members::State::step_key_word() {
  const bool keywords = frames_.back().type == Frame::Type::keywords;
  const char token = python() || notation_.quote.empty() ? ',' : notation_.quote[0];
  std::size_t n = 0;
  if (keywords)
    while (n < left() && (in_name(here()[n]) || here()[n] == '-' || here()[n] == '.')) ++n;
  else
    while (n < left() && !ends_key_word(here()[n]) && here()[n] != token) ++n;
  word_.append(here(), n);
  pos_ += n;
  word_end_ = offset();
  if (left() == 0) return Next::go;
  if (python() && is_quote(*here()) && json::is_string_prefix(word_)) {
    if (!keywords) return open_string(true, word_);
    nameless_ = true;
    return open_string(false, word_);
  }
  in_ = In::key_end;
  return Next::go;
}

Members::State::Next Members::State::step_key_end() {
  const std::size_t from = pos_;
  const Next skipped = skip_space();
  if (pos_ > from) word_spaced_ = true;
  if (skipped == Next::wait) return Next::wait;
  if (left() == 0) return Next::go;
  const bool keywords = frames_.back().type == Frame::Type::keywords;
  const char c = *here();
  if (c == '=' || c == ':') {
    std::size_t length = 1;
    bool separates = true;
    if (c == '=') {
      if (left() < 2 && !final_) return Next::wait;
      if (left() >= 2 && here()[1] == '>') length = 2;
      if (left() >= 2 && here()[1] == '=' && keywords && !key_is_string_) separates = false;  // a comparison
    }
    if (separates) {
      if (length == 2 || (c == '=') != keywords) safe(Kind::colon_spelling, offset(), length);
      if (word_.empty() && !key_is_string_) {
        nameless_ = true;
        in_ = In::value;
      } else {
        commit_key();
      }
      pos_ += length;
      return Next::go;
    }
  }
  if (key_is_string_ && python()) {
    // {"a" "b": 1}
    std::size_t prefix = 0;
    const Answer joined = quote_follows(0, prefix);
    if (joined == Answer::more) return Next::wait;
    if (joined == Answer::yes) return join_string(0, prefix);
  }
  // A value, then.
  nameless_ = true;
  value_at_ = word_at_;
  if (key_is_string_) {
    begin_value();
    builder_.string(word_);
    value_done();
  } else {
    if (word_spaced_) word_ += ' ';
    in_ = In::word;
  }
  return Next::go;
}

void Members::State::commit_key() {
  const std::uint64_t length = word_end_ - word_at_;
  if (!key_is_string_) {
    if (!utf8::valid(word_)) {
      guess(Kind::invalid_utf8, word_at_, length);
      word_ = utf8::replaced(word_);
    }
    const bool keywords = frames_.back().type == Frame::Type::keywords;
    json::Grade grade = json::grade_key(word_);
    bool natural = !python() && grade == json::Grade::safe;
    if (python() && keywords) natural = std::all_of(word_.begin(), word_.end(), in_name);
    // {1: "a"} has a number for a key, which JSON cannot say.
    if (python() && !keywords && json::is_scalar(word_)) grade = json::Grade::guess;
    if (!natural) receipt_.add(Kind::unquoted_key, grade, word_at_, length);
  }
  if (!builder_.key(word_)) guess(Kind::duplicate_key, word_at_, length);
  value_shape_ = &frames_.back().shape->at(word_);
  keyed_ = true;
  in_ = In::value;
}

}  // namespace BELAY_NAMESPACE::text
