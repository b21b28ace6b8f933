// Facts from other threads, in the order in which they came.
#pragma once

#include <belay/version.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace BELAY_NAMESPACE::run {

/// Thread-safe. Unbounded by itself: who posts bytes keeps count of them.
template <class Fact>
class Mailbox {
 public:
  void post(Fact fact) {
    {
      const std::scoped_lock lock(mutex_);
      facts_.push_back(std::move(fact));
    }
    changed_.notify_one();
  }
  [[nodiscard]] bool empty() const {
    const std::scoped_lock lock(mutex_);
    return facts_.empty();
  }
  /// The next fact; waits for one, at most until `deadline` (milliseconds since 1970) when there is one.
  std::optional<Fact> next(std::optional<std::int64_t> deadline) {
    std::unique_lock lock(mutex_);
    const auto there = [&] { return !facts_.empty(); };
    if (!deadline)
      changed_.wait(lock, there);
    else if (!changed_.wait_until(lock, std::chrono::system_clock::time_point(std::chrono::milliseconds(*deadline)),
                                  there))
      return std::nullopt;
    std::optional<Fact> out(std::move(facts_.front()));
    facts_.pop_front();
    return out;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Fact> facts_;
};

}  // namespace BELAY_NAMESPACE::run
