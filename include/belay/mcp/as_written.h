// A definition as its file has it, before ${VAR} is replaced: what a person agrees to.
#pragma once

#include <belay/mcp/server_config.h>

#include <string>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// A variable of the environment that a definition uses.
struct UsedVariable {
  std::string name;
  bool secret = false;  ///< by its name it is a key, a token or a password
  bool leaves = false;  ///< it stands in a header or an address: its value goes to a host
  bool operator==(const UsedVariable&) const = default;
};

struct AsWritten {
  std::string command{}, cwd{}, url{};
  std::vector<std::string> args{};
  std::vector<std::pair<std::string, std::string>> env{}, headers{};
  std::vector<UsedVariable> variables{};  ///< each once, in the order of the definition
};

/// What `config.written` says. Of a server that was not read from a file: what it has.
AsWritten as_written(const ServerConfig& config);

}  // namespace BELAY_NAMESPACE::mcp
