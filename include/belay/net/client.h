// HTTP out: requests to model servers and tool servers, by libcurl.
#pragma once

#include <belay/version.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::net {

struct Header {
  std::string name{}, value{};
  bool operator==(const Header&) const = default;
};
/// The first value of this name, in whatever case; nothing when there is none.
std::optional<std::string_view> find(const std::vector<Header>& headers, std::string_view name);

struct Timeouts {
  std::int64_t connect = 15'000;        ///< milliseconds until the connection stands, TLS included
  std::int64_t idle = 300'000;          ///< without a byte, once the request is out; see Receiver::last_progress()
  std::int64_t total = 3600 * 1'000ll;  ///< for all of it
};

struct Request {
  std::string method = "POST";
  std::string url{};  ///< http or https only, redirects are not followed
  std::vector<Header> headers{};
  std::string body{};
  Timeouts timeouts{};
  std::uint64_t max_bytes = 1ull << 30;  ///< of the answer's body, decoded
  /// It may be done twice: it is sent again when a kept connection was closed under it. GET and HEAD always may.
  bool repeatable = false;
  /// Never through a proxy, whatever the environment says: for what stays on this machine.
  bool direct = false;
};

/// Why an exchange did not come to its end.
struct Error {
  enum class Kind : std::uint8_t {
    url,         ///< it cannot be read, or is not http(s); or a method or header that cannot be sent
    resolve,     ///< the host's name is not known
    connection,  ///< nobody answers, or the connection broke off
    tls,         ///< a certificate, or the handshake
    timeout,     ///< `message` says which of the three
    too_large,   ///< max_bytes
    protocol,    ///< what came is not HTTP, or cannot be decoded
    cancelled,
  };
  Kind kind = Kind::connection;
  std::string message;  ///< one sentence for a person, with the host and a remedy; no header, no body, no query
  bool reached = true;  ///< false: the name was not found, or nobody took the connection; nothing was sent
  bool operator==(const Error&) const = default;
};
std::string_view name(Error::Kind) noexcept;

struct Head {
  int status = 0;
  std::vector<Header> headers{};
};

/// Gets an answer as it comes. Called on the client's thread; must not block for long, nor call the Client's
/// destructor; must not throw. on_end() is the last call, and comes exactly once for every request that was started.
class Receiver {
 public:
  virtual ~Receiver() = default;
  /// The head of the final answer (no 1xx). Not called when there was none.
  virtual void on_head(const Head& head) = 0;
  /// A piece of the body, decoded (gzip, brotli, deflate). False: this one was taken, no more for now, until
  /// Client::resume(); on_end() comes all the same when there is nothing more. A pause does not count as idle.
  virtual bool on_bytes(std::string_view bytes) = 0;
  virtual void on_end(const std::optional<Error>& error) = 0;
  /// When the body last brought what it is waited for, for receivers that can tell it from signs of life: only that
  /// keeps the exchange from being idle. Nothing: every byte does.
  [[nodiscard]] virtual std::optional<std::chrono::steady_clock::time_point> last_progress() const {
    return std::nullopt;
  }
};

/// What HTTP and TLS are done by: `libcurl 7.88.1, OpenSSL/3.0.17, HTTP/2`.
std::string library_version();

struct ClientOptions {
  std::string user_agent = "belay";
  /// Files of certificates to trust; empty: SSL_CERT_FILE, CURL_CA_BUNDLE, then the system's.
  std::string ca_file{};
  std::size_t connections_a_host = 16;  ///< exchanges with one host at once; more wait for their turn
};

/// Runs exchanges on a thread of its own. TLS is always verified; HTTP/2 where the server has it over TLS; proxies
/// from HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in either case (HTTP_PROXY in lower case only). Connections
/// are kept and used again; a request that may not be done twice goes out at most once, whatever becomes of its
/// connection. Thread-safe; start(), cancel() and resume() only leave an order and never block, also when a Receiver
/// calls them.
class Client {
 public:
  using Id = std::uint64_t;
  explicit Client(ClientOptions options = {});
  /// Cancels what is under way, and waits for its on_end().
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  Id start(Request request, std::shared_ptr<Receiver> receiver);
  /// Ends it at once: on_end() with `cancelled` follows, unless it has ended already.
  void cancel(Id id);
  /// Goes on with one that was paused by on_bytes().
  void resume(Id id);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace BELAY_NAMESPACE::net
