// Serving: tools offered to other agents, over standard input and output or over HTTP on this machine. Edges.
#pragma once

#include <belay/mcp/server_session.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::mcp {

/// Every bound of a server, beside those of its sessions. An error that comes from one names it; `belay mcp serve
/// --limit NAME=VALUE` raises it.
struct ServeLimits {
  std::size_t workers = 8;                ///< calls that run at once
  std::size_t waiting_bytes = 64u << 20;  ///< of the arguments of calls that wait for their turn
  std::size_t line_bytes = 16u << 20;     ///< of one message over stdio
  std::size_t queue_bytes = 64u << 20;    ///< of answers that a client has not read yet
  std::size_t body_bytes = 4u << 20;      ///< of one POST
  std::size_t connections = 2048;         ///< over HTTP, at once
  std::size_t sessions = 64;              ///< over HTTP; beyond, the one that was idle for longest is forgotten
  std::size_t streams = 4;                ///< that one session may open with GET
  std::int64_t head_ms = 5'000;           ///< for the head of a request over HTTP
  std::int64_t idle_ms = 30'000;          ///< for a client to send a request, or to take answers at the end
  std::int64_t grace_ms = 2'000;          ///< that calls have to end when standard input does
  std::int64_t progress_ms = 1'000;       ///< between two notes of progress
  ServerSessionLimits session{};
};

/// A call to be carried out, on a thread of its own.
struct ServedCall {
  std::string tool, arguments;
  std::stop_token stop;
  std::function<void(std::string_view)> output;           ///< what it writes, as it comes; for progress
  std::function<void(LogLevel, std::string_view)> log{};  ///< for the client's log
};
/// Thread-safe; several are called at once. What it throws is an error result.
using Carrier = std::function<CallOutcome(const ServedCall&)>;

struct ServeOptions {
  ServerSessionOptions session{};  ///< its limits are those of `limits`
  Carrier carry{};
  ServeLimits limits{};
};

/// Reads messages from one descriptor and writes to the other, one a line, until the input ends, the output is closed,
/// or `stop` asks for it. Calls that still run at the end of the input have grace_ms; then, and otherwise at once, they
/// are stopped; when this returns, nothing of them is left. The error is one sentence: a line that is too long, a
/// descriptor that cannot be read.
std::expected<void, std::string> serve_stdio(const ServeOptions& options, int in, int out, const std::stop_token& stop);

struct HttpOptions {
  std::string address = "127.0.0.1";  ///< of this machine: 127.0.0.0/8 or ::1, nothing else
  std::uint16_t port = 0;             ///< 0: a free one
  std::string token{};                ///< that each request has to bear; must not be empty
};

/// Streamable HTTP at /mcp, from make() on; on threads of its own. Every request has to bear the token, and to come
/// from a page and for a host of this machine, if it names any.
class HttpServing {
 public:
  /// The error is one sentence.
  static std::expected<std::unique_ptr<HttpServing>, std::string> make(const ServeOptions& options,
                                                                       const HttpOptions& http);
  /// Stops all calls and ends all connections.
  ~HttpServing();
  [[nodiscard]] std::uint16_t port() const;
  /// `http://127.0.0.1:PORT/mcp`
  [[nodiscard]] std::string url() const;

 private:
  struct State;
  explicit HttpServing(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace BELAY_NAMESPACE::mcp
