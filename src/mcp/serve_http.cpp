#include <belay/mcp/serve.h>

#include "mcp/call_pool.h"
#include "mcp/fields.h"
#include "mcp/http_client_session.h"
#include "mcp/http_door.h"

#include <belay/net/server.h>

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

using SessionPtr = std::shared_ptr<HttpClientSession>;
using ResponderPtr = std::shared_ptr<net::Responder>;

// 128 bits that nobody can guess. Empty: this machine gives none.
std::string random_name() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (unsigned char b : bytes) {
    out += kDigits[b >> 4];
    out += kDigits[b & 15];
  }
  return out;
}

bool is_initialize(const Incoming& incoming) {
  return !incoming.batch && incoming.messages.size() == 1 && incoming.messages[0].kind == Message::Kind::request &&
         incoming.messages[0].method == "initialize";
}

// 2026-07-28: what the headers say of the message has to be what it is.
std::optional<Refusal> headers_differ(const net::ServerRequest& request, const Incoming& incoming) {
  if (incoming.batch || incoming.messages.size() != 1)
    return Refusal{400, kInvalidRequest, "one message a POST, in 2026-07-28"};
  const Message& message = incoming.messages[0];
  if (message.kind == Message::Kind::garbage) return std::nullopt;
  if (header_of(request, "mcp-method") != message.method)
    return Refusal{400, kHeaderMismatch, "the header Mcp-Method has to be the method of the message"};
  if (message.method == "tools/call" && message.payload &&
      header_of(request, "mcp-name") != text_in(*message.payload, "name"))
    return Refusal{400, kHeaderMismatch, "the header Mcp-Name has to be the name of the tool"};
  return std::nullopt;
}

}  // namespace

struct HttpServing::State {
  State(const ServeOptions& given, std::string bears)
      : options(given), token(std::move(bears)), pool(std::make_unique<CallPool>(given.carry, given.limits)) {
    options.session.limits = given.limits.session;
  }
  void handle(const net::ServerRequest& request, const ResponderPtr& to);
  void post(const net::ServerRequest& request, const Visit& visit, const ResponderPtr& to);
  void initialize(const Incoming& incoming, const Visit& visit, const ResponderPtr& to);
  SessionPtr find(const std::string& id);
  bool make_room();
  std::size_t waiting();

  ServeOptions options;
  const std::string token;
  std::mutex lock;  // for the sessions
  std::map<std::string, SessionPtr> sessions;
  std::unique_ptr<CallPool> pool;
  std::unique_ptr<net::Server> server;
};

SessionPtr HttpServing::State::find(const std::string& id) {
  const std::lock_guard guard(lock);
  const auto found = sessions.find(id);
  if (found == sessions.end()) return nullptr;
  found->second->used = std::chrono::steady_clock::now();
  return found->second;
}

// Clients that died leave their sessions behind. Who comes back to one that was forgotten gets 404, and begins anew.
bool HttpServing::State::make_room() {
  SessionPtr oldest;
  {
    const std::lock_guard guard(lock);
    if (sessions.size() < options.limits.sessions) return true;
    for (const auto& [id, session] : sessions)
      if ((!oldest || session->used < oldest->used) && session->idle()) oldest = session;
    if (!oldest) return false;
    sessions.erase(oldest->id());
  }
  oldest->close();
  return true;
}

std::size_t HttpServing::State::waiting() {
  const std::lock_guard guard(lock);
  std::size_t out = 0;
  for (const auto& [id, session] : sessions) out += session->waiting();
  return out;
}

void HttpServing::State::initialize(const Incoming& incoming, const Visit& visit, const ResponderPtr& to) {
  if (!make_room())
    return refuse(*to, {503, -32000,
                        std::to_string(options.limits.sessions) +
                            " sessions are at work, which is the limit sessions: end some (DELETE); belay mcp serve "
                            "--limit sessions=N raises it"});
  std::string id = random_name();
  if (id.empty()) return refuse(*to, {500, kInternalError, "this machine gives no random numbers"});
  const auto session = std::make_shared<HttpClientSession>(options.session, *pool, id, options.limits.queue_bytes);
  session->used = std::chrono::steady_clock::now();
  // Known before it is answered: the next request may come at once.
  {
    const std::lock_guard guard(lock);
    sessions[id] = session;
  }
  session->post(incoming, visit, to);
  if (session->introduced()) return;
  const std::lock_guard guard(lock);
  sessions.erase(id);
}

void HttpServing::State::post(const net::ServerRequest& request, const Visit& visit, const ResponderPtr& to) {
  if (waiting() > options.limits.queue_bytes)
    return refuse(*to, {503, -32000,
                        "answers of more than " + std::to_string(options.limits.queue_bytes) +
                            " bytes are not read yet, which is the limit queue_bytes: read them first; belay mcp serve "
                            "--limit queue_bytes=N raises it"});
  const Incoming incoming = decode(request.body, options.session.codec);
  if (incoming.messages.empty()) return refuse(*to, {400, kParseError, "the body is empty; it has to be a message"});
  const bool alone = stateless(visit.version.value_or(Version::v2025_11_25));
  if (alone) {
    if (auto no = headers_differ(request, incoming)) return refuse(*to, *no);
    return std::make_shared<HttpClientSession>(options.session, *pool, "", options.limits.queue_bytes)
        ->post(incoming, visit, to);
  }
  if (visit.session.empty() && is_initialize(incoming)) return initialize(incoming, visit, to);
  if (visit.session.empty() && incoming.messages[0].kind == Message::Kind::garbage && !incoming.batch)
    return refuse(*to, {400, incoming.messages[0].text.starts_with("not JSON") ? kParseError : kInvalidRequest,
                        incoming.messages[0].text});
  if (visit.session.empty())
    return refuse(*to, {400, kInvalidRequest, "the header Mcp-Session-Id is needed: the answer to initialize has it"});
  const SessionPtr session = find(visit.session);
  if (!session) return refuse(*to, no_session());
  session->post(incoming, visit, to);
}

void HttpServing::State::handle(const net::ServerRequest& request, const ResponderPtr& to) {
  const auto visit = at_the_door(request, token);
  if (!visit) return refuse(*to, visit.error());
  if (visit->kind == Visit::Kind::post) return post(request, *visit, to);
  if (stateless(visit->version.value_or(Version::v2025_11_25)))
    return refuse(*to, {405, kInvalidRequest, "2026-07-28 has POST only", {{"Allow", "POST"}}});
  if (visit->session.empty()) return refuse(*to, {400, kInvalidRequest, "the header Mcp-Session-Id is needed"});
  const SessionPtr session = find(visit->session);
  if (!session) return refuse(*to, no_session());
  if (visit->kind == Visit::Kind::get) {
    if (!session->open_stream(to, options.limits.streams))
      refuse(*to, {409, -32000,
                   "this session has " + std::to_string(options.limits.streams) +
                       " streams open, which is the limit streams; belay mcp serve --limit streams=N raises it"});
    return;
  }
  {
    const std::lock_guard guard(lock);
    sessions.erase(visit->session);
  }
  session->close();
  to->head(204, answer_headers(""));
  to->end();
}

HttpServing::HttpServing(std::unique_ptr<State> state) : state_(std::move(state)) {}

std::expected<std::unique_ptr<HttpServing>, std::string> HttpServing::make(const ServeOptions& options,
                                                                           const HttpOptions& http) {
  if (http.token.empty()) return std::unexpected("a token is needed: without one every program here could come in");
  const std::string host = http.address == "::1" ? "[::1]" : http.address;
  if (host == "localhost" || !is_this_machine(host))
    return std::unexpected("only addresses of this machine are served: 127.0.0.1 or ::1, not " + http.address +
                           "; for others put a proxy with TLS before it");
  auto state = std::make_unique<State>(options, http.token);
  net::ServerOptions how;
  how.address = http.address;
  how.port = http.port;
  how.body_bytes = options.limits.body_bytes;
  how.connections = options.limits.connections;
  how.head = options.limits.head_ms;
  how.idle = options.limits.idle_ms;
  how.stall = options.limits.idle_ms;
  how.waiting_bytes = options.limits.queue_bytes;
  // Who may not come in does not get to fill memory with a body either.
  how.admit = [s = state.get()](const net::ServerRequest& head) { return at_the_door(head, s->token).has_value(); };
  auto server = net::Server::make(
      how, [s = state.get()](const net::ServerRequest& request, const ResponderPtr& to) { s->handle(request, to); });
  if (!server) return std::unexpected(std::move(server.error()));
  state->server = std::move(*server);
  return std::unique_ptr<HttpServing>(new HttpServing(std::move(state)));
}

HttpServing::~HttpServing() {
  std::map<std::string, SessionPtr> all;
  {
    const std::lock_guard guard(state_->lock);
    all.swap(state_->sessions);
  }
  for (const auto& [id, session] : all) session->close();
  state_->server.reset();  // nothing new comes in
  state_->pool.reset();
}

std::uint16_t HttpServing::port() const { return state_->server->port(); }
std::string HttpServing::url() const { return state_->server->url() + "/mcp"; }

}  // namespace BELAY_NAMESPACE::mcp
