// Counts the heap of this program: every malloc, whoever calls it.
#pragma once

#include <cstddef>

namespace belay::bench {

/// While it lives, allocations of this program are counted (its one thread; no two at a time).
class HeapCount {
 public:
  HeapCount();
  ~HeapCount();
  HeapCount(const HeapCount&) = delete;
  HeapCount& operator=(const HeapCount&) = delete;

  /// The most bytes that were allocated at one time, of those that were allocated since the beginning.
  [[nodiscard]] std::size_t peak() const;
  /// Calls that allocated.
  [[nodiscard]] std::size_t calls() const;
};

}  // namespace belay::bench
