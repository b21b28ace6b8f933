// `belay mcp`: the servers of other people's tools, seen and changed from the command line.
#pragma once

#include <belay/mcp.h>

#include "exit_code.h"
#include "io.h"

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace belay::cli {

struct McpOptions {
  enum class Action : std::uint8_t { list, tools, call, add, remove, approve, resources, read, prompts, prompt };
  bool help = false;
  Action action = Action::list;
  std::string server, tool;          ///< of read: the URI; of prompt: its name
  std::string arguments;             ///< of call: JSON; "-": standard input; of prompt: JSON
  std::vector<std::string> command;  ///< of add
  std::string url, type;
  std::vector<std::pair<std::string, std::string>> env, headers;
  std::string workspace = ".";
  std::vector<std::string> files;  ///< --mcp-config
  bool strict = false;             ///< --strict-mcp-config
  bool json = false;
  bool names = false;  ///< of list: nothing is started
  bool yes = false;
};
std::expected<McpOptions, std::string> parse_mcp_options(std::span<const std::string> arguments);
Exit run_mcp(const McpOptions& options, Output& out, Output& err);

/// What is configured, approved and where it is kept.
struct McpSetting {
  mcp::Configuration configuration;
  mcp::Approvals approvals;
  std::string user_file;
  mcp::ToolCache cache;
  mcp::ToolCache approved;  ///< tools as they were when they were approved
};
/// The error is one sentence.
std::expected<McpSetting, std::string> mcp_setting(const McpOptions& options);
/// As Belay introduces itself, with the workspace as the root.
mcp::ServersOptions mcp_servers_options(const std::string& workspace);

/// What a server is, exactly: what it runs or where it is. Lines that steer no terminal, for this output.
std::string described(const mcp::ServerConfig& config, const Output& out);

Exit list_mcp_servers(const McpOptions& options, const McpSetting& setting, Output& out, Output& err);
Exit list_mcp_tools(const McpOptions& options, McpSetting setting, Output& out, Output& err);
Exit call_mcp_tool(const McpOptions& options, McpSetting setting, Output& out, Output& err);
/// resources, read, prompts and prompt: one line of JSON.
Exit ask_mcp_library(const McpOptions& options, McpSetting setting, Output& out, Output& err);
Exit add_mcp_server(const McpOptions& options, const McpSetting& setting, Output& out, Output& err);
Exit remove_mcp_server(const McpOptions& options, const McpSetting& setting, Output& out, Output& err);
Exit approve_mcp_server(const McpOptions& options, McpSetting setting, Output& out, Output& err);

/// Flushes what was written; an error of it is said and is a failure.
Exit end_mcp(Output& out, Output& err, Exit exit);
/// Says that no server has the name, and which files could not be read, which may be why.
Exit no_such_server(const McpOptions& options, const McpSetting& setting, Output& err);
Exit mcp_trouble(Output& err, std::string_view message, Exit exit);

}  // namespace belay::cli
