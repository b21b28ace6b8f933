// Fragments of which each repeats everything before it.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::turn {

/// Keeps the newest fragment of a call as long as each one begins with the one before it; most calls stop at the
/// second. Work for a fragment is its own bytes, memory the longest one, at most `limit`.
class Growing {
 public:
  void add(std::string_view piece, std::uint64_t limit) {
    if (!fits_ || piece.empty()) return;
    if (piece.size() > limit || !piece.starts_with(newest_)) return stop();
    newest_.append(piece, newest_.size());
    ++count_;
  }
  /// It is not so, or not any more.
  void stop() {
    fits_ = false;
    newest_ = {};
  }
  /// The newest fragment, when it repeats others; else nothing.
  [[nodiscard]] std::string_view newest() const { return count_ > 1 ? std::string_view(newest_) : std::string_view{}; }

 private:
  std::string newest_;
  std::size_t count_ = 0;
  bool fits_ = true;
};

}  // namespace BELAY_NAMESPACE::turn
