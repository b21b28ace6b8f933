#include "turn/slots.h"

#include <utility>

namespace BELAY_NAMESPACE::turn {

// The newest call that has this id and this index. Looked for one by one: only where a server gives one id or one index
// to several calls.
std::size_t Slots::find_both(std::string_view id, std::int64_t index) const {
  for (std::size_t slot = known_.size(); slot-- > 0;)
    if (known_[slot].id == id && known_[slot].index == index) return slot;
  return kNone;
}

// For the first fragment on an index: it may be the index of a call that had none so far.
std::size_t Slots::find_without_index(const CallKey& key, bool named) const {
  std::size_t slot = last_;
  if (!key.id.empty())
    if (auto it = by_id_.find(key.id); it != by_id_.end()) slot = it->second;
  if (slot == kNone || known_[slot].index || known_[slot].closed) return kNone;
  if (!key.id.empty() && known_[slot].id == key.id) return slot;
  return !named && (key.id.empty() || known_[slot].id.empty()) ? slot : kNone;
}

std::size_t Slots::find(const CallKey& key, bool named) const {
  if (!key.item.empty())
    if (auto it = by_item_.find(key.item); it != by_item_.end()) return it->second;
  if (key.index) {
    // Mostly the call that the last fragment was for.
    std::size_t slot = kNone;
    if (last_ != kNone && known_[last_].index == key.index)
      slot = last_;
    else if (auto it = by_index_.find(*key.index); it != by_index_.end())
      slot = it->second;
    if (slot == kNone) return find_without_index(key, named);
    const Known& known = known_[slot];
    if (key.id.empty()) return known.closed ? kNone : slot;
    if (known.id == key.id) return slot;
    if (by_id_.contains(key.id)) return find_both(key.id, *key.index);
    // An id that comes late belongs to the call that has none yet.
    return known.id.empty() && !known.closed ? slot : kNone;
  }
  if (!key.id.empty()) {
    if (auto it = by_id_.find(key.id); it != by_id_.end()) return it->second;
    // As above, for wires without indexes.
    if (last_ != kNone && known_[last_].id.empty() && !known_[last_].closed && !known_[last_].index && !named)
      return last_;
    return kNone;
  }
  if (last_ == kNone || known_[last_].closed) return kNone;
  return key.item.empty() || known_[last_].item.empty() ? last_ : kNone;
}

std::size_t Slots::find_any(const CallKey& key) const {
  if (const std::size_t slot = find(key); slot != kNone) return slot;
  if (!key.id.empty()) return with_id(key.id);
  const auto it = key.index ? by_index_.find(*key.index) : by_index_.end();
  return it == by_index_.end() ? kNone : it->second;
}

std::size_t Slots::add(const CallKey& key) {
  std::size_t slot = known_.size();
  known_.emplace_back();
  last_ = slot;
  learn(slot, key);
  return slot;
}

void Slots::learn(std::size_t slot, const CallKey& key) {
  Known& known = known_[slot];
  if (key.index && !known.index) {
    known.index = key.index;
    by_index_[*key.index] = slot;
  }
  if (!key.id.empty() && known.id.empty()) {
    known.id = key.id;
    const auto [it, is_new] = by_id_.try_emplace(known.id, slot);
    known.doubled = !is_new;
    if (known.doubled) known.before = std::exchange(it->second, slot);
  }
  if (!key.item.empty() && known.item.empty()) {
    known.item = key.item;
    by_item_[known.item] = slot;
  }
}

}  // namespace BELAY_NAMESPACE::turn
