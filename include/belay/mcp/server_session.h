// A server's session with one client, as a state machine: messages in, messages and calls out. Pure: no clock, no
// thread, no I/O.
#pragma once

#include <belay/mcp/types.h>
#include <belay/tool.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// A tool as it is offered to a client.
struct OfferedTool {
  std::string name{}, title{}, description{};
  std::string input_schema{};   ///< JSON text
  std::string output_schema{};  ///< JSON text; empty for none
  Annotations hints{};
  std::vector<std::string> aliases{};  ///< other names that calls may use; they are not listed
};

/// An error that comes from one of them names it; `belay mcp serve --limit NAME=VALUE` raises it.
struct ServerSessionLimits {
  std::size_t calls = 4096;  ///< of one session, running or waiting for their turn
};

struct ServerSessionOptions {
  Peer peer{"belay", "Belay", "0"};
  std::string instructions{};
  std::shared_ptr<const std::vector<OfferedTool>> tools{};
  ServerSessionLimits limits{};
  CodecLimits codec{};
};

/// What a call gave: the result, and structured content as JSON text of an object, empty for none.
struct CallOutcome {
  tool::Result result;
  std::string structured{};
};

/// Where answers go: the POST that a message came with. Over stdio there is one for all, whatever its number.
using Exchange = std::uint64_t;
using CallNumber = std::uint64_t;

/// A message to send, without the newline.
struct Say {
  Exchange exchange = 0;
  std::string text;
  bool answer = false;  ///< to a request, or to all of a batch; otherwise a notification
};
/// Run this. on_done() or on_refused() follows, unless an EndCall comes before.
struct BeginCall {
  CallNumber call = 0;
  Exchange exchange = 0;
  std::string tool, arguments;  ///< arguments: JSON text as the client wrote it, or what it has instead
  bool progress = false;        ///< the client wants to know how far it is
};
/// Nobody waits for this call any more: stop it.
struct EndCall {
  CallNumber call = 0;
};
/// All that came with this exchange is answered.
struct Over {
  Exchange exchange = 0;
};
using ServerOutput = std::variant<Say, BeginCall, EndCall, Over>;

/// The levels of a log, as RFC 5424 has them, from the least severe on.
enum class LogLevel : std::uint8_t { debug, info, notice, warning, error, critical, alert, emergency };
std::string_view name(LogLevel) noexcept;

/// One session. Any text is answered, and an answer names the request that it belongs to wherever that can be seen.
/// Requests of 2026-07-28, which carry their version, are answered without an introduction. Not thread-safe. Memory is
/// bounded by the calls that run. After each call of a method, take() has what is to be done, in order.
class ServerSession {
 public:
  explicit ServerSession(ServerSessionOptions options);

  /// A line of standard input, or the body of a POST.
  void on_text(std::string_view text, Exchange exchange = 0);
  void on_incoming(const Incoming& incoming, Exchange exchange = 0);
  void on_done(CallNumber call, const CallOutcome& outcome);
  /// It was not run, since there is no room: a sentence.
  void on_refused(CallNumber call, std::string_view why);
  /// `progress` has to grow from one to the next.
  void on_progress(CallNumber call, double progress, std::string_view message);
  /// Sent when the client has asked for a log of this level.
  void on_log(CallNumber call, LogLevel level, std::string_view text);
  /// Who waits at this exchange has gone: its calls are ended.
  void on_gone(Exchange exchange);
  /// Ends all calls.
  void close();

  [[nodiscard]] std::vector<ServerOutput> take();
  [[nodiscard]] std::optional<Version> version() const { return version_; }
  [[nodiscard]] std::size_t calls() const { return calls_.size(); }

 private:
  // What came at once: a message or a batch.
  struct Turn {
    Exchange exchange = 0;
    bool batch = false;
    std::size_t due = 0;  // answers
    std::string texts;    // of a batch
  };
  struct Running {
    Id id;
    std::uint64_t turn = 0;
    Version version = Version::v2025_11_25;
    Id progress;
  };

  void on_message(const Message& message, std::uint64_t turn);
  void on_request(const Message& message, std::uint64_t turn);
  void on_cancelled(const Message& message);
  void initialize(const Message& message, std::uint64_t turn);
  void list_tools(const Message& message, std::uint64_t turn, Version version);
  void call_tool(const Message& message, std::uint64_t turn, Version version);
  void set_level(const Message& message, std::uint64_t turn);
  void answer(std::uint64_t turn, std::string text);
  void error(const Message& message, std::uint64_t turn, std::int64_t code, std::string_view why,
             std::string_view data = {});
  void less_due(std::uint64_t turn);
  [[nodiscard]] const OfferedTool* tool_named(std::string_view name) const;

  ServerSessionOptions options_;
  std::optional<Version> version_;
  std::optional<LogLevel> level_;
  std::vector<ServerOutput> outputs_;
  std::map<std::uint64_t, Turn> turns_;
  std::map<CallNumber, Running> calls_;
  std::uint64_t next_ = 1;
};

/// The results that servers give, as JSON text in the form of a version.
std::string tools_result(const std::vector<OfferedTool>& tools, Version version);
std::string call_result_text(const CallOutcome& outcome, Version version);
std::string introduction_text(const ServerSessionOptions& options, Version version);

}  // namespace BELAY_NAMESPACE::mcp
