// Everything that happens beside speech and calls.
#include "screen/short_text.h"
#include "screen/view_state.h"

#include <algorithm>
#include <cmath>

namespace BELAY_NAMESPACE::screen {
namespace {

using task::EventKind;

std::uint64_t count_of(std::string_view data, std::string_view key) {
  const double n = number_of(data, key);
  return n > 0 && n < 1e18 ? static_cast<std::uint64_t>(n) : 0;
}

// Notices that say nothing to a person.
bool quiet(std::string_view notice) { return notice == "late_result" || notice == "late_reply"; }

}  // namespace

void View::on(const task::Event& event, std::int64_t now) {
  State& s = *state_;
  if (s.root.empty() && !event.task.empty()) s.root = event.task;
  s.any_event = true;
  s.began.try_emplace(event.task, s.active(now));
  switch (event.kind) {
    case EventKind::text:
    case EventKind::reasoning: return s.speak(event, now);
    case EventKind::usage:
      if (s.answering == event.task) s.answering.clear();
      return s.usage_came(event);
    case EventKind::tool_output:
      if (ShownCall* call = s.find(event.task, event.call)) call->output.push(event.text);
      return;
    case EventKind::call_delta: return s.call_delta(event);
    default: break;
  }
  s.end_speech(now);
  switch (event.kind) {
    case EventKind::call_started: s.enter(State::Phase::calling, now); return s.call_started(event);
    case EventKind::call_ended: return s.call_ended(event);
    case EventKind::tool_started: return s.tool_started(event, now);
    case EventKind::tool_ended: return s.tool_ended(event, now);
    default: return s.other(event, now);
  }
}

void View::kept(const task::Record& record) {
  constexpr std::size_t kPlanned = 4096;
  if (const auto* finding = std::get_if<task::Finding>(&record.body)) {
    using Why = task::Finding::Why;
    const Why why = finding->why;
    if (state_->unrun.size() > kPlanned) state_->unrun.clear();
    if (why == Why::refused || why == Why::denied || why == Why::not_approved || why == Why::held)
      state_->unrun.insert(record.task + "/" + finding->call);
    return;
  }
  const auto* turn = std::get_if<task::Turn>(&record.body);
  if (!turn) return;
  if (state_->planned.size() > kPlanned) state_->planned.clear();
  for (const task::PlannedCall& call : turn->calls)
    state_->planned[record.task + "/" + call.id] = {call.runs.empty() ? std::string() : call.runs.front(), call.not_run,
                                                    call.tool, call.damage.raw};
}

void View::State::started(const task::Event& event, std::int64_t now) {
  enter(Phase::asked_model, now);
  if (event.kind == EventKind::resumed) {
    begin("resumed", event.task);
    return row(event.task, options.style.dim(clipped("the task goes on", width(event.task))));
  }
  begin("started", event.task);
  paragraph(event.task, "> ", event.text, Tone::bold, 20);
}

void View::State::show_todos(const task::Event& event) {
  if (event.text == todo_list) return;
  todo_list = event.text;
  begin("todos", event.task);
  std::string_view rest = todo_list;
  std::size_t shown = 0, more = 0;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    while (line.starts_with(' ')) line.remove_prefix(1);
    if (line.starts_with("- ") || line.starts_with("* ")) line.remove_prefix(2);
    if (line.empty()) continue;
    if (++shown > 30) {
      ++more;
      continue;
    }
    const bool box = line.size() >= 3 && line[0] == '[' && line[2] == ']';
    const char state = box ? line[1] : ' ';
    std::string_view words = box ? line.substr(3) : line;
    while (words.starts_with(' ')) words.remove_prefix(1);
    const bool done = state == 'x' || state == 'X', doing = state == '-';
    paragraph(event.task,
              done    ? "  [x] "
              : doing ? "  [-] "
                      : "  [ ] ",
              words,
              done    ? Tone::dim
              : doing ? Tone::bold
                      : Tone::plain,
              4);
  }
  if (more > 0)
    row(event.task, options.style.dim(
                        clipped("  " + std::string(marks.more) + " " + counted(more, "more todo"), width(event.task))));
}

void View::State::usage_came(const task::Event& event) {
  Used& u = used[event.task];
  u.input = count_of(event.data, "input_tokens_in_all");
  u.output = count_of(event.data, "output_tokens_in_all");
  u.estimated = count_of(event.data, "estimated_tokens_in_all");
  u.turns = count_of(event.data, "turns");
  u.cost = number_of(event.data, "cost_in_all");
}

View::State::Used View::State::in_all() const {
  Used all;
  for (const auto& [task, u] : used) {
    all.input += u.input;
    all.output += u.output;
    all.turns += u.turns;
    all.estimated += u.estimated;
    all.cost += u.cost;
  }
  return all;
}

std::string View::State::usage_text(const Used& of, std::int64_t time) const {
  const std::string dot(marks.dot);
  const std::string about = of.estimated > 0 ? "~" : "";  // not counted by the server, or not all of it
  std::string text = counted(of.turns, "turn") + dot + about + tokens_text(of.input) + " tokens in, " + about +
                     tokens_text(of.output) + " out";
  if (of.cost > 0) text += dot + about + money_text(of.cost);
  if (any_event) text += dot + duration_text(time);
  return text;
}

std::string View::State::usage(std::int64_t now) const { return usage_text(in_all(), active(now)); }

std::string View::State::usage(std::string_view task, std::int64_t now) const {
  if (task == root) return usage(now);
  const auto of = used.find(task);
  const auto since = began.find(task);
  return usage_text(of == used.end() ? Used{} : of->second, active(now) - (since == began.end() ? 0 : since->second));
}

void View::State::finished(const task::Event& event, std::int64_t now) {
  if (answering == event.task) answering.clear();
  begin("finished", event.task);
  const bool well = event.name == "completed";
  const std::string mark(well ? marks.good : marks.bad);
  if (well) {
    row(event.task, options.style.green(mark) + " " +
                        clipped("completed" + std::string(marks.dot) + usage(event.task, now), width(event.task) - 2));
  } else {
    // What stands right above is not said again.
    std::string_view why = event.text;
    const bool known = !failure.empty() && why.starts_with(failure);
    if (known) why.remove_prefix(failure.size());
    paragraph(event.task, mark + " ", event.name + (why.empty() || known ? "" : ": ") + std::string(why), Tone::red, 8);
    row(event.task, "  " + options.style.dim(clipped(usage(event.task, now), width(event.task) - 2)));
  }
  if (event.task != root) return enter(Phase::asked_model, now);
  growing.clear();
  calls.clear();
  enter(Phase::idle, now);
}

void View::State::other(const task::Event& event, std::int64_t now) {
  const std::string& task = event.task;
  switch (event.kind) {
    case EventKind::started:
    case EventKind::resumed: return started(event, now);
    case EventKind::request:
      // Asked anew in the middle of an answer: only a message does that.
      if (answering == task && !summary && spoken_task == task && !spoken.empty())
        row(task, options.style.dim(clipped("(stopped here, because you said something)", width(task))));
      answering = task;
      failure.clear();
      enter(Phase::asked_model, now);
      attempt = event.number;
      summary = event.name == "summary";
      spoken.clear();
      std::erase_if(growing, [&](const Growing& g) { return g.task == task; });
      std::erase_if(calls, [&](const ShownCall& c) { return c.task == task; });
      return;
    case EventKind::asked: return enter(Phase::asking, now);
    case EventKind::replied: return enter(Phase::working, now);
    case EventKind::todos: return show_todos(event);
    case EventKind::notice:
      if (quiet(event.name)) return;
      begin("notice", task);
      return paragraph(task, "note  ", event.name + ": " + event.text, Tone::dim, 6);
    case EventKind::mistake:
      if (!event.call.empty()) return;  // its result says it
      begin("mistake", task);
      return paragraph(task, "! ", event.name + ": " + event.text, Tone::yellow, 4);
    case EventKind::failed: {
      const bool some = std::ranges::any_of(growing, [&](const Growing& g) { return g.task == task; }) ||
                        last_block == task + "/text ended";
      if (answering == task) answering.clear();
      retry_why = clipped(event.name, 24);
      failure = event.name + ": " + event.text;
      begin("failed", task);
      paragraph(task, std::string(marks.bad) + " ", event.name + ": " + event.text, Tone::red, 8);
      if (some) row(task, options.style.dim(clipped("  what came of the answer does not count", width(task))));
      std::erase_if(growing, [&](const Growing& g) { return g.task == task; });
      return;
    }
    case EventKind::retry:
      begin("failed", task);
      retry_at = now + event.number;
      enter(Phase::waiting, now);
      return row(task, options.style.dim(clipped("  sent again in " + duration_text(event.number), width(task))));
    case EventKind::folded:
      begin("notice", task);
      return paragraph(task, "note  ", "the history was made shorter: " + event.text, Tone::dim, 4);
    case EventKind::child_started: {
      const auto parent = depth.find(task);
      depth[event.name] = (parent == depth.end() ? 0 : parent->second) + 1;
      begin("child " + event.name, task);
      return row(task, options.style.cyan(marks.call) + " " + clipped("a task within: " + event.name, width(task) - 2));
    }
    case EventKind::completed:
      if (was_spoken(task, event.text)) return;  // it stands there already
      begin("completed", task);
      row(task, options.style.green(marks.good) + " " + options.style.bold("Result"));
      return paragraph(task, "  ", event.text, Tone::marked, 400);
    case EventKind::finished: return finished(event, now);
    default: return;
  }
}

std::string View::usage(std::int64_t now) const { return state_->usage(now); }
std::string View::todos() const { return state_->todo_list; }

}  // namespace BELAY_NAMESPACE::screen
