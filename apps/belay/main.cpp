// The command-line program: finds the command and gives it its arguments.

#include "completion.h"
#include "config.h"
#include "demo.h"
#include "doctor.h"
#include "exit_code.h"
#include "help.h"
#include "help_mcp.h"
#include "io.h"
#include "mcp.h"
#include "mcp_serve.h"
#include "names.h"
#include "options.h"
#include "parse.h"
#include "policy.h"
#include "repair.h"
#include "run.h"
#include "schema.h"
#include "stats.h"
#include "tasks.h"
#include "terminal.h"
#include "tool.h"
#include "version.h"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace belay::cli {
namespace {

using Arguments = std::span<const std::string>;

Exit usage(Output& err, std::string_view command, std::string_view message) {
  err << command << ": " << message << "\nTry: " << command << " --help\n";
  return Exit::usage;
}

Exit print(Output& out, Output& err, std::string_view text) {
  out << text;
  out.finish();
  if (out.error() == 0) return Exit::done;
  if (out.error() != EPIPE) err << "belay: cannot write to standard output: " << std::strerror(out.error()) << "\n";
  return Exit::failed;
}

bool asks_for_help(Arguments arguments) {
  return std::ranges::any_of(arguments, [](const std::string& a) { return a == "--help" || a == "-h"; });
}

// A command whose options are read by `parse` and which `act` carries out.
template <auto parse, auto act, const std::string_view& manual>
Exit run_command(std::string_view name, Arguments arguments, Output& out, Output& err) {
  const auto options = parse(arguments);
  if (!options) return usage(err, "belay " + std::string(name), options.error());
  if (options->help) return print(out, err, manual);
  return act(*options, out, err);
}

Exit run_demo(std::string_view, Arguments arguments, Output& out, Output& err) {
  if (asks_for_help(arguments)) return print(out, err, kDemoHelp);
  if (!arguments.empty()) return usage(err, "belay demo", "takes no arguments");
  return demo(out);
}

// serve is a command of its own, with its own manual.
Exit run_mcp_command(std::string_view name, Arguments arguments, Output& out, Output& err) {
  if (!arguments.empty() && arguments[0] == "serve")
    return run_command<parse_serve_mcp_options, serve_mcp, kMcpServeHelp>("mcp serve", arguments.subspan(1), out, err);
  return run_command<parse_mcp_options, run_mcp, kMcpHelp>(name, arguments, out, err);
}

Exit run_completion(std::string_view name, Arguments arguments, Output& out, Output& err);

struct Command {
  std::string_view name;
  const std::string_view& manual;
  Exit (*run)(std::string_view name, Arguments arguments, Output& out, Output& err);
};
const Command kCommands[] = {
    {"run", kRunHelp, run_command<parse_run_options, run_task, kRunHelp>},
    {"replay", kReplayHelp, run_command<parse_replay_options, replay, kReplayHelp>},
    {"repair", kRepairHelp, run_command<parse_repair_options, repair, kRepairHelp>},
    {"parse", kParseHelp, run_command<parse_parse_options, parse, kParseHelp>},
    {"schema", kSchemaHelp, run_command<parse_schema_options, check_value, kSchemaHelp>},
    {"policy", kPolicyHelp, run_command<parse_policy_options, policy, kPolicyHelp>},
    {"tool", kToolHelp, run_command<parse_tool_options, run_one_tool, kToolHelp>},
    {"tools", kToolsHelp, run_command<parse_tools_options, list_tools, kToolsHelp>},
    {"mcp", kMcpHelp, run_mcp_command},
    {"doctor", kDoctorHelp, run_command<parse_doctor_options, doctor, kDoctorHelp>},
    {"config", kConfigHelp, run_command<parse_config_options, show_config, kConfigHelp>},
    {"tasks", kTasksHelp, run_command<parse_tasks_options, tasks, kTasksHelp>},
    {"stats", kStatsHelp, run_command<parse_stats_options, stats, kStatsHelp>},
    {"completion", kCompletionHelp, run_completion},
    {"demo", kDemoHelp, run_demo},
};

// It tells a shell about all commands, itself among them.
Exit run_completion(std::string_view, Arguments arguments, Output& out, Output& err) {
  const auto options = parse_completion_options(arguments);
  if (!options) return usage(err, "belay completion", options.error());
  if (options->help) return print(out, err, kCompletionHelp);
  std::vector<Manual> manuals;
  for (const Command& command : kCommands) manuals.push_back({command.name, command.manual});
  return completion(*options, manuals, out, err);
}

const Command* command_named(std::string_view name) {
  const auto found = std::ranges::find(kCommands, name, &Command::name);
  return found == std::end(kCommands) ? nullptr : found;
}

Exit unknown_command(Output& err, const std::string& name) {
  std::string message = (name.starts_with('-') ? "no option '" : "no command '") + clipped(name, 60) + "'";
  constexpr std::array<std::string_view, 2> options{"--version", "--help"};
  std::vector<std::string_view> names{"help"};
  for (const Command& command : kCommands) names.push_back(command.name);
  const auto near = name.starts_with('-') ? nearest(name, options) : nearest(name, names);
  if (near) message += "; did you mean " + std::string(*near) + "?";
  return usage(err, "belay", message);
}

Exit run_help(Arguments arguments, Output& out, Output& err) {
  if (arguments.empty() || arguments[0] == "help" || asks_for_help(arguments)) return print(out, err, kOverview);
  if (arguments.size() == 2 && arguments[0] == "mcp" && arguments[1] == "serve") return print(out, err, kMcpServeHelp);
  const Command* command = command_named(arguments[0]);
  return command ? print(out, err, command->manual) : unknown_command(err, arguments[0]);
}

Exit run(Arguments arguments, Output& out, Output& err) {
  if (arguments.empty()) {
    std::string names;
    for (const Command& command : kCommands)
      (names += names.empty() ? "" : &command == std::end(kCommands) - 1 ? " or " : ", ") += command.name;
    return usage(err, "belay", "a command is needed: " + names);
  }
  const std::string& name = arguments[0];
  const Arguments rest = arguments.subspan(1);
  if (const Command* command = command_named(name)) return command->run(name, rest, out, err);
  if (name == "help" || name == "--help" || name == "-h") return run_help(rest, out, err);
  if (name == "--version" || name == "-V") return print(out, err, "belay " + std::string(kVersion) + "\n");
  return unknown_command(err, name);
}

}  // namespace
}  // namespace belay::cli

int main(int argc, char** argv) {
  // Writing to a pipe that nobody reads is an error to handle, not a death.
  std::signal(SIGPIPE, SIG_IGN);
  belay::cli::Output out(STDOUT_FILENO);
  belay::cli::Output err(STDERR_FILENO);
  auto code = belay::cli::Exit::failed;
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    code = belay::cli::run(arguments, out, err);
  } catch (const std::bad_alloc&) {
    err << "belay: out of memory; a smaller input will do, or more memory\n";
  }
  err.flush();
  return static_cast<int>(code);
}
