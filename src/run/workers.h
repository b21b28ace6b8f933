// Tools at work, each on a thread, so many at once.
#pragma once

#include "run/facts.h"

#include <belay/task/action.h>
#include <belay/tool.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace BELAY_NAMESPACE::run {

/// Used from the agent's thread only; tells what becomes of a run through the mailbox, which must outlive it.
class Workers {
 public:
  Workers(Facts& facts, const tool::Registry& tools, std::size_t at_once)
      : facts_(facts), tools_(tools), at_once_(at_once) {}
  /// Asks all of them to stop, and waits until they have.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void start(std::string_view task, const task::RunTool& run);
  void cancel(std::string_view task, std::string_view call, std::uint64_t run);
  /// The run of this fact has ended: its thread is let go, and one that waits begins.
  void ended(const ToolEnded& fact);
  [[nodiscard]] bool any() const { return !working_.empty() || !waiting_.empty(); }
  void stop_all();

 private:
  struct Job {
    std::string task;
    task::RunTool run;
  };
  struct Worker {
    Job job;
    std::jthread thread;
  };
  void begin(Job job);

  Facts& facts_;
  const tool::Registry& tools_;
  std::size_t at_once_;
  std::list<Worker> working_;
  std::deque<Job> waiting_;
};

}  // namespace BELAY_NAMESPACE::run
