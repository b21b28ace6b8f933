// What the server says of its own accord: requests, notifications, and input that a result asks for.
#include <belay/mcp/session.h>

#include "mcp/object.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

// Of a line, as much as tells what it is; not half a character.
std::string opening(std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  std::size_t end = std::min<std::size_t>(line.size(), 100);
  while (end > 0 && end < line.size() && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
  return std::string(line.substr(0, end)) + (end < line.size() ? "..." : "");
}

}  // namespace

void Session::on_text(std::string_view text, Time now, std::uint64_t exchange) {
  if (phase_ == Phase::failed) return;
  Incoming incoming = decode(text, options_.codec);
  for (Message& message : incoming.messages) {
    if (phase_ == Phase::failed) return;
    // What comes alone as the answer to a request is about that, though its id is missing or cannot be read.
    const bool alone = message.kind == Message::Kind::garbage && incoming.messages.size() == 1 && !message.asked;
    if ((message.kind == Message::Kind::error || alone) && !message.id && exchange != 0)
      message.id = number_id(exchange);
    if (message.kind == Message::Kind::garbage && first_noise_.empty()) first_noise_ = opening(text);
    on_message(message, now);
  }
}

void Session::on_message(const Message& message, Time now) {
  switch (message.kind) {
    case Message::Kind::request: return on_request(message);
    case Message::Kind::notification: return on_notification(message, now);
    case Message::Kind::result: return on_answer(message, now);
    case Message::Kind::error:
      // An error without an id is about something that the server could not read. Nobody can say what.
      if (!message.id)
        ++oddities_.unknown_ids;
      else
        on_answer(message, now);
      return;
    case Message::Kind::garbage:
      ++(message.looks_like_json ? oddities_.garbage : oddities_.noise);
      if (message.id) {
        const auto number = number_of(message.id);
        if (number && waiting_.contains(*number)) on_answer(message, now);
      } else if (message.half_answer && waiting_.size() == 1 && retired_.empty()) {
        // Every other request has been answered: there is but one that this can belong to.
        Message own = message;
        own.id = number_id(waiting_.begin()->first);
        on_answer(own, now);
      }
      return;
  }
}

void Session::refuse(const Message& message, std::int64_t code, std::string_view why) {
  ++oddities_.refused;
  Send send;
  send.text = encode_error(message.id, code, why);
  send.version = version_;
  outputs_.emplace_back(std::move(send));
}

void Session::on_request(const Message& message) {
  // 2026-07-28 has no requests of servers, and no answers to them.
  if (version_ && stateless(*version_)) {
    ++oddities_.refused;
    return;
  }
  std::optional<std::string> result;
  if (message.method == "ping") {
    result = "{}";
  } else if (message.method == "roots/list" && options_.facts.roots) {
    result = roots_result(options_.roots);
  } else if ((message.method == "sampling/createMessage" && options_.facts.sampling) ||
             (message.method == "elicitation/create" && options_.facts.elicitation)) {
    if (const std::string why = too_many_asks(1); !why.empty()) return refuse(message, kInternalError, why);
    open_ask({message.id, 0, {}, message.method == "elicitation/create"}, message.method, message.payload);
    return;
  }
  if (!result) {
    const bool asks = message.method == "sampling/createMessage" || message.method == "elicitation/create";
    return refuse(message, kMethodNotFound,
                  "this client does not offer " + message.method.substr(0, 100) +
                      (asks ? ": nobody is here who could be asked" : ""));
  }
  Send send;
  send.text = encode_result(message.id, *result);
  send.version = version_;
  outputs_.emplace_back(std::move(send));
}

// Nobody wants to answer a server all day.
std::string Session::too_many_asks(std::size_t more) const {
  const SessionLimits& limits = options_.limits;
  if (asks_.size() + more > limits.asks) return "too many questions at once (limit asks)";
  if (next_ask_ - 1 + more > limits.questions)
    return "more than " + std::to_string(limits.questions) + " questions (limit questions)";
  return {};
}

std::uint64_t Session::open_ask(Asked asked, std::string method, Payload params, bool first) {
  const std::uint64_t number = next_ask_++;
  asks_.emplace(number, std::move(asked));
  outputs_.emplace_back(Ask{number, std::move(method), std::move(params), first});
  return number;
}

void Session::answer(std::uint64_t ask, const std::expected<std::string, std::string>& result, Time now) {
  const auto found = asks_.find(ask);
  if (found == asks_.end()) return;
  const Asked asked = std::move(found->second);
  asks_.erase(found);
  for (auto& [number, w] : waiting_) w.deadline = std::max(w.deadline, now + w.options.timeout_ms);
  if (asked.id) {
    Send send;
    send.text = result ? encode_result(asked.id, *result) : encode_error(asked.id, -1, result.error());
    send.version = version_;
    outputs_.emplace_back(std::move(send));
    return;
  }
  const auto g = gathering_.find(asked.gathering);
  if (g == gathering_.end()) return;
  g->second.asks.erase(ask);
  if (g->second.refused) {
    if (!result || !is_accepted(*result)) return not_visited(asked.gathering, now);
  } else if (result) {
    g->second.answers[asked.key] = *result;
  } else if (asked.elicitation) {
    g->second.answers[asked.key] = elicitation_result(Choice::decline);
  } else {
    return cancel(asked.gathering, "the server's question was refused: " + result.error(), now);
  }
  if (g->second.asks.empty()) gathered(asked.gathering, now);
}

void Session::gather(Waiting&& w, const InputRequired& wanted, Time now) {
  if (++w.rounds > options_.limits.rounds)
    return fail(std::move(w),
                {Failure::Kind::refused,
                 "it asked for input more than " + std::to_string(options_.limits.rounds) + " times (limit rounds)", 0},
                now);
  if (std::string why = too_many_asks(wanted.requests.size()); !why.empty())
    return fail(std::move(w), {Failure::Kind::refused, std::move(why), 0}, now);
  Gathering g;
  g.state = wanted.state;
  const Ticket ticket = w.ticket;
  numbers_.erase(ticket);
  std::vector<std::pair<const InputRequest*, bool>> questions;
  for (const InputRequest& request : wanted.requests) {
    const bool elicitation = request.method == "elicitation/create";
    if (request.method == "roots/list" && options_.facts.roots) {
      g.answers[request.key] = roots_result(options_.roots);
    } else if (elicitation && !options_.facts.elicitation) {
      ++oddities_.refused;
      g.answers[request.key] = elicitation_result(Choice::decline);
    } else if (elicitation || (request.method == "sampling/createMessage" && options_.facts.sampling)) {
      questions.emplace_back(&request, elicitation);
    } else {
      ++oddities_.refused;
      return fail(
          std::move(w),
          {Failure::Kind::refused, "it wants something that was not offered: " + request.method.substr(0, 100), 0},
          now);
    }
  }
  g.waiting = std::move(w);
  Gathering& kept = gathering_.emplace(ticket, std::move(g)).first->second;
  for (const auto& [request, elicitation] : questions)
    kept.asks.insert(open_ask({{}, ticket, request->key, elicitation}, request->method, request->params));
  if (kept.asks.empty()) gathered(ticket, now);
}

// 2025-11-25: an error that names pages. When the person has been there, the request is sent again as it was.
void Session::visit(Waiting&& w, const std::vector<Payload>& pages, Failure failure, Time now) {
  if (++w.rounds > options_.limits.rounds || !too_many_asks(pages.size()).empty())
    return fail(std::move(w), std::move(failure), now);
  const Ticket ticket = w.ticket;
  numbers_.erase(ticket);
  Gathering g;
  g.refused = std::move(failure);
  g.waiting = std::move(w);
  Gathering& kept = gathering_.emplace(ticket, std::move(g)).first->second;
  for (const Payload& page : pages)
    kept.asks.insert(open_ask({{}, ticket, {}, true}, "elicitation/create", page, true));
}

void Session::not_visited(Ticket ticket, Time now) {
  auto node = gathering_.extract(ticket);
  for (const std::uint64_t ask : node.mapped().asks) {
    asks_.erase(ask);
    outputs_.emplace_back(AskDropped{ask});
  }
  fail(std::move(node.mapped().waiting), node.mapped().refused.value_or(Failure{}), now);
}

void Session::gathered(Ticket ticket, Time now) {
  auto node = gathering_.extract(ticket);
  Gathering& g = node.mapped();
  Object answers;
  for (const auto& [key, value] : g.answers) answers.raw(key, value);
  // The request as it was first, with the answers beside its own members.
  Object more;
  if (!g.answers.empty()) more.raw("inputResponses", answers.done());
  if (g.state) more.text("requestState", *g.state);
  Waiting w = std::move(g.waiting);
  const std::string original = w.params;
  if (!more.empty()) {
    const std::string added = more.done();
    w.params = original.size() > 2 ? original.substr(0, original.size() - 1) + "," + added.substr(1) : added;
  }
  w.deadline = now + w.options.timeout_ms;
  const std::uint64_t number = next_;
  put_out(std::move(w), now);
  waiting_.at(number).params = original;
}

void Session::on_notification(const Message& message, Time now) {
  const std::string& method = message.method;
  if (method == "notifications/tools/list_changed") {
    list_wanted_ = true;
    if (!list_running_ && phase_ == Phase::ready && now >= list_ended_ + options_.relist_ms) begin_listing(now);
  } else if (method == "notifications/progress" && message.payload) {
    const auto progress = progress_of(*message.payload);
    const auto number = progress ? number_of(progress->token) : std::nullopt;
    const auto found = number ? waiting_.find(*number) : waiting_.end();
    if (!progress || found == waiting_.end() || found->second.use != Use::person || !found->second.options.progress) {
      ++oddities_.stray_progress;
      return;
    }
    found->second.deadline = now + found->second.options.timeout_ms;
    // A flood is one piece of news: only the last one that is not yet taken counts.
    if (!outputs_.empty())
      if (auto* last = std::get_if<Progressed>(&outputs_.back()); last && last->ticket == found->second.ticket) {
        last->progress = *progress;
        return;
      }
    outputs_.emplace_back(Progressed{found->second.ticket, *progress});
  } else if (method == "notifications/message" && message.payload) {
    if (auto line = log_line(*message.payload)) keep_log(std::move(*line));
  } else if (method == "notifications/cancelled" && message.payload) {
    const auto id = message.payload->find("requestId");
    if (!id) return;
    const std::string text = json::to_string(*id);
    for (auto ask = asks_.begin(); ask != asks_.end(); ++ask) {
      if (!ask->second.id || to_json(ask->second.id) != text) continue;
      outputs_.emplace_back(AskDropped{ask->first});
      asks_.erase(ask);
      return;
    }
  }
}

void Session::keep_log(LogLine line) {
  if (line.text.size() > 4096) line.text.resize(4096);  // the end may be half a character; who shows it replaces that
  line.logger.resize(std::min<std::size_t>(line.logger.size(), 100));
  line.level.resize(std::min<std::size_t>(line.level.size(), 20));
  auto size = [](const LogLine& l) { return l.text.size() + l.logger.size() + l.level.size(); };
  log_bytes_ += size(line);
  log_.push_back(std::move(line));
  while (log_.size() > options_.limits.log_lines || log_bytes_ > options_.limits.log_bytes) {
    log_bytes_ -= size(log_.front());
    log_.pop_front();
    ++oddities_.dropped_logs;
  }
}

std::vector<LogLine> Session::take_log() {
  std::vector<LogLine> out(std::make_move_iterator(log_.begin()), std::make_move_iterator(log_.end()));
  log_.clear();
  log_bytes_ = 0;
  return out;
}

}  // namespace BELAY_NAMESPACE::mcp
