// Which servers there are: `.mcp.json` and its relatives. An edge: it reads files.
#pragma once

#include <belay/mcp/approvals.h>
#include <belay/mcp/server_config.h>

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

struct ConfigOptions {
  std::string user_file;           ///< mcp.json in the config folder; need not exist
  std::string workspace;           ///< the folder whose .mcp.json is read; need not have one
  std::vector<std::string> given;  ///< --mcp-config: files that have to exist; the last one wins
  bool strict = false;             ///< --strict-mcp-config: only those that are given
  Environment environment;         ///< for ${VAR}
};

struct Configuration {
  std::vector<ServerConfig> servers;  ///< in the order of the files: given, user, workspace
  std::vector<std::string> notes;     ///< what was odd, left out or ignored; one sentence each
  std::vector<std::string> broken;    ///< those of the notes that say that a whole file could not be read
};

/// Of two servers with one name the first in this order counts: given, user, workspace; what the workspace says never
/// takes the place of what the person said. A server of the workspace whose definition is not approved is there, and
/// is not started (ServerConfig::withheld). The error is one sentence: a given file that cannot be read.
std::expected<Configuration, std::string> read_configuration(const ConfigOptions& options, const Approvals& approvals);

/// The servers of one file's text. The error is one sentence with the place in it.
std::expected<Configuration, std::string> servers_in(std::string_view text, const std::string& file,
                                                     ServerConfig::Origin origin, const Environment& environment);

/// What is wrong with a server's name, as half a sentence; empty: nothing.
std::string name_trouble(std::string_view name);

/// `${VAR}` and `${VAR:-default}` replaced. The error names the variable that is not set.
std::expected<std::string, std::string> expanded(std::string_view text, const Environment& environment);

/// Puts a server into a file, or takes it out, and leaves everything else in it as it is. `definition` is JSON text of
/// an object; empty: the server goes. False: it is there already, or is not there.
std::expected<bool, std::string> change_file(const std::string& file, std::string_view name,
                                             std::string_view definition);

}  // namespace BELAY_NAMESPACE::mcp
