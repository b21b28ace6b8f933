// The gate: what a verdict means for a call, by the tool's effect.
#pragma once

#include <belay/tool.h>
#include <belay/turn.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::policy {
BELAY_API_BEGIN

/// What happens with a call, approval aside.
enum class Handling : std::uint8_t {
  run,        ///< as it is
  run_say,    ///< run, and say what was guessed
  run_each,   ///< one run for each of the glued objects, in order
  run_first,  ///< the first of the glued objects; model and person are told what was not run
  refuse,     ///< not run; the model is told why
  ask,        ///< a guess that a setting lets the person decide
  text,       ///< no call at all: the model quotes what it was given, and it is shown as text
};
std::string_view name(Handling) noexcept;

/// The table of docs/safety.md: one row a verdict, one column an effect.
Handling handling(json::Word verdict, tool::Effect effect) noexcept;

struct GateSettings {
  bool ask_for_guesses = false;  ///< guessed calls that write or execute: ask instead of refusing
  bool native = true;            ///< the task's protocol; a call from text is asked about before it has an effect
  /// What the model was given: earlier tool results and the person's messages. While the protocol is native, a call
  /// from text that stands in one of them is a quotation; in a text format it may be one, and is asked about before it
  /// has an effect. The texts must live as long as the Gate.
  std::vector<std::string_view> given{};
};

/// One run of a tool that the gate lets pass. `arguments` is what is shown, approved and run: one and the same object,
/// from here to the tool's code.
struct Run {
  json::Document arguments{};
  std::string text{};  ///< the same as JSON text: what an approval is bound to, and what is kept
};

/// What is to be done with one call.
struct Plan {
  Handling handling = Handling::refuse;
  const tool::Tool* tool = nullptr;  ///< none when the name is unknown
  std::vector<Run> runs{};           ///< in order; empty when it is refused
  std::string doubt{};               ///< why it must be asked about, whatever the permissions say; empty: it need not
  std::string receipt{};             ///< for person and model: what was mended or guessed; empty for nothing
  std::string not_run{};             ///< what of the call is not run; empty for nothing
  std::string feedback{};            ///< for the model, when it is refused
};

/// Decides for the calls of one turn, in their order. After a call that writes or executes was refused, failed or ran
/// only in part, later ones of the turn that write or execute are held, and say so.
class Gate {
 public:
  explicit Gate(const tool::Registry& tools, GateSettings settings = {})
      : tools_(tools), settings_(std::move(settings)) {}

  Plan plan(const turn::Call& call);
  /// How the last planned call went: false when it was refused by the person, failed, or ran only in part.
  void went(bool well);

 private:
  Plan refuse(Plan plan, std::string feedback);
  const tool::Registry& tools_;
  GateSettings settings_;
  std::optional<tool::Effect> last_;
  std::string held_by_;  // the call that keeps later effects from running
  std::string last_name_;
};

/// What a person approved: exactly this.
struct Approval {
  std::string call_id{}, tool{}, arguments{};
  bool operator==(const Approval&) const = default;
};
Approval approval_of(const turn::Call& call, const Plan& plan, std::size_t run);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::policy
