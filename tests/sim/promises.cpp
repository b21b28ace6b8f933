#include "sim/promises.h"

#include <belay/task/history.h>

#include <algorithm>
#include <span>

namespace belay::sim {
namespace {

using chat::Block;
using chat::Message;

std::string run_name(const std::string& task, const std::string& call, std::uint64_t run) {
  return task + " " + call + " " + std::to_string(run);
}

// Calls and results of a conversation in the order in which they stand, without what a wire cannot hold.
std::vector<std::string> pairs_of(std::span<const Message> messages) {
  std::vector<std::string> out;
  for (const Message& m : messages)
    for (const Block& b : m.blocks) {
      if (b.kind == Block::Kind::tool_call) out.push_back("call " + b.name);
      if (b.kind == Block::Kind::tool_result) out.push_back("result");
    }
  return out;
}

}  // namespace

std::string Promises::before_keeping(const task::Step& step) const {
  for (const task::Event& event : step.events) {
    if (event.kind != task::EventKind::notice) continue;
    if (event.name == "fault") return "a fault: " + event.text;
    if (event.name == "healed") return "a history had to be healed: " + event.text;
  }
  return {};
}

std::string Promises::kept(const task::Step& step, const task::Tree& tree) {
  for (const task::Record& record : step.records) {
    if (record.number != ++numbers_[record.task]) return "a gap in the records of " + record.task;
    const std::string text = task::to_json(record.body);
    auto body = task::body_from_json(text);
    if (!body) return "a record cannot be read back: " + body.error() + ": " + text;
    if (!(*body == record.body)) return "a record changes when it is written and read: " + text;
    if (const auto* created = std::get_if<task::Created>(&record.body))
      budgets_[record.task] = created->settings.budget.turns;
    if (const auto* changed = std::get_if<task::Changed>(&record.body); changed && changed->has_budget)
      budgets_[record.task] = changed->budget.turns;
    if (std::holds_alternative<task::Turn>(record.body) && ++turns_[record.task] > budgets_[record.task])
      return "more turns than the budget allows";
    if (const auto* intent = std::get_if<task::Intent>(&record.body))
      if (!intents_.insert(run_name(record.task, intent->call, intent->run)).second) return "an intent twice";
    if (const auto* finding = std::get_if<task::Finding>(&record.body))
      if (!results_.insert(run_name(record.task, finding->call, finding->run)).second) return "a result twice";
    if (auto wrong = note(record); !wrong.empty()) return wrong;
    records_.push_back(record);
  }
  // The memory of the process holds nothing that the records do not.
  last_.clear();
  if (step.records.empty() || (records_.size() > 40 && records_.size() % 16 != 0)) return {};
  last_ = tree.fingerprint();
  auto again = task::Tree::resume({.tools = &tools_, .permissions = {}}, records_);
  if (!again) return "it could not be resumed now: " + again.error();
  return resumed(*again);
}

// What later promises are about.
std::string Promises::note(const task::Record& record) {
  if (record.time < times_[record.task]) return "time runs backwards in the records of " + record.task;
  times_[record.task] = record.time;
  if (const auto* turn = std::get_if<task::Turn>(&record.body)) {
    went_wrong_.erase(record.task);
    for (std::size_t i = 0; i < turn->calls.size(); ++i) {
      const task::PlannedCall& call = turn->calls[i];
      const std::string name = record.task + " " + call.id;
      places_[name] = {i, call.effect == tool::Effect::write || call.effect == tool::Effect::execute};
      if (call.must_ask) must_ask_.insert(name);
      const bool refused = call.runs.empty() && call.error != "held";
      if (refused || call.damage.verdict != json::Word::valid) damaged_[name] = 0;
    }
  }
  if (const auto* finding = std::get_if<task::Finding>(&record.body); finding && finding->is_error)
    if (const Place& place = places_[record.task + " " + finding->call]; place.effect) {
      auto [first, is_new] = went_wrong_.emplace(record.task, place.at);
      if (!is_new) first->second = std::min(first->second, place.at);
    }
  if (const auto* approved = std::get_if<task::Approved>(&record.body); approved && approved->yes)
    approved_[run_name(record.task, approved->call, approved->run)] = approved->arguments;
  if (std::holds_alternative<task::Said>(record.body)) ++said_[record.task];
  if (const auto* folded = std::get_if<task::Folded>(&record.body); folded && folded->upto > 0)
    summed_up_.insert(record.task);
  if (const auto* outcome = std::get_if<task::Outcome>(&record.body)) {
    auto call = damaged_.find(record.task + " " + outcome->call);
    if (call == damaged_.end()) return "an outcome of a call that was whole: " + outcome->call;
    if (++call->second > 1) return "two outcomes of one call: " + outcome->call;
  }
  return {};
}

void Promises::remember(const task::Tree& tree) { last_ = tree.fingerprint(); }

std::string Promises::resumed(const task::Tree& tree) const {
  if (last_.empty()) return {};
  const std::string now = tree.fingerprint();
  if (now == last_) return {};
  std::size_t at = 0;
  while (at < now.size() && at < last_.size() && now[at] == last_[at]) ++at;
  const std::size_t from = at > 80 ? at - 80 : 0;
  return "resumed, it is another task: was …" + last_.substr(from, 240) + "…, is …" + now.substr(from, 240) + "…";
}

std::string Promises::request(const task::SendRequest& request, const task::Settings& settings, bool all_wires) const {
  std::span<const Message> history(request.body.messages);
  history = history.subspan(1);
  if (settings.protocol != "native") {
    if (!pairs_of(history).empty()) return "native calls in a request whose protocol is text";
  } else if (auto wrong = task::flaw(history)) {
    return "a request with a flaw: " + *wrong;
  }
  if (request.body.max_output_tokens.value_or(0) > settings.output_tokens_at_most)
    return "an output limit beyond its own";
  if (!all_wires) return {};
  for (wire::Wire wire : {wire::Wire::openai_chat, wire::Wire::openai_responses, wire::Wire::anthropic,
                          wire::Wire::gemini, wire::Wire::ollama}) {
    const std::string text = wire::encode_request(wire, request.body);
    const json::Reading body = json::read(text, {.mode = json::Mode::strict});
    if (body.verdict.word() != json::Word::valid)
      return "a request that is not JSON on " + std::string(wire::name(wire));
    auto back = wire::decode_request(wire, body.document.root(), request.body.model);
    if (!back)
      return std::string(wire::name(wire)) + " cannot be read back: " + back.error().path + " " + back.error().message;
    if (pairs_of(back->messages) != pairs_of(request.body.messages))
      return "calls and results are others on " + std::string(wire::name(wire));
  }
  return {};
}

std::string Promises::run(const std::string& task, const task::RunTool& run) {
  const tool::Tool* tool = tools_.find(run.tool);
  if (!tool) return "a tool that is not there is to be run";
  const json::Reading arguments = json::read(run.arguments, {.mode = json::Mode::strict});
  if (arguments.verdict.word() != json::Word::valid) return "arguments that are not JSON: " + run.arguments;
  if (!tool->parameters().valid(arguments.document.root())) return "arguments against the schema: " + run.arguments;
  if (tool->spec().effect == tool::Effect::read) return {};
  const std::string name = run_name(task, run.call, run.run);
  if (!intents_.contains(name)) return "an effect without a record of the intent: " + name;
  if (!done_.insert(name).second) return "an effect twice: " + name;
  for (const std::string& other : intents_)
    if (other != name && other.starts_with(task + " ") && !results_.contains(other))
      return "two effects at once: " + other + ", " + name;
  const Place& place = places_[task + " " + run.call];
  if (auto wrong = went_wrong_.find(task); wrong != went_wrong_.end() && wrong->second < place.at)
    return "an effect behind one that went wrong: " + name;
  if (auto wrong = permitted(name, run, arguments.document.root()); !wrong.empty()) return wrong;
  auto token = arguments.document.root().find("token");
  auto meant = model_.meant().find(token ? token->as_int64().value_or(0) : 0);
  if (meant == model_.meant().end()) return "an effect that nobody meant: " + run.arguments;
  const json::Reading wanted = json::read(meant->second.arguments);
  if (!(wanted.document.root() == arguments.document.root()))
    return "meant was " + meant->second.arguments + ", run is " + run.arguments;
  if (meant->second.tool != run.tool) return "meant was " + meant->second.tool + ", run is " + run.tool;
  if (!done_.insert("token " + std::to_string(meant->first)).second)
    return "one call has its effect twice: " + run.arguments;
  return {};
}

// Asked about where it has to be, and then exactly this; never what is denied.
std::string Promises::permitted(const std::string& name, const task::RunTool& run, json::Value arguments) const {
  using policy::Decision;
  const policy::Permit permit = policy::permit(conditions_.permissions, tools_.find(run.tool)->spec(), arguments);
  if (permit.decision == Decision::deny) return "what is denied is run: " + name;
  if (permit.decision == Decision::sandbox && !run.confined) return "what is to be confined is not: " + name;
  const std::string call = name.substr(0, name.rfind(' '));
  if (permit.decision != Decision::ask && !must_ask_.contains(call)) return {};
  auto yes = approved_.find(name);
  if (yes == approved_.end()) return "run without a yes: " + name;
  return yes->second == run.arguments ? "" : "approved was " + yes->second + ", run is " + run.arguments;
}

// Everything that was said to the model is still said to it, where no summary stands for it.
std::string Promises::nothing_lost(const task::Tree& tree, const std::string& task) const {
  if (summed_up_.contains(task)) return {};
  std::uint64_t messages = 0;
  for (const Message& m : tree.history(task)) messages += m.role == chat::Role::user;
  const auto said = said_.find(task);
  const std::uint64_t expected = 1 + (said == said_.end() ? 0 : said->second);  // and the goal
  if (messages == expected) return {};
  return task + " was told " + std::to_string(expected) + " things, and has " + std::to_string(messages);
}

std::string Promises::at_the_end(const task::Tree& tree) const {
  if (!tree.finished()) return "it is not over";
  for (const auto& [task, number] : numbers_) {
    const std::vector<Message> history = tree.history(task);
    if (auto wrong = task::flaw(history)) return "a flaw at the end of " + task + ": " + *wrong;
    if (auto wrong = nothing_lost(tree, task); !wrong.empty()) return wrong;
  }
  for (const std::string& intent : intents_)
    if (!results_.contains(intent)) return "a run without a result: " + intent;
  for (const auto& [call, outcomes] : damaged_)
    if (outcomes != 1) return "a damaged call of which nothing became: " + call;
  for (const std::string& done : done_)
    if (!done.starts_with("token ") && !results_.contains(done)) return "an effect without a result: " + done;
  return {};
}

void Promises::count(std::map<std::string, std::uint64_t>& seen, std::uint64_t& turns, std::uint64_t& tasks) const {
  tasks = numbers_.size();
  for (const task::Record& record : records_) {
    ++seen[std::string(task::kind_of(record.body))];
    if (const auto* finished = std::get_if<task::Finished>(&record.body))
      ++seen["end: " + std::string(task::name(finished->reason))];
    if (const auto* outcome = std::get_if<task::Outcome>(&record.body)) {
      constexpr std::string_view became[] = {"mended", "split", "guessed", "re_asked", "lost"};
      ++seen["became: " + std::string(became[static_cast<std::size_t>(outcome->became)])];
    }
    if (const auto* folded = std::get_if<task::Folded>(&record.body))
      ++seen[folded->upto > 0 ? "fold: summary" : "fold: results"];
    turns += std::holds_alternative<task::Turn>(record.body);
  }
}

}  // namespace belay::sim
