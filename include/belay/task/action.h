// What a task wants done, in order, after its records are safe.
#pragma once

#include <belay/chat.h>
#include <belay/policy/gate.h>
#include <belay/task/event.h>
#include <belay/task/record.h>

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace BELAY_NAMESPACE::task {
BELAY_API_BEGIN

/// Ask the model. The answer comes back by on_answer() or on_failure() with the same number.
struct SendRequest {
  std::uint64_t request = 0;
  chat::Request body{};  ///< ready for wire::encode_request(); calls written as text where the protocol is one
  std::string format{};  ///< how calls are to be found in the answer's text: for LedgerOptions::format
  bool summary = false;  ///< it is asked for a summary: no call is expected
  std::uint64_t attempt = 1;
  std::string made_ids = "belay_";  ///< what ids begin with where the provider gives none: LedgerOptions::made_ids
  bool operator==(const SendRequest&) const = default;
};
/// The answer to a request is not wanted any more.
struct CancelRequest {
  std::uint64_t request = 0;
  bool operator==(const CancelRequest&) const = default;
};
/// Run a tool with exactly these arguments: the object that the permissions were asked about, and that was approved.
/// Comes back by on_tool_result().
struct RunTool {
  std::string call{}, tool{};
  std::shared_ptr<const policy::Run> what{};  ///< never null in a Step
  std::uint64_t run = 0;
  bool confined = false;
  [[nodiscard]] const std::string& arguments() const { return what->text; }
  bool operator==(const RunTool& o) const {
    return call == o.call && tool == o.tool && arguments() == o.arguments() && run == o.run && confined == o.confined;
  }
};
/// A run is not wanted any more; its result, if it still comes, is ignored.
struct CancelTool {
  std::string call{};
  std::uint64_t run = 0;
  bool operator==(const CancelTool&) const = default;
};
/// Ask the person. Comes back by on_reply().
struct AskPerson {
  enum class Kind : std::uint8_t {
    approval,    ///< may this run? `tool`, `arguments`, `receipt`
    question,    ///< ask_followup_question: `text`, `choices`
    completion,  ///< is this result what was wanted? `text`
    limit,       ///< go on beyond a limit? `text`
  };
  std::string id{};  ///< the same when it is asked again after a resume
  Kind kind = Kind::approval;
  std::string text{};
  std::vector<std::string> choices{};
  bool only_choices = false;  ///< of a question: other words are no answer to it
  std::string call{}, tool{}, arguments{}, receipt{};
  bool operator==(const AskPerson&) const = default;
};
/// A question is not open any more.
struct DropQuestion {
  std::string id{};
  bool operator==(const DropQuestion&) const = default;
};
/// Call on_time() at this moment (milliseconds since 1970), or soon after. A later one replaces it.
struct Wait {
  std::int64_t until = 0;
  bool operator==(const Wait&) const = default;
};
/// The task is over; its exit code is exit_code(reason).
struct Finish {
  Finished end{};
  bool operator==(const Finish&) const = default;
};

using Deed = std::variant<SendRequest, CancelRequest, RunTool, CancelTool, AskPerson, DropQuestion, Wait, Finish>;

struct Action {
  std::string task{};
  Deed deed{};
  bool operator==(const Action&) const = default;
};

/// What comes of one fact. First all records are made durable, as one; then the actions are performed, in order. When
/// the records cannot be kept, nothing is performed and the tree is thrown away: the store still says how things stand.
struct Step {
  std::vector<Record> records{};
  std::vector<Action> actions{};
  std::vector<Event> events{};
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::task
