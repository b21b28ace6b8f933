// What is kept of a task: records, numbered, never changed. A task's state is what its records say; nothing else.
#pragma once

#include <belay/chat.h>
#include <belay/json/verdict.h>
#include <belay/policy/gate.h>
#include <belay/task/settings.h>
#include <belay/tool.h>

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace BELAY_NAMESPACE::task {
BELAY_API_BEGIN

/// A task began.
struct Created {
  Settings settings{};
  std::vector<chat::Block> goal{};       ///< what the person wants: texts and images
  std::string todos{};                   ///< a checklist to begin with; may be empty
  std::string parent{}, parent_call{};   ///< of a task that a task started
  std::uint64_t depth = 0;               ///< 0 for a task that a person started
  std::vector<chat::Message> history{};  ///< what came before, from elsewhere, healed; without system messages
  std::vector<std::string> healed{};     ///< what was wrong with it, and what was done
  std::string forked_from{};             ///< `task@number`, or empty
  bool operator==(const Created&) const = default;
};

/// The person said something, or Belay told the model something in the person's place (`why`).
struct Said {
  enum class Why : std::uint8_t {
    person,     ///< a person's own words
    no_tool,    ///< the answer held no call
    cut,        ///< the answer was cut off
    malformed,  ///< the provider says that the call was malformed
    refused,    ///< the model refused
  };
  Why why = Why::person;
  std::vector<chat::Block> blocks{};
  bool operator==(const Said&) const = default;
};

/// What became of a call's bytes: the verdict and how it came to be. The statistics are made of these.
struct Damage {
  json::Word verdict = json::Word::valid;
  std::vector<std::string> kinds{};  ///< names of edits, or of the error; each once, at most 16
  std::string raw{};                 ///< the arguments as they were received, at most 4 KiB; only when damaged
  bool operator==(const Damage&) const = default;
};

/// A call and what the gate decided, as it was when the turn was received. Never decided again.
struct PlannedCall {
  std::string id{};    ///< in the history: unique there
  std::string name{};  ///< as the model wrote it
  std::string tool{};  ///< the tool's own name; "" when there is none
  tool::Effect effect = tool::Effect::execute;
  policy::Handling handling = policy::Handling::refuse;
  std::vector<std::string> runs{};  ///< the arguments of each run, JSON text
  bool must_ask = false;
  std::string receipt{}, not_run{}, feedback{};
  std::string error{};  ///< kind of what was wrong when it was refused: truncated, broken, schema, unknown_tool, ...
  Damage damage{};
  bool operator==(const PlannedCall&) const = default;
};

/// The model answered. Its calls stand in the message as blocks, with arguments that are valid JSON.
struct Turn {
  chat::Message message{};
  std::vector<PlannedCall> calls{};
  chat::StopReason stop = chat::StopReason::none;
  std::string raw_stop{};
  chat::Usage usage{};      ///< as the provider counted it, and nothing else
  chat::Usage estimated{};  ///< input and output that it did not count, estimated; they count for budgets and cost
  std::string model{};      ///< as the provider named it
  double cost = 0;
  bool operator==(const Turn&) const = default;
};

/// A run is about to begin. Kept before it does when the tool has effects.
struct Intent {
  std::string call{};
  std::uint64_t run = 0;
  bool confined = false;
  bool operator==(const Intent&) const = default;
};

/// A run ended, or a call got its answer without one. The answer to a call is the content of its results, in order.
struct Finding {
  enum class Why : std::uint8_t {
    ran,           ///< the tool's own result
    refused,       ///< by the gate
    denied,        ///< by the permissions
    not_approved,  ///< by the person
    held,          ///< something before it did not go well
    interrupted,   ///< it had begun when the process ended: nobody knows how far it came
    aborted,       ///< the person stopped the task
    not_run,       ///< the task ended before it
  };
  std::string call{};
  std::uint64_t run = 0;
  bool last = true;  ///< no further run of this call comes
  Why why = Why::ran;
  std::vector<chat::Block> content{};  ///< texts and images, as the model sees them
  bool is_error = false;
  std::int64_t milliseconds = 0;
  bool operator==(const Finding&) const = default;
};

/// A person decided about exactly this: a run, or going on beyond a limit.
struct Approved {
  std::string about{};  ///< the id of the question
  std::string call{};   ///< the call, where it is about one
  std::uint64_t run = 0;
  std::string arguments{};  ///< JSON text of what was approved
  bool yes = false;
  std::string words{};
  bool operator==(const Approved&) const = default;
};

/// The list of todos is this now.
struct Todos {
  std::string list{};
  bool operator==(const Todos&) const = default;
};

/// A task was started for a call.
struct ChildStarted {
  std::string call{}, child{};
  bool operator==(const ChildStarted&) const = default;
};

/// Old parts of the history are sent shorter from now on.
struct Folded {
  std::vector<std::string> results{};  ///< calls whose results are stubs now
  std::uint64_t upto = 0;              ///< messages of the history before this one are the summary now; 0: none
  std::string summary{};
  chat::Usage usage{}, estimated{};  ///< of the request that made the summary
  double cost = 0;
  bool operator==(const Folded&) const = default;
};

/// A setting changed while the task ran.
struct Changed {
  std::uint64_t output_tokens = 0;          ///< the output limit is this now; 0: as it was
  std::uint64_t output_tokens_at_most = 0;  ///< it is raised to this at most; 0: as it was
  std::uint64_t reset = 0;                  ///< the breakers begin anew (1), because a person wants to go on
  Budget budget{};                          ///< counts when `has_budget`
  bool has_budget = false;
  bool resumed = false;     ///< somebody runs it again: the time since the record before does not count
  std::int64_t worked = 0;  ///< except for so many milliseconds of it, in which tasks within were at work
  bool operator==(const Changed&) const = default;
};

/// A request did not lead to an answer.
struct RequestFailed {
  std::string kind{}, message{};
  std::uint64_t attempt = 1;
  bool retried = false;
  chat::Usage usage{}, estimated{};  ///< of an answer that was of no use
  double cost = 0;
  bool operator==(const RequestFailed&) const = default;
};

/// What became of a damaged call in the end.
struct Outcome {
  enum class Became : std::uint8_t {
    // Whether or not it was then let run: that is what its result says.
    mended,    ///< it counted as mended
    split,     ///< it counted as several, or the first of several
    guessed,   ///< it counted, and the model was told what was guessed
    re_asked,  ///< refused, sent again, and right then
    lost,      ///< refused, and never right
  };
  std::string call{}, tool{}, model{};
  std::vector<std::string> kinds{};
  json::Word verdict = json::Word::valid;
  Became became = Became::lost;
  bool operator==(const Outcome&) const = default;
};

enum class EndReason : std::uint8_t {
  completed,  ///< attempt_completion was accepted, or a plain answer was the result
  aborted,    ///< by the person
  turns,      ///< budgets
  tokens,
  cost,
  time,
  stuck,           ///< mistakes, repetition, answers without a call or with nothing in them
  authentication,  ///< the provider does not know us
  failed,          ///< an error that cannot be mended
};
std::string_view name(EndReason) noexcept;
/// The exit code of a program that ran the task: 0, 130, 53, 54, 54, 54, 55, 41, 1.
int exit_code(EndReason) noexcept;

/// The task is over. A person's next message opens it again.
struct Finished {
  EndReason reason = EndReason::failed;
  std::string result{};  ///< of a completed task
  std::string detail{};  ///< one sentence for a person
  bool operator==(const Finished&) const = default;
};

using Body = std::variant<Created, Said, Turn, Intent, Finding, Approved, Todos, ChildStarted, Folded, Changed,
                          RequestFailed, Outcome, Finished>;

struct Record {
  std::string task{};
  std::uint64_t number = 0;  ///< from 1, without gaps, within its task
  std::int64_t time = 0;     ///< milliseconds since 1970
  Body body{};
  bool operator==(const Record&) const = default;
};

/// The word for its kind: created, said, turn, intent, finding, approved, todos, child, folded, changed, failed,
/// outcome, finished.
std::string_view kind_of(const Body& body) noexcept;

/// The version that is written. Older ones are read; newer ones are an error that says so.
inline constexpr std::uint64_t kRecordVersion = 1;

/// The body as JSON text: an object with `v` and `kind`; members that say nothing are left out.
std::string to_json(const Body& body);
/// Strict: what is not understood is an error, one sentence.
std::expected<Body, std::string> body_from_json(std::string_view text);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::task
