// Which call a fragment belongs to.
#pragma once

#include <belay/chat/delta.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace BELAY_NAMESPACE::turn {

using chat::delta::CallKey;

/// Finds the call that a fragment continues. A fragment continues a call when neither its id nor its index contradicts
/// that: the same id on another index, or another id on the same index, is another call. Wires that have a further name
/// for a call (`item`) are believed first. Names are looked up without allocating.
class Slots {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// What is known of a call, for telling it from others.
  struct Known {
    std::optional<std::int64_t> index;
    std::string id;
    std::string item;
    bool closed = false;
    bool doubled = false;        // another call has this id too: it says which fragments belong here, and names nothing
    std::size_t before = kNone;  // that call
  };

  /// The call that a fragment of this key continues, or kNone when it begins another. `named`: the fragment names the
  /// tool, which a beginning does.
  [[nodiscard]] std::size_t find(const CallKey& key, bool named = false) const;
  /// The same for something that begins no call and ends none: any call of this key will do.
  [[nodiscard]] std::size_t find_any(const CallKey& key) const;
  /// A new call of this key.
  std::size_t add(const CallKey& key);
  /// The call's id; empty when it has none of its own.
  [[nodiscard]] std::string_view id(std::size_t slot) const {
    return known_[slot].doubled ? std::string_view{} : std::string_view(known_[slot].id);
  }
  /// Takes an id, index or item that came late.
  void learn(std::size_t slot, const CallKey& key);
  void close(std::size_t slot) { known_[slot].closed = true; }

  [[nodiscard]] std::size_t size() const { return known_.size(); }
  [[nodiscard]] std::size_t last() const { return last_; }
  void set_last(std::size_t slot) { last_ = slot; }
  [[nodiscard]] const Known& operator[](std::size_t slot) const { return known_[slot]; }
  [[nodiscard]] bool has_id(std::string_view id) const { return by_id_.contains(id); }
  /// The last call that has this id, or kNone.
  [[nodiscard]] std::size_t with_id(std::string_view id) const {
    const auto it = by_id_.find(id);
    return it == by_id_.end() ? kNone : it->second;
  }

 private:
  [[nodiscard]] std::size_t find_both(std::string_view id, std::int64_t index) const;
  [[nodiscard]] std::size_t find_without_index(const CallKey& key, bool named) const;

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  using ByName = std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>>;

  std::vector<Known> known_;
  std::unordered_map<std::int64_t, std::size_t> by_index_;  // the last call on each
  ByName by_id_, by_item_;                                  // likewise
  std::size_t last_ = kNone;
};

}  // namespace BELAY_NAMESPACE::turn
