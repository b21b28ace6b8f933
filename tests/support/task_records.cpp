#include "support/task_records.h"

#include "support/task_bodies.h"

#include <utility>

namespace belay::check {
namespace {

using namespace task;

}  // namespace

Record created_record(std::string task, std::int64_t time, std::string goal, std::string parent) {
  Created created;
  created.settings.model = "m";
  created.goal = {chat::text_block(std::move(goal))};
  created.depth = parent.empty() ? 0 : 1;
  created.parent_call = parent.empty() ? "" : "call_1";
  created.parent = std::move(parent);
  return {std::move(task), 1, time, std::move(created)};
}

Record said_record(std::string task, std::uint64_t number, std::int64_t time, std::string text) {
  return {std::move(task), number, time, Said{Said::Why::person, {chat::text_block(std::move(text))}}};
}

Record turn_record(std::string task, std::uint64_t number, std::int64_t time) {
  Turn turn;
  const std::string id = "call_" + std::to_string(number);
  const std::string arguments = R"({"path":"src/main.cpp"})";
  turn.message = {chat::Role::assistant,
                  {chat::text_block("I look at the file."), chat::call_block(id, "read_file", arguments)},
                  {}};
  PlannedCall call;
  call.id = id;
  call.name = call.tool = "read_file";
  call.effect = tool::Effect::read;
  call.handling = policy::Handling::run;
  call.runs = {arguments};
  turn.calls = {std::move(call)};
  turn.stop = chat::StopReason::tool_calls;
  turn.raw_stop = "tool_calls";
  turn.usage.input_tokens = 1200;
  turn.usage.output_tokens = 40;
  turn.model = "m-2";
  return {std::move(task), number, time, std::move(turn)};
}

Record finding_record(std::string task, std::uint64_t number, std::int64_t time, std::string text) {
  Finding finding;
  finding.call = "call_" + std::to_string(number - 1);
  finding.content = {chat::text_block(std::move(text))};
  finding.milliseconds = 3;
  return {std::move(task), number, time, std::move(finding)};
}

Record child_record(std::string task, std::uint64_t number, std::int64_t time, std::string child) {
  return {std::move(task), number, time, ChildStarted{"call_1", std::move(child)}};
}

Record outcome_record(std::string task, std::uint64_t number, std::int64_t time, std::vector<std::string> kinds,
                      Outcome::Became became, std::string model, std::string tool) {
  Outcome outcome;
  outcome.call = "call_1";
  outcome.tool = std::move(tool);
  outcome.model = std::move(model);
  outcome.kinds = std::move(kinds);
  outcome.verdict = json::Word::truncated;
  outcome.became = became;
  return {std::move(task), number, time, std::move(outcome)};
}

Record finished_record(std::string task, std::uint64_t number, std::int64_t time, EndReason reason) {
  return {std::move(task), number, time, Finished{reason, "done", "All of it was done."}};
}

std::vector<Record> long_task(const std::string& task, std::uint64_t turns) {
  std::vector<Record> records = {created_record(task, 1)};
  records.reserve(4 * turns + 1);
  for (std::uint64_t i = 0; i < turns; ++i) {
    const std::uint64_t n = records.size() + 1;
    const auto t = static_cast<std::int64_t>(n);
    records.push_back(turn_record(task, n, t));
    records.push_back({task, n + 1, t + 1, Intent{"call_" + std::to_string(n), 0, true}});
    records.push_back(finding_record(task, n + 2, t + 2, std::string(600, 'x')));
    records.push_back(said_record(task, n + 3, t + 3));
  }
  return records;
}

std::vector<Record> any_task(const std::string& task, std::uint64_t records, Choices& choices) {
  std::vector<Record> out;
  for (std::uint64_t n = 1; n <= records; ++n) {
    const std::size_t index = n == 1 ? 0 : 1 + choices.below(std::variant_size_v<Body> - 1);
    Body body = any_body(choices, index);
    if (auto* created = std::get_if<Created>(&body)) created->parent.clear();
    // Clocks are set back, and wrong.
    const auto time = static_cast<std::int64_t>(choices.below(1 << 20)) - (1 << 10);
    out.push_back({task, n, time, std::move(body)});
  }
  return out;
}

}  // namespace belay::check
