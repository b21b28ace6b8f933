// The last lines of what a tool writes.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::screen {

/// Keeps a few lines, each bounded; counts all. A carriage return begins the line anew, as on a terminal. Amortised
/// constant work for each byte.
class Tail {
 public:
  explicit Tail(std::size_t lines) : most_(lines) {}
  void push(std::string_view piece);
  /// The lines, oldest first, raw; the last may be open.
  [[nodiscard]] std::vector<std::string_view> lines() const;
  [[nodiscard]] std::uint64_t count() const { return ended_ + (open_.empty() ? 0 : 1); }
  [[nodiscard]] bool empty() const { return count() == 0; }

 private:
  void add(std::string_view text);
  std::size_t most_;
  std::deque<std::string> kept_;
  std::string open_;
  bool returned_ = false;
  std::uint64_t ended_ = 0;
};

}  // namespace BELAY_NAMESPACE::screen
