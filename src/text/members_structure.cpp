// Between values: where items begin, commas, brackets, and what fits nowhere.
#include "text/members_state.h"

#include <cstring>

namespace BELAY_NAMESPACE::text {

// Takes white space and comments. `go` may mean that nothing is left.
Members::State::Next Members::State::skip_space() {
  while (pos_ < size_) {
    if (comment_) {
      const void* end = std::memchr(here(), '\n', left());
      pos_ = end ? static_cast<std::size_t>(static_cast<const char*>(end) - data_) : size_;
      comment_ = end == nullptr;
      continue;
    }
    const char c = *here();
    const std::string_view rest(here(), left());
    if (is_blank(c)) {
      ++pos_;
    } else if (const std::size_t odd = odd_space(rest); odd > 0) {
      safe(Kind::odd_space, offset(), odd);
      pos_ += odd;
    } else if (half_space(rest) && !final_) {
      return Next::wait;
    } else if (c == '#' && python()) {
      comment_ = true;
    } else if (c == '\\' && python()) {
      // A line that goes on.
      if (left() < 2 && !final_) return Next::wait;
      if (left() < 2 || (here()[1] != '\n' && here()[1] != '\r')) return Next::go;
      pos_ += 2;
    } else {
      return Next::go;
    }
  }
  return Next::go;
}

Members::State::Next Members::State::step_item() {
  if (skip_space() == Next::wait) return Next::wait;
  if (left() == 0) return Next::go;
  Frame& frame = frames_.back();
  const char c = *here();
  if (is_closer(c)) return on_closer(c);
  if (c == ',') {
    const Kind kind = frame.comma ? Kind::doubled_comma : Kind::leading_comma;
    // In a list something may have been left out.
    if (frame.named())
      safe(kind, offset(), 1);
    else
      guess(kind, offset(), 1);
    ++pos_;
    return Next::go;
  }
  if (frame.named()) return start_key();
  if (frame.type == Frame::Type::array) value_at_ = offset();
  in_ = In::value;
  return Next::go;
}

void Members::State::on_comma() {
  Frame& frame = frames_.back();
  frame.comma = true;
  frame.comma_at = offset();
  ++pos_;
  in_ = In::item;
}

Members::State::Next Members::State::step_after() {
  if (skip_space() == Next::wait) return Next::wait;
  if (left() == 0) return Next::go;
  Frame& frame = frames_.back();
  const char c = *here();
  if (is_closer(c)) return on_closer(c);
  if (frame.type == Frame::Type::group) {
    start_stray();
    return Next::go;
  }
  if (c == ',' || c == ';') {
    if (c == ';') safe(Kind::comma_spelling, offset(), 1);
    on_comma();
    return Next::go;
  }
  bool item = false;
  if (frame.named()) {
    if (starts_name(c) || is_quote(c)) {
      const Ahead::Stop stop = ahead_.look(rest(), final_);
      if (stop == Ahead::Stop::more) return Next::wait;
      item = stop == Ahead::Stop::colon || stop == Ahead::Stop::equals;
    }
  } else {
    item = is_quote(c) || c == '[' || c == '{' || c == '-' || (c >= '0' && c <= '9');
  }
  if (item) {
    guess(Kind::missing_comma, offset(), 0);
    in_ = In::item;
  } else {
    start_stray();
  }
  return Next::go;
}

void Members::State::start_stray() {
  stray_at_ = offset();
  stray_depth_ = 0;
  stray_quote_ = 0;
  in_ = In::stray;
}

// Up to the next comma or closer that belongs to what is open. Quotes count only inside brackets: outside of them an
// apostrophe would take the rest of the text along.
void Members::State::step_stray() {
  const bool group = frames_.back().type == Frame::Type::group;
  for (; pos_ < size_; ++pos_) {
    const char c = *here();
    if (stray_quote_) {
      if (c == stray_quote_) stray_quote_ = 0;
    } else if (c == '(' || c == '[' || c == '{') {
      ++stray_depth_;
    } else if (stray_depth_ > 0) {
      if (is_closer(c)) --stray_depth_;
      if (is_quote(c)) stray_quote_ = c;
    } else if (is_closer(c) || (c == ',' && !group)) {
      guess(Kind::stray_bytes, stray_at_, offset() - stray_at_);
      in_ = In::after;
      return;
    }
  }
}

Members::State::Next Members::State::step_value() {
  if (skip_space() == Next::wait) return Next::wait;
  if (left() == 0) return Next::go;
  const char c = *here();
  if (keyed_) value_at_ = offset();
  if (is_closer(c) || c == ',') {
    guess(Kind::missing_value, offset(), 0);
    begin_value();
    builder_.null();
    value_done();
    return Next::go;
  }
  if (keyed_ && frames_.back().named() && (c == ':' || c == '=')) {
    safe(Kind::doubled_colon, offset(), 1);
    ++pos_;
    return Next::go;
  }
  if (is_quote(c)) return open_string(false, {});
  if (Next next; open_token(false, next)) return next;
  switch (c) {
    case '[':
      if (open(Frame::Type::array, ']')) ++pos_;
      return Next::go;
    case '{': return open_brace();
    case '(': return open_paren();
    default: start_word(); return Next::go;
  }
}

// (1) is 1, (1, 2) and (1,) are tuples.
Members::State::Next Members::State::open_paren() {
  bool group = false;
  if (python()) {
    const Ahead::Stop stop = ahead_.look(rest().substr(1), final_);
    if (stop == Ahead::Stop::more) return Next::wait;
    group = stop != Ahead::Stop::comma && stop != Ahead::Stop::empty;
    if (stop == Ahead::Stop::far && value_shape_->declared) group = !(value_shape_->types & kArray);
  } else {
    guess(Kind::wrong_opener, offset(), 1);
  }
  if (open(group ? Frame::Type::group : Frame::Type::array, ')')) ++pos_;
  return Next::go;
}

// {1, 2} is a set.
Members::State::Next Members::State::open_brace() {
  bool set = false;
  if (python()) {
    const Ahead::Stop stop = ahead_.look(rest().substr(1), final_);
    if (stop == Ahead::Stop::more) return Next::wait;
    set = stop == Ahead::Stop::comma || stop == Ahead::Stop::closer;
    if (set && left() > 2 && here()[1] == '*' && here()[2] == '*') set = false;
    if (set) guess(Kind::wrong_opener, offset(), 1);
  }
  if (open(set ? Frame::Type::array : Frame::Type::object, '}')) ++pos_;
  return Next::go;
}

Members::State::Next Members::State::on_closer(char c) {
  Frame& frame = frames_.back();
  const std::size_t kind = c == ')' ? 0 : c == ']' ? 1 : 2;
  if (c != frame.closer) {
    if (closers_[kind] > 0) {
      // It closes something further out.
      guess(Kind::missing_closer, offset(), 0);
      close_frame();
      return Next::go;
    }
    if (left() < 2 && !final_) return Next::wait;
    if (left() >= 2 && here()[1] == frame.closer) {
      guess(Kind::surplus_closer, offset(), 1);
      ++pos_;
      return Next::go;
    }
    guess(Kind::wrong_closer, offset(), 1);
  }
  if (frame.comma && !python()) safe(Kind::trailing_comma, frame.comma_at, 1);
  ++pos_;
  close_frame();
  return Next::go;
}

}  // namespace BELAY_NAMESPACE::text
