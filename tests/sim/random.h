// Everything by chance in a simulation comes from here: the same seed, the same world.
#pragma once

#include <belay/task/retry.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace belay::sim {

class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t next() { return task::random_number(seed_, n_++); }
  /// From 0 to n - 1.
  std::uint64_t below(std::uint64_t n) { return n == 0 ? 0 : next() % n; }
  /// From a to b, both included.
  std::int64_t between(std::int64_t a, std::int64_t b) {
    return a + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(b - a + 1)));
  }
  bool chance(std::uint64_t percent) { return below(100) < percent; }
  template <class T>
  T pick(std::initializer_list<T> list) {
    return *(list.begin() + below(list.size()));
  }

 private:
  std::uint64_t seed_, n_ = 0;
};

}  // namespace belay::sim
