// What a command writes, within a bound: its beginning and its end.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::sandbox {

class Output {
 public:
  /// At most `bytes` are held: two thirds of them from the beginning.
  explicit Output(std::uint64_t bytes) : head_room_(bytes / 3 * 2), tail_room_(bytes - bytes / 3 * 2) {}
  void push(std::string_view piece);
  [[nodiscard]] std::uint64_t written() const { return written_; }
  [[nodiscard]] std::uint64_t left_out() const { return written_ - head_.size() - tail_.size(); }
  /// All that was kept, with a line that says what is missing where it is missing.
  [[nodiscard]] std::string take() &&;

 private:
  std::uint64_t head_room_, tail_room_, written_ = 0;
  std::string head_, tail_;  // the tail is a ring once it is full
  std::size_t at_ = 0;
};

}  // namespace BELAY_NAMESPACE::sandbox
