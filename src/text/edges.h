// How a text between two marks begins and ends: half of a mark there may be one that was damaged.
#pragma once

#include <belay/version.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::text {

/// Keeps a few bytes of each end, whatever the pieces.
class Edges {
 public:
  void clear() {
    head_.clear();
    tail_.clear();
  }
  void add(std::string_view bytes) {
    if (head_.size() < kBytes) head_ += bytes.substr(0, kBytes - head_.size());
    if (bytes.size() >= kBytes) {
      tail_ = bytes.substr(bytes.size() - kBytes);
      return;
    }
    // More than is needed, so that it is cut now and then only.
    tail_ += bytes;
    if (tail_.size() > 8 * kBytes) tail_.erase(0, tail_.size() - kBytes);
  }
  [[nodiscard]] std::string_view head() const { return head_; }
  [[nodiscard]] std::string_view tail() const { return tail_; }

  /// It begins with the last bytes of a mark, or with all of it.
  [[nodiscard]] bool after(std::string_view mark) const {
    for (std::size_t n = 1; n <= mark.size(); ++n)
      if (head_.starts_with(mark.substr(mark.size() - n))) return true;
    return false;
  }
  /// It ends with the first bytes of a mark, `least` of them or more.
  [[nodiscard]] bool before(std::string_view mark, std::size_t least = 1) const {
    for (std::size_t n = least; n <= mark.size(); ++n)
      if (tail_.ends_with(mark.substr(0, n))) return true;
    return false;
  }

 private:
  static constexpr std::size_t kBytes = 48;
  std::string head_, tail_;
};

}  // namespace BELAY_NAMESPACE::text
