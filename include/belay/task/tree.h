// A task and the tasks that it starts: facts in, steps out. No I/O, no clock, no threads; the same facts in the same
// order give the same steps.
#pragma once

#include <belay/chat.h>
#include <belay/policy.h>
#include <belay/task/action.h>
#include <belay/task/record.h>
#include <belay/task/retry.h>
#include <belay/tool.h>
#include <belay/turn.h>

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::task {
BELAY_API_BEGIN

/// What holds while somebody runs the task; not kept with it.
struct Conditions {
  const tool::Registry* tools = nullptr;  ///< must outlive the Tree
  policy::Permissions permissions{};
  bool person = true;            ///< somebody can be asked
  bool ask_for_guesses = false;  ///< see policy::GateSettings
  std::string model{};           ///< asked instead of the task's own; empty: that one
  /// The budget from now on, where who runs the task has another one in mind; kept with the task.
  std::optional<Budget> budget{};
  /// The output limit from now on, likewise.
  std::optional<std::uint64_t> output_tokens{};
};

/// What a person says to a question.
struct Reply {
  enum class Kind : std::uint8_t {
    yes,
    no,
    words,   ///< feedback, an answer, or a reason; may come with images
    nobody,  ///< there is no person after all
  };
  Kind kind = Kind::nobody;
  std::string text{};
  std::vector<chat::Block> images{};
};

class Tree {
 public:
  struct State;
  /// A task that begins; what came before it is healed. Call start() next.
  static Tree create(Conditions conditions, std::string id, Created created);
  /// A task from all its records and those of its children, each task's in order. Call start() next. The error is one
  /// sentence. A run that had begun and has no result gets one: interrupted, outcome unknown.
  static std::expected<Tree, std::string> resume(Conditions conditions, std::span<const Record> records);
  ~Tree();
  Tree(Tree&&) noexcept;
  Tree& operator=(Tree&&) noexcept;

  /// Begins, or goes on.
  Step start(std::int64_t now);
  Step on_answer(std::string_view task, std::uint64_t request, turn::Answer answer, std::int64_t now);
  /// The request failed, or its answer broke off: nothing of it counts.
  Step on_failure(std::string_view task, std::uint64_t request, Trouble trouble, std::int64_t now);
  Step on_tool_result(std::string_view task, std::string_view call, std::uint64_t run, tool::Result result,
                      std::int64_t now);
  Step on_reply(std::string_view task, std::string_view question, Reply reply, std::int64_t now);
  /// The person says something on their own: it goes to the task that is at work, and opens a finished one again.
  Step on_message(std::vector<chat::Block> blocks, std::int64_t now);
  Step on_time(std::int64_t now);
  /// Everything stops; every call has a result; exit code 130.
  Step on_abort(std::int64_t now);

  /// A rule that the person adds while the task runs. It holds from the next decision on, and is not kept.
  void add_rule(policy::Rule rule);

  [[nodiscard]] bool finished() const;
  [[nodiscard]] const std::string& id() const;
  /// The history of a task as it would be sent now, system message aside.
  [[nodiscard]] std::vector<chat::Message> history(std::string_view task) const;
  /// Everything that the records say of all tasks, as text: equal for equal states. For tests of resume.
  [[nodiscard]] std::string fingerprint() const;

 private:
  explicit Tree(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::task
