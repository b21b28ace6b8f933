// What a task may spend and what it has spent, counted from its records by somebody else.
#pragma once

#include <belay/task.h>

#include <cstdint>
#include <map>
#include <string>

namespace belay::sim {

class Accounts {
 public:
  /// The record is kept. Gives what is wrong with what it counts, or nothing.
  std::string note(const task::Record& record);
  /// The model is about to be asked: no limit may have been reached.
  [[nodiscard]] std::string may_ask(const std::string& task, std::int64_t now) const;
  [[nodiscard]] std::int64_t elapsed(const std::string& task) const { return of_.at(task).elapsed; }

 private:
  struct Account {
    task::Budget budget;
    task::Prices prices;
    std::uint64_t turns = 0;
    std::int64_t elapsed = 0, time = 0;
    bool finished = false;
  };
  std::string spend(const Account& account, const auto& spent, bool answered);
  std::map<std::string, Account> of_;
  std::uint64_t tokens_ = 0;  // of all tasks
  double cost_ = 0;
};

}  // namespace belay::sim
