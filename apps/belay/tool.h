// `belay tool`: one built-in tool, run with all checks. `belay tools`: what there is.
#pragma once

#include <belay/policy/permission.h>
#include <belay/sandbox.h>

#include "exit_code.h"
#include "io.h"

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace belay::cli {

struct ToolOptions {
  bool help = false;
  std::string name;
  std::string arguments;  ///< JSON; "-": standard input
  std::string workspace = ".";
  bool yes = false;
  policy::Mode mode = policy::Mode::ask;
  sandbox::Level level = sandbox::Level::workspace_write;
  bool network = false;
  bool insist = false;
  sandbox::WorkspaceLimits file_limits{};
  sandbox::CommandLimits command_limits{};
};
std::expected<ToolOptions, std::string> parse_tool_options(std::span<const std::string> arguments);
/// False when no limit of the tools has this name.
bool set_tool_limit(sandbox::WorkspaceLimits& files, sandbox::CommandLimits& commands, std::string_view name,
                    std::uint64_t value);
Exit run_one_tool(const ToolOptions& options, Output& out, Output& err);

struct ToolsOptions {
  bool help = false;
  bool json = false;
  std::string name;  ///< empty: all
};
std::expected<ToolsOptions, std::string> parse_tools_options(std::span<const std::string> arguments);
Exit list_tools(const ToolsOptions& options, Output& out, Output& err);

}  // namespace belay::cli
