// The life of a connection's thread.
#include "mcp/connection.h"
#include "mcp/place.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

// The last line of a server's standard error that holds something, for who reads why it went.
std::string last_line(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find_last_not_of("\r\n \t");
    if (end == text.npos) return {};
    text = text.substr(0, end + 1);
    const std::size_t begin = text.rfind('\n');
    const std::string_view line = begin == text.npos ? text : text.substr(begin + 1);
    return std::string(line.substr(0, 300));
  }
  return {};
}

// The last rows of it, for who made a call that it did not answer.
std::string last_words(std::string_view text) {
  constexpr std::size_t kWords = 1000, kRows = 10;
  const std::size_t end = text.find_last_not_of("\r\n \t");
  if (end == text.npos) return {};
  text = text.substr(0, end + 1);
  std::size_t from = text.size();
  for (std::size_t rows = 0; rows < kRows && from != 0; ++rows) {
    const std::size_t before = text.rfind('\n', from - 1);
    from = before == text.npos ? 0 : before;
  }
  text = text.substr(std::max(from, text.size() - std::min(text.size(), kWords)));
  // Not from the middle of a character.
  while (!text.empty() && (text[0] == '\n' || (static_cast<unsigned char>(text[0]) & 0xc0) == 0x80))
    text.remove_prefix(1);
  return std::string(text);
}

SessionOptions session_options(const ServerConfig& config, const ServersOptions& options) {
  SessionOptions out;
  out.facts.peer = options.peer;
  out.facts.roots = !options.roots.empty();
  out.facts.elicitation = static_cast<bool>(options.person);
  out.facts.sampling = static_cast<bool>(options.model);
  out.roots = options.roots;
  out.http = config.type != ServerConfig::Type::stdio;
  out.discover_first = options.discover_first;
  out.startup_ms = out.list_ms = std::llround(config.startup_timeout * 1000);
  out.limits = config.limits;
  out.place = place_of(config);
  return out;
}

}  // namespace

// One life after the other, until it is over.
void Connection::run() {
  while (!stopping()) {
    live();
    end_life(now_ms());
    if (!again_ || stopping()) break;
    const std::int64_t pause =
        std::min(options_.backoff_most_ms, options_.backoff_ms << std::min<std::size_t>(restarts_, 16));
    ++restarts_;
    if (!sleep(pause)) break;
  }
  std::vector<Order> left;
  {
    const std::lock_guard guard(mail_->lock);
    mail_->over = true;
    left = std::exchange(mail_->orders, {});
  }
  for (Order& o : left)
    if (auto* begin = std::get_if<Begin>(&o))
      begin->callbacks.done(std::unexpected(Failure{Failure::Kind::closed, why_down(), 0}));
}

// Says why a life is over, before the last of it has gone and before anybody hears of what failed with it. True:
// another follows.
bool Connection::judge() {
  const Failure failure = session_->failure();
  const std::string said = transport_ ? last_line(transport_->diagnosis()) : std::string();
  std::string reason = failure.message;
  if (!said.empty()) reason += "; its last words: " + said;
  if (was_ready_ && now_ms() - ready_since_ >= options_.steady_ms) restarts_ = 0;
  // A server that is silent, speaks another language or wants a key does not change by being started again. One that
  // is down behind a gateway does.
  const bool down = failure.code == 0 || failure.code == 502 || failure.code == 503 || failure.code == 504;
  const bool helps =
      !permanent_ && (failure.kind == Failure::Kind::closed || (failure.kind == Failure::Kind::transport && down));
  publish();
  if (!helps || restarts_ >= config_.restarts) {
    if (helps && config_.restarts > 0) reason += "; it was restarted " + std::to_string(restarts_) + " times in vain";
    set(State::failed, std::move(reason));
    return false;
  }
  {
    const std::lock_guard guard(lock_);
    status_.restarts += 1;
  }
  set(State::restarting, std::move(reason));
  return true;
}

void Connection::live() {
  ++life_;
  asks_.clear();
  introduced_ = was_ready_ = permanent_ = judged_ = again_ = false;
  session_ = std::make_unique<Session>(session_options(config_, options_));
  transport_ = config_.type == ServerConfig::Type::stdio ? stdio_transport(config_, options_.environment)
                                                         : http_transport(config_, *client_);
  Session::Time now = now_ms();
  if (auto opened = transport_->open(now); !opened) {
    permanent_ = true;
    session_->on_closed(opened.error(), now);
    transport_.reset();
    return perform(now);
  }
  session_->start(now);
  perform(now);
  std::vector<pollfd> polls;
  while (session_->phase() != Session::Phase::failed && !stopping()) {
    polls.assign(1, {mail_->event.get(), POLLIN, 0});
    transport_->add_polls(polls);
    std::optional<Session::Time> next = session_->deadline();
    if (const auto other = transport_->deadline()) next = std::min(next.value_or(*other), *other);
    now = now_ms();
    const int wait = next ? static_cast<int>(std::clamp<Session::Time>(*next - now, 0, 60'000)) : 60'000;
    if (::poll(polls.data(), polls.size(), wait) < 0 && errno != EINTR) break;
    now = now_ms();
    if (polls[0].revents != 0) obey(now);
    transport_->turn(std::span(polls).subspan(1), now, *this);
    perform(now);
    session_->on_time(now);
    perform(now);
  }
}

void Connection::end_life(Session::Time now) {
  session_->on_closed("Belay ends it", now);
  perform(now);
  if (!transport_) return;
  transport_->close(now);
  std::vector<pollfd> polls;
  while (!transport_->gone()) {
    polls.assign(1, {stopping() ? -1 : mail_->event.get(), POLLIN, 0});
    transport_->add_polls(polls);
    const auto next = transport_->deadline();
    const int wait = next ? static_cast<int>(std::clamp<Session::Time>(*next - now_ms(), 0, 60'000)) : 60'000;
    if (::poll(polls.data(), polls.size(), wait) < 0 && errno != EINTR) break;
    now = now_ms();
    if (polls[0].revents != 0) obey(now);
    transport_->turn(std::span(polls).subspan(1), now, *this);
    perform(now);
  }
}

bool Connection::sleep(std::int64_t ms) {
  const Session::Time until = now_ms() + ms;
  while (!stopping()) {
    const Session::Time left = until - now_ms();
    if (left <= 0) return true;
    pollfd event{mail_->event.get(), POLLIN, 0};
    ::poll(&event, 1, static_cast<int>(std::min<Session::Time>(left, 60'000)));
    if (event.revents != 0) {
      obey(now_ms());
      perform(now_ms());
    }
  }
  return false;
}

void Connection::obey(Session::Time now) {
  std::uint64_t count = 0;
  while (::read(mail_->event.get(), &count, sizeof count) < 0 && errno == EINTR) continue;
  std::vector<Order> orders;
  {
    const std::lock_guard guard(mail_->lock);
    orders = std::exchange(mail_->orders, {});
  }
  for (Order& o : orders) {
    if (auto* begin = std::get_if<Begin>(&o)) {
      // What the session says when it is down is one sentence; the state says more.
      if (session_->phase() == Session::Phase::failed) {
        begin->callbacks.done(std::unexpected(Failure{Failure::Kind::closed, why_down(), 0}));
        continue;
      }
      const Ticket ticket = session_->request(std::move(begin->method), std::move(begin->params), begin->options, now);
      calls_[ticket] = begin->call;
      waiting_.emplace(begin->call, std::pair(ticket, std::move(begin->callbacks)));
    } else if (auto* cancel = std::get_if<Cancel>(&o)) {
      if (const auto found = waiting_.find(cancel->call); found != waiting_.end())
        session_->cancel(found->second.first, cancel->reason, now);
    } else if (auto* reply = std::get_if<Reply>(&o); reply && reply->life == life_) {
      asks_.erase(reply->ask);
      session_->answer(reply->ask, reply->result, now);
    }
  }
}

void Connection::perform(Session::Time now) {
  if (session_->phase() == Session::Phase::failed && !judged_ && !stopping()) {
    judged_ = true;
    again_ = judge();
  }
  for (Output& output : session_->take()) {
    if (auto* send = std::get_if<Send>(&output)) {
      if (transport_) transport_->send(std::move(*send), now);
    } else if (auto* abandon = std::get_if<Abandon>(&output)) {
      if (transport_) transport_->abandon(abandon->request);
    } else if (auto* done = std::get_if<Done>(&output)) {
      const auto call = calls_.find(done->ticket);
      if (call == calls_.end()) continue;
      if (!done->answer && done->answer.error().kind == Failure::Kind::closed && transport_)
        if (const std::string said = last_words(transport_->diagnosis()); !said.empty())
          done->answer.error().message += "; its last words: " + said;
      auto node = waiting_.extract(call->second);
      calls_.erase(call);
      node.mapped().second.done(std::move(done->answer));
    } else if (auto* made = std::get_if<Progressed>(&output)) {
      const auto call = calls_.find(made->ticket);
      if (call == calls_.end()) continue;
      const auto& callbacks = waiting_.at(call->second).second;
      if (callbacks.progress) callbacks.progress(made->progress);
    } else if (auto* ask = std::get_if<Ask>(&output)) {
      const Asker& asker = ask->method == "sampling/createMessage" ? options_.model : options_.person;
      const std::uint64_t number = ask->number, life = life_;
      asker({config_.name, ask->method, ask->params, ask->first, asks_[number].get_token()},
            [mail = mail_, life, number](std::expected<std::string, std::string> r) {
              mail->put(Reply{life, number, std::move(r)});
            });
    } else if (auto* dropped = std::get_if<AskDropped>(&output)) {
      if (auto node = asks_.extract(dropped->number)) node.mapped().request_stop();
    } else if (std::get_if<Listed>(&output)) {
      publish_tools();
    }
  }
  if (options_.log)
    for (const LogLine& line : session_->take_log()) options_.log(config_.name, line);
  if (session_->phase() == Session::Phase::failed || !transport_) return;
  if (!introduced_ && session_->version()) {
    if (session_->phase() == Session::Phase::listing || session_->phase() == Session::Phase::ready) {
      introduced_ = true;
      transport_->introduced(*session_, now);
    }
  }
  if (session_->phase() == Session::Phase::ready && !was_ready_) {
    was_ready_ = true;
    ready_since_ = now;
    publish();
    set(State::ready, "");
  }
}

// What the session makes of these is performed when the turn is over: a flood is then one piece of news.
void Connection::text(std::string_view text, std::uint64_t exchange) { session_->on_text(text, now_ms(), exchange); }
void Connection::exchange_failed(std::uint64_t request, Failure failure) {
  session_->on_exchange_failed(request, std::move(failure), now_ms());
}
void Connection::session_lost(std::uint64_t request, bool current) {
  if (current) introduced_ = false;
  session_->on_session_lost(request, now_ms(), current);
}
bool Connection::waits_for(std::uint64_t request) const { return session_->waits_for(request); }
void Connection::closed(std::string reason) { session_->on_closed(std::move(reason), now_ms()); }

}  // namespace BELAY_NAMESPACE::mcp
