#include "tasks.h"

#include "command_line.h"
#include "names.h"
#include "options.h"
#include "terminal.h"

#include <algorithm>
#include <array>

namespace belay::cli {
namespace {

struct TasksVerb {
  std::string_view name;
  TasksOptions::Action action;
  std::array<Option, 4> options;  ///< that it takes; those without a name are none
  std::size_t least, most;        ///< ids
};
constexpr std::size_t kManyIds = 10'000;
constexpr std::array kTasksVerbs{
    TasksVerb{"list", TasksOptions::Action::list, {Option{"--json"}, {"--all", 'a'}, {"--limit", 'n', true}}, 0, 0},
    TasksVerb{"show", TasksOptions::Action::show, {Option{"--json"}, {"--full"}}, 1, 1},
    TasksVerb{"export", TasksOptions::Action::export_one, {}, 1, 1},
    TasksVerb{"delete", TasksOptions::Action::remove, {Option{"--yes", 'y'}}, 1, kManyIds},
};

}  // namespace

std::expected<TasksOptions, std::string> parse_tasks_options(std::span<const std::string> arguments) {
  const auto wrong = [](std::string message) { return std::unexpected(std::move(message)); };
  TasksOptions out;
  // Options may stand before the verb, too.
  std::vector<Option> known;
  for (const TasksVerb& verb : kTasksVerbs)
    for (const Option& option : verb.options)
      if (!option.name.empty()) known.push_back(option);
  const auto line = read_command_line(arguments, known);
  if (!line) return wrong(line.error());
  out.help = line->help;
  if (out.help) return out;

  std::array<std::string_view, kTasksVerbs.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kTasksVerbs[i].name;
  const std::string name = line->words.empty() ? "list" : line->words.front();
  const auto* verb = std::ranges::find(kTasksVerbs, name, &TasksVerb::name);
  if (verb == kTasksVerbs.end()) {
    std::string message = "expected list, show, export or delete, not '" + clipped(name, 60) + "'";
    if (const auto near = nearest(name, names)) message += "; did you mean " + std::string(*near) + "?";
    return wrong(message);
  }
  for (const auto& [option, text] : line->options)
    if (std::ranges::find(verb->options, option, &Option::name) == verb->options.end())
      return wrong(std::string(verb->name) + " takes no " + std::string(option));
  out.action = verb->action;
  if (!line->words.empty()) out.ids.assign(line->words.begin() + 1, line->words.end());
  if (out.ids.size() < verb->least)
    return wrong(std::string(verb->name) +
                 " needs the ID of a task, or what it begins with; belay tasks list has them");
  if (out.ids.size() > verb->most)
    return wrong(std::string(verb->name) + (verb->most == 0 ? " takes no ID; '" : " takes one ID; '") +
                 clipped(out.ids[verb->most], 60) + "' is one too many");
  out.json = line->has("--json");
  out.full = line->has("--full");
  out.all = line->has("--all");
  out.yes = line->has("--yes");
  if (const auto limit = line->value("--limit")) {
    const auto n = parse_size(*limit);
    if (!n || *n < 1 || *n > 1'000'000) return wrong("--limit is a number of tasks from 1 to 1000000");
    out.limit = *n;
  }
  return out;
}

}  // namespace belay::cli
