#include "mcp.h"

#include "command_line.h"
#include "names.h"
#include "terminal.h"

#include <algorithm>
#include <array>

namespace belay::cli {
namespace {

using Action = McpOptions::Action;

struct Verb {
  std::string_view name;
  Action action;
  std::string_view words;  ///< that it takes, as they are named in an error
  std::size_t least, most;
};
constexpr std::size_t kMany = 10'000;
constexpr std::array kVerbs{
    Verb{"list", Action::list, "nothing more", 0, 0},
    Verb{"tools", Action::tools, "[SERVER]", 0, 1},
    Verb{"call", Action::call, "SERVER TOOL JSON", 3, 3},
    Verb{"add", Action::add, "NAME -- COMMAND [ARGS...], or NAME --url URL", 1, kMany},
    Verb{"remove", Action::remove, "NAME", 1, 1},
    Verb{"approve", Action::approve, "NAME", 1, 1},
};
constexpr std::array kOptions{Option{"--json"},
                              Option{"--yes", 'y'},
                              Option{"--url", '\0', true},
                              Option{"--type", 't', true},
                              Option{"--env", 'e', true},
                              Option{"--header", 'H', true},
                              Option{"--workspace", '\0', true},
                              Option{"--mcp-config", '\0', true},
                              Option{"--strict-mcp-config"}};

std::unexpected<std::string> wrong(std::string message) { return std::unexpected(std::move(message)); }

}  // namespace

std::expected<McpOptions, std::string> parse_mcp_options(std::span<const std::string> arguments) {
  McpOptions out;
  const auto line = read_command_line(arguments, kOptions);
  if (!line) return wrong(line.error());
  out.help = line->help;
  if (out.help) return out;
  std::array<std::string_view, kVerbs.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kVerbs[i].name;
  const std::string name = line->words.empty() ? "list" : line->words.front();
  const auto* verb = std::ranges::find(kVerbs, name, &Verb::name);
  if (verb == kVerbs.end()) {
    std::string message = "expected list, tools, call, add, remove or approve, not '" + clipped(name, 60) + "'";
    if (const auto near = nearest(name, names)) message += "; did you mean " + std::string(*near) + "?";
    return wrong(message);
  }
  out.action = verb->action;
  std::vector<std::string> words;
  if (!line->words.empty()) words.assign(line->words.begin() + 1, line->words.end());
  if (words.size() < verb->least || words.size() > verb->most)
    return wrong(std::string(verb->name) + " takes " + std::string(verb->words));
  if (!words.empty()) out.server = words[0];
  if (out.action == Action::call) {
    out.tool = words[1];
    out.arguments = words[2];
  }
  if (out.action == Action::add) out.command.assign(words.begin() + 1, words.end());
  out.json = line->has("--json");
  out.yes = line->has("--yes");
  out.strict = line->has("--strict-mcp-config");
  out.files = line->values("--mcp-config");
  out.workspace = line->value("--workspace").value_or(".");
  out.url = line->value("--url").value_or("");
  out.type = line->value("--type").value_or("");
  if (out.action != Action::add)
    for (std::string_view only : {"--url", "--type", "--env", "--header"})
      if (line->has(only)) return wrong(std::string(verb->name) + " takes no " + std::string(only));
  if (out.action == Action::add && out.command.empty() == out.url.empty())
    return wrong("add takes either -- COMMAND or --url URL");
  for (const std::string& pair : line->values("--env")) {
    const std::size_t equals = pair.find('=');
    if (equals == pair.npos || equals == 0) return wrong("--env needs NAME=VALUE, not '" + clipped(pair, 60) + "'");
    out.env.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  for (const std::string& pair : line->values("--header")) {
    const std::size_t colon = pair.find(':');
    if (colon == pair.npos || colon == 0) return wrong("--header needs 'Name: value', not '" + clipped(pair, 60) + "'");
    const std::size_t value = pair.find_first_not_of(' ', colon + 1);
    out.headers.emplace_back(pair.substr(0, colon), value == pair.npos ? "" : pair.substr(value));
  }
  return out;
}

}  // namespace belay::cli
