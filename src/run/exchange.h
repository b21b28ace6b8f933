// One request to a model, from its first byte out to the answer, or to why there is none.
#pragma once

#include "run/facts.h"
#include "run/progress.h"

#include <belay/net/secrets.h>
#include <belay/run/agent.h>
#include <belay/task/action.h>
#include <belay/task/listener.h>
#include <belay/wire.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>

namespace BELAY_NAMESPACE::run {

/// Takes the bytes on the client's thread and posts them. Bytes that nobody has looked at are bounded.
class Post final : public net::Receiver {
 public:
  static constexpr std::size_t kAhead = 4u << 20;  ///< bytes that may wait in the mailbox
  Post(Facts& facts, std::uint64_t exchange) : facts_(facts), exchange_(exchange) {}
  void on_head(const net::Head& head) override { facts_.post(HeadCame{exchange_, head}); }
  bool on_bytes(std::string_view bytes) override;
  void on_end(const std::optional<net::Error>& error) override { facts_.post(ExchangeEnded{exchange_, error}); }
  /// The agent has looked at so many. True when the client should be told to go on.
  bool taken(std::size_t bytes);
  /// What the agent has looked at was a part of the answer.
  void moved() { moved_ = std::chrono::steady_clock::now(); }
  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> last_progress() const override;

 private:
  Facts& facts_;
  std::uint64_t exchange_;
  std::atomic<std::size_t> ahead_ = 0;
  std::atomic<bool> paused_ = false;
  std::atomic<std::chrono::steady_clock::time_point> moved_{};
};

/// Used on the agent's thread only.
class ModelExchange {
 public:
  using Result = std::expected<turn::Answer, task::Trouble>;
  ModelExchange(const Endpoint& endpoint, std::string task, const task::SendRequest& send, const tool::Registry& tools,
                task::Listener::Show show, const Limits& limits);

  void head(const net::Head& head);
  /// What this piece makes of it: a result as soon as the wire says that the answer is over.
  std::optional<Result> bytes(std::string_view bytes, std::int64_t now);
  /// The connection is done with; a result if there was none before.
  std::optional<Result> ended(const std::optional<net::Error>& error, std::int64_t now);

  [[nodiscard]] const std::string& task() const { return task_; }
  [[nodiscard]] std::uint64_t request() const { return request_; }
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] std::uint64_t attempt() const { return attempt_; }
  /// There was no connection to the server at all.
  [[nodiscard]] bool unreachable() const { return unreachable_; }
  [[nodiscard]] int status() const { return recorded_.status; }
  Exchange& recorded() { return recorded_; }
  /// What went over the wire so far, without secrets.
  [[nodiscard]] Exchange recording() const;
  void keep_bytes(bool keep) { keep_bytes_ = keep; }

  net::Client::Id transfer = 0;
  std::shared_ptr<Post> post;

 private:
  static constexpr std::size_t kErrorBytes = 1u << 20;
  Result answer(bool broke_off, const std::optional<net::Error>& error);
  Result failure(std::int64_t now) const;
  [[nodiscard]] bool is_error() const { return recorded_.status < 200 || recorded_.status >= 300; }

  const Endpoint& endpoint_;
  net::Secrets secrets_;
  std::string task_;
  std::uint64_t request_;
  std::uint64_t attempt_;
  std::optional<task::Listener> listener_;  // until the answer is whole
  Progress progress_;
  wire::StreamDecoder decoder_;
  std::vector<net::Header> headers_;
  std::string error_body_;
  Exchange recorded_;
  std::int64_t began_ = 0;
  bool keep_bytes_ = false;
  bool done_ = false;
  bool unreachable_ = false;
};

/// What of an endpoint nobody else may see: the key, and the values of the person's own headers.
net::Secrets secrets_of(const Endpoint& endpoint);

}  // namespace BELAY_NAMESPACE::run
