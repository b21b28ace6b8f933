// A task on a stage: what the model says, what the person answers and what tools give is written into the test; what
// the model, the person and the log see can be looked at.
#pragma once

#include <belay/task.h>
#include <belay/wire.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace belay::check {

class TaskStage : public testing::Test {
 protected:
  TaskStage();
  using Calls = std::vector<std::pair<std::string, std::string>>;

  /// Begins a task; settings_ and conditions_ may be changed before.
  void begin(std::string_view goal = "Do it.", std::vector<chat::Message> history = {});
  /// The process is gone; another one goes on from the records.
  void crash();

  void says(std::string_view text, const Calls& calls = {}, chat::StopReason stop = chat::StopReason::end);
  /// The same in a wire's own bytes; what broke off fails.
  void says_bytes(wire::Wire wire, std::string_view bytes);
  void fails(std::string kind, bool retryable = true, std::optional<double> retry_after = {});
  /// The oldest run that was started and has no result.
  void gives(std::string text, bool is_error = false);
  void gives_for(std::string_view call, std::string text, bool is_error = false);
  void replies(task::Reply::Kind kind, std::string text = {});
  void person_says(std::string text);
  void aborts();
  void later(std::int64_t milliseconds);

  template <class Deed>
  std::vector<Deed> all() const {
    std::vector<Deed> out;
    for (const task::Action& action : actions_)
      if (auto* deed = std::get_if<Deed>(&action.deed)) out.push_back(*deed);
    return out;
  }
  /// The last one of its kind. A failure of the test when there is none.
  template <class Deed>
  Deed last() const {
    auto every = all<Deed>();
    if (every.empty()) {
      ADD_FAILURE() << "no such action";
      return {};
    }
    return every.back();
  }
  template <class Body>
  std::vector<Body> kept() const {
    std::vector<Body> out;
    for (const task::Record& record : records_)
      if (auto* body = std::get_if<Body>(&record.body)) out.push_back(*body);
    return out;
  }
  std::vector<std::string> events(task::EventKind kind) const;

  /// The texts of the results that the model was sent last, in order; `!` before those that are errors.
  std::vector<std::string> results() const;
  /// The last user message that the model was sent.
  std::string told() const;
  /// Runs that were started and have no result, by tool.
  std::vector<std::string> running() const;
  [[nodiscard]] bool finished() const { return tree_->finished(); }
  [[nodiscard]] task::Finished end() const;
  std::size_t requests() const { return all<task::SendRequest>().size(); }

  tool::Registry tools_;
  task::Settings settings_;
  task::Conditions conditions_;
  std::optional<task::Tree> tree_;
  std::vector<task::Record> records_;
  std::vector<task::Action> actions_;
  std::vector<task::Event> events_;
  std::int64_t now_ = 1'700'000'000'000;
  chat::Usage usage_{1'000, 100, {}, {}, {}};  ///< what the provider counts for each answer

 private:
  void take(task::Step step);
  const task::Action& open_request() const;
  std::vector<std::pair<std::string, task::RunTool>> under_way_;
  std::vector<std::pair<std::string, task::AskPerson>> questions_;
  std::uint64_t ids_ = 0;
};

}  // namespace belay::check
