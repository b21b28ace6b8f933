// How the fast half ends: with a whole text, or by handing over what it has to the other half.
#include "json/strict.h"

#include "json/number.h"
#include "json/strict_tables.h"

namespace BELAY_NAMESPACE::json {

Position Strict::position() const {
  std::uint64_t at = base_;
  if (why_ != ErrorKind::none) {
    // The token that does not fit, wherever the pieces were cut.
    if (at_ == At::number)
      at -= number_.size();
    else if (at_ == At::literal)
      at -= matched_;
    else
      at -= static_cast<std::uint64_t>(pending_) + utf8_pending_;
  }
  return {at, line_, at - line_start_ + 1};
}

bool Strict::finish(Ending ending) {
  Tape& tape = s_.tape();
  if (at_ == At::number && s_.options.mode == Mode::strict && !begins_number(number_)) why_ = ErrorKind::bad_number;
  // A number that was cut may lack digits.
  if (at_ == At::number && tape.innermost() == Tape::kNone && is_number(number_) && ending == Ending::complete) {
    tape.number(number_);
    at_ = At::done;
  } else if (at_ == At::literal && tape.innermost() == Tape::kNone && matched_ == kLiteralWords[literal_].size()) {
    tape.leaf(kLiteralTags[literal_]);
    at_ = At::done;
  }
  if (at_ != At::done || why_ != ErrorKind::none) return false;
  if (s_.options.text) s_.text += tail_.view().substr(passed_);
  tail_.clear();
  return true;
}

Handover Strict::hand_over() {
  Tape& tape = s_.tape();
  Arena& arena = tape.arena();
  Handover h;
  h.at = at_;
  h.line = line_;
  h.line_start = line_start_;
  h.known_escape = known_escape_;
  h.token = token_;
  h.top = top_;
  h.top_end = top_end_;
  h.key = key_;
  h.repeated_key = repeated_key_;
  if (overrun_) {
    // Behind a whole value only white space has passed; anywhere else the text cannot be mended any more.
    if (at_ == At::done && tape.node(0).container())
      h.closer_passed = true;
    else
      s_.text_stopped = true;
  }
  if (first_bracket_open() && token_end() - top_ <= kHold && tail_from_ <= top_ && top_ - tail_from_ < tail_.size()) {
    // What follows the first bracket is no value: start over, the bracket may be prose.
    h.again = tail_.view().substr(static_cast<std::size_t>(top_ - tail_from_));
    h.line = mark_line_;
    h.line_start = mark_line_start_;
    h.offset = top_;
    h.at = At::start;
    s_.builder.clear();
    return h;
  }
  if (s_.options.text && !overrun_ && tape.innermost() != Tape::kNone && tail_from_ <= top_ &&
      tail_.size() > top_ - tail_from_)
    s_.text += tail_.view().substr(0, static_cast<std::size_t>(top_ - tail_from_) + 1);
  else if (s_.options.text && !overrun_ && tail_from_ <= comma_ && comma_ < base_ && !string_live(base_))
    s_.text += tail_.view().substr(0, static_cast<std::size_t>(comma_ - tail_from_));
  if (string_live(base_)) {
    // Read the end of the last string again: what came after it did not fit.
    if (arena.open_string()) {  // a key that was being read
      arena.set_at(arena.open_string());
      arena.close();
    }
    tape.truncate(string_ + 1);
    const Node& node = tape.node(string_);
    auto* start = reinterpret_cast<char*>(node.body);
    auto size = static_cast<std::size_t>(node.size());
    // A key behind the string is the only thing that can lie behind it in the arena.
    arena.reopen(start, size);
    std::size_t open = tape.innermost();
    std::size_t depth = s_.builder.depth();
    for (std::size_t i = 0; i < string_; ++i) {
      Node& c = tape.at(i);
      if (!c.container() || c.open() || c.body != string_ + 1) continue;
      c.head |= Node::kOpen;
      c.body = open;
      open = i;
      ++depth;
    }
    tape.set_innermost(open);
    s_.builder.set_depth(depth);
    s_.builder.keys().rebuild(tape);
    h.at = At::string;
    h.token = string_at_;
    h.offset = closed_;
    h.again = tail_.view();
    if (tail_from_ < closed_) h.again.erase(0, static_cast<std::size_t>(closed_ - tail_from_));
    h.line = mark_line_;
    h.line_start = mark_line_start_;
    h.repeated_key = false;
    tail_.clear();
    return h;
  }
  h.offset = base_;
  if (at_ == At::colon && !repeated_key_ && why_ != ErrorKind::none && base_ - closed_key_ <= kHold &&
      tail_from_ <= closed_key_ && closed_key_ - tail_from_ < tail_.size()) {
    // No colon behind a key: its last quote may have been part of it.
    Node key = tape.node(tape.size() - 1);
    arena.reopen(reinterpret_cast<const char*>(key.body), static_cast<std::size_t>(key.size()));
    s_.builder.forget_key();
    s_.builder.keys().rebuild(tape);
    h.at = At::key_string;
    h.again = tail_.view().substr(static_cast<std::size_t>(closed_key_ - tail_from_));
    h.offset = closed_key_;
    h.line = key_line_;
    h.line_start = key_line_start_;
    return h;
  }
  if (at_ == At::number) {
    h.again = number_;
    h.at = At::value;
  } else if (at_ == At::literal) {
    h.again = kLiteralWords[literal_].substr(0, matched_);
    h.at = At::value;
  } else if (pending_) {
    h.again.assign(escape_.data(), pending_);
  } else if (utf8_pending_) {
    char* end = arena.at();
    h.again.assign(end - utf8_pending_, utf8_pending_);
    arena.set_at(end - utf8_pending_);
  }
  h.offset -= h.again.size();
  if (h.at == At::value && tape.innermost() == Tape::kNone) h.at = At::start;
  if (h.at == At::string || (h.at == At::done && tape.node(0).tag() == Tag::string)) h.token = string_at_;
  if (at_ == At::colon) h.key_length = base_ - key_;
  return h;
}

// The first of the last bytes that may have to be read again; the next one when there is none.
std::uint64_t Strict::doubtful() const {
  if (string_live(base_)) return closed_;
  if (at_ == At::colon && base_ - closed_key_ <= kHold) return closed_key_;
  if (first_bracket_open() && token_end() - top_ <= kHold) return top_;
  return base_;
}

// How far whole tokens reach: in one piece a number or a word is never seen half.
std::uint64_t Strict::token_end() const { return at_ == At::number || at_ == At::literal ? token_ : base_; }

bool Strict::first_bracket_open() const {
  const Tape& t = s_.builder.tape();
  return t.size() == 1 && t.innermost() == 0 &&
         (at_ == At::first_key || at_ == At::first_value || at_ == At::number || at_ == At::literal);
}

bool Strict::shown_slow() const {
  const Tape& t = s_.builder.tape();
  // A first bracket with nothing in it yet may turn out to be prose.
  if (t.node(0).container()) return !first_bracket_open() || token_end() - top_ > kHold;
  return base_ - (t.node(0).tag() == Tag::string ? string_at_ : token_) > kHold;
}

void Strict::clear() {
  at_ = At::start;
  why_ = ErrorKind::none;
  known_escape_ = repeated_key_ = overrun_ = false;
  literal_ = matched_ = pending_ = utf8_pending_ = 0;
  mark_line_ = key_line_ = 1;
  mark_line_start_ = key_line_start_ = base_ = line_start_ = token_ = string_at_ = top_end_ = comma_ = key_ = top_ =
      closed_key_ = closed_ = tail_from_ = 0;
  line_ = 1;
  string_ = Tape::kNone;
  room_ = {};
  container_ = nullptr;
  object_ = false;
  memo_ = kNoMemo;
  stop();
  number_.clear();
  tail_.clear();
  passed_ = 0;
  // What was remembered points into the last text: with a new generation it has to be renewed first.
  waiting_ = carried_ = 0;
  // The next text is probably like this one, and may be too short to show it.
  if (hits_ >= 2u * kTries) shapeless_ = false;
  strange_ = shapeless_ ? kTries : std::int8_t{0};
  hits_ = tried_ = familiar_ = 0;
  ++generation_;
}

}  // namespace BELAY_NAMESPACE::json
