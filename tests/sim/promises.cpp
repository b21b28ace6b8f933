#include "sim/promises.h"

#include <belay/task/history.h>

#include <algorithm>
#include <iterator>
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

std::uint64_t images_in(const std::vector<Block>& blocks) {
  std::uint64_t n = 0;
  for (const Block& b : blocks) n += (b.kind == Block::Kind::image ? 1 : 0) + images_in(b.content);
  return n;
}

// Without the system's prompt, and with the results of a turn in one message: some wires have one for each.
std::vector<Message> conversation_of(std::vector<Message> messages) {
  std::vector<Message> out;
  for (Message& m : messages) {
    if (m.role == chat::Role::system) continue;
    if (m.role == chat::Role::tool && !out.empty() && out.back().role == chat::Role::tool)
      std::ranges::move(m.blocks, std::back_inserter(out.back().blocks));
    else
      out.push_back(std::move(m));
  }
  return out;
}

}  // namespace

std::string Promises::before_keeping(const task::Step& step, const std::vector<Message>& foreign) const {
  std::size_t healed = 0;
  for (const task::Event& event : step.events) {
    if (event.kind != task::EventKind::notice) continue;
    if (event.name == "fault") return "a fault: " + event.text;
    if (event.name == "healed") ++healed;
  }
  for (const task::Record& record : step.records) {
    const auto* created = std::get_if<task::Created>(&record.body);
    if (!created || !created->parent.empty()) continue;
    // What came from elsewhere is whole now; what was wrong with it is kept, and told.
    if (auto wrong = task::flaw(created->history)) return "a foreign history has a flaw: " + *wrong;
    if (task::flaw(foreign) ? created->healed.empty() : !created->healed.empty() || created->history != foreign)
      return "what was healed is not what was wrong";
    if (created->healed.size() != healed) return "what was healed was not told";
    healed = 0;
  }
  return healed == 0 ? "" : "a history of its own had to be healed";
}

std::string Promises::keep(const task::Record& record) {
  if (record.number != ++numbers_[record.task]) return "a gap in the records of " + record.task;
  if (const auto* created = std::get_if<task::Created>(&record.body)) settings_[record.task] = created->settings;
  if (const auto* intent = std::get_if<task::Intent>(&record.body))
    if (!intents_.insert(run_name(record.task, intent->call, intent->run)).second) return "an intent twice";
  if (const auto* finding = std::get_if<task::Finding>(&record.body))
    if (!results_.insert(run_name(record.task, finding->call, finding->run)).second) return "a result twice";
  if (auto wrong = note(record); !wrong.empty()) return wrong;
  records_.push_back(record);
  return {};
}

std::string Promises::adopt(const std::vector<task::Record>& records) {
  for (const task::Record& record : records)
    if (auto wrong = keep(record); !wrong.empty()) return wrong;
  done_ = intents_;
  return {};
}

std::string Promises::kept(const task::Step& step, const task::Tree& tree) {
  for (const task::Record& record : step.records) {
    const std::string text = task::to_json(record.body);
    auto body = task::body_from_json(text);
    if (!body) return "a record cannot be read back: " + body.error() + ": " + text;
    if (!(*body == record.body)) return "a record changes when it is written and read: " + text;
    if (auto wrong = keep(record); !wrong.empty()) return wrong;
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
  time_ = std::max(time_, record.time);
  if (std::holds_alternative<task::Finished>(record.body))
    at_work_.erase(record.task);
  else if (record.number == 1 || std::holds_alternative<task::Said>(record.body))
    at_work_.insert(record.task);
  if (auto wrong = accounts_.note(record); !wrong.empty()) return wrong;
  if (const auto* turn = std::get_if<task::Turn>(&record.body))
    if (auto wrong = note(record.task, *turn); !wrong.empty()) return wrong;
  if (const auto* created = std::get_if<task::Created>(&record.body)) {
    for (const Message& message : created->history) {
      if (message.role == chat::Role::user) ++said_[record.task];
      images_[record.task] += images_in(message.blocks);
    }
    images_[record.task] += images_in(created->goal);
  }
  if (const auto* finding = std::get_if<task::Finding>(&record.body))
    images_[record.task] += images_in(finding->content);
  if (const auto* finding = std::get_if<task::Finding>(&record.body); finding && finding->is_error)
    if (const Place& place = places_[record.task + " " + finding->call]; place.effect) {
      auto [first, is_new] = went_wrong_.emplace(record.task, place.at);
      if (!is_new) first->second = std::min(first->second, place.at);
    }
  if (const auto* approved = std::get_if<task::Approved>(&record.body); approved && approved->yes)
    approved_[run_name(record.task, approved->call, approved->run)] = approved->arguments;
  if (const auto* said = std::get_if<task::Said>(&record.body)) {
    ++said_[record.task];
    images_[record.task] += images_in(said->blocks);
  }
  if (const auto* folded = std::get_if<task::Folded>(&record.body)) {
    folded_.insert(record.task);
    if (folded->upto > 0) {
      summed_up_.insert(record.task);
      if (folded->upto <= upto_[record.task]) return "a summary of what is summed up already";
      upto_[record.task] = folded->upto;
    } else if (folded->results.empty()) {
      return "nothing was folded";
    }
  }
  if (const auto* outcome = std::get_if<task::Outcome>(&record.body)) {
    auto call = damaged_.find(record.task + " " + outcome->call);
    if (call == damaged_.end()) return "an outcome of a call that was whole: " + outcome->call;
    if (++call->second > 1) return "two outcomes of one call: " + outcome->call;
  }
  return {};
}

std::string Promises::note(const std::string& task, const task::Turn& turn) {
  went_wrong_.erase(task);
  for (std::size_t i = 0; i < turn.calls.size(); ++i) {
    const task::PlannedCall& call = turn.calls[i];
    const std::string name = task + " " + call.id;
    places_[name] = {i, call.effect == tool::Effect::write || call.effect == tool::Effect::execute};
    if (call.must_ask) must_ask_.insert(name);
    if (call.damage.verdict == json::Word::guessed) guessed_.insert(name);
    const bool refused = call.runs.empty() && call.error != "held";
    if (refused || call.damage.verdict != json::Word::valid) damaged_[name] = 0;
    for (const std::string& run : call.runs)
      if (run.find(R"("token":-10)") != std::string::npos) return "a quotation is to be run: " + run;
  }
  // What was quoted stands there as it was received.
  for (const Block& block : turn.message.blocks) {
    if (block.kind != Block::Kind::text) continue;
    for (std::size_t at = 0; (at = block.text.find("It says: ", at)) != std::string::npos; ++at) {
      const std::string_view said = std::string_view(block.text).substr(at + 9);
      const auto is_whole = [&](std::uint64_t n) { return said.starts_with(quotation(n)); };
      std::uint64_t n = 0;
      while (n < kQuotations && !is_whole(n)) ++n;
      if (n == kQuotations) return "a quotation is not as it was: " + block.text;
    }
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

std::string Promises::request(const std::string& task, const task::SendRequest& request, std::int64_t now,
                              bool all_wires) const {
  const task::Settings& settings = settings_.at(task);
  if (auto wrong = accounts_.may_ask(task, now); !wrong.empty()) return wrong;
  std::span<const Message> history(request.body.messages);
  history = history.subspan(1);
  if (settings.protocol != "native") {
    if (!pairs_of(history).empty()) return "native calls in a request whose protocol is text";
  } else if (auto wrong = task::flaw(history)) {
    return "a request with a flaw: " + *wrong;
  }
  if (request.attempt > settings.retry.attempts) return "sent too often";
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
    if (auto wrong = task::flaw(conversation_of(std::move(back->messages))); wrong && settings.protocol == "native")
      return "a flaw on " + std::string(wire::name(wire)) + ": " + *wrong;
  }
  return {};
}

std::string Promises::run(const std::string& task, const task::RunTool& run) {
  const tool::Tool* tool = tools_.find(run.tool);
  if (!tool) return "a tool that is not there is to be run";
  const json::Reading arguments = json::read(run.arguments(), {.mode = json::Mode::strict});
  if (arguments.verdict.word() != json::Word::valid) return "arguments that are not JSON: " + run.arguments();
  if (!tool->parameters().valid(arguments.document.root())) return "arguments against the schema: " + run.arguments();
  const auto token = arguments.document.root().find("token");
  if (token && token->as_int64().value_or(0) < kQuoted) return "a quotation is run: " + run.arguments();
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
  // Who said yes to a guess has seen exactly this, whatever was meant.
  if (guessed_.contains(task + " " + run.call)) return approved_.contains(name) ? "" : "a guess without a yes: " + name;
  auto meant = model_.meant().find(token ? token->as_int64().value_or(0) : 0);
  if (meant == model_.meant().end()) return "an effect that nobody meant: " + run.arguments();
  const json::Reading wanted = json::read(meant->second.arguments);
  if (!(wanted.document.root() == arguments.document.root()))
    return "meant was " + meant->second.arguments + ", run is " + run.arguments();
  if (meant->second.in_text && !approved_.contains(name))
    return "written into the text, and run without a yes: " + name;
  if (meant->second.tool != run.tool) return "meant was " + meant->second.tool + ", run is " + run.tool;
  if (meant->second.in_text) ++in_text_;
  if (!done_.insert("token " + std::to_string(meant->first)).second)
    return "one call has its effect twice: " + run.arguments();
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
  return yes->second == run.arguments() ? "" : "approved was " + yes->second + ", run is " + run.arguments();
}

// Everything that was said to the model is still said to it, where no summary stands for it.
std::string Promises::nothing_lost(const task::Tree& tree, const std::string& task) const {
  if (summed_up_.contains(task)) return {};
  std::uint64_t messages = 0;
  for (const Message& m : tree.history(task)) messages += m.role == chat::Role::user;
  const auto count_of = [&](const auto& counts) {
    const auto at = counts.find(task);
    return at == counts.end() ? std::uint64_t{0} : at->second;
  };
  const std::uint64_t expected = 1 + count_of(said_);  // and the goal
  std::uint64_t images = 0;
  for (const Message& m : tree.history(task)) images += images_in(m.blocks);
  if (!folded_.contains(task) && images != count_of(images_))
    return task + " was shown " + std::to_string(count_of(images_)) + " images, and has " + std::to_string(images);
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

// How often what a simulation is for has happened.
void Promises::count(std::map<std::string, std::uint64_t>& seen, std::uint64_t& turns, std::uint64_t& tasks) const {
  tasks = numbers_.size();
  seen["effect from text"] += in_text_;
  for (const auto& [task, images] : images_) seen["image"] += images;
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
    if (const auto* failed = std::get_if<task::RequestFailed>(&record.body))
      seen["too long"] += failed->kind == "too_long" || failed->kind == "context_length";
    if (const auto* finding = std::get_if<task::Finding>(&record.body)) {
      seen["denied"] += finding->why == task::Finding::Why::denied;
      seen["interrupted"] += finding->why == task::Finding::Why::interrupted;
    }
    if (const auto* created = std::get_if<task::Created>(&record.body)) seen["healed"] += !created->healed.empty();
    if (const auto* turn = std::get_if<task::Turn>(&record.body)) {
      seen["estimated"] += turn->estimated != chat::Usage{};
      for (const Block& block : turn->message.blocks)
        seen["quoted"] += block.kind == Block::Kind::text && block.text.find("It says: ") != std::string::npos;
    }
    turns += std::holds_alternative<task::Turn>(record.body);
  }
}

}  // namespace belay::sim
