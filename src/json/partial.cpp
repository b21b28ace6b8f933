#include <belay/json/partial.h>

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

// The last child, when the children of no other container are open.
std::optional<Partial> Partial::last_closed_child() const {
  const Node& self = tape_->node(at_);
  std::size_t end = children_end();
  if (end <= at_ + 1) return std::nullopt;
  std::size_t step = self.tag() == Tag::object ? 1 : 0;
  if (self.open() && end_ == tape_->size()) {
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

std::optional<Partial> Partial::at(std::size_t i) const {
  std::optional<Partial> found;
  each_item([&](Partial v) {
    if (i-- == 0) found = v;
  });
  return found;
}

}  // namespace belay::json
