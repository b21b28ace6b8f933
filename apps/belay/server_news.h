// What becomes of tool servers while a task runs, said to the person.
#pragma once

#include <belay/mcp.h>

#include "desk.h"

#include <map>
#include <mutex>
#include <string>

namespace belay::cli {

/// How a server is, in one harmless sentence of bounded length: "MCP server s: ready, 3 tools".
std::string state_line(const mcp::Status& status);

/// The state, and the reason where there is one. Any bytes: it is for comparing.
std::string how_it_is(const mcp::Status& status);

/// Thread-safe. It must outlive the servers that tell it something.
class ServerNews {
 public:
  /// From now on changes are said: at the desk, or without one on standard error. The desk must outlive the servers.
  /// `said`: how servers are as far as that was said already, by their names: as how_it_is() has it.
  void begin(Desk* desk, std::map<std::string, std::string> said);
  /// For mcp::ServersOptions: changed. Never blocks for long.
  void tell(const mcp::Status& status);

 private:
  std::mutex lock_;
  bool begun_ = false;
  Desk* desk_ = nullptr;
  std::map<std::string, std::string> said_;  // the last of each server
};

}  // namespace belay::cli
