// The state of one task: what its records say, and nothing else. Applying a record is the only way to change it.
#pragma once

#include <belay/task/breakers.h>
#include <belay/task/context.h>
#include <belay/task/record.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::task {

/// A call of the turn that is open.
struct OpenCall {
  PlannedCall plan;
  std::uint64_t done = 0;  ///< runs that ended
  bool begun = false;      ///< the run after them has begun, by a record
  bool confined = false;
  bool answered = false;
  bool failed = false;   ///< one of its runs did, or it was not run
  bool partly = false;   ///< something of it was not run
  bool settled = false;  ///< what became of its damage is kept: in a copy of the task, perhaps without its result
  std::string child;     ///< the task that was started for it
  std::vector<chat::Block> content;
  Finding::Why why = Finding::Why::ran;
};

/// A damaged call that was refused, and has not come again in order.
struct Unsettled {
  std::string call, tool;
  Damage damage;
};

struct Conversation {
  std::string id;
  std::uint64_t number = 0;  ///< of the last record
  std::int64_t time = 0;     ///< of the last record
  Created created;
  Settings settings;  ///< as they are now

  std::vector<chat::Message> history;
  std::set<std::string, std::less<>> ids;                 ///< of all calls in the history
  std::vector<OpenCall> open;                             ///< calls of the last answer, while one of them has no result
  std::vector<chat::Message> waiting;                     ///< what was said while calls were open
  std::map<std::string, Approved, std::less<>> approved;  ///< by question, of the open turn
  Fold fold;
  std::string todos;
  std::string result;  ///< text of the last answer
  chat::StopReason stop = chat::StopReason::none;

  Breakers breakers;
  std::vector<Unsettled> unsettled;
  std::uint64_t turns = 0, turns_since_reset = 0;
  std::uint64_t input_tokens = 0, output_tokens = 0, cached_tokens = 0;
  std::uint64_t estimated_tokens = 0;  ///< of input and output: those that the provider did not count
  double cost = 0;
  std::int64_t elapsed = 0;  ///< milliseconds while somebody ran it
  std::uint64_t children = 0;
  std::uint64_t folds = 0;
  /// What the provider counted for the history up to `counted`; 0: it has not since the last fold.
  std::uint64_t counted_tokens = 0, counted = 0;
  std::uint64_t output_taken = 0;  ///< the output limit of the request that was answered last; 0: none was
  std::optional<Finished> finished;

  [[nodiscard]] OpenCall* find(std::string_view call);
};

/// Moves the state on. Records come in the order of their numbers; what does not fit is an error, one sentence.
std::optional<std::string> apply(Conversation& conversation, const Record& record);

/// True while the list has a todo that is not done.
bool open_todos(std::string_view todos);

/// The state as text: equal for equal states.
std::string fingerprint_of(const Conversation& conversation);

}  // namespace BELAY_NAMESPACE::task
