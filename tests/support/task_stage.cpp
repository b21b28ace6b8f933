#include "support/task_stage.h"

#include "builtin/task_tools.h"

#include <algorithm>

namespace belay::check {

using task::Action;

TaskStage::TaskStage() {
  constexpr std::string_view schema =
      R"({"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path"],)"
      R"("additionalProperties":false})";
  auto add = [&](const char* name, tool::Effect effect) {
    tool::Spec spec;
    spec.name = name;
    spec.description = "A tool of the stage.";
    spec.parameters = schema;
    spec.effect = effect;
    EXPECT_TRUE(tools_.add(*tool::Tool::make(std::move(spec), {})));
  };
  add("look", tool::Effect::read);
  add("put", tool::Effect::write);
  add("do", tool::Effect::execute);
  for (tool::Spec spec : {builtin::ask_followup_question_spec(), builtin::update_todo_list_spec(),
                          builtin::attempt_completion_spec(), builtin::new_task_spec()})
    EXPECT_TRUE(tools_.add(*tool::Tool::make(std::move(spec), {})));
  settings_.model = "stage";
  settings_.system = "Be useful.";
  conditions_.tools = &tools_;
  conditions_.permissions.mode = policy::Mode::bypass;
}

void TaskStage::take(task::Step step) {
  for (task::Record& record : step.records) records_.push_back(std::move(record));
  for (task::Event& event : step.events) events_.push_back(std::move(event));
  for (Action& action : step.actions) {
    if (auto* run = std::get_if<task::RunTool>(&action.deed)) under_way_.push_back({action.task, *run});
    if (auto* question = std::get_if<task::AskPerson>(&action.deed)) questions_.push_back({action.task, *question});
    actions_.push_back(std::move(action));
  }
  // Whatever happens, what would be sent is whole.
  if (tree_->finished())
    if (auto wrong = task::flaw(tree_->history(tree_->id()))) ADD_FAILURE() << *wrong;
}

void TaskStage::begin(std::string_view goal, std::vector<chat::Message> history) {
  task::Created created;
  created.settings = settings_;
  created.goal.push_back(chat::text_block(std::string(goal)));
  created.history = std::move(history);
  tree_.emplace(task::Tree::create(conditions_, "t", std::move(created)));
  take(tree_->start(now_));
}

void TaskStage::crash() {
  const std::string before = tree_->fingerprint();
  auto tree = task::Tree::resume(conditions_, records_);
  ASSERT_TRUE(tree) << tree.error();
  EXPECT_EQ(tree->fingerprint(), before);
  under_way_.clear();
  questions_.clear();
  tree_.emplace(std::move(*tree));
  take(tree_->start(now_ += 60'000));
}

const Action& TaskStage::open_request() const {
  for (auto action = actions_.rbegin(); action != actions_.rend(); ++action)
    if (std::holds_alternative<task::SendRequest>(action->deed)) return *action;
  static const Action none;
  ADD_FAILURE() << "the model was not asked";
  return none;
}

void TaskStage::says(std::string_view text, const Calls& calls, chat::StopReason stop) {
  wire::StreamEncoder encoder(wire::Wire::anthropic, {"m", "stage-1", 0});
  if (!text.empty()) encoder.text(text);
  for (const auto& [name, arguments] : calls) {
    encoder.begin_call("toolu_" + std::to_string(++ids_), name);
    encoder.arguments(arguments);
    encoder.end_call();
  }
  encoder.usage(usage_);
  encoder.stop(stop == chat::StopReason::end && !calls.empty() ? chat::StopReason::tool_calls : stop);
  says_bytes(wire::Wire::anthropic, encoder.take());
}

void TaskStage::says_bytes(wire::Wire wire, std::string_view bytes) {
  const Action& request = open_request();
  const auto& send = std::get<task::SendRequest>(request.deed);
  task::Listener listener(request.task, tools_, send.format, [&](const task::Event& e) { events_.push_back(e); });
  wire::StreamDecoder decoder(wire, listener);
  decoder.push(bytes);
  decoder.finish();
  auto answer = listener.finish();
  now_ += 1'000;
  take(answer ? tree_->on_answer(request.task, send.request, std::move(*answer), now_)
              : tree_->on_failure(request.task, send.request, std::move(answer.error()), now_));
}

void TaskStage::fails(std::string kind, bool retryable, std::optional<double> retry_after) {
  const Action& request = open_request();
  take(tree_->on_failure(request.task, std::get<task::SendRequest>(request.deed).request,
                         {std::move(kind), "the stage's fault", retryable, retry_after}, now_ += 1'000));
}

void TaskStage::gives(std::string text, bool is_error) {
  ASSERT_FALSE(under_way_.empty()) << "nothing runs";
  gives_for(under_way_.front().second.call, std::move(text), is_error);
}

void TaskStage::gives_for(std::string_view call, std::string text, bool is_error) {
  auto run = std::ranges::find_if(under_way_, [&](const auto& r) { return r.second.call == call; });
  ASSERT_NE(run, under_way_.end()) << call << " does not run";
  auto [task, deed] = *run;
  under_way_.erase(run);
  tool::Result result = is_error ? tool::error_result(std::move(text)) : tool::text_result(std::move(text));
  take(tree_->on_tool_result(task, deed.call, deed.run, std::move(result), now_ += 100));
}

void TaskStage::replies(task::Reply::Kind kind, std::string text) {
  ASSERT_FALSE(questions_.empty()) << "nobody was asked";
  auto [task, question] = questions_.front();
  questions_.erase(questions_.begin());
  take(tree_->on_reply(task, question.id, {kind, std::move(text), {}}, now_ += 5'000));
}

void TaskStage::person_says(std::string text) {
  take(tree_->on_message({chat::text_block(std::move(text))}, now_ += 1'000));
}

void TaskStage::aborts() { take(tree_->on_abort(now_ += 100)); }

void TaskStage::later(std::int64_t milliseconds) { take(tree_->on_time(now_ += milliseconds)); }

std::vector<std::string> TaskStage::events(task::EventKind kind) const {
  std::vector<std::string> out;
  for (const task::Event& event : events_)
    if (event.kind == kind) out.push_back(event.name.empty() ? event.text : event.name);
  return out;
}

std::vector<std::string> TaskStage::results() const {
  std::vector<std::string> out;
  const auto& messages = std::get<task::SendRequest>(open_request().deed).body.messages;
  for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
    if (message->role != chat::Role::tool) continue;
    for (const chat::Block& block : message->blocks) {
      std::string text = block.is_error ? "!" : "";
      for (const chat::Block& inner : block.content) text += inner.text;
      out.push_back(std::move(text));
    }
    break;
  }
  return out;
}

std::string TaskStage::told() const {
  std::string out;
  for (const chat::Message& message : std::get<task::SendRequest>(open_request().deed).body.messages)
    if (message.role == chat::Role::user) {
      out.clear();
      for (const chat::Block& block : message.blocks) out += block.text;
    }
  return out;
}

std::vector<std::string> TaskStage::running() const {
  std::vector<std::string> out;
  for (const auto& [task, run] : under_way_) out.push_back(run.tool + " " + run.arguments());
  return out;
}

task::Finished TaskStage::end() const {
  auto ends = kept<task::Finished>();
  if (ends.empty()) {
    ADD_FAILURE() << "it is not over";
    return {};
  }
  return ends.back();
}

}  // namespace belay::check
