// A server at a URL: streamable HTTP, and HTTP+SSE where it has only that.
#include "mcp/http_exchange.h"
#include "mcp/http_inbox.h"
#include "mcp/place.h"
#include "mcp/transport.h"
#include "mcp/url.h"

#include <algorithm>
#include <map>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

using Use = HttpExchange::Use;
using Body = HttpExchange::Body;

constexpr Session::Time kRetry = 1000;        // before a stream is resumed, when the server names no time
constexpr Session::Time kShortRetry = 100;    // nor is one that names less asked more often
constexpr Session::Time kLongRetry = 60'000;  // a server that names more is not waited for longer
constexpr std::int64_t kForever = 24 * 3600 * 1000ll;

class HttpTransport final : public Transport {
 public:
  HttpTransport(const ServerConfig& config, net::Client& client)
      : config_(config), client_(client), old_(config.type == ServerConfig::Type::sse) {}
  ~HttpTransport() override {
    for (const auto& [key, exchange] : exchanges_) client_.cancel(exchange.id);
  }

  std::expected<void, std::string> open(Time now) override {
    if (origin_of(config_.url).empty()) return std::unexpected("its url has to begin with http:// or https://");
    if (old_) listen_in_the_old_way(now);
    return {};
  }

  void send(Send message, Time) override {
    if (closing_) return;
    if (old_ && endpoint_.empty()) {
      waiting_.push_back(std::move(message));
      return;
    }
    net::Request request = to_server("POST", message.version);
    if (old_) request.url = endpoint_;
    request.headers.push_back({"content-type", "application/json"});
    request.headers.push_back({"accept", "application/json, text/event-stream"});
    if (message.version && stateless(*message.version) && message.request != 0) {
      request.headers.push_back({"mcp-method", header_value(message.method)});
      if (!message.name.empty()) request.headers.push_back({"mcp-name", header_value(message.name)});
      for (const auto& [header, value] : message.headers) request.headers.push_back({header, header_value(value)});
    }
    const bool initialize = message.method == "initialize";
    if (initialize) session_.clear();
    HttpExchange exchange(Use::post, message.request, config_.transport.line_bytes);
    if (!old_) exchange.session = session_;
    if (!exchange.session.empty()) request.headers.push_back({"mcp-session-id", session_});
    if (initialize) exchange.sent = message.text;
    request.body = std::move(message.text);
    start(std::move(request), std::move(exchange));
  }

  void abandon(std::uint64_t request) override {
    std::erase_if(later_, [&](const Later& l) { return l.exchange.request() == request; });
    last_ids_.erase(request);
    for (auto& [key, exchange] : exchanges_)
      if (exchange.request() == request && request != 0) client_.cancel(exchange.id);
  }

  void introduced(const Session& session, Time) override {
    version_ = session.version();
    if (old_ || listening_ || !version_ || stateless(*version_)) return;
    listening_ = true;
    listen(HttpExchange(Use::listen, 0, config_.transport.line_bytes), {});
  }

  void add_polls(std::vector<pollfd>& polls) const override { polls.push_back({inbox_->event(), POLLIN, 0}); }

  void turn(std::span<const pollfd>, Time now, Arrivals& arrivals) override {
    std::vector<std::uint64_t> paused;
    for (HttpInbox::News& news : inbox_->take(paused)) {
      const auto found = exchanges_.find(news.key);
      if (found == exchanges_.end()) continue;
      if (const auto* head = std::get_if<net::Head>(&news.what)) {
        on_head(found->second, *head);
      } else if (const auto* bytes = std::get_if<std::string>(&news.what)) {
        on_bytes(found->second, *bytes, now, arrivals);
      } else {
        HttpExchange ended = std::move(found->second);
        exchanges_.erase(found);
        on_end(std::move(ended), std::get<HttpInbox::Ended>(news.what).error, now, arrivals);
      }
    }
    for (std::uint64_t key : paused)
      if (const auto found = exchanges_.find(key); found != exchanges_.end()) client_.resume(found->second.id);
    std::vector<Later> due;
    for (std::size_t i = 0; i < later_.size();) {
      if (later_[i].at > now) {
        ++i;
        continue;
      }
      due.push_back(std::move(later_[i]));
      later_.erase(later_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (Later& l : due) {
      const std::string last = l.last_id;
      listen(std::move(l.exchange), last);
    }
  }

  [[nodiscard]] std::optional<Time> deadline() const override {
    std::optional<Time> next;
    for (const Later& l : later_) next = std::min(next.value_or(l.at), l.at);
    if (closing_) next = std::min(next.value_or(*closing_), *closing_);
    return next;
  }

  void close(Time now) override {
    if (closing_) return;
    closing_ = now + config_.transport.grace_ms;
    later_.clear();
    for (const auto& [key, exchange] : exchanges_) client_.cancel(exchange.id);
    exchanges_.clear();
    if (session_.empty() || old_) return;
    net::Request request = to_server("DELETE", version_);
    request.headers.push_back({"mcp-session-id", session_});
    request.timeouts.total = config_.transport.grace_ms;
    start(std::move(request), HttpExchange(Use::remove, 0, config_.transport.line_bytes));
  }
  [[nodiscard]] bool gone() const override { return closing_ && (exchanges_.empty() || now_ms() >= *closing_); }

 private:
  // A stream that is asked for again.
  struct Later {
    Time at;
    HttpExchange exchange;
    std::string last_id;
  };

  [[nodiscard]] net::Request to_server(std::string method, std::optional<Version> version) const {
    net::Request request;
    request.method = std::move(method);
    request.url = config_.url;
    request.headers = config_.headers;
    if (version && *version >= Version::v2025_06_18)
      request.headers.push_back({"mcp-protocol-version", std::string(name(*version))});
    request.timeouts.idle = request.timeouts.total = kForever;  // the session has the time-outs
    request.max_bytes = kUnlimited;                             // and the exchange the limits
    return request;
  }

  void start(net::Request request, HttpExchange exchange) {
    const std::uint64_t key = next_++;
    auto& kept = exchanges_.emplace(key, std::move(exchange)).first->second;
    kept.id = client_.start(std::move(request), HttpInbox::receiver(inbox_, key));
  }

  void listen(HttpExchange exchange, const std::string& last_id) {
    net::Request request = to_server("GET", version_);
    request.headers.push_back({"accept", "text/event-stream"});
    if (!session_.empty() && !old_) request.headers.push_back({"mcp-session-id", session_});
    if (!last_id.empty()) request.headers.push_back({"last-event-id", last_id});
    start(std::move(request), std::move(exchange));
  }

  void listen_in_the_old_way(Time) {
    old_ = true;
    listen(HttpExchange(Use::old, 0, config_.transport.line_bytes), {});
  }

  void on_head(HttpExchange& exchange, const net::Head& head) {
    exchange.on_head(head);
    if (exchange.use() != Use::post || !exchange.fine() || exchange.sent.empty() || old_) return;
    // The answer to initialize: a session may begin with it.
    if (const auto id = net::find(head.headers, "mcp-session-id")) session_ = *id;
  }

  void on_bytes(HttpExchange& exchange, std::string_view bytes, Time now, Arrivals& arrivals) {
    std::vector<StreamEvent> events;
    if (!exchange.on_bytes(bytes, events)) {
      client_.cancel(exchange.id);
      const Failure failure{Failure::Kind::refused,
                            "it sent a message of more than " + std::to_string(config_.transport.line_bytes) +
                                " bytes; \"limits\": {\"line_bytes\": ...} of the server in " + place_of(config_) +
                                " raises that",
                            0, true};
      if (exchange.request() != 0) arrivals.exchange_failed(exchange.request(), failure);
      if (exchange.use() == Use::old) arrivals.closed(failure.message);
      return;
    }
    on_events(exchange, events, now, arrivals);
  }

  void on_events(const HttpExchange& exchange, const std::vector<StreamEvent>& events, Time now, Arrivals& arrivals) {
    for (const StreamEvent& event : events) {
      if (exchange.use() == Use::old && event.event == "endpoint") {
        on_endpoint(event.data, now, arrivals);
      } else if ((event.event.empty() || event.event == "message") && !event.data.empty()) {
        arrivals.text(event.data, 0);
      }
    }
  }

  void on_endpoint(const std::string& reference, Time now, Arrivals& arrivals) {
    if (!endpoint_.empty()) return;
    std::string url = resolved(config_.url, reference);
    if (origin_of(url) != origin_of(config_.url))
      return arrivals.closed("it wants its messages at another place, " + url.substr(0, 200) +
                             ", which is not followed");
    endpoint_ = std::move(url);
    first_failure_.reset();
    for (Send& message : std::exchange(waiting_, {})) send(std::move(message), now);
  }

  void on_end(HttpExchange exchange, const std::optional<net::Error>& error, Time now, Arrivals& arrivals) {
    if (error && error->kind == net::Error::Kind::cancelled) return;
    std::vector<StreamEvent> events;
    exchange.on_end(error.has_value(), events);
    on_events(exchange, events, now, arrivals);
    switch (exchange.use()) {
      case Use::remove: return;
      case Use::old: return end_of_old_stream(exchange, error, arrivals);
      case Use::listen: return end_of_listening(exchange, now);
      case Use::post:
      case Use::resume: return end_of_answer(exchange, error, now, arrivals);
    }
  }

  void end_of_old_stream(const HttpExchange& exchange, const std::optional<net::Error>& error, Arrivals& arrivals) {
    if (first_failure_) {  // it was only a try
      const auto [request, failure] = *first_failure_;
      first_failure_.reset();
      old_ = false;
      waiting_.clear();
      return arrivals.exchange_failed(request, failure);
    }
    std::string why = error ? error->message : "its stream ended";
    if (!error && exchange.body() != Body::stream)
      why = "its stream is none (HTTP " + std::to_string(exchange.status()) + ")";
    arrivals.closed(std::move(why));
  }

  void end_of_listening(const HttpExchange& exchange, Time now) {
    // Not every server has something to say; and 405 is how it says so.
    if (!closing_ && exchange.body() == Body::stream) later(exchange, now);
  }

  bool later(const HttpExchange& exchange, Time now) {
    if (exchange.attempts >= config_.transport.resumes) return false;
    HttpExchange next(exchange.use() == Use::listen ? Use::listen : Use::resume, exchange.request(),
                      config_.transport.line_bytes);
    next.attempts = exchange.attempts + 1;
    const auto wanted = exchange.retry();
    const Time pause = wanted ? static_cast<Time>(std::clamp<std::uint64_t>(*wanted, kShortRetry, kLongRetry)) : kRetry;
    std::string& last = last_ids_[exchange.request()];
    if (!exchange.last_id().empty()) last = exchange.last_id();
    later_.push_back({now + pause, std::move(next), last});
    return true;
  }

  void end_of_answer(const HttpExchange& exchange, const std::optional<net::Error>& error, Time now,
                     Arrivals& arrivals) {
    const std::uint64_t request = exchange.request();
    if (exchange.status() != 0 && !exchange.fine()) return on_status(exchange, now, arrivals);
    if (!error && exchange.body() == Body::json && !old_) arrivals.text(exchange.text(), answered_by(exchange));
    const bool still = request != 0 && arrivals.waits_for(request);
    const bool elsewhere = old_ && !error && exchange.fine();  // the answer comes on the stream
    const bool resumable = exchange.body() == Body::stream && !(version_ && stateless(*version_)) &&
                           (!exchange.last_id().empty() || last_ids_.contains(request));
    if (still && !elsewhere && resumable && later(exchange, now)) return;
    last_ids_.erase(request);
    if (still && !elsewhere) arrivals.exchange_failed(request, failure_of(exchange, error));
  }

  // The request that a body without an id is about: that of a POST. What answers a GET speaks of the stream.
  [[nodiscard]] static std::uint64_t answered_by(const HttpExchange& exchange) {
    return exchange.use() == Use::post ? exchange.request() : 0;
  }

  void on_status(const HttpExchange& exchange, Time now, Arrivals& arrivals) {
    const int status = exchange.status();
    const std::uint64_t request = exchange.request();
    if (status == 404 && !exchange.session.empty()) {
      // Others may have been on their way when the session was forgotten, and come back when there is a new one.
      const bool current = exchange.session == session_;
      if (current) session_.clear();
      return arrivals.session_lost(request, current);
    }
    if (request == 0) return;
    const Incoming said = decode(exchange.text());
    if (said.messages.size() == 1 && said.messages[0].kind == Message::Kind::error) {
      arrivals.text(exchange.text(), answered_by(exchange));
      if (!arrivals.waits_for(request)) return;
    }
    const bool perhaps_old = (status == 400 || status == 404 || status == 405) && !exchange.sent.empty() && !old_;
    if (!perhaps_old) return arrivals.exchange_failed(request, status_failure(exchange, place_of(config_)));
    first_failure_ = {request, status_failure(exchange, place_of(config_))};
    waiting_.push_back({exchange.sent, request, "initialize", {}, {}, {}});
    listen_in_the_old_way(now);
  }

  const ServerConfig config_;
  net::Client& client_;
  const std::shared_ptr<HttpInbox> inbox_ = std::make_shared<HttpInbox>();
  std::map<std::uint64_t, HttpExchange> exchanges_;
  std::uint64_t next_ = 1;
  std::vector<Later> later_;
  std::map<std::uint64_t, std::string> last_ids_;  // of requests whose streams broke off
  std::string session_;
  std::optional<Version> version_;
  bool listening_ = false;
  bool old_;                                                        // HTTP+SSE
  std::string endpoint_;                                            // there
  std::vector<Send> waiting_;                                       // until it is known
  std::optional<std::pair<std::uint64_t, Failure>> first_failure_;  // of initialize, while the old way is tried
  std::optional<Time> closing_;
};

}  // namespace

std::unique_ptr<Transport> http_transport(const ServerConfig& config, net::Client& client) {
  return std::make_unique<HttpTransport>(config, client);
}

}  // namespace BELAY_NAMESPACE::mcp
