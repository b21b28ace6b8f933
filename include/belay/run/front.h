// Who is told what happens in a task, and who is asked: a terminal, JSON lines, or nobody.
#pragma once

#include <belay/task/action.h>
#include <belay/task/event.h>
#include <belay/task/record.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::run {

/// All calls come from the thread that runs the agent, in the order in which things happen. None may block for long:
/// a question is put on the screen, and its answer comes back later by Agent::reply().
class Front {
 public:
  virtual ~Front() = default;
  /// Display: texts as they stream, calls as they grow, tools at work, everything in EventKind.
  virtual void on(const task::Event& event) = 0;
  /// What was kept, after it is durable. For who wants whole messages and results rather than pieces.
  virtual void kept(const task::Record& record) { static_cast<void>(record); }
  virtual void ask(std::string_view task, const task::AskPerson& question) = 0;
  /// The question is not open any more.
  virtual void drop(std::string_view question) = 0;
  /// Nothing is under way and nothing is asked: the task is over, or waits. Only a message can go on with it.
  virtual void idle() {}
};

}  // namespace BELAY_NAMESPACE::run
