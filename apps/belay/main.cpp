// The command-line program: finds the command and gives it its arguments.

#include "demo.h"
#include "exit_code.h"
#include "help.h"
#include "io.h"
#include "names.h"
#include "options.h"
#include "parse.h"
#include "policy.h"
#include "repair.h"
#include "schema.h"
#include "terminal.h"
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
constexpr std::array<std::string_view, 6> kCommands{"repair", "parse", "schema", "policy", "demo", "help"};

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

Exit unknown_command(Output& err, const std::string& name) {
  std::string message = (name.starts_with('-') ? "no option '" : "no command '") + clipped(name, 60) + "'";
  constexpr std::array<std::string_view, 2> options{"--version", "--help"};
  const auto near = name.starts_with('-') ? nearest(name, options) : nearest(name, kCommands);
  if (near) message += "; did you mean " + std::string(*near) + "?";
  return usage(err, "belay", message);
}

bool asks_for_help(Arguments arguments) {
  return std::ranges::any_of(arguments, [](const std::string& a) { return a == "--help" || a == "-h"; });
}

Exit run_repair(Arguments arguments, Output& out, Output& err) {
  const auto options = parse_repair_options(arguments);
  if (!options) return usage(err, "belay repair", options.error());
  if (options->help) return print(out, err, kRepairHelp);
  return repair(*options, out, err);
}

Exit run_parse(Arguments arguments, Output& out, Output& err) {
  const auto options = parse_parse_options(arguments);
  if (!options) return usage(err, "belay parse", options.error());
  if (options->help) return print(out, err, kParseHelp);
  return parse(*options, out, err);
}

Exit run_schema(Arguments arguments, Output& out, Output& err) {
  const auto options = parse_schema_options(arguments);
  if (!options) return usage(err, "belay schema", options.error());
  if (options->help) return print(out, err, kSchemaHelp);
  return check_value(*options, out, err);
}

Exit run_policy(Arguments arguments, Output& out, Output& err) {
  const auto options = parse_policy_options(arguments);
  if (!options) return usage(err, "belay policy", options.error());
  if (options->help) return print(out, err, kPolicyHelp);
  return policy(*options, out, err);
}

Exit run_demo(Arguments arguments, Output& out, Output& err) {
  if (asks_for_help(arguments)) return print(out, err, kDemoHelp);
  if (!arguments.empty()) return usage(err, "belay demo", "takes no arguments");
  return demo(out);
}

Exit run_help(Arguments arguments, Output& out, Output& err) {
  if (arguments.empty() || arguments[0] == "help" || asks_for_help(arguments)) return print(out, err, kOverview);
  if (arguments[0] == "repair") return print(out, err, kRepairHelp);
  if (arguments[0] == "parse") return print(out, err, kParseHelp);
  if (arguments[0] == "schema") return print(out, err, kSchemaHelp);
  if (arguments[0] == "policy") return print(out, err, kPolicyHelp);
  if (arguments[0] == "demo") return print(out, err, kDemoHelp);
  return unknown_command(err, arguments[0]);
}

Exit run(Arguments arguments, Output& out, Output& err) {
  if (arguments.empty()) return usage(err, "belay", "a command is needed: repair, parse, schema, policy or demo");
  const std::string& command = arguments[0];
  const Arguments rest = arguments.subspan(1);
  if (command == "repair") return run_repair(rest, out, err);
  if (command == "parse") return run_parse(rest, out, err);
  if (command == "schema") return run_schema(rest, out, err);
  if (command == "policy") return run_policy(rest, out, err);
  if (command == "demo") return run_demo(rest, out, err);
  if (command == "help" || command == "--help" || command == "-h") return run_help(rest, out, err);
  if (command == "--version" || command == "-V") return print(out, err, "belay " + std::string(kVersion) + "\n");
  return unknown_command(err, command);
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
