#include "run_servers.h"

#include <algorithm>
#include <chrono>

namespace belay::cli {

std::expected<RunServers, std::string> RunServers::start(const std::string& workspace, std::vector<std::string> files,
                                                         bool strict) {
  McpOptions options;
  options.workspace = workspace;
  options.files = std::move(files);
  options.strict = strict;
  auto setting = mcp_setting(options);
  if (!setting) return std::unexpected(std::move(setting.error()));
  RunServers out;
  out.setting_ = std::move(*setting);
  out.notes_ = out.setting_.configuration.notes;
  if (!out.setting_.configuration.servers.empty())
    out.servers_ = mcp::Servers::make(out.setting_.configuration.servers, mcp_servers_options(workspace));
  return out;
}

void RunServers::join(tool::Registry& tools, const schema::Regexes* regexes, const std::stop_token& stop) {
  if (!servers_) return;
  double most = 0;
  for (const mcp::ServerConfig& server : servers_->configs()) most = std::max(most, server.startup_timeout);
  servers_->wait(std::chrono::milliseconds(static_cast<std::int64_t>(most * 1000) + 1'000), stop);
  mcp::RemoteToolOptions options;
  for (const tool::Tool& tool : tools.tools()) {
    options.taken.push_back(tool.spec().name);
    for (const std::string& alias : tool.spec().aliases) options.taken.push_back(alias);
  }
  options.regexes = regexes;
  options.approvals = &setting_.approvals;
  mcp::RemoteTools remote = mcp::remote_tools(servers_, options);
  for (tool::Tool& tool : remote.tools) {
    const std::string name = tool.spec().name;
    if (!tools.add(std::move(tool))) notes_.push_back("MCP: the name " + mcp::shown(name) + " is taken");
  }
  for (const mcp::ToolNote& note : remote.notes)
    notes_.push_back("MCP server " + mcp::shown(note.server) + ": " + mcp::shown(note.text));
}

std::vector<mcp::Status> RunServers::status() const {
  return servers_ ? servers_->status() : std::vector<mcp::Status>{};
}

std::string RunServers::for_the_model() const {
  std::string out;
  for (const mcp::Status& status : this->status()) {
    if (status.state == mcp::State::ready || status.state == mcp::State::disabled) continue;
    out += "The tools of the server " + mcp::shown(status.name) +
           " are unavailable at the moment: " + mcp::shown(status.reason).substr(0, 300) + "\n";
  }
  return out;
}

}  // namespace belay::cli
