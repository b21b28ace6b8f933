#include "mcp.h"

#include <belay/config.h>

#include "terminal.h"
#include "version.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace belay::cli {
namespace {

// A path as a URI: what is no plain character goes by its number.
std::string file_uri(const std::string& path) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::strchr("/-._~", c) != nullptr) {
      out += c;
    } else {
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  return out;
}

}  // namespace

Exit mcp_trouble(Output& err, std::string_view message, Exit exit) {
  err << "belay mcp: " << printable(message) << "\n";
  return exit;
}

Exit no_such_server(const McpOptions& options, const McpSetting& setting, Output& err) {
  for (const std::string& note : setting.configuration.broken) mcp_trouble(err, note, Exit::usage);
  return mcp_trouble(err, "no server '" + options.server + "'; belay mcp list has them", Exit::usage);
}

Exit end_mcp(Output& out, Output& err, Exit exit) {
  out.finish();
  if (out.error() == 0) return exit;
  if (out.error() != EPIPE) err << "belay mcp: cannot write to standard output: " << std::strerror(out.error()) << "\n";
  return Exit::failed;
}

std::expected<McpSetting, std::string> mcp_setting(const McpOptions& options) {
  const config::Environment environment = config::process_environment();
  const auto places = config::places(environment);
  if (!places) return std::unexpected(config::describe(places.error()));
  McpSetting out;
  out.user_file = (std::filesystem::path(places->config_file).parent_path() / "mcp.json").string();
  auto approvals = mcp::Approvals::load((std::filesystem::path(places->data) / "mcp-approved.json").string());
  if (!approvals) return std::unexpected(approvals.error());
  out.approvals = std::move(*approvals);
  out.cache = mcp::ToolCache((std::filesystem::path(places->data) / "mcp-tools").string());
  out.approved = mcp::ToolCache((std::filesystem::path(places->data) / "mcp-approved-tools").string());
  mcp::ConfigOptions where;
  where.user_file = out.user_file;
  where.workspace = options.workspace;
  where.given = options.files;
  where.strict = options.strict;
  where.environment = environment;
  auto configuration = mcp::read_configuration(where, out.approvals);
  if (!configuration) return std::unexpected(configuration.error());
  out.configuration = std::move(*configuration);
  return out;
}

mcp::ServersOptions mcp_servers_options(const std::string& workspace) {
  mcp::ServersOptions out;
  out.peer = {"belay", "Belay", std::string(kVersion)};
  out.environment = config::process_environment();
  std::error_code trouble;
  const std::string root = std::filesystem::canonical(workspace, trouble).string();
  if (!trouble) out.roots.push_back({file_uri(root), std::filesystem::path(root).filename().string()});
  return out;
}

Exit run_mcp(const McpOptions& options, Output& out, Output& err) {
  auto setting = mcp_setting(options);
  if (!setting) return mcp_trouble(err, setting.error(), Exit::usage);
  switch (options.action) {
    case McpOptions::Action::list: return list_mcp_servers(options, *setting, out, err);
    case McpOptions::Action::tools: return list_mcp_tools(options, std::move(*setting), out, err);
    case McpOptions::Action::call: return call_mcp_tool(options, std::move(*setting), out, err);
    case McpOptions::Action::add: return add_mcp_server(options, *setting, out, err);
    case McpOptions::Action::remove: return remove_mcp_server(options, *setting, out, err);
    case McpOptions::Action::approve: return approve_mcp_server(options, std::move(*setting), out, err);
    case McpOptions::Action::resources:
    case McpOptions::Action::read:
    case McpOptions::Action::prompts:
    case McpOptions::Action::prompt: return ask_mcp_library(options, std::move(*setting), out, err);
  }
  return Exit::failed;
}

}  // namespace belay::cli
