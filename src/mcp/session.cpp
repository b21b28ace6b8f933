// Requests of ours: sent, answered, given up.
#include <belay/mcp/session.h>

#include "mcp/fields.h"
#include "mcp/object.h"
#include "mcp/param_headers.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

constexpr std::size_t kRetired = 1024;
constexpr std::size_t kSentence = 1000;  // bytes of what a server says about an error

// What 2026-07-28 wants to see of a request in HTTP headers: what it is about, and parameters of a tool.
void add_headers(Send& send, std::string_view params, const std::vector<ToolDefinition>& tools) {
  if (send.method != "tools/call" && send.method != "prompts/get" && send.method != "resources/read") return;
  const json::Reading reading = json::read(params);
  if (reading.document.empty()) return;
  const json::Value root = reading.document.root();
  send.name = text_in(root, send.method == "resources/read" ? "uri" : "name");
  const auto arguments = root.find("arguments");
  const auto tool = std::ranges::find(tools, send.name, &ToolDefinition::name);
  if (send.method != "tools/call" || !arguments || tool == tools.end()) return;
  if (tool->input_schema.find("x-mcp-header") == std::string::npos) return;
  const json::Reading schema = json::read(tool->input_schema);
  if (const auto wanted = param_headers(schema.document.root())) send.headers = header_values(*wanted, *arguments);
}

}  // namespace

std::string_view name(Failure::Kind kind) noexcept {
  constexpr std::string_view names[] = {"answered", "timeout", "cancelled", "closed",
                                        "garbage",  "refused", "transport"};
  return names[static_cast<std::size_t>(kind)];
}

Session::Session(SessionOptions options) : options_(std::move(options)) {}

std::vector<Output> Session::take() { return std::exchange(outputs_, {}); }

Ticket Session::request(std::string method, std::string params, const RequestOptions& options, Time now) {
  Waiting w;
  w.ticket = next_++;  // numbers of exchanges and tickets come from one row: a ticket is never another's number
  w.method = std::move(method);
  w.params = std::move(params);
  w.options = options;
  w.deadline = now + options.timeout_ms;
  w.last = now + options.total_ms;
  const Ticket ticket = w.ticket;
  if (phase_ == Phase::failed) {
    fail(std::move(w), {Failure::Kind::closed, failure_.message, 0}, now);
  } else if (waiting() + gathering_.size() >= options_.limits.requests) {
    fail(std::move(w),
         {Failure::Kind::refused,
          "more than " + std::to_string(options_.limits.requests) + " requests wait for answers (limit requests)", 0},
         now);
  } else if (phase_ == Phase::idle || phase_ == Phase::introducing) {
    held_.push_back(std::move(w));
  } else {
    put_out(std::move(w), now);
  }
  return ticket;
}

void Session::put_out(Waiting w, Time now) {
  const std::uint64_t number = next_++;
  const Version version = version_.value_or(Version::v2025_11_25);
  std::string params = w.params;
  if (w.use != Use::initialize)
    params = with_meta(params, request_meta(options_.facts, version, w.options.progress ? number_id(number) : Id{}));
  Send send;
  send.text = encode_request(number_id(number), w.method, params);
  send.request = number;
  send.method = w.method;
  if (options_.http && stateless(version)) add_headers(send, w.params, tools_);
  if (w.use != Use::initialize) send.version = version;
  if (w.use == Use::person) numbers_[w.ticket] = number;
  static_cast<void>(now);
  waiting_.emplace(number, std::move(w));
  outputs_.emplace_back(std::move(send));
}

void Session::notify(std::string_view method, std::string_view params) {
  Send send;
  send.text = encode_notification(method, params);
  send.method = method;
  send.version = version_;
  outputs_.emplace_back(std::move(send));
}

void Session::retire(std::uint64_t request) {
  retired_.push_back(request);
  if (retired_.size() > kRetired) retired_.pop_front();
}

void Session::fail(Waiting&& w, Failure failure, Time now) {
  switch (w.use) {
    case Use::person:
      numbers_.erase(w.ticket);
      outputs_.emplace_back(Done{w.ticket, std::unexpected(std::move(failure))});
      return;
    case Use::initialize:
    case Use::discover: introduction_failed(w, std::move(failure), {}, now); return;
    case Use::list:
      list_running_ = false;
      list_ended_ = now;
      if (!listed_once_) {
        give_up({failure.kind, "its tools could not be listed: " + failure.message, failure.code}, now);
      } else {
        notes_.push_back("the tools could not be listed again: " + failure.message);
      }
      return;
    case Use::listen: return;  // without it we do not hear of changes; all else works
  }
}

void Session::cancel(Ticket ticket, std::string_view reason, Time now) {
  const Failure failure{Failure::Kind::cancelled, std::string(reason), 0}, sent{failure.kind, failure.message, 0, true};
  if (const auto held = std::ranges::find(held_, ticket, &Waiting::ticket); held != held_.end()) {
    Waiting w = std::move(*held);
    held_.erase(held);
    return fail(std::move(w), failure, now);
  }
  if (const auto g = gathering_.find(ticket); g != gathering_.end()) {
    for (std::uint64_t ask : g->second.asks) {
      asks_.erase(ask);
      outputs_.emplace_back(AskDropped{ask});
    }
    Waiting w = std::move(g->second.waiting);
    gathering_.erase(g);
    return fail(std::move(w), sent, now);
  }
  const auto number = numbers_.find(ticket);
  if (number == numbers_.end()) return;
  const std::uint64_t request = number->second;
  const auto found = waiting_.find(request);
  if (!(options_.http && version_ && stateless(*version_)))
    notify("notifications/cancelled",
           Object().raw("requestId", to_json(number_id(request))).text("reason", reason).done());
  outputs_.emplace_back(Abandon{request});
  Waiting w = std::move(found->second);
  waiting_.erase(found);
  retire(request);
  fail(std::move(w), sent, now);
}

void Session::on_time(Time now) {
  if (phase_ == Phase::failed || phase_ == Phase::idle) return;
  if (phase_ != Phase::ready && !listed_once_ && now >= startup_)
    return give_up({Failure::Kind::timeout,
                    "it did not " + std::string(phase_ == Phase::listing ? "list its tools" : "answer initialize") +
                        " within " + std::to_string(options_.startup_ms / 1000) +
                        " s (\"startup_timeout\" of the server in " + options_.place + ")" + noise(),
                    0},
                   now);
  // While somebody is asked on a server's behalf, its time stands still.
  std::vector<std::uint64_t> over;
  for (const auto& [number, w] : waiting_)
    if (w.use != Use::listen && (now >= w.last || (now >= w.deadline && asks_.empty()))) over.push_back(number);
  for (std::uint64_t number : over) {
    const auto found = waiting_.find(number);
    if (found == waiting_.end()) continue;
    Waiting w = std::move(found->second);
    waiting_.erase(found);
    retire(number);
    if (w.use != Use::initialize && !(options_.http && version_ && stateless(*version_)))
      notify("notifications/cancelled",
             Object().raw("requestId", to_json(number_id(number))).text("reason", "it took too long").done());
    outputs_.emplace_back(Abandon{number});
    const std::int64_t seconds = (now >= w.last ? w.options.total_ms : w.options.timeout_ms) / 1000;
    std::string why =
        "no answer within " + std::to_string(seconds) + " s (\"timeout\" of the server in " + options_.place + ")";
    fail(std::move(w), {Failure::Kind::timeout, std::move(why), 0, true}, now);
  }
  std::vector<Ticket> late;
  for (const Waiting& w : held_)
    if (now >= w.deadline) late.push_back(w.ticket);
  for (Ticket ticket : late) cancel(ticket, "the server was not ready in time", now);
  if (list_wanted_ && !list_running_ && phase_ == Phase::ready && now >= list_ended_ + options_.relist_ms)
    begin_listing(now);
}

// A server that speaks in another way is known by what it wrote.
std::string Session::noise() const {
  if (first_noise_.empty()) return {};
  return "; it wrote what is no message of MCP, first of all: " + first_noise_;
}

std::optional<Session::Time> Session::deadline() const {
  if (phase_ == Phase::failed || phase_ == Phase::idle) return std::nullopt;
  Time next = std::numeric_limits<Time>::max();
  if (phase_ != Phase::ready && !listed_once_) next = startup_;
  for (const auto& [number, w] : waiting_)
    if (w.use != Use::listen) next = std::min({next, w.last, asks_.empty() ? w.deadline : w.last});
  for (const Waiting& w : held_) next = std::min(next, w.deadline);
  if (list_wanted_ && !list_running_ && phase_ == Phase::ready) next = std::min(next, list_ended_ + options_.relist_ms);
  if (next == std::numeric_limits<Time>::max()) return std::nullopt;
  return next;
}

void Session::on_answer(const Message& message, Time now) {
  const auto number = number_of(message.id);
  const auto found = number ? waiting_.find(*number) : waiting_.end();
  if (found == waiting_.end()) {
    if (!number || *number >= next_)
      ++oddities_.unknown_ids;
    else if (std::erase(retired_, *number) > 0)
      ++oddities_.late;
    else
      ++oddities_.duplicates;
    return;
  }
  Waiting w = std::move(found->second);
  waiting_.erase(found);
  if (w.use == Use::person || w.use == Use::list) lost_ = false;
  if (message.kind == Message::Kind::result) return on_result(std::move(w), message.payload, now);
  Failure failure{Failure::Kind::garbage, "the answer cannot be read: " + message.text, 0, true};
  if (message.kind == Message::Kind::error)
    failure = {Failure::Kind::answered, message.text.substr(0, kSentence), message.code};
  if (w.use == Use::initialize || w.use == Use::discover)
    return introduction_failed(w, std::move(failure), message.payload, now);
  if (w.use == Use::person && failure.code == kUrlRequired && options_.facts.elicitation)
    if (const auto pages = required_pages(message.payload); !pages.empty())
      return visit(std::move(w), pages, std::move(failure), now);
  fail(std::move(w), std::move(failure), now);
}

void Session::on_result(Waiting&& w, const Payload& result, Time now) {
  switch (w.use) {
    case Use::initialize:
    case Use::discover: return introduced(w, result, now);
    case Use::list: return listed_page(result, now);
    case Use::listen: return;
    case Use::person: break;
  }
  if (version_ && stateless(*version_)) {
    if (const auto wanted = input_required(result)) return gather(std::move(w), *wanted, now);
    if (!known_result_type(*result))
      return fail(
          std::move(w),
          {Failure::Kind::refused,
           "the result is of a type that nobody asked for: " + text_in(*result, "resultType").substr(0, 100), 0, true},
          now);
  }
  numbers_.erase(w.ticket);
  outputs_.emplace_back(Done{w.ticket, result});
}

void Session::on_exchange_failed(std::uint64_t request, Failure failure, Time now) {
  const auto found = waiting_.find(request);
  if (found == waiting_.end()) return;
  Waiting w = std::move(found->second);
  waiting_.erase(found);
  retire(request);
  fail(std::move(w), std::move(failure), now);
}

void Session::fail_all(const Failure& failure, Time now) {
  for (std::uint64_t ask = 0; !asks_.empty();) {
    ask = asks_.begin()->first;
    asks_.erase(asks_.begin());
    outputs_.emplace_back(AskDropped{ask});
  }
  auto end = [&](Waiting& w, bool sent) {
    Failure own = failure;
    own.unknown = sent;
    if (w.use == Use::person) fail(std::move(w), std::move(own), now);
  };
  for (auto& [number, w] : std::exchange(waiting_, {})) end(w, true);
  for (Waiting& w : std::exchange(held_, {})) end(w, w.sent_again);
  for (auto& [ticket, g] : std::exchange(gathering_, {})) end(g.waiting, true);
}

void Session::give_up(Failure failure, Time now) {
  if (phase_ == Phase::failed) return;
  phase_ = Phase::failed;
  failure_ = std::move(failure);
  fail_all({Failure::Kind::closed, failure_.message, 0}, now);
}

void Session::on_closed(std::string reason, Time now) { give_up({Failure::Kind::closed, std::move(reason), 0}, now); }

void Session::on_session_lost(std::uint64_t request, Time now, bool current) {
  if (phase_ == Phase::failed) return;
  if (const auto found = waiting_.find(request); found != waiting_.end()) {
    Waiting w = std::move(found->second);
    waiting_.erase(found);
    if (w.use == Use::list) {
      list_running_ = false;
      list_wanted_ = true;
    } else if (w.use == Use::person && !w.sent_again) {
      w.sent_again = true;
      numbers_.erase(w.ticket);
      if (current || phase_ == Phase::introducing)
        held_.push_back(std::move(w));
      else
        put_out(std::move(w), now);
    } else {
      fail(std::move(w), {Failure::Kind::transport, "the server forgot the session twice", 404}, now);
    }
  }
  if (!current || phase_ == Phase::introducing || phase_ == Phase::failed) return;
  if (lost_) return give_up({Failure::Kind::transport, "the server forgot the session twice in a row", 404}, now);
  lost_ = true;
  tried_initialize_ = tried_discover_ = tried_older_ = false;
  introduce(Use::initialize, options_.newest, now);
}

}  // namespace BELAY_NAMESPACE::mcp
