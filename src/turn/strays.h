// Fragments of arguments that belong to no call, and which calls were open when they came.
#pragma once

#include <belay/version.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace BELAY_NAMESPACE::turn {

/// Time is counted in changes of the calls: one begins, is closed, or its arguments come as a whole. Fragments between
/// two changes are one entry for each slot that they came for in a row.
class Strays {
 public:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  struct Entry {
    std::uint64_t at = 0;
    std::size_t slot = kNowhere;  ///< that stands for no call so far; kNowhere when nothing of it was kept
    bool operator==(const Entry&) const = default;
  };

  /// A call changes now.
  std::uint64_t change() { return ++now_; }
  void add(std::size_t slot) {
    if (const Entry entry{now_, slot}; list_.empty() || list_.back() != entry) list_.push_back(entry);
  }
  /// Leaves out the entries of slots that turned out to be calls.
  template <class IsCall>
  void leave_out(IsCall is_call) {
    std::erase_if(list_, [&](const Entry& e) { return e.slot != kNowhere && is_call(e.slot); });
  }

  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] const Entry& last() const { return list_.back(); }
  [[nodiscard]] bool any_nowhere() const { return std::ranges::find(list_, kNowhere, &Entry::slot) != list_.end(); }
  /// One came at `since` or later, and before `until`.
  [[nodiscard]] bool any_between(std::uint64_t since, std::uint64_t until) const {
    const auto it = std::ranges::lower_bound(list_, since, {}, &Entry::at);
    return it != list_.end() && it->at < until;
  }

 private:
  std::vector<Entry> list_;
  std::uint64_t now_ = 0;
};

}  // namespace BELAY_NAMESPACE::turn
