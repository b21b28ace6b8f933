#include "text/members.h"

#include "text/members_state.h"

#include <utility>

namespace BELAY_NAMESPACE::text {
namespace {

std::size_t closer_index(char c) { return c == ')' ? 0 : c == ']' ? 1 : 2; }

const Shape& items_of(const Shape& shape) {
  static const Shape kUnknown;
  return shape.items ? *shape.items : kUnknown;
}

}  // namespace

Members::Members(Notation notation, const Shape& shape, json::Builder& builder, Receipt& receipt, Limits limits)
    : state_(std::make_unique<State>(notation, shape, builder, receipt, limits)) {}
Members::~Members() = default;
Members::Members(Members&&) noexcept = default;

std::size_t Members::read(std::string_view window, std::uint64_t offset, bool final) {
  return state_->read(window, offset, final);
}
bool Members::done() const { return state_->done_; }
const json::Error& Members::error() const { return state_->error_; }
bool Members::outside_string() const { return state_->in_ != State::In::string || state_->at_quote_; }
bool Members::in_string() const { return state_->in_ == State::In::string; }
void Members::close_all(std::uint64_t offset) { state_->close_all(offset); }

Members::State::State(Notation notation, const Shape& shape, json::Builder& builder, Receipt& receipt, Limits limits)
    : notation_(notation), builder_(builder), receipt_(receipt), limits_(limits), value_shape_(&shape) {
  if (python())
    open(Frame::Type::keywords, ')');
  else
    open(Frame::Type::object, '}');
}

std::size_t Members::State::read(std::string_view window, std::uint64_t offset, bool final) {
  data_ = window.data();
  size_ = window.size();
  pos_ = 0;
  base_ = offset;
  final_ = final;
  at_quote_ = false;
  while (pos_ < size_ && !done_ && !error_)
    if (step() == Next::wait) break;
  return error_ ? size_ : pos_;
}

Members::State::Next Members::State::step() {
  switch (in_) {
    case In::item: return step_item();
    case In::key_word: return step_key_word();
    case In::key_end: return step_key_end();
    case In::value: return step_value();
    case In::word: return step_word();
    case In::string: return quote_ ? step_string() : step_token_string();
    case In::after_string: return step_after_string();
    case In::after: return step_after();
    case In::stray: step_stray(); return Next::go;
  }
  return Next::go;
}

void Members::State::fail_depth() {
  error_.kind = json::ErrorKind::limit;
  error_.position.offset = offset();
  error_.message = "the text passes the limit of " + std::to_string(limits_.depth) +
                   " for depth; raise it with --limit depth=N (Limits::depth)";
}

// Opens a bracket for the value that comes next. Groups and spreads build nothing, but they are depth too.
bool Members::State::open(Frame::Type type, char closer) {
  const Shape* shape = value_shape_;
  if (type == Frame::Type::spread) shape = frames_.back().shape;
  bool fits = frames_.size() < limits_.depth;
  if (fits && type != Frame::Type::group && type != Frame::Type::spread) {
    if (!frames_.empty()) begin_value();
    fits = type == Frame::Type::array ? builder_.open_array() : builder_.open_object();
  }
  if (!fits) {
    fail_depth();
    return false;
  }
  frames_.push_back({.type = type, .closer = closer, .shape = shape});
  ++closers_[closer_index(closer)];
  if (type == Frame::Type::array) value_shape_ = &items_of(*shape);
  in_ = In::item;
  return true;
}

void Members::State::close_frame() {
  const Frame frame = frames_.back();
  if (frame.type == Frame::Type::group && !frame.any) {
    begin_value();
    builder_.null();
  }
  frames_.pop_back();
  --closers_[closer_index(frame.closer)];
  if (frame.type != Frame::Type::group && frame.type != Frame::Type::spread) builder_.close();
  if (frames_.empty())
    done_ = true;
  else
    value_done();
}

void Members::State::value_done() {
  Frame& frame = frames_.back();
  frame.any = true;
  frame.comma = false;
  keyed_ = nameless_ = false;
  if (frame.type == Frame::Type::array) value_shape_ = &items_of(*frame.shape);
  in_ = In::after;
}

// Called before anything of a value is built.
void Members::State::begin_value() {
  if (nameless_) name_value();
  keyed_ = nameless_ = false;
}

// A value without a name gets the next name of the tool's parameters, or goes.
void Members::State::name_value() {
  guess(Kind::missing_key, value_at_, 0);
  std::size_t depth = frames_.size();
  while (frames_[depth - 1].type == Frame::Type::group) --depth;
  Frame& frame = frames_[depth - 1];
  const std::size_t index = frame.positional++;
  const bool has_names = depth == 1 || frame.type == Frame::Type::keywords;
  if (!has_names || index >= frame.shape->properties.size()) {
    builder_.no_key();
    return;
  }
  const auto& [name, shape] = frame.shape->properties[index];
  value_shape_ = &shape;
  if (!builder_.key(name)) guess(Kind::duplicate_key, value_at_, 0);
}

void Members::State::close_all(std::uint64_t offset) {
  if (done_ || error_) return;
  data_ = nullptr;
  size_ = pos_ = 0;
  base_ = offset;
  final_ = true;
  comment_ = false;
  if (in_ == In::string) {
    guess(Kind::missing_quote, offset, 0);
    end_string();
  }
  if (in_ == In::key_word || in_ == In::key_end) {
    nameless_ = true;
    value_at_ = word_at_;
    if (key_is_string_) {
      begin_value();
      builder_.string(word_);
      value_done();
    } else {
      in_ = In::word;
    }
  }
  if (in_ == In::word) end_word();
  if (in_ == In::after_string) {
    builder_.close_string();
    value_done();
  }
  if (in_ == In::stray) guess(Kind::stray_bytes, stray_at_, offset - stray_at_);
  if (keyed_ && frames_.back().type != Frame::Type::group) {
    guess(Kind::missing_value, offset, 0);
    begin_value();
    builder_.null();
  }
  while (!done_) {
    guess(Kind::missing_closer, offset, 0);
    close_frame();
  }
}

}  // namespace BELAY_NAMESPACE::text
