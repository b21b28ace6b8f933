#include "mcp/http_client_session.h"

#include <belay/sse.h>

#include <utility>

namespace BELAY_NAMESPACE::mcp {

std::vector<net::Header> answer_headers(std::string_view session) {
  std::vector<net::Header> out{{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}};
  if (!session.empty()) out.push_back({"Mcp-Session-Id", std::string(session)});
  return out;
}

namespace {

void answer_json(net::Responder& to, int status, std::string_view session, std::string body,
                 std::vector<net::Header> more = {}) {
  std::vector<net::Header> headers = answer_headers(session);
  for (net::Header& header : more) headers.push_back(std::move(header));
  headers.push_back({"Content-Type", "application/json"});
  headers.push_back({"Content-Length", std::to_string(body.size())});
  to.head(status, std::move(headers));
  to.write(std::move(body));
  to.end();
}

void begin_events(net::Responder& to, std::string_view session) {
  std::vector<net::Header> headers = answer_headers(session);
  headers.push_back({"Content-Type", "text/event-stream"});
  to.head(200, std::move(headers));
}

}  // namespace

Refusal no_session() { return {404, -32001, "no such session (any more): begin with initialize"}; }

void refuse(net::Responder& to, const Refusal& refusal) {
  answer_json(to, refusal.status, {}, encode_error({}, refusal.code, refusal.why), refusal.headers);
}

HttpClientSession::HttpClientSession(ServerSessionOptions options, CallPool& pool, std::string id,
                                     std::size_t queue_bytes)
    : session_(std::move(options)), pool_(pool), id_(std::move(id)), queue_bytes_(queue_bytes) {}

void HttpClientSession::post(const Incoming& incoming, const Visit& visit, const std::shared_ptr<net::Responder>& to) {
  Exchange exchange = 0;
  {
    const std::lock_guard guard(lock_);
    if (closed_) return refuse(*to, no_session());
    exchange = next_++;
    posts_[exchange] = {to, visit.events};
    session_.on_incoming(incoming, exchange);
    perform();
    if (!posts_.contains(exchange)) return;
  }
  // A result that cannot be handed over any more is of no use to anybody: streams here are not resumed. Without the
  // lock, which a connection that has gone already would take at once.
  to->on_closed([weak = weak_from_this(), exchange] {
    if (const auto self = weak.lock()) self->gone(exchange);
  });
}

bool HttpClientSession::open_stream(const std::shared_ptr<net::Responder>& to, std::size_t at_most) {
  std::uint64_t number = 0;
  {
    const std::lock_guard guard(lock_);
    if (closed_) {
      refuse(*to, no_session());
      return true;
    }
    if (streams_.size() >= at_most) return false;
    number = next_++;
    streams_[number] = to;
    begin_events(*to, id_);
    std::string hello;
    sse::append_comment(hello, "open");
    to->write(std::move(hello));
  }
  to->on_closed([weak = weak_from_this(), number] {
    const auto self = weak.lock();
    if (!self) return;
    const std::lock_guard guard(self->lock_);
    self->streams_.erase(number);
  });
  return true;
}

void HttpClientSession::close() {
  const std::lock_guard guard(lock_);
  // Who found it before it was closed must not begin a call that nobody could stop.
  closed_ = true;
  session_.close();
  perform();
  for (auto& [number, stream] : streams_) stream->end();
  for (auto& [exchange, post] : posts_) post.to->reset();
  streams_.clear();
  posts_.clear();
}

bool HttpClientSession::introduced() const {
  const std::lock_guard guard(lock_);
  return session_.version().has_value();
}

bool HttpClientSession::idle() const {
  const std::lock_guard guard(lock_);
  return session_.calls() == 0 && posts_.empty() && streams_.empty();
}

std::size_t HttpClientSession::waiting() const {
  const std::lock_guard guard(lock_);
  return waiting_here();
}

std::size_t HttpClientSession::waiting_here() const {
  std::size_t out = 0;
  for (const auto& [exchange, post] : posts_) out += post.to->waiting();
  for (const auto& [number, stream] : streams_) out += stream->waiting();
  for (const auto& answer : leaving_) out += answer->waiting();
  return out;
}

// What is complete counts until the client has taken it.
void HttpClientSession::leave(std::shared_ptr<net::Responder> to) {
  std::erase_if(leaving_, [](const auto& answer) { return answer->waiting() == 0; });
  if (to->waiting() > 0) leaving_.push_back(std::move(to));
}

void HttpClientSession::gone(Exchange exchange) {
  const std::lock_guard guard(lock_);
  if (posts_.erase(exchange) == 0) return;
  session_.on_gone(exchange);
  perform();
}

// With the lock, as all below.
void HttpClientSession::perform() {
  for (std::vector<ServerOutput> outputs = session_.take(); !outputs.empty(); outputs = session_.take())
    for (ServerOutput& output : outputs) {
      if (const auto* one = std::get_if<Say>(&output)) say(*one);
      if (auto* begin = std::get_if<BeginCall>(&output)) start(std::move(*begin));
      if (const auto* end = std::get_if<EndCall>(&output))
        if (const auto key = keys_.extract(end->call)) pool_.stop(key.mapped());
      if (const auto* done = std::get_if<Over>(&output)) over(done->exchange);
    }
}

void HttpClientSession::say(const Say& say) {
  const auto found = posts_.find(say.exchange);
  if (found == posts_.end()) return;
  Post& post = found->second;
  if (post.streaming) {
    std::string event;
    sse::append_event(event, say.text);
    post.to->write(std::move(event));
  } else if (say.answer) {
    // What cannot be read is the fault of the POST as a whole.
    const bool unread = say.text.starts_with(R"({"jsonrpc":"2.0","id":null,"error")");
    answer_json(*post.to, unread ? 400 : 200, id_, say.text);
    post.answered = true;
  }
}

void HttpClientSession::over(Exchange exchange) {
  const auto found = posts_.find(exchange);
  if (found == posts_.end()) return;
  const Post post = std::move(found->second);
  posts_.erase(found);
  if (post.streaming) {
    post.to->end();
  } else if (!post.answered) {
    std::vector<net::Header> headers = answer_headers(id_);
    headers.push_back({"Content-Length", "0"});
    post.to->head(202, std::move(headers));
    post.to->end();
  }
  leave(post.to);
}

void HttpClientSession::start(BeginCall begin) {
  if (const auto post = posts_.find(begin.exchange); post != posts_.end() && post->second.events) {
    if (!std::exchange(post->second.streaming, true)) begin_events(*post->second.to, id_);
  }
  CallPool::Job job{std::move(begin.tool), std::move(begin.arguments), begin.progress};
  // A session without a name is kept by its calls alone.
  std::weak_ptr<HttpClientSession> weak = weak_from_this();
  std::shared_ptr<HttpClientSession> keep = id_.empty() ? shared_from_this() : nullptr;
  job.done = [weak, keep, call = begin.call](const CallOutcome& outcome) {
    const auto self = weak.lock();
    if (!self) return;
    const std::lock_guard guard(self->lock_);
    self->keys_.erase(call);
    if (self->waiting_here() < self->queue_bytes_)
      self->session_.on_done(call, outcome);
    else
      self->session_.on_refused(call, "the call ran, but its result is not kept: answers of more than " +
                                          std::to_string(self->queue_bytes_) +
                                          " bytes are not read yet, which is the limit queue_bytes; belay mcp serve "
                                          "--limit queue_bytes=N raises it");
    self->perform();
  };
  job.progressed = [weak, call = begin.call](double seconds, const std::string& line) {
    const auto self = weak.lock();
    if (!self) return;
    const std::lock_guard guard(self->lock_);
    if (self->waiting_here() >= self->queue_bytes_) return;  // nobody reads it; there is more where it came from
    self->session_.on_progress(call, seconds, line);
    self->perform();
  };
  job.log = [weak, call = begin.call](LogLevel level, std::string_view text) {
    const auto self = weak.lock();
    if (!self) return;
    const std::lock_guard guard(self->lock_);
    self->session_.on_log(call, level, text);
    self->perform();
  };
  auto key = pool_.start(std::move(job));
  if (key)
    keys_[begin.call] = *key;
  else
    session_.on_refused(begin.call, key.error());
}

}  // namespace BELAY_NAMESPACE::mcp
