#include <belay/net/client.h>

#include "net/signals.h"
#include "net/transfer.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace BELAY_NAMESPACE::net {
namespace {

constexpr int kLongestPoll = 600'000;  // milliseconds; the thread is woken when there is something to do
constexpr std::chrono::milliseconds kBetweenLooks{5};

// Certificates to trust, when no file was named.
std::string ca_file_of_environment() {
  for (const char* name : {"SSL_CERT_FILE", "CURL_CA_BUNDLE"})
    if (const char* value = std::getenv(name); value && *value) return value;
  return {};
}

}  // namespace

// Callers leave orders; the thread carries them out between two rounds of libcurl, so nothing else needs a lock.
struct Client::State {
  struct Order {
    enum class Kind : std::uint8_t { start, cancel, resume } kind = Kind::start;
    Id id = 0;
    std::unique_ptr<Transfer> transfer{};
  };

  explicit State(ClientOptions given) : options(std::move(given)) {
    const SignalsHeld held;
    thread = std::jthread([this] { run(); });
  }
  void give(Order order);
  void run();
  void carry_out(Order order);
  void admit(std::unique_ptr<Transfer> transfer);
  void admit_waiting();
  void reap();
  /// Ends what has run out of time, and says how many milliseconds nothing else will.
  int expire();
  /// Takes it from libcurl and tells its receiver.
  void finish(Id id, const std::optional<Error>& error);
  void finish_waiting(const std::deque<std::unique_ptr<Transfer>>::iterator& at, const std::optional<Error>& error);
  [[nodiscard]] Time next_deadline() const;
  [[nodiscard]] bool has_room(const Place& place) const;

  std::mutex lock;  // for the next four
  std::vector<Order> orders;
  bool stopping = false;
  Id last_id = 0;
  CURLM* multi = nullptr;

  ClientOptions options;
  Manner manner;
  std::map<Id, std::unique_ptr<Transfer>> active;
  std::deque<std::unique_ptr<Transfer>> waiting;  // for a connection; those of one host in their order
  std::map<std::string, std::size_t, std::less<>> at_host;
  Time next_look{};     // at the clocks
  std::jthread thread;  // last: it uses all of the above
};

void Client::State::give(Order order) {
  const std::lock_guard guard(lock);
  orders.push_back(std::move(order));
  if (multi) curl_multi_wakeup(multi);  // before that, the thread has yet to look for orders
}

void Client::State::run() {
  // Safe from several threads, and does its work once. Never undone: a name that takes long to resolve may still be
  // looked for by a thread of libcurl's.
  curl_global_init(CURL_GLOBAL_DEFAULT);
  manner = {options.user_agent, options.ca_file.empty() ? ca_file_of_environment() : options.ca_file};
  CURLM* const mine = curl_multi_init();
  curl_multi_setopt(mine, CURLMOPT_MAXCONNECTS,
                    static_cast<long>(std::min<std::size_t>(options.connections_a_host, 500) + 64));
  {
    const std::lock_guard guard(lock);
    multi = mine;
  }
  for (bool ending = false; !ending;) {
    std::vector<Order> next;
    {
      const std::lock_guard guard(lock);
      next.swap(orders);
      ending = stopping;
    }
    for (Order& order : next) carry_out(std::move(order));
    if (ending) break;
    admit_waiting();
    int running = 0;
    curl_multi_perform(multi, &running);
    reap();
    const int quiet = expire();
    admit_waiting();
    curl_multi_poll(multi, nullptr, 0, quiet, nullptr);
  }
  // A receiver that starts another request now gets its end as well.
  while (true) {
    while (!waiting.empty()) finish_waiting(waiting.begin(), cancelled(waiting.front()->place()));
    while (!active.empty()) finish(active.begin()->first, cancelled(active.begin()->second->place()));
    std::vector<Order> next;
    {
      const std::lock_guard guard(lock);
      next.swap(orders);
      if (next.empty()) multi = nullptr;
    }
    if (next.empty()) break;
    for (Order& order : next) carry_out(std::move(order));
  }
  curl_multi_cleanup(mine);
}

void Client::State::carry_out(Order order) {
  if (order.kind == Order::Kind::start) {
    if (!order.transfer->prepare(manner)) {
      order.transfer->end(order.transfer->failure());
      return;
    }
    waiting.push_back(std::move(order.transfer));
    return;
  }
  const auto found = active.find(order.id);
  if (order.kind == Order::Kind::resume) {
    if (found != active.end() && !found->second->resume(std::chrono::steady_clock::now()))
      finish(order.id, found->second->failure());
    return;
  }
  if (found != active.end()) {
    finish(order.id, cancelled(found->second->place()));
    return;
  }
  const auto at = std::ranges::find(waiting, order.id, [](const auto& transfer) { return transfer->id(); });
  if (at != waiting.end()) finish_waiting(at, cancelled((*at)->place()));
}

bool Client::State::has_room(const Place& place) const {
  const auto found = at_host.find(place.host);
  return found == at_host.end() || found->second < std::max<std::size_t>(options.connections_a_host, 1);
}

void Client::State::admit_waiting() {
  for (std::size_t i = 0; i < waiting.size();) {
    if (!has_room(waiting[i]->place())) {
      ++i;
      continue;
    }
    std::unique_ptr<Transfer> transfer = std::move(waiting[i]);
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
    admit(std::move(transfer));
  }
}

void Client::State::admit(std::unique_ptr<Transfer> transfer) {
  const Id id = transfer->id();
  if (curl_multi_add_handle(multi, transfer->easy()) != CURLM_OK) {
    const auto error = transfer->outcome(CURLE_FAILED_INIT);
    transfer->end(error);
    return;
  }
  ++at_host[transfer->place().host];
  active.emplace(id, std::move(transfer));
}

void Client::State::reap() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;
    Transfer* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    finish(transfer->id(), transfer->outcome(code));
  }
}

int Client::State::expire() {
  const Time now = std::chrono::steady_clock::now();
  const auto until = [now](Time then) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(then - now).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, kLongestPoll));
  };
  // With many exchanges there is something to do all the time, and looking at all clocks each time would cost more.
  if (now < next_look) return until(next_look);
  next_look = now + kBetweenLooks;
  std::vector<Id> gone;
  for (const auto& [id, transfer] : active)
    if (transfer->expired(now)) gone.push_back(id);
  for (Id id : gone) finish(id, active.at(id)->failure());
  for (std::size_t i = 0; i < waiting.size();) {
    if (waiting[i]->expired(now))
      finish_waiting(waiting.begin() + static_cast<std::ptrdiff_t>(i), waiting[i]->failure());
    else
      ++i;
  }
  const Time next = next_deadline();
  return next == Time::max() ? kLongestPoll : until(next);
}

void Client::State::finish(Id id, const std::optional<Error>& error) {
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): it may be the transfer's own
  const std::optional<Error> kept = error;
  auto node = active.extract(id);
  Transfer& transfer = *node.mapped();
  curl_multi_remove_handle(multi, transfer.easy());
  const auto count = at_host.find(transfer.place().host);
  if (--count->second == 0) at_host.erase(count);
  transfer.end(kept);
}

void Client::State::finish_waiting(const std::deque<std::unique_ptr<Transfer>>::iterator& at,
                                   const std::optional<Error>& error) {
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): the same
  const std::optional<Error> kept = error;
  const std::unique_ptr<Transfer> transfer = std::move(*at);
  waiting.erase(at);
  transfer->end(kept);
}

Time Client::State::next_deadline() const {
  Time next = Time::max();
  for (const auto& [id, transfer] : active) next = std::min(next, transfer->deadline());
  for (const auto& transfer : waiting) next = std::min(next, transfer->deadline());
  return next;
}

Client::Client(ClientOptions options) : state_(std::make_unique<State>(std::move(options))) {}

Client::~Client() {
  const std::lock_guard guard(state_->lock);
  state_->stopping = true;
  if (state_->multi) curl_multi_wakeup(state_->multi);
}

Client::Id Client::start(Request request, std::shared_ptr<Receiver> receiver) {
  Id id = 0;
  {
    const std::lock_guard guard(state_->lock);
    id = ++state_->last_id;
  }
  state_->give(
      {State::Order::Kind::start, id, std::make_unique<Transfer>(id, std::move(request), std::move(receiver))});
  return id;
}

void Client::cancel(Id id) { state_->give({.kind = State::Order::Kind::cancel, .id = id}); }

void Client::resume(Id id) { state_->give({.kind = State::Order::Kind::resume, .id = id}); }

}  // namespace BELAY_NAMESPACE::net
