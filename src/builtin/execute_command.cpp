#include "builtin/execute_command.h"

#include "base/utf8.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace BELAY_NAMESPACE::builtin {
namespace {

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value == std::floor(value) ? "%.0f" : "%.1f", value);
  return text;
}

std::string took(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
  return text;
}

std::string bytes(std::uint64_t count) {
  if (count >= 1ull << 30) return short_number(static_cast<double>(count >> 20) / 1024) + " GiB";
  if (count >= 1ull << 20) return std::to_string(count >> 20) + " MiB";
  return std::to_string(count) + " bytes";
}

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return std::to_string(signal) + (name == nullptr ? std::string() : " (SIG" + std::string(name) + ")");
}

tool::Spec spec_of(double usual, double most) {
  tool::Spec spec;
  spec.name = "execute_command";
  spec.effect = tool::Effect::execute;
  spec.timeout = most + 30;  // the command's own time-out comes first, and says more
  spec.description =
      "Runs one shell command in the workspace and returns what it wrote (stdout and stderr as they came) and its exit "
      "code. "
      "Each call starts a new shell (bash, or sh where there is none): cd, variables and background processes do not "
      "outlive "
      "it, and whatever still runs when the command ends is killed. There is no terminal and no input: use options "
      "that do "
      "not ask. The command runs in a sandbox: usually it can write only in the workspace and in /tmp, has no network, "
      "and "
      "sees no home directory; what is denied there is denied for good, so do not try other ways. Long output is cut "
      "in the "
      "middle: filter it. Send exactly one JSON object in each call, with one command; join steps that belong together "
      "with "
      "&&, and use a call of its own for each of the others. To read, list, search or change files use the tools for "
      "that.";
  spec.parameters =
      R"({"type":"object","properties":{)"
      R"("command":{"type":"string","minLength":1,"description":"The command, as it would be typed into a shell."},)"
      R"("cwd":{"type":"string","description":"The folder to run it in: relative to the workspace, or an absolute )"
      R"(path inside of it. Without it: the workspace."},)"
      R"("timeout":{"type":"number","exclusiveMinimum":0,"maximum":)" +
      short_number(most) + R"(,"description":"Seconds after which it is ended. Without it: )" + short_number(usual) +
      R"(."}},"required":["command"],"additionalProperties":false})";
  spec.parameter_aliases = {
      {"cmd", "command"}, {"workdir", "cwd"}, {"working_directory", "cwd"}, {"timeout_seconds", "timeout"}};
  spec.aliases = {"run_command", "bash", "shell"};
  return spec;
}

tool::Result run(const ExecuteSettings& settings, const tool::Invocation& invocation) {
  sandbox::Command command;
  command.limits = settings.limits;
  command.environment = settings.environment;
  if (auto text = invocation.arguments.find("command")) command.text = text->as_string();
  if (auto cwd = invocation.arguments.find("cwd")) command.cwd = cwd->as_string();
  if (auto timeout = invocation.arguments.find("timeout"))
    command.limits.seconds = std::clamp(timeout->as_double(), 0.001, settings.most_seconds);
  // NUL bytes and folders outside of the workspace are refused there, before anything is started.
  auto outcome = sandbox::run(settings.cage, command, invocation.stop, invocation.progress);
  if (!outcome) return tool::error_result(outcome.error());
  std::string text = std::move(outcome->output);
  bool valid = utf8::valid(text);
  if (!valid) text = utf8::replaced(text);
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  if (!valid) text += "[bytes that are not UTF-8 were replaced]\n";
  text += ending_of(*outcome, command.limits);
  bool well = outcome->end == sandbox::End::exited && outcome->code == 0;
  return well ? tool::text_result(std::move(text)) : tool::error_result(std::move(text));
}

}  // namespace

std::string ending_of(const sandbox::Outcome& outcome, const sandbox::CommandLimits& limits) {
  using sandbox::End;
  std::string out = "[";
  switch (outcome.end) {
    case End::exited:
      out += "exit code " + std::to_string(outcome.code);
      if (outcome.code > 128 && outcome.code < 128 + NSIG)
        out += ", as after signal " + signal_name(outcome.code - 128);
      out += ", " + took(outcome.seconds);
      break;
    case End::signalled: out += "killed by signal " + signal_name(outcome.signal) + ", " + took(outcome.seconds); break;
    case End::timed_out:
      out +=
          "ended by the time-out of " + short_number(limits.seconds) + " s; timeout can be longer, or the work smaller";
      break;
    case End::cancelled: out += "stopped from outside before it ended, after " + took(outcome.seconds); break;
    case End::too_many_processes:
      out += "ended: it had " + std::to_string(outcome.peak) + " processes at once, and " +
             std::to_string(limits.processes) + " are allowed (limit processes)";
      break;
    case End::too_much_memory:
      out += "ended: it used " + bytes(outcome.peak) + " of memory, and " + bytes(limits.memory_bytes) +
             " are allowed (limit memory_bytes)";
      break;
    case End::too_much_output:
      out += "ended: it wrote more than " + bytes(limits.flood_bytes) + " (limit flood_bytes)";
      break;
  }
  if (outcome.survivors > 0) out += "; " + std::to_string(outcome.survivors) + " of its processes could not be ended";
  return out + "]";
}

tool::Spec execute_command_spec(const ExecuteSettings& settings) {
  return spec_of(settings.limits.seconds, settings.most_seconds);
}

tool::Spec execute_command_spec() { return spec_of(sandbox::CommandLimits{}.seconds, 600); }

tool::Code execute_command_code(ExecuteSettings settings) {
  return [settings = std::move(settings)](const tool::Invocation& invocation) { return run(settings, invocation); };
}

}  // namespace BELAY_NAMESPACE::builtin
