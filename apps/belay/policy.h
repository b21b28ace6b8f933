// `belay policy`: what may be done with a shell command without asking.
#pragma once

#include "exit_code.h"
#include "io.h"

#include <expected>
#include <span>
#include <string>

namespace belay::cli {

struct PolicyOptions {
  bool help = false;
  std::string workspace;  ///< absolute, or empty
  std::string command;
};

/// The arguments after the command's name. The error is one sentence for standard error.
std::expected<PolicyOptions, std::string> parse_policy_options(std::span<const std::string> arguments);

Exit policy(const PolicyOptions& options, Output& out, Output& err);

}  // namespace belay::cli
