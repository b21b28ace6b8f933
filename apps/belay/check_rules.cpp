#include "check_rules.h"

#include "names.h"
#include "terminal.h"

#include <string_view>

namespace belay::cli {
namespace {

// Other agents write Bash where the alias is bash.
const tool::Tool* in_lower_case(std::string_view name, const tool::Registry& tools) {
  std::string low(name);
  for (char& c : low)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return tools.find(low);
}

}  // namespace

std::expected<void, std::string> check_rules(std::vector<config::Setting<policy::Rule>>& rules,
                                             const tool::Registry& tools) {
  for (config::Setting<policy::Rule>& rule : rules) {
    std::string& name = rule.value.tool;
    if (const tool::Tool* tool = tools.find(name)) {
      name = tool->spec().name;
      continue;
    }
    const std::string said = config::describe(rule.source) + ": the rule " + clipped(name, 60) +
                             (rule->pattern.empty() ? "" : "(" + clipped(rule->pattern, 60) + ")") +
                             " would do nothing: ";
    if (policy::is_server_rule(name)) continue;
    if (name != "*" && name.find('*') != std::string::npos)
      return std::unexpected(said + "a tool is named whole, all of a server by SERVER__*, or all of them by *");
    if (name == "*" || name.find("__") != std::string::npos) continue;
    std::vector<std::string_view> near = tools.near(name);
    if (const tool::Tool* tool = in_lower_case(name, tools)) near = {tool->spec().name};
    return std::unexpected(said + no_such_tool(name, near));
  }
  return {};
}

}  // namespace belay::cli
