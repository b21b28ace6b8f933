// One client of a server over HTTP: its session, the POSTs that wait for their answers, and its open streams.
#pragma once

#include "mcp/call_pool.h"
#include "mcp/http_door.h"

#include <belay/mcp/server_session.h>
#include <belay/net/server.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// The headers that each answer has.
std::vector<net::Header> answer_headers(std::string_view session);
void refuse(net::Responder& to, const Refusal& refusal);
Refusal no_session();

/// Thread-safe. The pool must outlive it. Held by shared_ptr: calls that run keep it only where `keep` says so.
class HttpClientSession : public std::enable_shared_from_this<HttpClientSession> {
 public:
  /// `id` is empty for a request of 2026-07-28, which is a session by itself and lives until it is answered.
  /// Of answers that wait to be read there are at most `queue_bytes`, and one more.
  HttpClientSession(ServerSessionOptions options, CallPool& pool, std::string id, std::size_t queue_bytes);

  /// The messages of a POST; every one is answered through `to`. After close() that is 404.
  void post(const Incoming& incoming, const Visit& visit, const std::shared_ptr<net::Responder>& to);
  /// A stream for what the server has to say by itself. False: there are `at_most` already. After close() it is 404.
  bool open_stream(const std::shared_ptr<net::Responder>& to, std::size_t at_most);
  /// Stops its calls and ends its streams; POSTs that wait are reset.
  void close();

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] bool introduced() const;
  /// Nothing runs, and nobody listens.
  [[nodiscard]] bool idle() const;
  /// Bytes of answers that are not out yet.
  [[nodiscard]] std::size_t waiting() const;

  std::chrono::steady_clock::time_point used{};  ///< of who keeps the sessions

 private:
  struct Post {
    std::shared_ptr<net::Responder> to;
    bool events = false;     // the client accepts a stream
    bool streaming = false;  // its head is out
    bool answered = false;
  };
  void perform();
  void say(const Say& say);
  void over(Exchange exchange);
  void start(BeginCall begin);
  void gone(Exchange exchange);
  [[nodiscard]] std::size_t waiting_here() const;
  void leave(std::shared_ptr<net::Responder> to);

  mutable std::mutex lock_;
  ServerSession session_;
  CallPool& pool_;
  const std::string id_;
  const std::size_t queue_bytes_;
  Exchange next_ = 1;
  std::map<Exchange, Post> posts_;
  std::map<CallNumber, CallPool::Key> keys_;
  std::map<std::uint64_t, std::shared_ptr<net::Responder>> streams_;
  bool closed_ = false;
  std::vector<std::shared_ptr<net::Responder>> leaving_;  // answers that are complete, and not out yet
};

}  // namespace BELAY_NAMESPACE::mcp
