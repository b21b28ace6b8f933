// Which call a fragment belongs to.
#pragma once

#include <belay/chat/delta.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace belay::call {

/// Finds the call that a fragment continues. A fragment continues a call when neither its id nor its index contradicts
/// that: the same id on another index, or another id on the same index, is another call. Wires that have a further name
/// for a call (`item`) are believed first. Names are looked up without allocating.
class Slots {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// What is known of a call, for telling it from others.
  struct Known {
    std::optional<std::int64_t> index;
    std::string id;       // unique in the turn; empty when the wire gave none, or that of another call
    std::string said_id;  // as the wire gave it: its fragments go on saying it
    std::string item;
    bool closed = false;
  };

  /// The call that the delta continues, or kNone when it begins another.
  [[nodiscard]] std::size_t find(const chat::Delta& delta) const;
  /// A new call with what the delta knows of it.
  std::size_t add(const chat::Delta& delta);
  /// Takes an id, index or item that came late.
  void learn(std::size_t slot, const chat::Delta& delta);
  void close(std::size_t slot) { known_[slot].closed = true; }

  [[nodiscard]] std::size_t size() const { return known_.size(); }
  [[nodiscard]] std::size_t last() const { return last_; }
  void set_last(std::size_t slot) { last_ = slot; }
  [[nodiscard]] const Known& operator[](std::size_t slot) const { return known_[slot]; }
  [[nodiscard]] bool has_id(std::string_view id) const { return by_id_.contains(id); }

 private:
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

}  // namespace belay::call
