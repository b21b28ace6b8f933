#include <belay/json/partial.h>

#include <cstdlib>

namespace BELAY_NAMESPACE::json {

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

// The member of that name behind the key at i.
MaybePartial Partial::find_behind(const Partial of, std::string_view key, std::size_t i, std::size_t end) {
  const Tape& tape = of.tape();
  while (true) {
    const Node& v = tape.node(i + 1);
    if (!v.container())
      i += 2;
    else if (v.open())
      return std::nullopt;
    else
      i = static_cast<std::size_t>(v.body);
    if (i + 1 >= end) return std::nullopt;
    if (is_key(tape.node(i), key)) return of.child(i + 1);
  }
}

// The last child, when the children of no other container are open.
MaybePartial Partial::last_closed_child(const Partial of) {
  const Tape& tape = of.tape();
  const std::size_t at = of.at_, shown_end = of.shown_->end;
  const Node& self = tape.node(at);
  if (!self.container()) return std::nullopt;
  std::size_t end = of.children_end();
  if (end <= at + 1) return std::nullopt;
  std::size_t step = self.tag() == Tag::object ? 1 : 0;
  if (self.open() && shown_end == tape.size()) {
    std::size_t closed = tape.last_closed();
    if (closed != Tape::kUnknown) {
      if (closed != Tape::kNone && closed > at && tape.next(closed) == end) {
        tape.note_last_child({at, end, closed});
        return of.child(closed);
      }
      return of.child(end - 1);
    }
  }
  const Tape::LastChild& known = tape.last_child();
  if (known.of == at && known.end == end && !self.open()) return of.child(known.child);
  // From the child that was the last one when it was asked for before, if there was one.
  std::size_t found = at;
  for (std::size_t i = known.of == at ? known.child - step : at + 1; i + step < end;
       i = tape.next_within(i + step, end))
    found = i + step;
  if (found == at) return std::nullopt;
  if (!self.open() && self.body == end) tape.note_last_child({at, end, found});
  return of.child(found);
}

void MaybePartial::none() {
#ifdef __cpp_exceptions
  throw std::bad_optional_access();
#else
  std::abort();
#endif
}

MaybePartial Partial::at(std::size_t i) const {
  MaybePartial found;
  each_item([&](Partial v) {
    if (i-- == 0) found = v;
  });
  return found;
}

}  // namespace BELAY_NAMESPACE::json
