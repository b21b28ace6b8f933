// One server: how it is started or reached, and what it may do.
#pragma once

#include <belay/mcp/session.h>
#include <belay/net/client.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// The value of an environment variable; nothing when it is not set.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;

/// Bounds of a connection, beside those of its session; raised in the same way.
struct TransportLimits {
  std::size_t line_bytes = 16ull << 20;    ///< of one message; a server that sends a longer one is closed
  std::size_t queue_bytes = 64ull << 20;   ///< of ours that wait until the server reads them
  std::size_t stderr_bytes = 64ull << 10;  ///< of its standard error, the last of it, for who looks for the reason
  std::int64_t write_ms = 10'000;          ///< that a server may read nothing while something waits for it
  std::int64_t grace_ms = 2'000;           ///< for it to end when its input is closed; and again after SIGTERM
  std::size_t resumes = 5;                 ///< of one HTTP stream, without anything new in between
  bool operator==(const TransportLimits&) const = default;
};

struct ServerConfig {
  enum class Type : std::uint8_t {
    stdio,  ///< a program: `command`, `args`, `env`, `cwd`
    http,   ///< streamable HTTP, or the older HTTP+SSE where the server has only that: `url`, `headers`
    sse,    ///< HTTP+SSE from the start
  };
  /// Whose file it is from. What the workspace says has to be approved.
  enum class Origin : std::uint8_t { user, given, workspace };

  std::string name;
  Type type = Type::stdio;
  std::string command{};
  std::vector<std::string> args{};
  std::vector<std::pair<std::string, std::string>> env{};
  std::string cwd{};  ///< empty: where Belay runs
  std::string url{};
  std::vector<net::Header> headers{};
  double startup_timeout = 30;     ///< seconds until the tools are listed
  double timeout = 60;             ///< seconds that a call may take without progress; ten times that altogether
  bool disabled = false;           ///< it is not started
  bool trust_annotations = false;  ///< a tool that it calls read-only counts as one. Never from a workspace's file
  std::size_t restarts = 5;        ///< before it is given up
  SessionLimits limits{};
  TransportLimits transport{};
  Origin origin = Origin::given;
  std::string file{};       ///< that it is from
  std::string written{};    ///< its definition there, as compact JSON; the texts above have ${VAR} replaced
  std::string hash{};       ///< of that, and of what it runs or where it is, if that depends on the environment
  std::string trouble{};    ///< what is wrong with the definition; empty: it can be used
  bool unapproved = false;  ///< a workspace names it, and nobody has approved of it
  std::string withheld{};   ///< why it is not started, whatever else it says: nobody has approved of it, say
};
std::string_view name(ServerConfig::Type) noexcept;
std::string_view name(ServerConfig::Origin) noexcept;
/// The command line with which a person approves of the server and its tools, from the current folder: with the option
/// that names its file, where it needs one.
std::string approve_command(const ServerConfig& config);

}  // namespace BELAY_NAMESPACE::mcp
