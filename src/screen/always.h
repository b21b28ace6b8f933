// The rule that "always" stands for.
#pragma once

#include <belay/policy/permission.h>

#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::screen {

/// What a person allows who says "always" to this call: `execute_command(git commit:*)` for programs that are known by
/// their verbs, exactly this command for others, the tool by its name where there is no command. Nothing where no rule
/// could be about the command: it holds a star, or something that cannot be seen.
std::optional<policy::Rule> always(std::string_view tool, std::string_view arguments);
/// `tool` or `tool(pattern)`.
std::string rule_text(const policy::Rule& rule);

}  // namespace BELAY_NAMESPACE::screen
