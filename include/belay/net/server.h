// HTTP in: a server for one program's own use, by Boost.Beast. Streams are written as they come.
#pragma once

#include <belay/net/client.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::net {

struct ServerRequest {
  std::string method{}, target{};  ///< the target as it was sent: path and query
  std::vector<Header> headers{};
  std::string body{};
  std::string peer{};  ///< the other end's address, without its port
};

/// The answer to one request. Thread-safe, and may outlive the handler: keep it for as long as the answer takes. What
/// is written after the other end has gone is dropped; closed() says so. Letting go of it before end() resets the
/// connection.
class Responder {
 public:
  virtual ~Responder() = default;
  /// Once, before anything else. A `content-length` among the headers is kept; without one the body is chunked.
  virtual void head(int status, std::vector<Header> headers) = 0;
  virtual void write(std::string bytes) = 0;
  virtual void end() = 0;
  /// Ends the connection without an end of the body: what the other end sees is a stream that broke off.
  virtual void reset() = 0;
  /// Bytes that were written and are not yet out.
  [[nodiscard]] virtual std::size_t waiting() const = 0;
  [[nodiscard]] virtual bool closed() const = 0;
  /// Called once when the other end goes away before end(), on the server's thread; at once if it has gone.
  virtual void on_closed(std::function<void()> gone) = 0;
};
/// A whole answer.
void answer(Responder& to, int status, std::string_view content_type, std::string body);

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: a free one
  std::uint64_t body_bytes = 64ull << 20;
  std::uint64_t head_bytes = 64ull << 10;
  /// At once. When all are taken, a new one takes the place of the oldest that has not sent the head of a request yet;
  /// where there is none, it is refused (503).
  std::size_t connections = 10'000;
  /// Milliseconds for the head of a request: of the first one from the connection on, of others from their first byte.
  /// Never more than `idle`.
  std::int64_t head = 60'000;
  std::int64_t idle = 60'000;    ///< milliseconds that a connection may wait for a request, or take over sending one
  std::int64_t stall = 600'000;  ///< milliseconds in which the other end takes nothing of what is written
  std::uint64_t waiting_bytes = 256ull << 20;  ///< of one answer, written and not yet out; more resets the connection
  /// Asked when the head of a request is there and its body is not. False: the body is not read; the handler gets the
  /// request without it, to say why, and the connection is closed behind the answer. Empty: every body is read.
  std::function<bool(const ServerRequest& head)> admit{};
};

/// Listens from make() on, on a thread of its own; the handler is called there and must not block.
class Server {
 public:
  using Handler = std::function<void(ServerRequest, std::shared_ptr<Responder>)>;
  /// The error is one sentence: an address that is taken, ...
  static std::expected<std::unique_ptr<Server>, std::string> make(ServerOptions options, Handler handler);
  /// Ends all connections.
  ~Server();
  [[nodiscard]] std::uint16_t port() const;
  /// `http://127.0.0.1:PORT`
  [[nodiscard]] std::string url() const;

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace BELAY_NAMESPACE::net
