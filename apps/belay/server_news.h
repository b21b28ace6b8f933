// What becomes of tool servers while a task runs, said to the person.
#pragma once

#include <belay/mcp.h>

#include "desk.h"

#include <atomic>
#include <string>

namespace belay::cli {

/// How a server is, in one harmless sentence of bounded length: "MCP server s: ready, 3 tools".
std::string state_line(const mcp::Status& status);

/// Thread-safe. It must outlive the servers that tell it something.
class ServerNews {
 public:
  /// From now on changes are said: at the desk, or without one on standard error. The desk must outlive the servers.
  void begin(Desk* desk);
  /// For mcp::ServersOptions: changed. Never blocks for long.
  void tell(const mcp::Status& status);

 private:
  std::atomic<bool> begun_ = false;
  Desk* desk_ = nullptr;  // written before begun_
};

}  // namespace belay::cli
