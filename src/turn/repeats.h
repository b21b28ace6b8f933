// Calls that come again under the same id.
#pragma once

#include <belay/turn/call.h>

#include <string_view>
#include <unordered_map>
#include <vector>

namespace BELAY_NAMESPACE::turn {

/// True when both are the same arguments, and nothing of either had to be guessed.
inline bool same_values(const json::Verdict& a, json::Items left, const json::Verdict& b, json::Items right) {
  auto sound = [](const json::Verdict& verdict) {
    const json::Word word = verdict.word();
    return word == json::Word::valid || word == json::Word::mended || word == json::Word::split;
  };
  if (!sound(a) || !sound(b) || a.count != b.count) return false;
  auto it = right.begin();
  for (json::Value v : left) {
    if (it == right.end() || !(v == *it)) return false;
    ++it;
  }
  return it == right.end();
}

/// Finds the call that another one only repeats. Nobody gives one id to many calls; of those that a hostile server
/// gives one, the first are looked at, so that the work stays linear.
class Repeats {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static constexpr std::size_t kMost = 16;  ///< calls of one id that are looked at

  /// The place among `calls` of the one that `call` repeats: the same id, name and arguments, and nothing of either had
  /// to be guessed.
  [[nodiscard]] std::size_t find(const std::vector<Call>& calls, std::string_view id, const Call& call) const {
    const auto it = by_id_.find(id);
    if (it == by_id_.end()) return kNone;
    for (std::size_t at : it->second)
      if (calls[at].name == call.name &&
          same_values(calls[at].verdict, calls[at].values(), call.verdict, call.values()))
        return at;
    return kNone;
  }
  /// `id` must outlive this object.
  void add(std::string_view id, std::size_t at) {
    if (id.empty()) return;
    if (std::vector<std::size_t>& places = by_id_[id]; places.size() < kMost) places.push_back(at);
  }

 private:
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_id_;
};

}  // namespace BELAY_NAMESPACE::turn
