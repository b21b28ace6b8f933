// Calls of a server's clients, so many at once, the others in line.
#pragma once

#include "mcp/last_line.h"

#include <belay/mcp/serve.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// Thread-safe. Threads are made when there is work for them.
class CallPool {
 public:
  struct Job {
    std::string tool, arguments;
    bool progress = false;
    /// All of these are called on threads of the pool, without a lock of it; `done` also by stop_all().
    std::function<void(CallOutcome)> done{};
    std::function<void(double seconds, const std::string& line)> progressed{};
    std::function<void(LogLevel, std::string_view)> log{};
  };
  using Key = std::uint64_t;

  CallPool(Carrier carry, const ServeLimits& limits);
  /// Stops everything, and waits until it has stopped.
  ~CallPool();
  CallPool(const CallPool&) = delete;
  CallPool& operator=(const CallPool&) = delete;

  /// The error is a sentence: there is no room.
  std::expected<Key, std::string> start(Job job);
  /// One that waits is forgotten, one that runs is asked to stop; `done` may still be called.
  void stop(Key key);
  /// Those that wait are done, with an error; those that run are asked to stop.
  void stop_all();

 private:
  struct Running {
    std::stop_source stop{};
    std::chrono::steady_clock::time_point since{};
    std::mutex lock{};  // for line and progress
    LastLine line{};
    bool progress = false;
    std::function<void(double, const std::string&)> progressed{};
  };
  void work(const std::stop_token& end);
  void tick(const std::stop_token& end);
  void carry_out(Key key, Job job, const std::shared_ptr<Running>& running);

  const Carrier carry_;
  const ServeLimits limits_;
  std::mutex lock_;  // for all below but the threads
  std::condition_variable_any changed_;
  std::deque<std::pair<Key, Job>> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::map<Key, std::shared_ptr<Running>> running_;
  Key next_ = 1;
  std::size_t idle_ = 0;  // threads that wait for work
  std::vector<std::jthread> threads_;
  std::optional<std::jthread> ticker_;
};

}  // namespace BELAY_NAMESPACE::mcp
