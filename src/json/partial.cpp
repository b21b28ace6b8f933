#include <belay/json/partial.h>

namespace belay::json {

bool Partial::closed() const {
  if (at_ == shown_->held) return false;
  const Node& n = tape().node(at_);
  if (!n.container()) return true;
  if (n.open() || n.body > shown_->end) return false;
  // Brackets that were closed right behind a string whose end is not decided may yet turn out to be its text.
  return shown_->held == Tape::kNone || n.body != shown_->held + 1;
}

std::size_t Partial::size() const {
  const Node& n = tape().node(at_);
  if (!n.container()) return 0;
  if (next_is_whole()) return static_cast<std::size_t>(n.size());
  std::size_t count = 0;
  std::size_t step = n.tag() == Tag::object ? 1 : 0;
  for (std::size_t i = at_ + 1, e = children_end(); i + step < e; i = tape().next_within(i + step, e)) ++count;
  return count;
}

bool Partial::next_is_whole() const {
  // The node's own count holds unless some of its children are hidden.
  return shown_->end == tape().size() || tape().next(at_) <= shown_->end;
}

// The last child, when the children of no other container are open.
MaybePartial Partial::last_closed_child() const {
  const Node& self = tape().node(at_);
  if (!self.container()) return std::nullopt;
  std::size_t end = children_end();
  if (end <= at_ + 1) return std::nullopt;
  std::size_t step = self.tag() == Tag::object ? 1 : 0;
  if (self.open() && shown_->end == tape().size()) {
    std::size_t closed = tape().last_closed();
    if (closed != Tape::kUnknown) {
      if (closed != Tape::kNone && closed > at_ && tape().next(closed) == end) return child(closed);
      return child(end - 1);
    }
  }
  std::size_t found = at_;
  for (std::size_t i = at_ + 1; i + step < end; i = tape().next_within(i + step, end)) found = i + step;
  return found == at_ ? MaybePartial() : MaybePartial(child(found));
}

MaybePartial Partial::at(std::size_t i) const {
  MaybePartial found;
  each_item([&](Partial v) {
    if (i-- == 0) found = v;
  });
  return found;
}

}  // namespace belay::json
