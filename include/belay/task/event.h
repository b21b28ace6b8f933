// Everything that happens in a task, in one vocabulary for the terminal, for JSON lines and for the gateway.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::task {
BELAY_API_BEGIN

enum class EventKind : std::uint8_t {
  started,        ///< a task began; `text` is its goal
  resumed,        ///< it goes on
  request,        ///< the model is asked; `number` is the attempt
  text,           ///< a piece of the model's text
  reasoning,      ///< a piece of what it thought
  call_started,   ///< `call`, `name`
  call_delta,     ///< `call`, `text`: a piece of its arguments
  call_ended,     ///< `call`, `name`, `text`: the verdict; `data`: receipt and error
  asked,          ///< a person is asked: `name` the kind, `text`, `call`
  replied,        ///< a person answered: `name` the kind, `text`
  tool_started,   ///< `call`, `name`; `data`: its arguments
  tool_output,    ///< `call`, `text`: output as it comes
  tool_ended,     ///< `call`, `name`, `text`: its result; `is_error`
  todos,          ///< `text`: the list
  usage,          ///< `data`: tokens and cost, of this turn and in all
  notice,         ///< something odd, `name` its kind
  mistake,        ///< `name` its kind, `text`; `call` where it is about one
  failed,         ///< a request failed: `name` the kind, `text`
  retry,          ///< it is sent again in `number` milliseconds
  folded,         ///< the history was made shorter; `text` says how
  child_started,  ///< `name` the task that was started, for `call`
  completed,      ///< a result is shown: `text`
  finished,       ///< `name` the reason, `text` the result or the detail, `number` the exit code
};
std::string_view name(EventKind) noexcept;

struct Event {
  EventKind kind = EventKind::notice;
  std::string task{};
  std::string call{}, name{}, text{};
  std::int64_t number = 0;
  bool is_error = false;
  std::string data{};  ///< JSON text of an object, or empty
  bool operator==(const Event&) const = default;
};
/// One line of JSON: `type`, `task`, and what is not empty.
std::string to_json(const Event& event);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::task
