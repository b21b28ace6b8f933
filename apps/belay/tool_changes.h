// Tools that are not what was approved: what they were, what they are now, and approving of that.
#pragma once

#include "mcp.h"

#include <expected>
#include <string>
#include <vector>

namespace belay::cli {

/// The tools that are not as they were approved, with what is another in each, those that were never seen, and what the
/// server says of itself, where that is new. Lines that steer no terminal. Whether any of it is another than what was
/// approved: mcp::Approvals::holds().
std::string described_changes(const McpSetting& setting, const mcp::ServerConfig& config, const mcp::Offer& offer);
/// The same of one tool, for a question at the desk: what the server says is marked as its words.
std::string described_change(const mcp::ToolDefinition& before, const mcp::ToolDefinition& now);

/// Approves of what the person was shown, whatever the server shows by now, and keeps it, so that a change can be
/// shown. The error is one sentence.
std::expected<void, std::string> approve_as_shown(McpSetting& setting, const mcp::ServerConfig& config,
                                                  const mcp::Offer& offer);

}  // namespace belay::cli
