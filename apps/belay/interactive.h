// A task with a person at the terminal.
#pragma once

#include <belay/run.h>
#include <belay/screen/terminal.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace belay::cli {

/// The person's keys reach the agent once there is one. What is said before is what the task is about.
class Relay {
 public:
  screen::Hands hands();
  /// Waits until the person says something; nothing when they leave instead.
  std::optional<std::vector<chat::Block>> first_words();
  /// From now on everything goes to this agent; nullptr: to nobody.
  void connect(run::Agent* agent);
  /// As if the person had left.
  void leave();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  run::Agent* agent_ = nullptr;
  std::optional<std::vector<chat::Block>> words_;
  bool left_ = false;
};

}  // namespace belay::cli
