// Tools that are not what was approved: what they were, what they are now, and approving of that.
#pragma once

#include "mcp.h"

#include <expected>
#include <string>
#include <vector>

namespace belay::cli {

/// The tools that are not as they were approved, with what is another in each, and those that were never seen. Lines
/// that steer no terminal. `changed`: one of the first kind is among them.
std::string described_changes(const McpSetting& setting, const mcp::ServerConfig& config,
                              const std::vector<mcp::ToolDefinition>& tools, bool& changed);
/// The same of one tool, for a question at the desk: what the server says is marked as its words.
std::string described_change(const mcp::ToolDefinition& before, const mcp::ToolDefinition& now);

/// Approves of all tools of a server as they are now, and keeps what they are, so that a change can be shown. The error
/// is one sentence.
std::expected<void, std::string> approve_as_they_are(McpSetting& setting, const mcp::Servers& servers,
                                                     const mcp::ServerConfig& config);

}  // namespace belay::cli
