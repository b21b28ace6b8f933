// One HTTP exchange with a server, as far as it has come.
#pragma once

#include <belay/mcp/session.h>
#include <belay/net/client.h>
#include <belay/sse.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// An event of a stream, kept.
struct StreamEvent {
  std::string data, event, id;
};

class HttpExchange {
 public:
  enum class Use : std::uint8_t {
    post,    ///< a message of ours
    resume,  ///< the rest of a stream that broke off
    listen,  ///< what the server says of its own accord
    old,     ///< the stream of HTTP+SSE
    remove,  ///< the end of the session
  };
  enum class Body : std::uint8_t { unknown, json, stream, nothing, other };

  HttpExchange(Use use, std::uint64_t request, std::size_t limit) : use_(use), request_(request), limit_(limit) {}

  void on_head(const net::Head& head);
  /// What became whole by these bytes. False: it is more than the limit.
  bool on_bytes(std::string_view bytes, std::vector<StreamEvent>& events);
  void on_end(bool broken, std::vector<StreamEvent>& events);

  [[nodiscard]] Use use() const { return use_; }
  [[nodiscard]] std::uint64_t request() const { return request_; }
  [[nodiscard]] int status() const { return head_.status; }
  [[nodiscard]] bool fine() const { return head_.status >= 200 && head_.status < 300; }
  [[nodiscard]] const net::Head& head() const { return head_; }
  [[nodiscard]] Body body() const { return body_; }
  [[nodiscard]] std::string_view content_type() const;
  [[nodiscard]] const std::string& text() const { return text_; }  ///< of a body that is no stream
  [[nodiscard]] const std::string& last_id() const { return last_id_; }
  [[nodiscard]] std::optional<std::uint64_t> retry() const { return retry_; }
  [[nodiscard]] bool had_events() const { return had_events_; }

  net::Client::Id id = 0;
  std::string sent{};        ///< the message, for who has to send it in another way
  std::size_t attempts = 0;  ///< resumes so far, without news in between
  std::string session{};     ///< whose id it carried

 private:
  struct Sink;
  Use use_;
  std::uint64_t request_;
  std::size_t limit_;
  net::Head head_;
  Body body_ = Body::unknown;
  std::string text_, last_id_;
  std::optional<std::uint64_t> retry_;
  bool had_events_ = false;
  std::shared_ptr<Sink> sink_;
  std::optional<sse::Decoder> decoder_;
};

/// Why an exchange that came to its end has brought no answer.
Failure failure_of(const HttpExchange& exchange, const std::optional<net::Error>& error);
/// What a status other than 200 to 299 means, and what to do about it.
/// `place`: of the definition of the server.
Failure status_failure(const HttpExchange& exchange, const std::string& place);

}  // namespace BELAY_NAMESPACE::mcp
