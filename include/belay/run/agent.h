// Runs a task: sends its requests, runs its tools, keeps its records, asks its person. An edge.
#pragma once

#include <belay/base.h>
#include <belay/net/client.h>
#include <belay/policy.h>
#include <belay/run/front.h>
#include <belay/store.h>
#include <belay/task/tree.h>
#include <belay/tool.h>
#include <belay/wire.h>

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::run {

/// Where a model is.
struct Endpoint {
  wire::Wire wire = wire::Wire::anthropic;
  std::string base_url{};  ///< without the wire's own path: `https://api.anthropic.com`, `http://localhost:11434`
  std::string key{};       ///< goes to this host only, and nowhere else; empty for none
  bool bearer = false;     ///< Anthropic: the key is a token for `authorization` rather than `x-api-key`
  std::vector<net::Header> headers{};  ///< further ones, from the person's config
  net::Timeouts timeouts{};
};
/// The URL that a request for `model` goes to.
std::string url_of(const Endpoint& endpoint, std::string_view model);
/// The request as it goes out, key included.
net::Request request_to(const Endpoint& endpoint, const chat::Request& body);

/// What went over the wire, for a recording. Called on the agent's thread; no key is in it.
struct Exchange {
  std::string url, model, request, answer;
  int status = 0;
  std::vector<net::Header> headers;  ///< of the answer: content-type, retry-after, and those of rate limits
  std::string error;                 ///< how it ended, when it broke off: a net::Error's kind
  std::vector<std::pair<std::int64_t, std::size_t>> pieces;  ///< when (milliseconds from the start), and how many bytes
};

struct AgentOptions {
  Endpoint endpoint{};
  store::Store* store = nullptr;  ///< none: nothing is kept
  Front* front = nullptr;
  const tool::Registry* tools = nullptr;
  std::string model{};  ///< asked instead of the task's own; empty: that one
  /// What a person can do about a failure of this kind, in a sentence that is said behind it; empty for none. Of kind
  /// `unreachable` is a server that could not be reached at all from the beginning: a request to it is sent twice only,
  /// not as often as the task allows. May be empty.
  std::function<std::string(std::string_view kind)> remedy{};
  std::function<void()> begun{};  ///< called once, when the first records are kept: the task can be claimed now
  std::size_t parallel_tools = 8;
  Limits limits{};
  std::function<void(const Exchange&)> record{};                             ///< may be empty
  std::function<void(std::string_view level, std::string_view line)> log{};  ///< for the developer's log; may be empty
};

/// One task and its children. Everything but run() may be called from any thread.
class Agent {
 public:
  Agent(AgentOptions options, task::Tree tree);
  ~Agent();
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  /// Until the task has finished (then `stay` is false), or leave() was called. The end, or the store's error: then
  /// nothing more was performed, and the task can be resumed.
  std::expected<task::Finished, std::string> run(bool stay = false);

  void reply(std::string task, std::string question, task::Reply reply);
  /// Given before run(), it opens a task that has finished again.
  void say(std::vector<chat::Block> blocks);
  /// The turn under way stops; every call has a result; the task can go on with the next message.
  void stop();
  /// run() returns as soon as what is under way has stopped.
  void leave();
  /// From now on this rule holds as well, for what is not yet asked.
  void allow(policy::Rule rule);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace BELAY_NAMESPACE::run
