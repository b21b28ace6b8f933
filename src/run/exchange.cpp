#include "run/exchange.h"

#include <utility>

namespace BELAY_NAMESPACE::run {
namespace {

// Headers that a recording may hold: nothing that could be a secret, nothing that names an account.
bool worth_keeping(std::string_view name) {
  for (const std::string_view kept : {"content-type", "retry-after", "retry-after-ms"})
    if (net::find({{std::string(name), ""}}, kept)) return true;
  return false;
}

task::Trouble trouble_of(const net::Error& error, bool answering) {
  using Kind = net::Error::Kind;
  const bool again = error.kind == Kind::resolve || error.kind == Kind::connection || error.kind == Kind::timeout ||
                     error.kind == Kind::protocol;
  std::string kind = "connection";
  if (error.kind == Kind::timeout) kind = "timeout";
  if (error.kind == Kind::too_large) kind = "limit";
  if (error.kind == Kind::tls || error.kind == Kind::url) kind = net::name(error.kind);
  if (answering && error.kind != Kind::too_large) kind = "stream_broke_off";
  return {std::move(kind), error.message, again, {}};
}

}  // namespace

net::Secrets secrets_of(const Endpoint& endpoint) {
  net::Secrets out;
  out.add(endpoint.key);
  for (const net::Header& header : endpoint.headers) out.add(header.value);
  return out;
}

Exchange ModelExchange::recording() const {
  Exchange out = recorded_;
  for (net::Header& header : out.headers) header.value = secrets_.without(std::move(header.value));
  std::string answer = secrets_.without(out.answer);
  if (answer != out.answer) {
    // The pieces are not those that came any more.
    out.pieces = {{0, answer.size()}};
    out.answer = std::move(answer);
  }
  out.url = secrets_.without(std::move(out.url));
  return out;
}

bool Post::on_bytes(std::string_view bytes) {
  const std::size_t ahead = ahead_ += bytes.size();
  const bool more = ahead < kAhead;
  // Before the post: who takes these bytes must see that it has to say go on.
  if (!more) paused_ = true;
  facts_.post(BytesCame{exchange_, std::string(bytes)});
  return more;
}

bool Post::taken(std::size_t bytes) {
  const std::size_t ahead = ahead_ -= bytes;
  return ahead < kAhead / 2 && paused_.exchange(false);
}

// Bytes that wait are the agent's to look at: that it is slow is not the server's fault.
std::optional<std::chrono::steady_clock::time_point> Post::last_progress() const {
  return ahead_ > 0 ? std::chrono::steady_clock::now() : moved_.load();
}

ModelExchange::ModelExchange(const Endpoint& endpoint, std::string task, const task::SendRequest& send,
                             const tool::Registry& tools, task::Listener::Show show, const Limits& limits)
    : endpoint_(endpoint),
      secrets_(secrets_of(endpoint)),
      task_(std::move(task)),
      request_(send.request),
      attempt_(send.attempt),
      listener_(std::in_place, task_, tools, send.format, std::move(show), limits, send.made_ids),
      progress_(*listener_),
      decoder_(endpoint.wire, progress_, limits) {}

void ModelExchange::head(const net::Head& head) {
  recorded_.status = head.status;
  headers_ = head.headers;
  for (const net::Header& header : head.headers)
    if (worth_keeping(header.name)) recorded_.headers.push_back(header);
}

std::optional<ModelExchange::Result> ModelExchange::bytes(std::string_view bytes, std::int64_t now) {
  if (keep_bytes_) {
    if (began_ == 0) began_ = now;
    recorded_.pieces.emplace_back(now - began_, bytes.size());
    recorded_.answer += bytes;
  }
  if (done_) return std::nullopt;
  if (is_error()) {
    error_body_ += bytes.substr(0, kErrorBytes - std::min(kErrorBytes, error_body_.size()));
    if (post) post->moved();
    return std::nullopt;
  }
  decoder_.push(bytes);
  if (progress_.take() && post) post->moved();
  if (!decoder_.ended()) return std::nullopt;
  // What stands behind the end marker changes nothing, so nobody waits for the connection.
  return answer(false, std::nullopt);
}

std::optional<ModelExchange::Result> ModelExchange::ended(const std::optional<net::Error>& error, std::int64_t now) {
  if (error) recorded_.error = net::name(error->kind);
  if (done_) return std::nullopt;
  if (recorded_.status == 0) {
    done_ = true;
    unreachable_ = error && !error->reached;
    return std::unexpected(
        trouble_of(error ? *error : net::Error{net::Error::Kind::protocol, "no answer came"}, false));
  }
  if (is_error()) {
    done_ = true;
    return failure(now);
  }
  return answer(error.has_value(), error);
}

ModelExchange::Result ModelExchange::answer(bool broke_off, const std::optional<net::Error>& error) {
  done_ = true;
  decoder_.finish(broke_off ? sse::Ended::reset : sse::Ended::eof);
  Result out = listener_->finish();
  // An answer may be large, and the connection may stay for a while: nothing of it is held twice.
  listener_.reset();
  if (out) {
    for (turn::Block& block : out->blocks) block.text.shrink_to_fit();
    return out;
  }
  // How it broke off says more than that it did, or that there was nothing before.
  const std::string& kind = out.error().kind;
  if (error && (kind == "stream_broke_off" || kind == "empty" || kind == "cut_off")) {
    task::Trouble how = trouble_of(*error, true);
    how.usage = out.error().usage;
    how.came = out.error().came;
    out.error() = std::move(how);
  }
  out.error().message = secrets_.without(std::move(out.error().message));
  return out;
}

ModelExchange::Result ModelExchange::failure(std::int64_t now) const {
  // A key goes to its own host only, so nobody is followed.
  if (recorded_.status >= 300 && recorded_.status < 400)
    return std::unexpected(
        task::Trouble{"invalid_request",
                      "the server answers with status " + std::to_string(recorded_.status) + ", which leads to " +
                          secrets_.without(std::string(net::find(headers_, "location").value_or("another place"))) +
                          "; give the right address by --base-url",
                      false,
                      {}});
  const std::string_view none;
  // Before anything of it is shortened, and again when it was read.
  const wire::HttpFailure f = wire::decode_failure(endpoint_.wire, recorded_.status, secrets_.without(error_body_),
                                                   net::find(headers_, "retry-after").value_or(none));
  task::Trouble out{f.kind, secrets_.without(f.message), f.retryable, f.retry_after};
  // A date needs a clock, which the wire does not have.
  if (const auto value = net::find(headers_, "retry-after"))
    if (const auto wait = task::retry_after(*value, now)) out.retry_after = wait;
  if (const auto value = net::find(headers_, "retry-after-ms"))
    if (const auto wait = task::retry_after(std::string(*value) + "ms", now)) out.retry_after = wait;
  return std::unexpected(std::move(out));
}

}  // namespace BELAY_NAMESPACE::run
