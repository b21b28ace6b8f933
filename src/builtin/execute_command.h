// execute_command: a shell command, run in a cage.
#pragma once

#include <belay/sandbox/command.h>
#include <belay/tool.h>

#include <string>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::builtin {

struct ExecuteSettings {
  /// What commands run in. The policy's decisions `allow` and `sandbox` mean a cage of Level::read_only without
  /// `insist`, whatever the person's level is (`allow` only where it can be built): make a second tool code with such a
  /// cage, and run the call by that one.
  sandbox::Cage cage;
  sandbox::CommandLimits limits;  ///< `seconds` is the time-out of a call that names none
  double most_seconds = 600;      ///< that a call may ask for
  std::vector<std::pair<std::string, std::string>> environment;
};

/// The tool as a model sees it. Effect: execute.
tool::Spec execute_command_spec(const ExecuteSettings& settings);
/// The same with the usual limits, where nothing is run.
tool::Spec execute_command_spec();
/// Its code. The result is the output, then one line in brackets that says how it ended. It is an error result when the
/// command did not run, did not end by itself, or ended with another code than 0: a model has to see that a build
/// failed, and a command whose code is no failure (grep, diff) can say `|| true`.
tool::Code execute_command_code(ExecuteSettings settings);

/// The last line: `[exit code 3, 0.4 s]`, `[ended by the time-out of 120 s]`, ...
std::string ending_of(const sandbox::Outcome& outcome, const sandbox::CommandLimits& limits);

}  // namespace BELAY_NAMESPACE::builtin
