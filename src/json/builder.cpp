#include "json/scan.h"

#include <belay/json/builder.h>

#include <utility>

#include <cassert>

namespace BELAY_NAMESPACE::json {

bool Builder::open_object() {
  if (depth_ >= limits_.depth) return false;
  tape_.open(Tag::object);
  keys_.enter();
  ++depth_;
  return true;
}

bool Builder::open_array() {
  if (depth_ >= limits_.depth) return false;
  tape_.open(Tag::array);
  ++depth_;
  return true;
}

void Builder::close() {
  assert(depth_ > 0);
  if (tape_.node(tape_.innermost()).tag() == Tag::object) keys_.leave();
  tape_.close();
  --depth_;
  end_value();
}

bool Builder::key(std::string_view text) {
  Arena& arena = tape_.arena();
  arena.ensure(text.size());
  char* start = arena.at();
  if (text.size() <= 32) {
    copy_rest(text.data(), text.size(), start);
    arena.set_at(start + text.size());
  } else {
    arena.append(text);
  }
  std::size_t node = tape_.size();
  tape_.text(Tag::key, start, text.size());
  // Behind it the arena has room that can be read.
  const std::uint64_t h = keys_.hash_padded({start, text.size()});
  if (keys_.adds(h) || !keys_.slow_repeats(tape_, tape_.innermost(), node, h)) return true;
  drop_member(node);
  return false;
}

void Builder::string(std::string_view text) {
  open_string();
  append(text);
  close_string();
}

void Builder::copy(Value value) {
  const Tape& from = *value.tape();
  std::vector<std::size_t> ends;  // of the containers that are open
  const std::uint64_t depth = std::exchange(limits_.depth, kUnlimited);
  for (std::size_t i = value.index(), end = from.next(i); i < end || !ends.empty();) {
    if (!ends.empty() && i == ends.back()) {
      ends.pop_back();
      close();
      continue;
    }
    switch (const Node& node = from.node(i); node.tag()) {
      case Tag::null: null(); break;
      case Tag::no: boolean(false); break;
      case Tag::yes: boolean(true); break;
      case Tag::short_number:
      case Tag::number: number(from.text(i)); break;
      case Tag::string: string(from.text(i)); break;
      case Tag::key: key(from.text(i)); break;
      case Tag::array:
      case Tag::object:
        node.tag() == Tag::array ? open_array() : open_object();
        ends.push_back(from.next(i));
        break;
    }
    ++i;
  }
  limits_.depth = depth;
}

void Builder::open_string() {
  Arena& arena = tape_.arena();
  arena.ensure(0);
  arena.open();
  string_ = tape_.size();
  tape_.text(Tag::string, arena.at(), 0);
}

void Builder::append(std::string_view text) {
  Arena& arena = tape_.arena();
  arena.append(text);
  Node& n = tape_.at(string_);
  n.head = static_cast<std::uint64_t>(Tag::string) | static_cast<std::uint64_t>(arena.open_size()) << 8;
  n.body = reinterpret_cast<std::uint64_t>(arena.open_string());
}

void Builder::close_string() {
  tape_.arena().close();
  string_ = Tape::kNone;
  end_value();
}

void Builder::close_all() {
  if (string_ != Tape::kNone) close_string();
  if (tape_.size() > 0 && tape_.node(tape_.size() - 1).tag() == Tag::key) forget_key();
  if (dropped_from_ != Tape::kNone && tape_.innermost() == dropped_in_) drop();
  while (tape_.innermost() != Tape::kNone) close();
}

void Builder::drop() {
  // The member that repeats a key was built so that its text could be read; only the first one stays. Its object
  // counted it when its value began.
  tape_.truncate(dropped_from_);
  tape_.at(dropped_in_).head -= 256;
  dropped_from_ = dropped_in_ = Tape::kNone;
}

MaybePartial Builder::value() const {
  std::size_t end = dropped_from_ < tape_.size() ? dropped_from_ : tape_.size();
  if (end == 0) return std::nullopt;
  shown_ = {&tape_, end, string_};
  return Partial(&shown_, 0);
}

Document Builder::take() {
  Document d(std::move(tape_));
  clear();
  return d;
}

void Builder::clear() {
  tape_.clear();
  keys_.clear();
  depth_ = 0;
  dropped_from_ = dropped_in_ = string_ = Tape::kNone;
}

}  // namespace BELAY_NAMESPACE::json
