// What was said and done before, of a task that goes on.
#include "screen/short_text.h"
#include "screen/view_state.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace BELAY_NAMESPACE::screen {
namespace {

constexpr std::size_t kTextRows = 16;  // of one text
constexpr std::size_t kWordRows = 8;   // of what the person said

std::string text_of(const std::vector<chat::Block>& blocks) {
  std::string out;
  for (const chat::Block& block : blocks) {
    if (!out.empty()) out += "\n";
    out += block.kind == chat::Block::Kind::image ? "(an image)" : block.text;
  }
  return out;
}

bool by_person(const task::Record& record) {
  const auto* said = std::get_if<task::Said>(&record.body);
  return said && said->why == task::Said::Why::person;
}

}  // namespace

/// Goes through the records once, in order.
struct View::State::Recount {
  State& s;
  const std::string& task;
  std::size_t said = 0;
  std::string failure{};            // what ended the task, where it stands right above its end
  std::vector<std::string> held{};  // said while calls were open: the model was told behind their results

  [[nodiscard]] bool open_calls() const {
    return std::ranges::any_of(s.calls, [&](const ShownCall& c) { return c.task == task && !c.ended; });
  }

  void person(const std::vector<chat::Block>& blocks) {
    if (open_calls())
      held.push_back(text_of(blocks));
    else
      words(text_of(blocks));
  }

  void tell_held() {
    for (const std::string& text : std::exchange(held, {})) words(text);
  }

  void words(const std::string& text) {
    s.begin("said before " + std::to_string(said++), task);
    s.paragraph(task, "> ", text, Tone::bold, kWordRows);
  }

  void turn(const task::Turn& turn) {
    for (const chat::Block& block : turn.message.blocks) {
      if (block.kind == chat::Block::Kind::text && block.text.find_first_not_of(" \t\r\n") != std::string::npos) {
        s.last_block += " ended";
        s.begin("text before", task);
        s.paragraph(task, "", std::string_view(block.text).substr(block.text.find_first_not_of("\r\n")), Tone::marked,
                    kTextRows);
      }
      if (block.kind == chat::Block::Kind::tool_call) call(block, turn);
    }
  }

  void call(const chat::Block& block, const task::Turn& turn) {
    ShownCall call;
    call.task = task;
    call.id = block.id;
    call.name = block.name;
    call.arguments = block.arguments;
    const auto plan = std::ranges::find(turn.calls, block.id, &task::PlannedCall::id);
    if (plan != turn.calls.end()) {
      call.tool = plan->tool;
      if (!plan->runs.empty()) call.arguments = plan->runs.front();
      call.receipt = plan->receipt;
      call.not_run = plan->not_run;
      call.raw = plan->damage.raw;
      call.verdict = json::name(plan->damage.verdict);
      call.refused = plan->handling == policy::Handling::refuse && plan->runs.empty();
    }
    s.calls.push_back(std::move(call));
    const ShownCall& shown = s.calls.back();
    if (shown.own_name() == "ask_followup_question") {
      s.begin("question before " + block.id, task);
      s.paragraph(task, "? ", member_of(shown.arguments, "question"), Tone::bold, kTextRows);
    } else if (shown.own_name() == "attempt_completion") {
      s.begin("completed before " + block.id, task);
      s.row(task, s.options.style.green(s.marks.good) + " " + s.options.style.bold("Result"));
      s.paragraph(task, "  ", member_of(shown.arguments, "result"), Tone::marked, kTextRows);
    }
  }

  void finding(const task::Finding& finding, bool ends) {
    using Why = task::Finding::Why;
    ShownCall* call = s.find(task, finding.call);
    if (!call) return;
    call->ended = true;
    const std::string text = text_of(finding.content);
    const std::string& tool = call->own_name();
    if (finding.why == Why::ran && (tool == "ask_followup_question" || tool == "attempt_completion")) {
      // What an accepted result was answered with says nothing.
      if (!ends) s.paragraph(task, "  > ", text, Tone::bold, kWordRows);
      return;
    }
    if (finding.why == Why::ran && tool == "update_todo_list") return;
    call->not_run_why = call->refused || finding.why == Why::refused || finding.why == Why::denied ||
                        finding.why == Why::not_approved || finding.why == Why::held;
    s.head_of(*call);
    s.result_of(*call, text, finding.is_error, finding.milliseconds);
  }

  void end(const task::Finished& end) {
    s.begin("finished before", task);
    if (end.reason == task::EndReason::completed)
      s.row(task, s.options.style.green(s.marks.good) + " completed");
    else
      s.paragraph(task, std::string(s.marks.bad) + " ", std::string(name(end.reason)) + why(end.detail), Tone::red, 8);
  }

  // What stands right above is not said again.
  std::string why(const std::string& detail) const {
    if (!failure.empty() && detail.starts_with(failure)) return detail.substr(failure.size());
    return detail.empty() ? "" : ": " + detail;
  }
};

void View::recount(std::span<const task::Record> records, std::size_t turns) {
  if (records.empty()) return;
  State& s = *state_;
  if (s.root.empty()) s.root = records.front().task;
  std::size_t all = 0, first = records.size();
  State::Used& used = s.used[s.root];
  for (const task::Record& record : records) {
    if (const auto* todos = std::get_if<task::Todos>(&record.body)) s.todo_list = todos->list;
    const auto* turn = std::get_if<task::Turn>(&record.body);
    if (!turn) continue;
    ++all;
    used.input += turn->usage.input_tokens.value_or(0);
    used.output += turn->usage.output_tokens.value_or(0);
    used.cost += turn->cost;
  }
  used.turns = all;
  const std::size_t left_out = all > turns ? all - turns : 0;
  std::size_t passed = 0;
  for (std::size_t i = 0; i < records.size(); ++i)
    if (std::holds_alternative<task::Turn>(records[i].body) && passed++ == left_out) {
      first = i;
      break;
    }
  if (left_out == 0) first = 0;
  // What the person said belongs to the turn that follows it.
  while (first > 0 && by_person(records[first - 1])) --first;

  State::Recount tell{s, s.root};
  if (const auto* created = std::get_if<task::Created>(&records.front().body)) tell.words(text_of(created->goal));
  if (left_out > 0) {
    s.begin("left out", s.root);
    s.paragraph(s.root, std::string(s.marks.more) + " ",
                counted(left_out, "earlier turn") + (left_out == 1 ? " is" : " are") +
                    " not shown here: belay tasks show " + s.root,
                State::Tone::dim, 4);
  }
  for (std::size_t i = first; i < records.size(); ++i) {
    const task::Body& body = records[i].body;
    if (by_person(records[i])) tell.person(std::get<task::Said>(body).blocks);
    if (const auto* turn = std::get_if<task::Turn>(&body)) tell.turn(*turn);
    if (const auto* finding = std::get_if<task::Finding>(&body)) {
      // What became of damaged calls is kept between the last result and the end.
      const auto next = std::ranges::find_if_not(records.subspan(i + 1), [](const task::Record& record) {
        return std::holds_alternative<task::Outcome>(record.body);
      });
      tell.finding(*finding, next != records.end() && std::holds_alternative<task::Finished>(next->body));
    }
    if (!tell.open_calls()) tell.tell_held();
    if (const auto* failed = std::get_if<task::RequestFailed>(&body); failed && !failed->retried) {
      s.begin("failed before " + std::to_string(i), s.root);
      tell.failure = failed->kind + ": " + failed->message;
      s.paragraph(s.root, std::string(s.marks.bad) + " ", tell.failure, State::Tone::red, 8);
    }
    if (const auto* end = std::get_if<task::Finished>(&body)) tell.end(*end);
  }
  tell.tell_held();
  // A call that was under way goes on, and its name is known then.
  std::erase_if(s.calls, [](const ShownCall& call) { return call.ended; });
}

}  // namespace BELAY_NAMESPACE::screen
