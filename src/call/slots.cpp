#include "call/slots.h"

namespace belay::call {

std::size_t Slots::find(const chat::Delta& d) const {
  if (!d.item.empty())
    if (auto it = by_item_.find(d.item); it != by_item_.end()) return it->second;
  if (d.index) {
    // Mostly the call that the last fragment was for.
    std::size_t slot = kNone;
    if (last_ != kNone && known_[last_].index == d.index)
      slot = last_;
    else if (auto it = by_index_.find(*d.index); it != by_index_.end())
      slot = it->second;
    if (slot == kNone) return kNone;
    const Known& known = known_[slot];
    if (d.id.empty()) return known.closed ? kNone : slot;
    if (known.said_id == d.id) return slot;
    // An id that comes late belongs to the call that has none yet.
    return known.said_id.empty() && !known.closed && !by_id_.contains(d.id) ? slot : kNone;
  }
  if (!d.id.empty()) {
    if (auto it = by_id_.find(d.id); it != by_id_.end()) return it->second;
    // As above, for wires without indexes.
    if (last_ != kNone && known_[last_].said_id.empty() && !known_[last_].closed && !known_[last_].index &&
        d.name.empty())
      return last_;
    return kNone;
  }
  return last_ != kNone && !known_[last_].closed ? last_ : kNone;
}

std::size_t Slots::add(const chat::Delta& d) {
  std::size_t slot = known_.size();
  known_.emplace_back();
  last_ = slot;
  learn(slot, d);
  return slot;
}

void Slots::learn(std::size_t slot, const chat::Delta& d) {
  Known& known = known_[slot];
  if (d.index && !known.index) {
    known.index = d.index;
    by_index_[*d.index] = slot;
  }
  if (!d.id.empty() && known.said_id.empty()) {
    known.said_id = d.id;
    // An id that another call has cannot name this one too.
    if (by_id_.try_emplace(known.said_id, slot).second) known.id = known.said_id;
  }
  if (!d.item.empty() && known.item.empty()) {
    known.item = d.item;
    by_item_[known.item] = slot;
  }
}

}  // namespace belay::call
