// MCP servers of a run: started while the rest is prepared, their tools beside the built-in ones.
#pragma once

#include "mcp.h"

#include <belay/schema.h>
#include <belay/tool.h>

#include <expected>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace belay::cli {

class RunServers {
 public:
  /// Starts what is configured for the workspace, and returns at once. The error is one sentence.
  static std::expected<RunServers, std::string> start(const std::string& workspace, std::vector<std::string> files,
                                                      bool strict);
  /// Waits until every server is ready or has failed, and adds their tools.
  void join(tool::Registry& tools, const schema::Regexes* regexes, const std::stop_token& stop);

  [[nodiscard]] bool any() const { return servers_ != nullptr; }
  [[nodiscard]] std::vector<mcp::Status> status() const;
  /// What the person should know: servers that are not there, tools that were renamed or refused.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  /// What the model should know: whose tools it cannot have now, and what servers say of themselves.
  [[nodiscard]] std::string for_the_model() const;

 private:
  McpSetting setting_;
  std::shared_ptr<mcp::Servers> servers_;
  std::vector<std::string> notes_;
};

}  // namespace belay::cli
