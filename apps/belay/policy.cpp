#include "policy.h"

#include <belay/json/writer.h>
#include <belay/policy.h>
#include <belay/sandbox.h>

#include "complaint.h"
#include "terminal.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace belay::cli {
namespace {

// As its commands would spell it: links are not followed.
std::expected<std::string, std::string> folder(const std::string& given) {
  std::error_code error;
  if (given.empty() || !std::filesystem::is_directory(given, error))
    return wrong("--workspace '" + clipped(given, 60) + "' is not a folder");
  std::string path = std::filesystem::absolute(given, error).lexically_normal().string();
  if (error) return wrong("--workspace: " + error.message());
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// More than the limit is as good as all of it.
std::expected<std::string, std::string> command_from_input() {
  auto input = Input::open("-", 0);
  if (!input) return wrong(input.error());
  std::string text;
  while (text.size() <= policy::ShellLimits{}.bytes) {
    auto piece = input->next();
    if (!piece) return wrong(piece.error());
    if (piece->empty()) break;
    text += *piece;
  }
  return text;
}

}  // namespace

// By hand: what stands behind the options is one command, and its own options are no options of ours.
std::expected<PolicyOptions, std::string> parse_policy_options(std::span<const std::string> arguments) {
  PolicyOptions options;
  std::size_t i = 0;
  for (; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") break;
    if (argument == "-h" || argument == "--help") {
      options.help = true;
      return options;
    }
    const bool glued = argument.starts_with("--workspace=");
    if (!glued && argument != "--workspace") {
      if (argument.starts_with('-'))
        return wrong("no option '" + clipped(argument, 60) + "'; the command stands behind --");
      return wrong("the command stands behind --");
    }
    if (!glued && ++i >= arguments.size()) return wrong("--workspace needs a value");
    auto path = folder(glued ? argument.substr(std::string_view("--workspace=").size()) : arguments[i]);
    if (!path) return wrong(path.error());
    options.workspace = std::move(*path);
  }
  if (i + 1 >= arguments.size()) return wrong("a COMMAND is needed behind --");
  for (const std::string& word : arguments.subspan(i + 1))
    options.command.append(options.command.empty() ? "" : " ").append(word);
  return options;
}

Exit policy(const PolicyOptions& options, Output& out, Output& err) {
  std::string command = options.command;
  if (command == "-") {
    auto read = command_from_input();
    if (!read) {
      err << "belay policy: " << read.error() << "\n";
      return Exit::usage;
    }
    command = std::move(*read);
  }
  policy::ShellVerdict verdict = policy::judge_command(command, {}, options.workspace);
  if (verdict.decision < policy::Decision::ask && !options.workspace.empty() && sandbox::is_home(options.workspace))
    verdict = {policy::Decision::ask, std::string(policy::kInHome)};
  std::string line = R"({"decision":")" + std::string(policy::name(verdict.decision)) + R"(","reason":)";
  json::write_string(verdict.reason, line);
  out << line << "}\n";
  out.finish();
  if (out.error() == 0) return Exit::done;
  if (out.error() != EPIPE)
    err << "belay policy: cannot write to standard output: " << std::strerror(out.error()) << "\n";
  return Exit::failed;
}

}  // namespace belay::cli
