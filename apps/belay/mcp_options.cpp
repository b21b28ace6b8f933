#include "mcp.h"

#include "command_line.h"
#include "complaint.h"
#include "names.h"
#include "terminal.h"

#include <algorithm>
#include <array>

namespace belay::cli {
namespace {

using Action = McpOptions::Action;

struct McpVerb {
  std::string_view name;
  Action action;
  std::string_view words;  ///< that it takes, as they are named in an error
  std::size_t least, most;
};
constexpr std::size_t kManyWords = 10'000;
constexpr std::array kMcpVerbs{
    McpVerb{"list", Action::list, "nothing more", 0, 0},
    McpVerb{"tools", Action::tools, "[SERVER]", 0, 1},
    McpVerb{"call", Action::call, "SERVER TOOL JSON", 3, 3},
    McpVerb{"add", Action::add, "NAME COMMAND [ARGS...], or NAME --url URL", 1, kManyWords},
    McpVerb{"remove", Action::remove, "NAME", 1, 1},
    McpVerb{"approve", Action::approve, "NAME", 1, 1},
    McpVerb{"resources", Action::resources, "SERVER", 1, 1},
    McpVerb{"read", Action::read, "SERVER URI", 2, 2},
    McpVerb{"prompts", Action::prompts, "SERVER", 1, 1},
    McpVerb{"prompt", Action::prompt, "SERVER NAME [JSON]", 2, 3},
};
constexpr std::array kMcpOptions{Option{"--json"},
                                 Option{"--names"},
                                 Option{"--yes", 'y'},
                                 Option{"--url", '\0', true},
                                 Option{"--type", 't', true},
                                 Option{"--env", 'e', true},
                                 Option{"--header", 'H', true},
                                 Option{"--workspace", '\0', true},
                                 Option{"--mcp-config", '\0', true},
                                 Option{"--strict-mcp-config"}};

// add NAME COMMAND: its options are not ours, be they spelled alike.
bool begins_command(std::span<const std::string> words) { return words.size() == 2 && words[0] == "add"; }

}  // namespace

std::expected<McpOptions, std::string> parse_mcp_options(std::span<const std::string> arguments) {
  McpOptions out;
  const auto line = read_command_line(arguments, kMcpOptions, begins_command);
  if (!line) return wrong(line.error());
  out.help = line->help;
  if (out.help) return out;
  std::array<std::string_view, kMcpVerbs.size() + 1> names;
  for (std::size_t i = 0; i < kMcpVerbs.size(); ++i) names[i] = kMcpVerbs[i].name;
  names.back() = "serve";
  const std::string name = line->words.empty() ? "list" : line->words.front();
  if (name == "serve") return wrong("serve stands first: belay mcp serve [OPTIONS]");
  const auto* verb = std::ranges::find(kMcpVerbs, name, &McpVerb::name);
  if (verb == kMcpVerbs.end()) {
    std::string message =
        "expected list, tools, call, resources, read, prompts, prompt, add, remove, approve or serve, not '" +
        clipped(name, 60) + "'";
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
  if (out.action == Action::read || out.action == Action::prompt) out.tool = words[1];
  if (out.action == Action::prompt) out.arguments = words.size() > 2 ? words[2] : "{}";
  if (out.action == Action::add) out.command.assign(words.begin() + 1, words.end());
  out.json = line->has("--json");
  out.names = line->has("--names");
  if (out.names && out.action != Action::list) return wrong(std::string(verb->name) + " takes no --names");
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
    return wrong(out.url.empty() ? "add takes a COMMAND behind the NAME, or --url URL"
                                 : "add takes either a COMMAND or --url URL, not both");
  if (out.action == Action::add && !out.command.empty() &&
      (out.command[0].starts_with("http://") || out.command[0].starts_with("https://")))
    return wrong("'" + clipped(out.command[0], 60) + "' is no command; an address goes behind --url");
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
