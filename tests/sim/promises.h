// What must hold, whatever happens: looked at after every step of a simulation.
#pragma once

#include "sim/accounts.h"
#include "sim/model.h"

#include <belay/task.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace belay::sim {

/// Keeps the records as a store would, and compares. Every function gives what is wrong, or nothing.
class Promises {
 public:
  Promises(const task::Conditions& conditions, const tool::Registry& tools, const Model& model)
      : conditions_(conditions), tools_(tools), model_(model) {}

  /// These were kept by somebody else, in another life: what they say happened must not happen again.
  std::string adopt(const std::vector<task::Record>& records);
  /// `foreign` is the history that the task was given to begin with.
  std::string before_keeping(const task::Step& step, const std::vector<chat::Message>& foreign) const;
  /// The step's records are durable now.
  std::string kept(const task::Step& step, const task::Tree& tree);
  /// The process is about to go, with everything kept.
  void remember(const task::Tree& tree);
  /// A tree from the records is as the last one was, where that was looked at.
  std::string resumed(const task::Tree& tree) const;
  /// What leaves for the model is whole; with `all_wires` it is written and read back in each.
  std::string request(const std::string& task, const task::SendRequest& request, std::int64_t now,
                      bool all_wires) const;
  /// No effect twice, none that was not meant so, none that was not kept before.
  std::string run(const std::string& task, const task::RunTool& run);
  std::string at_the_end(const task::Tree& tree) const;

  [[nodiscard]] const std::vector<task::Record>& records() const { return records_; }
  [[nodiscard]] std::uint64_t effects() const { return done_.size() / 2; }  // by name and by token
  [[nodiscard]] const Accounts& accounts() const { return accounts_; }
  [[nodiscard]] std::uint64_t number(const std::string& task) const {
    const auto at = numbers_.find(task);
    return at == numbers_.end() ? 0 : at->second;
  }
  /// How many tasks are not over.
  [[nodiscard]] std::size_t at_work() const { return at_work_.size(); }
  /// Of the last record of any task.
  [[nodiscard]] std::int64_t time() const { return time_; }
  void count(std::map<std::string, std::uint64_t>& seen, std::uint64_t& turns, std::uint64_t& tasks) const;

 private:
  std::string keep(const task::Record& record);
  std::string note(const task::Record& record);
  std::string note(const std::string& task, const task::Turn& turn);
  std::string permitted(const std::string& name, const task::RunTool& run, json::Value arguments) const;
  std::string nothing_lost(const task::Tree& tree, const std::string& task) const;
  const task::Conditions& conditions_;
  const tool::Registry& tools_;
  const Model& model_;
  std::vector<task::Record> records_;
  std::string last_;  // the state after the last step that was kept
  Accounts accounts_;
  std::int64_t time_ = 0;
  std::uint64_t in_text_ = 0;  // effects of calls that stood in the text
  std::map<std::string, std::uint64_t> numbers_, images_, upto_;
  std::map<std::string, task::Settings> settings_;
  std::set<std::string> intents_, done_, results_;
  std::set<std::string> must_ask_, guessed_, summed_up_, folded_, at_work_;  // calls, and tasks
  std::map<std::string, std::int64_t> times_;                                // of the last record
  struct Place {
    std::size_t at = 0;
    bool effect = false;
  };
  std::map<std::string, Place> places_;                  // of the calls in their turns
  std::map<std::string, std::size_t> went_wrong_;        // where the first effect of the open turn did
  std::map<std::string, std::string> approved_;          // what a person said yes to, by run
  std::map<std::string, std::uint64_t> said_, damaged_;  // messages of a task; outcomes of a damaged call
};

}  // namespace belay::sim
