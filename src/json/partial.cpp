#include <belay/json/partial.h>

#include <cstring>

namespace belay::json {

bool Partial::closed() const {
  if (at_ == held_) return false;
  const Node& n = tape_->node(at_);
  if (!n.container()) return true;
  if (n.open() || n.body > end_) return false;
  // Brackets that were closed right behind a string whose end is not decided may yet turn out to be its text.
  return held_ == Tape::kNone || n.body != held_ + 1;
}

std::size_t Partial::size() const {
  const Node& n = tape_->node(at_);
  if (!n.container()) return 0;
  if (next_is_whole()) return static_cast<std::size_t>(n.size());
  std::size_t count = 0;
  std::size_t step = n.tag() == Tag::object ? 1 : 0;
  for (std::size_t i = at_ + 1, e = children_end(); i + step < e; i = tape_->next_within(i + step, e)) ++count;
  return count;
}

bool Partial::next_is_whole() const {
  // The node's own count holds unless some of its children are hidden.
  return end_ == tape_->size() || tape_->next(at_) <= end_;
}

std::optional<Partial> Partial::last() const {
  const Node& self = tape_->node(at_);
  if (!self.container()) return std::nullopt;
  std::size_t end = children_end();
  if (end <= at_ + 1) return std::nullopt;
  std::size_t step = self.tag() == Tag::object ? 1 : 0;
  // The usual case, while this value still grows: climb from the innermost open container.
  if (self.open() && end_ == tape_->size()) {
    std::size_t i = tape_->innermost();
    while (i != at_) {
      auto parent = static_cast<std::size_t>(tape_->node(i).body);
      if (parent == at_) return child(i);
      i = parent;
    }
    std::size_t closed = tape_->last_closed();
    if (closed != Tape::kUnknown) {
      if (closed != Tape::kNone && closed > at_ && tape_->next(closed) == end) return child(closed);
      return child(end - 1);
    }
  }
  std::size_t found = at_;
  for (std::size_t i = at_ + 1; i + step < end; i = tape_->next_within(i + step, end)) found = i + step;
  return found == at_ ? std::nullopt : std::optional(child(found));
}

std::optional<Partial> Partial::find(std::string_view key) const {
  if (kind() != Kind::object) return std::nullopt;
  for (std::size_t i = at_ + 1, e = children_end(); i + 1 < e; i = tape_->next_within(i + 1, e)) {
    const Node& n = tape_->node(i);
    if (n.size() == key.size() && std::memcmp(reinterpret_cast<const char*>(n.body), key.data(), key.size()) == 0)
      return child(i + 1);
  }
  return std::nullopt;
}

std::optional<Partial> Partial::at(std::size_t i) const {
  std::optional<Partial> found;
  each_item([&](Partial v) {
    if (i-- == 0) found = v;
  });
  return found;
}

}  // namespace belay::json
