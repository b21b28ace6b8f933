// Servers that run: started in parallel, kept in sight, restarted within bounds, asked from any thread. An edge.
#pragma once

#include <belay/mcp/server_config.h>
#include <belay/mcp/session.h>
#include <belay/tool.h>

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

enum class State : std::uint8_t {
  starting,
  ready,
  restarting,  ///< it ended by itself, and is started again in a moment
  failed,      ///< and is not started again: its definition cannot be used, it was restarted too often, or that would
               ///< not help
  disabled,    ///< by its config, or because nobody has approved of it: `reason`
};
std::string_view name(State) noexcept;

struct Status {
  std::string name;
  State state = State::starting;
  std::string reason;  ///< why it is not ready; one sentence. What the server said is in it: show it with shown()
  std::size_t restarts = 0;
  std::optional<Version> version;
  Peer peer;  ///< who the server says to be
  std::string instructions;
  ServerCapabilities capabilities;
  std::size_t tools = 0;
  std::vector<std::string> notes;  ///< about its list of tools
  Oddities oddities;
  std::string errors;  ///< the last of its standard error; any bytes
};

/// The server wants something of the person (elicitation/create) or of a model (sampling/createMessage).
struct Question {
  std::string server, method;
  Payload params;
  bool first = false;           ///< the call that brought it about is made again when it is accepted
  std::stop_token withdrawn{};  ///< a stop is asked for when nobody waits for the answer any more
};
/// The result as JSON text, or a sentence why there is none. May be called from any thread, once, also much later.
using Reply = std::function<void(std::expected<std::string, std::string>)>;
using Asker = std::function<void(const Question&, Reply)>;

struct ServersOptions {
  Peer peer{"belay", "Belay", "0"};
  std::vector<Root> roots{};  ///< none: servers are told that there are no roots to ask for
  Environment environment{};  ///< of this process, for what servers may have of it
  Asker person{};             ///< none: elicitation is not offered, and refused. Called on a server's thread
  Asker model{};              ///< none: sampling is not offered, and refused
  std::function<void(const Status&)> changed{};  ///< a state is another. Called on a server's thread; must not block
  std::function<void(const std::string& server, const LogLine&)> log{};  ///< what servers log; bounded, may have gaps
  std::int64_t backoff_ms = 500;  ///< before the first restart; doubled each time
  std::int64_t backoff_most_ms = 30'000;
  std::int64_t steady_ms = 60'000;  ///< after that long without an end, restarts are counted anew
  bool discover_first = false;      ///< see SessionOptions
};

/// Thread-safe. Calls of any number may wait at the same time; each gets its own answer, exactly once.
class Servers {
 public:
  /// Starts all that are not disabled, each on a thread of its own, and returns at once.
  static std::shared_ptr<Servers> make(std::vector<ServerConfig> configs, ServersOptions options = {});
  /// Ends them: what waits fails, input is closed, then SIGTERM, then SIGKILL. No process is left.
  ~Servers();
  Servers(const Servers&) = delete;
  Servers& operator=(const Servers&) = delete;

  /// Until no server is starting, or the time is over or a stop is asked for. True: none is.
  bool wait(std::chrono::milliseconds most, const std::stop_token& stop = {}) const;
  [[nodiscard]] std::vector<Status> status() const;  ///< in the order of the configs
  [[nodiscard]] std::optional<Status> status(std::string_view server) const;
  [[nodiscard]] const std::vector<ServerConfig>& configs() const;
  /// As it was listed last; it stays when the server goes down.
  [[nodiscard]] std::vector<ToolDefinition> tools(std::string_view server) const;

  using ProgressText = std::function<void(std::string_view)>;
  /// One request, and its answer. Progress comes on the calling thread. While the server starts, it waits for that.
  Answer request(std::string_view server, std::string method, std::string params, const std::stop_token& stop = {},
                 const ProgressText& progress = {});
  /// The same without waiting: `done` is called once, on the server's thread or this one, and must not block.
  void request(std::string_view server, std::string method, std::string params, std::function<void(Answer)> done);

  /// A tool's result as a model gets it. What goes wrong is an error result that says why: never an exception, never
  /// silence. `arguments` is JSON text of an object.
  tool::Result call(std::string_view server, std::string_view tool, std::string_view arguments,
                    const std::stop_token& stop = {}, const ProgressText& progress = {});

  /// All pages of resources/list, resources/templates/list and prompts/list, within the server's limits; where these
  /// cut the list, `cut` becomes a sentence that says so.
  std::expected<std::vector<Resource>, Failure> resources(std::string_view server, const std::stop_token& stop = {},
                                                          std::string* cut = nullptr);
  std::expected<std::vector<ResourceTemplate>, Failure> templates(std::string_view server,
                                                                  const std::stop_token& stop = {},
                                                                  std::string* cut = nullptr);
  std::expected<std::vector<Prompt>, Failure> prompts(std::string_view server, const std::stop_token& stop = {},
                                                      std::string* cut = nullptr);
  std::expected<std::vector<Content>, Failure> read(std::string_view server, std::string_view uri,
                                                    const std::stop_token& stop = {});
  std::expected<PromptResult, Failure> prompt(std::string_view server, std::string_view name,
                                              std::string_view arguments, const std::stop_token& stop = {});

 private:
  Servers();
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

/// What a model gets of a result: texts and images as they are, everything else as a text that says what it is.
/// Structured content becomes JSON text when there is no text. Within tool::bounded().
tool::Result to_result(const CallResult& result);
/// Why there is no result, as one. `unavailable:` when the server is not there.
tool::Result failure_result(std::string_view server, const Failure& failure);
/// A text of a stranger as it can be shown to a person: control characters, marks that turn the writing around, and
/// characters that nobody sees are written visibly.
std::string shown(std::string_view text);

}  // namespace BELAY_NAMESPACE::mcp
