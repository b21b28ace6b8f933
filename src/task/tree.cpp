#include <belay/task/tree.h>

#include "task/history_parts.h"
#include "task/work.h"

#include <belay/task/history.h>
#include <belay/text/decoder.h>

#include <utility>

namespace BELAY_NAMESPACE::task {

Tree::Tree(std::unique_ptr<State> state) : state_(std::move(state)) {}
Tree::~Tree() = default;
Tree::Tree(Tree&&) noexcept = default;
Tree& Tree::operator=(Tree&&) noexcept = default;

Tree Tree::create(Conditions conditions, std::string id, Created created) {
  auto state = std::make_unique<State>();
  state->conditions = std::move(conditions);
  state->root = std::move(id);
  Healed healed = heal(std::move(created.history));
  created.history = std::move(healed.history);
  created.healed = std::move(healed.changes);
  if (state->conditions.budget) created.settings.budget = *state->conditions.budget;
  std::string& protocol = created.settings.protocol;
  if (protocol.empty()) protocol = protocol_of(created.history);
  if (protocol != "native" && !text::known_format(protocol)) {
    created.healed.push_back("There is no protocol " + protocol + "; calls are native.");
    protocol = "native";
  }
  std::erase_if(created.goal, [](const chat::Block& block) { return !says_something(block); });
  if (created.goal.empty()) created.goal.push_back(chat::text_block("Go on."));
  state->begin = std::move(created);
  return Tree(std::move(state));
}

std::expected<Tree, std::string> Tree::resume(Conditions conditions, std::span<const Record> records) {
  auto state = std::make_unique<State>();
  state->conditions = std::move(conditions);
  state->resumed = true;
  for (const Record& record : records) {
    Member& m = state->tasks[record.task];
    if (auto fault = apply(m.c, record)) return std::unexpected(std::move(*fault));
  }
  for (const auto& [id, m] : state->tasks) {
    if (m.c.created.parent.empty() || !state->tasks.contains(m.c.created.parent)) {
      if (!state->root.empty()) return std::unexpected("the records are of two tasks: " + state->root + " and " + id);
      state->root = id;
    }
  }
  if (state->root.empty()) return std::unexpected("there are no records");
  return Tree(std::move(state));
}

Step Tree::start(std::int64_t now) {
  Work work(*state_, now);
  if (state_->resumed)
    work.resume();
  else
    work.begin(state_->root, std::move(state_->begin));
  work.advance();
  return work.take();
}

Step Tree::on_answer(std::string_view task, std::uint64_t request, turn::Answer answer, std::int64_t now) {
  Work work(*state_, now);
  if (auto m = state_->tasks.find(task); m != state_->tasks.end() && request != 0 && m->second.u.request == request)
    work.answer(m->second, std::move(answer));
  work.advance();
  return work.take();
}

Step Tree::on_failure(std::string_view task, std::uint64_t request, Trouble trouble, std::int64_t now) {
  Work work(*state_, now);
  if (auto m = state_->tasks.find(task); m != state_->tasks.end() && request != 0 && m->second.u.request == request)
    work.failure(m->second, std::move(trouble));
  work.advance();
  return work.take();
}

Step Tree::on_tool_result(std::string_view task, std::string_view call, std::uint64_t run, tool::Result result,
                          std::int64_t now) {
  Work work(*state_, now);
  if (auto m = state_->tasks.find(task); m != state_->tasks.end())
    work.tool_result(m->second, call, run, std::move(result));
  work.advance();
  return work.take();
}

Step Tree::on_reply(std::string_view task, std::string_view question, Reply reply, std::int64_t now) {
  Work work(*state_, now);
  if (auto m = state_->tasks.find(task); m != state_->tasks.end()) work.reply(m->second, question, std::move(reply));
  work.advance();
  return work.take();
}

Step Tree::on_message(std::vector<chat::Block> blocks, std::int64_t now) {
  Work work(*state_, now);
  work.message(std::move(blocks));
  work.advance();
  return work.take();
}

Step Tree::on_time(std::int64_t now) {
  Work work(*state_, now);
  work.time();
  work.advance();
  return work.take();
}

Step Tree::on_abort(std::int64_t now) {
  Work work(*state_, now);
  work.abort();
  return work.take();
}

void Tree::add_rule(policy::Rule rule) { state_->conditions.permissions.rules.push_back(std::move(rule)); }

bool Tree::finished() const {
  auto root = state_->tasks.find(state_->root);
  return root != state_->tasks.end() && root->second.c.finished.has_value();
}

const std::string& Tree::id() const { return state_->root; }

std::vector<chat::Message> Tree::history(std::string_view task) const {
  auto m = state_->tasks.find(task);
  if (m == state_->tasks.end()) return {};
  return folded_view(m->second.c.history, m->second.c.fold, m->second.c.todos);
}

std::string Tree::fingerprint() const {
  std::string out;
  for (const auto& [id, m] : state_->tasks) out += fingerprint_of(m.c) + "\n";
  return out;
}

}  // namespace BELAY_NAMESPACE::task
