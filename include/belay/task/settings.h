// What a task is told when it begins. All of it is kept with the task; who runs it later may raise budgets.
#pragma once

#include <belay/base.h>

#include <cstdint>
#include <string>

namespace BELAY_NAMESPACE::task {
BELAY_API_BEGIN

/// How far a task may go. Each has an end of its own (EndReason) and an exit code.
struct Budget {
  std::uint64_t turns = 200;                     ///< answers of the model
  std::uint64_t tokens = 50'000'000;             ///< input and output of all answers
  double cost = 100;                             ///< US dollars; counts only where prices are known
  std::int64_t milliseconds = 24 * 3600 * 1000;  ///< of wall time while somebody runs it
  std::uint64_t children = 32;                   ///< tasks that it may start, those of its children not counted
  std::uint64_t depth = 4;                       ///< tasks within tasks
  bool operator==(const Budget&) const = default;
};

/// US dollars for a million tokens. Zero: unknown.
struct Prices {
  double input = 0, output = 0, cached = 0, cache_write = 0;
  bool operator==(const Prices&) const = default;
};

/// When a task that gets nowhere is stopped, or asks its person.
struct BreakerLimits {
  std::uint64_t mistakes = 5;           ///< one after the other, of any kind; success of a tool resets them
  std::uint64_t same_mistake = 3;       ///< one after the other with the same kind, tool and fingerprint
  std::uint64_t mistakes_in_all = 100;  ///< in the whole task
  std::uint64_t repeats = 3;            ///< how often the same calls with the same results may come in a row
  std::uint64_t cycle = 6;              ///< calls in one such round, at most
  std::uint64_t nudges = 3;             ///< answers without a call, one after the other
  std::uint64_t empty = 3;              ///< answers with nothing in them, one after the other
  bool operator==(const BreakerLimits&) const = default;
};

/// Waiting before a request is sent again.
struct RetryLimits {
  std::uint64_t attempts = 6;              ///< of one request, the first one counted
  std::int64_t first_delay = 1'000;        ///< milliseconds; doubled for each attempt, full jitter
  std::int64_t max_delay = 60'000;         ///< of our own delays
  std::int64_t max_retry_after = 600'000;  ///< a server that wants more is not waited for
  std::uint64_t too_long = 2;              ///< how often a request that was too long is folded and sent again
  bool operator==(const RetryLimits&) const = default;
};

struct ContextLimits {
  std::uint64_t tokens = 128'000;  ///< what the model can take
  double fold_at = 0.8;            ///< of it: above this old results are folded, then older turns summarised
  std::uint64_t keep_turns = 4;    ///< the last turns stay as they are
  bool operator==(const ContextLimits&) const = default;
};

struct Settings {
  std::string model{};
  /// How calls are written: `native`, or a name of text::formats(). Chosen once, kept for the whole task. Empty: found
  /// from the history that the task begins with (protocol_of()); a name that nobody knows counts as `native`, and is
  /// noted.
  std::string protocol = "native";
  std::string system{};  ///< the system prompt; see system_prompt()
  std::string reasoning_effort{};
  std::uint64_t output_tokens = 8'192;           ///< asked for at first
  std::uint64_t output_tokens_at_most = 65'536;  ///< raised to, after a cut by length
  /// An answer without a call is the result. Once tools were used the model is asked first whether it is done: it may
  /// have forgotten the next call.
  bool plain_answer_ends = false;
  bool todos_before_completion = false;  ///< attempt_completion is refused while todos are open
  Budget budget{};
  Prices prices{};
  BreakerLimits breakers{};
  RetryLimits retry{};
  ContextLimits context{};
  std::uint64_t seed = 0;  ///< of the jitter
  // For who goes on with it later; the task itself uses none of these.
  std::string workspace{};  ///< the folder that it works in
  std::string wire{};       ///< the wire that its model spoke
  std::string base_url{};   ///< of its server
  std::string key_env{};    ///< the variable that held the server's key; never the key
  bool operator==(const Settings&) const = default;
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::task
