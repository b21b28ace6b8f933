#include <belay/run/agent.h>

#include "run/exchange.h"
#include "run/facts.h"
#include "run/workers.h"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace BELAY_NAMESPACE::run {
namespace {

std::int64_t clock_now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};

}  // namespace

struct Agent::State {
  State(AgentOptions given, task::Tree grown)
      : options(std::move(given)), tree(std::move(grown)), workers(facts, *options.tools, options.parallel_tools) {}

  // Facts in.
  void handle(Fact fact);
  void on(HeadCame& fact);
  void on(BytesCame& fact);
  void on(ExchangeEnded& fact);
  void on(ToolSaid& fact);
  void on(ToolEnded& fact);
  void on(PersonReplied& fact);
  void on(PersonSaid& fact) { take(tree.on_message(std::move(fact.blocks), clock_now())); }
  void on(PersonStopped&) {
    if (!tree.finished()) take(tree.on_abort(clock_now()));
  }
  void on(PersonLeft&);
  void on(RuleAdded& fact) { tree.add_rule(std::move(fact.rule)); }

  // Actions out. False when the records could not be kept: then nothing of the step was performed.
  bool take(task::Step step);
  void perform(const std::string& task, task::Deed& deed);
  void send(const std::string& task, const task::SendRequest& deed);
  void settle(std::uint64_t exchange, ModelExchange::Result result);
  void note(const task::Record& record);
  void log(std::string_view level, std::string line) {
    if (options.log) options.log(level, secrets_of(options.endpoint).without(std::move(line)));
  }

  AgentOptions options;
  task::Tree tree;
  Facts facts;
  Workers workers;
  // Behind the mailbox: its thread posts until it is gone.
  std::map<std::uint64_t, ModelExchange> exchanges;
  std::optional<net::Client> client;
  std::uint64_t next_exchange = 1;
  std::optional<std::int64_t> wake;
  bool heard = false;  // of the model's server, ever
  std::optional<task::Finished> finished;
  std::optional<std::string> broken;  // the store's error
  bool left = false;
  std::set<std::string> questions;  // that are open
};

void Agent::State::handle(Fact fact) {
  std::visit([this](auto& f) { on(f); }, fact);
}

void Agent::State::on(HeadCame& fact) {
  auto found = exchanges.find(fact.exchange);
  if (found == exchanges.end()) return;
  found->second.head(fact.head);
  heard = true;
  log("debug", "exchange " + std::to_string(fact.exchange) + ": status " + std::to_string(fact.head.status));
}

void Agent::State::on(BytesCame& fact) {
  auto found = exchanges.find(fact.exchange);
  if (found == exchanges.end()) return;
  ModelExchange& exchange = found->second;
  if (exchange.post->taken(fact.bytes.size())) client->resume(exchange.transfer);
  if (auto result = exchange.bytes(fact.bytes, clock_now())) settle(fact.exchange, std::move(*result));
}

void Agent::State::on(ExchangeEnded& fact) {
  auto found = exchanges.find(fact.exchange);
  if (found == exchanges.end()) return;
  if (auto result = found->second.ended(fact.error, clock_now())) settle(fact.exchange, std::move(*result));
  exchanges.erase(fact.exchange);
}

// The task goes on with an answer; the connection may still be busy with what nobody reads.
void Agent::State::settle(std::uint64_t exchange, ModelExchange::Result result) {
  ModelExchange& e = exchanges.at(exchange);
  if (options.record) options.record(e.recording());
  const std::string task = e.task();
  const std::uint64_t request = e.request();
  if (result) {
    take(tree.on_answer(task, request, std::move(*result), clock_now()));
  } else {
    log("warning",
        "request " + std::to_string(request) + " failed: " + result.error().kind + ": " + result.error().message);
    // A server that was there may come back; an address at which nobody ever was is a mistake more often.
    constexpr std::uint64_t kTries = 2;
    if (!heard && e.unreachable() && e.attempt() >= kTries) result.error().kind = "unreachable";
    if (const std::string help = options.remedy ? options.remedy(result.error().kind) : ""; !help.empty()) {
      std::string& message = result.error().message;
      message += std::string_view(".!?").contains(message.empty() ? '.' : message.back()) ? " " : ". ";
      message += help;
    }
    take(tree.on_failure(task, request, std::move(result.error()), clock_now()));
  }
}

void Agent::State::on(ToolSaid& fact) {
  task::Event event{.kind = task::EventKind::tool_output, .task = fact.task, .call = fact.call};
  event.text = std::move(fact.text);
  options.front->on(event);
}

void Agent::State::on(ToolEnded& fact) {
  workers.ended(fact);
  log("info", "tool run " + fact.call + "#" + std::to_string(fact.run) + " ended" +
                  (fact.result.is_error ? " with an error" : ""));
  take(tree.on_tool_result(fact.task, fact.call, fact.run, std::move(fact.result), clock_now()));
}

void Agent::State::on(PersonReplied& fact) {
  questions.erase(fact.question);
  take(tree.on_reply(fact.task, fact.question, std::move(fact.reply), clock_now()));
}

// Who only waits for the person's word can be asked again later; whatever is under way is stopped in good order.
void Agent::State::on(PersonLeft&) {
  left = true;
  if (!tree.finished() && (workers.any() || !exchanges.empty() || questions.empty())) take(tree.on_abort(clock_now()));
}

bool Agent::State::take(task::Step step) {
  if (broken) return false;
  if (options.store && !step.records.empty())
    if (auto kept = options.store->append(step.records); !kept) {
      broken = kept.error().message;
      log("error", "the records could not be kept: " + *broken);
      return false;
    }
  for (const task::Record& record : step.records) {
    note(record);
    options.front->kept(record);
  }
  // A result may be large, and stands in each of these.
  step.records = {};
  for (task::Event& event : step.events) {
    const task::Event told = std::move(event);
    options.front->on(told);
  }
  for (task::Action& action : step.actions) perform(action.task, action.deed);
  return true;
}

void Agent::State::perform(const std::string& task, task::Deed& deed) {
  std::visit(Overloaded{
                 [&](task::SendRequest& d) { send(task, d); },
                 [&](task::CancelRequest& d) {
                   for (auto& [id, exchange] : exchanges)
                     if (exchange.task() == task && exchange.request() == d.request) client->cancel(exchange.transfer);
                 },
                 [&](task::RunTool& d) {
                   log("info", "tool run " + d.call + "#" + std::to_string(d.run) + ": " + d.tool);
                   workers.start(task, d);
                 },
                 [&](task::CancelTool& d) { workers.cancel(task, d.call, d.run); },
                 [&](task::AskPerson& d) {
                   questions.insert(d.id);
                   options.front->ask(task, d);
                 },
                 [&](task::DropQuestion& d) {
                   questions.erase(d.id);
                   options.front->drop(d.id);
                 },
                 [&](task::Wait& d) { wake = d.until; },
                 [&](task::Finish& d) {
                   if (task == tree.id()) finished = std::move(d.end);
                 },
             },
             deed);
}

void Agent::State::send(const std::string& task, const task::SendRequest& deed) {
  if (!client) client.emplace();
  const std::uint64_t id = next_exchange++;
  chat::Request body = deed.body;
  if (!options.model.empty()) body.model = options.model;
  net::Request request = request_to(options.endpoint, body);
  auto [place, added] = exchanges.try_emplace(
      id, options.endpoint, task, deed, *options.tools, [this](const task::Event& event) { options.front->on(event); },
      options.limits);
  ModelExchange& exchange = place->second;
  if (options.record) {
    exchange.keep_bytes(true);
    exchange.recorded().url = request.url;
    exchange.recorded().model = body.model;
    exchange.recorded().request = request.body;
  }
  log("debug", "exchange " + std::to_string(id) + ": " + std::to_string(request.body.size()) + " bytes to " +
                   request.url + ", attempt " + std::to_string(deed.attempt));
  exchange.post = std::make_shared<Post>(facts, id);
  exchange.transfer = client->start(std::move(request), exchange.post);
}

// For who has to find out what a model did: what was damaged, with the bytes as they came, as far as they are kept.
void Agent::State::note(const task::Record& record) {
  if (!options.log) return;
  if (const auto* turn = std::get_if<task::Turn>(&record.body)) {
    for (const task::PlannedCall& call : turn->calls)
      if (!call.damage.raw.empty() || !call.error.empty())
        log("warning", "call " + call.id + " of " + call.name + ": " + std::string(json::name(call.damage.verdict)) +
                           (call.error.empty() ? "" : ", " + call.error) + "; as received: " + call.damage.raw);
  } else if (const auto* failed = std::get_if<task::RequestFailed>(&record.body)) {
    log("info", "attempt " + std::to_string(failed->attempt) + (failed->retried ? " will be" : " will not be") +
                    " followed by another");
  } else if (const auto* end = std::get_if<task::Finished>(&record.body)) {
    log("info", "task " + record.task + " finished: " + std::string(task::name(end->reason)) + " " + end->detail);
  }
}

Agent::Agent(AgentOptions options, task::Tree tree)
    : state_(std::make_unique<State>(std::move(options), std::move(tree))) {}
Agent::~Agent() = default;

std::expected<task::Finished, std::string> Agent::run(bool stay) {
  State& s = *state_;
  if (s.take(s.tree.start(clock_now())) && s.options.begun) s.options.begun();
  bool idle = false;
  while (!s.broken) {
    const bool quiet = !s.workers.any() && s.exchanges.empty();
    if (s.left && (quiet || s.tree.finished())) break;
    // What was said before it ended may open it again.
    if (s.tree.finished() && !stay && s.facts.empty()) break;
    if (s.tree.finished() && !idle) s.options.front->idle();
    idle = s.tree.finished();
    std::optional<Fact> fact = s.facts.next(s.wake);
    if (fact) {
      s.handle(std::move(*fact));
    } else {
      s.wake.reset();
      s.take(s.tree.on_time(clock_now()));
    }
  }
  s.workers.stop_all();
  if (s.broken) return std::unexpected(*s.broken);
  if (s.finished) return std::move(*s.finished);
  return task::Finished{task::EndReason::aborted, "", "left before it was done"};
}

void Agent::reply(std::string task, std::string question, task::Reply reply) {
  state_->facts.post(PersonReplied{std::move(task), std::move(question), std::move(reply)});
}
void Agent::say(std::vector<chat::Block> blocks) { state_->facts.post(PersonSaid{std::move(blocks)}); }
void Agent::stop() { state_->facts.post(PersonStopped{}); }
void Agent::leave() { state_->facts.post(PersonLeft{}); }
void Agent::allow(policy::Rule rule) { state_->facts.post(RuleAdded{std::move(rule)}); }

}  // namespace BELAY_NAMESPACE::run
