// Permissions: modes and rules, given as data. Nothing in the workspace ever widens them.
#pragma once

#include <belay/json/value.h>
#include <belay/policy/gate.h>
#include <belay/policy/shell.h>
#include <belay/tool.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::policy {
BELAY_API_BEGIN

enum class Mode : std::uint8_t {
  ask,           ///< `default`: ask before anything is written or executed
  accept_edits,  ///< `acceptEdits`: files of the workspace may be written
  plan,          ///< `plan`: nothing but reading
  dont_ask,      ///< `dontAsk`: what would be asked is denied
  bypass,        ///< `bypassPermissions`: everything that is not denied by a rule
};
std::string_view name(Mode) noexcept;
std::optional<Mode> mode_named(std::string_view) noexcept;

/// One rule: a tool's name, `*`, or `SERVER__*` for all tools of one server, and a pattern for what it is about: the
/// command, or the path. In patterns `*` stands for anything but /, `**` for anything at all; `cmd:*` at the end of a
/// command's pattern means "and any words". Rules that ask or deny look at every command in a list, and at commands
/// that others run; where the command cannot be read, they ask. Paths are compared by their text without `.` and `..`;
/// links are not followed.
struct Rule {
  Decision decision = Decision::ask;
  std::string tool{};
  std::string pattern{};  ///< empty: whatever it is about
  bool operator==(const Rule&) const = default;
};
/// Whether a rule's tool is `SERVER__*`. The first pair of underscores ends the name of a server.
bool is_server_rule(std::string_view tool);
/// `tool` or `tool(pattern)`. The error is one sentence.
std::expected<Rule, std::string> rule_from(Decision decision, std::string_view text);

struct Permissions {
  Mode mode = Mode::ask;
  std::vector<Rule> rules{};  ///< deny before ask before allow, whatever their order
  std::string workspace{};    ///< its absolute path: rules see paths below it as relative; may be empty
  /// The workspace is the person's home directory (sandbox::is_home()), so that commands see what they see nowhere
  /// else: those that would run without asking are asked about.
  bool home = false;
};

/// Why commands are asked about there.
inline constexpr std::string_view kInHome =
    "the workspace is the home directory, and commands see all of it there; choose a folder inside of it";

struct Permit {
  Decision decision = Decision::ask;
  std::string reason{};
};
/// What may be done with one run of a tool without asking.
Permit permit(const Permissions& permissions, const tool::Spec& spec, json::Value arguments);

/// What stands between a run and its tool.
struct Clearance {
  Decision decision = Decision::ask;  ///< allow: it runs; ask: if a person says yes; deny: it does not
  std::string reason;
  bool confined = false;    ///< it runs only where it can change nothing, also when a person said yes
  bool rule_helps = false;  ///< of `ask`: a rule that allows it would make the question go away
};
/// The one way from a planned run to its tool, for the agent and for everybody else: what the permissions say of these
/// arguments, and `doubt` (Plan::doubt), which no rule can allow.
Clearance clear(const Permissions& permissions, const tool::Spec& spec, const Run& run, std::string_view doubt);
/// The same for one run of a plan that is not refused.
Clearance clear(const Permissions& permissions, const Plan& plan, std::size_t run);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::policy
