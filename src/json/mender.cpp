#include "json/mender.h"

#include "json/scan.h"
#include "json/word.h"

#include <belay/json/writer.h>

#include <algorithm>
#include <cstring>

namespace BELAY_NAMESPACE::json {

void Mender::take_over(Handover h) {
  Tape& tape = s_.tape();
  base_ = h.offset;
  line_ = h.line;
  line_start_ = h.line_start;
  held_ = std::move(h.again);
  for (std::size_t i = tape.innermost(); i != Tape::kNone; i = static_cast<std::size_t>(tape.node(i).body))
    frames_.push_back({tape.node(i).tag() == Tag::object ? Frame::Type::object : Frame::Type::array});
  std::reverse(frames_.begin(), frames_.end());
  start_ = tape.size() == 0;
  text_values_ = start_ ? 0 : 1;
  value_at_ = h.top;
  known_escape_ = h.known_escape;
  switch (h.at) {
    case At::start: in_ = In::top; break;
    case At::first_value: in_ = In::value; break;
    case At::value:
      in_ = In::value;
      if (in_object())
        see_colon(ColonSign::colon);
      else
        comma_seen_ = true, comma_ = h.token;
      break;
    case At::first_key: in_ = In::key; break;
    case At::key:
      in_ = In::key;
      comma_seen_ = true;
      comma_ = h.token;
      break;
    case At::colon:
      in_ = In::colon;
      if (h.repeated_key) {
        guess(EditKind::duplicate_key, h.key, h.key_length);
        s_.builder.drop_member(tape.size() - 1);
      }
      break;
    case At::after: in_ = In::after; break;
    case At::string:
      in_ = In::string;
      is_key_ = false;
      quote_ = Quote::straight_double;
      string_at_ = h.token;
      content_at_ = h.token + 1;
      string_node_ = tape.size() - 1;
      s_.builder.resume_string(string_node_);
      s_.builder.append({});
      break;
    case At::key_string: {
      in_ = In::string;
      is_key_ = true;
      quote_ = Quote::straight_double;
      string_at_ = h.key;
      content_at_ = h.key + 1;
      Arena& arena = tape.arena();
      key_.assign(arena.open_string(), arena.open_size());
      // Escapes only ever make it shorter.
      key_plain_ = key_.size() == h.offset - content_at_;
      arena.set_at(arena.open_string());
      arena.close();
      break;
    }
    case At::done:
      start_ = false;
      if (tape.node(0).container()) {
        values_ = 1;
        in_ = In::top;
        line_has_value_ = h.line_start < h.top_end;
        prose_.after_value(h.top_end);
        if (!line_has_value_) prose_.new_line();
        text_values_ = 1;
        if (!h.closer_passed) text_closer_ = tape.node(0).tag() == Tag::object ? "}" : "]";
        note_weak(0, h.top, h.top_end);
        label_ &= line_has_value_;
      } else {
        in_ = In::top_scalar;
        string_at_ = h.token;
        scalar_lines_ = h.line_start > h.token;
      }
      break;
    case At::number:
    case At::literal: break;  // handed over as value
  }
}

void Mender::push(std::string_view piece) {
  rest_ = piece;
  spare_ = ended_ ? piece.size() : 0;
  while (!rest_.empty() && !failed_ && !ended_) {
    if (held_.empty()) {
      data_ = rest_.data();
      size_ = rest_.size();
      rest_ = {};
    } else {
      // Little by little, so that a large piece is not copied for the sake of a few held bytes.
      std::size_t n = std::min(rest_.size(), kHold);
      held_.append(rest_.substr(0, n));
      rest_.remove_prefix(n);
      data_ = held_.data();
      size_ = held_.size();
    }
    run(false);
    if (ended_) {
      spare_ = held_.size() + rest_.size();
      held_.clear();
      return;
    }
  }
}

void Mender::run(bool final) {
  final_ = final;
  pos_ = 0;
  while (pos_ < size_ && !failed_ && !ended_) {
    if (take_clear() == Next::wait || pos_ == size_ || failed_ || ended_) break;
    if (step() == Next::wait) break;
  }
  bool held = data_ == held_.data() && !held_.empty();
  std::size_t used = pos_;
  leave_behind();
  if (held)
    held_.erase(0, used);
  else
    held_.assign(data_, size_);
  data_ = nullptr;
  size_ = 0;
}

// Moves the window past what was read, and counts its line ends.
void Mender::leave_behind() {
  const char* p = data_;
  const char* end = data_ + pos_;
  while (p < end) {
    p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    if (!p) break;
    ++line_;
    ++p;
    line_start_ = base_ + static_cast<std::uint64_t>(p - data_);
  }
  base_ += pos_;
  data_ += pos_;
  size_ -= pos_;
  pos_ = 0;
}

Mender::Next Mender::step() {
  switch (in_) {
    case In::top: return step_top();
    case In::top_word: return step_top_word();
    case In::top_scalar: return step_top_scalar();
    case In::top_string: return step_top_string();
    case In::value: return step_value();
    case In::key: return step_key();
    case In::colon: return step_colon();
    case In::after: return step_after();
    case In::string: return step_string();
    case In::word: return step_word();
    case In::key_word: return step_key_word();
    case In::arguments: return step_arguments();
    case In::line_comment:
    case In::block_comment:
    case In::html_comment: return step_comment();
  }
  return Next::wait;
}

bool Mender::finish(Ending ending) {
  bool complete = ending == Ending::complete;
  ending_ = ending;
  data_ = held_.data();
  size_ = held_.size();
  run(true);
  while (!failed_ && complete && in_ == In::string && is_key_) {
    data_ = held_.data();
    size_ = held_.size();
    if (!reread_key()) break;
    run(true);
  }
  if (failed_) return false;
  if (in_ == In::line_comment || in_ == In::block_comment || in_ == In::html_comment) {
    end_comment();
  }
  bool cut = false;
  if (in_ == In::top_word) {
    // A literal or number that is the whole input. When cut, it may not be whole.
    bool number = is_scalar(word_) && read_word(word_).tag == Tag::number;
    if (is_scalar(word_) && (complete || !number)) {
      build_word(word_, word_at_, word_.size());
      values_ = 1;
      text_scalar_ = true;
    } else if (!complete) {
      cut = number || word_.find_first_not_of("+-.0123456789eExX") == std::string::npos ||
            (word_.size() < 5 &&
             (std::string_view("true").starts_with(word_) || std::string_view("false").starts_with(word_) ||
              std::string_view("null").starts_with(word_)));
    }
    if (!cut && values_ == 0) prose_.add_scalar(word_at_, word_at_ + word_.size(), false, Quote::none);
    in_ = In::top;
  } else if (in_ == In::top_scalar) {
    in_ = In::top;
    cut = !complete && begins_longer_quote();
    if (cut) {
      s_.builder.clear();
    } else {
      note_fragment();
      values_ = 1;
      text_scalar_ = true;
    }
  } else if (in_ != In::top && in_ != In::top_string) {
    cut = !complete;
    if (in_ == In::word) {
      if (complete) {
        end_word();
      } else {
        in_ = In::value;
      }
    } else if (in_ == In::string && is_key_) {
      list_key_controls(complete ? key_controls_.size() : 0);
      if (complete) guess(EditKind::missing_quote, base_, 0);
      in_ = In::key;
      comma_seen_ = false;
    } else if (in_ == In::key_word) {
      if (complete) guess(EditKind::stray_bytes, word_at_, base_ - word_at_);
      in_ = In::key;
      comma_seen_ = false;
    } else if (in_ == In::string) {
      if (complete) guess(EditKind::missing_quote, base_, 0);
      s_.text_stopped = true;
      s_.builder.close_string();
      string_node_ = Tape::kNone;
      if (frames_.empty()) values_ = 1;
      in_ = In::after;
    }
    // A key that has no value yet goes.
    Tape& tape = s_.tape();
    if (tape.size() > 0 && tape.node(tape.size() - 1).tag() == Tag::key) {
      if (complete) guess(EditKind::missing_value, base_, 0);
      s_.builder.forget_key();
    }
    s_.text_stopped = true;
    for (std::size_t i = frames_.size(); i > 0; --i)
      if (complete) guess(EditKind::missing_closer, base_, 0);
    if (!frames_.empty()) {
      while (!frames_.empty()) {
        if (frames_.back().type != Frame::Type::wrapper) s_.builder.close();
        frames_.pop_back();
      }
      ++values_;
    }
  }
  end_fence();
  // The start of another value, or a list around objects that was left open.
  if ((in_ == In::top || in_ == In::top_string) && !cut) {
    if (!complete && (prose_.open() || list_depth_ > 0)) cut = true;
    if (complete && list_depth_ > 0 && values_ > 0) guess(EditKind::missing_closer, base_, 0);
  }
  // f({"a":1}: further arguments may be missing.
  if (!cut && !ended_ && prose_.in_call()) guess(EditKind::missing_closer, base_, 0);
  list(prose_.at_end(values_));
  if (prose_.any_text() && (values_ > 1 || prose_.in_sentence(complete))) doubt_weak();
  if (!cut && values_ > 0 && s_.wants_text()) {
    if (text_scalar_) {
      write(Value(&s_.tape(), 0), s_.text);
    } else {
      s_.text += text_closer_;
    }
    text_closer_.clear();
  }
  return cut;
}

std::size_t Mender::held_node() const { return in_ == In::string && !is_key_ ? string_node_ : Tape::kNone; }

bool Mender::shown() const {
  const Tape& t = s_.builder.tape();
  if (t.size() == 0) return false;
  return t.node(0).container() || values_ > 0 || (in_ != In::top_word && base_ - string_at_ > kHold);
}

Position Mender::position() const {
  std::uint64_t line = line_, start = line_start_;
  for (std::size_t i = 0; i < pos_; ++i)
    if (data_[i] == '\n') ++line, start = base_ + i + 1;
  return {offset(), line, offset() - start + 1};
}

// Separators and the key belong to the value that follows them: they are written when it begins.
void Mender::write_before_value() {
  const Tape& tape = s_.tape();
  if (frames_.empty()) {
    if (text_values_++ > 0) s_.text += text_closer_ + "\n";
    text_closer_.clear();
    return;
  }
  if (frames_.back().type == Frame::Type::wrapper) return;
  const Node& container = tape.node(tape.innermost());
  if (container.size() > 0) s_.text += ',';
  if (container.tag() == Tag::object) {
    write_string(tape.text(tape.size() - 1), s_.text);
    s_.text += ':';
  }
}

void Mender::clear() {
  Session& s = s_;
  std::string held = std::move(held_);
  this->~Mender();
  new (this) Mender(s);
  held.clear();
  held_ = std::move(held);
}

}  // namespace BELAY_NAMESPACE::json
