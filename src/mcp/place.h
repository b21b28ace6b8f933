// Where a person finds the definition of a server, for sentences that tell them to change it.
#pragma once

#include <belay/mcp/server_config.h>
#include <belay/sandbox/path_error.h>

#include <string>

namespace BELAY_NAMESPACE::mcp {

inline std::string place_of(const ServerConfig& config) {
  return config.file.empty() ? "its definition" : sandbox::shown_path(config.file);
}

}  // namespace BELAY_NAMESPACE::mcp
