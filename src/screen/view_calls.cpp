// Calls and their results.
#include "screen/short_text.h"
#include "screen/view_state.h"

#include <belay/json/edit.h>

#include <algorithm>
#include <array>

namespace BELAY_NAMESPACE::screen {
namespace {

constexpr std::size_t kShownCalls = 256;  // whose results are still to come
constexpr std::size_t kHeadRows = 3;      // of a result
constexpr std::size_t kTailRows = 6;      // of a command's output
constexpr std::size_t kErrorRows = 6;
constexpr std::size_t kDiffRows = 16;

// Their meaning is shown by itself: a question, a list, the result.
bool speaks_for_itself(std::string_view tool) {
  constexpr std::array<std::string_view, 3> kNames{"ask_followup_question", "update_todo_list", "attempt_completion"};
  return std::ranges::find(kNames, tool) != kNames.end();
}

// What the result repeats of the receipt, for the model.
std::string_view without(std::string_view text, std::string_view end) {
  if (!end.empty() && text.ends_with(end)) text.remove_suffix(end.size());
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

// What comes after the first sentence of a refusal says to the model what to do now.
std::string_view first_sentence(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && depth > 0) --depth;
    if (text[i] == '.' && depth == 0 && i + 1 < text.size() && (text[i + 1] == ' ' || text[i + 1] == '\n'))
      return text.substr(0, i + 1);
  }
  return text;
}

}  // namespace

void View::State::call_started(const task::Event& event) { growing.push_back({event.task, {event.call, event.name}}); }

void View::State::call_delta(const task::Event& event) {
  for (auto g = growing.rbegin(); g != growing.rend(); ++g)
    if (g->task == event.task && g->call.id() == event.call) return g->call.push(event.text);
}

// The id may be another one than while it streamed, where the provider's was not unique: then the order says which.
void View::State::call_ended(const task::Event& event) {
  ShownCall call;
  call.task = event.task;
  call.id = event.call;
  call.name = event.name;
  call.verdict = event.text;
  call.refused = event.is_error;
  call.receipt = member_of(event.data, "receipt");
  call.feedback = member_of(event.data, "feedback");
  if (auto plan = planned.find(event.task + "/" + event.call); plan != planned.end()) {
    call.arguments = std::move(plan->second.arguments);
    call.not_run = std::move(plan->second.not_run);
    call.tool = std::move(plan->second.tool);
    call.raw = std::move(plan->second.raw);
    planned.erase(plan);
  }
  auto mine = [&](auto same) {
    return std::ranges::find_if(growing, [&](const Growing& g) { return g.task == event.task && same(g.call); });
  };
  auto found = mine([&](const Forming& f) { return f.id() == event.call; });
  if (found == growing.end()) found = mine([&](const Forming& f) { return f.name() == event.name; });
  if (found != growing.end()) {
    call.formed = std::move(found->call);
    call.formed->finish(call.verdict == "truncated");
    growing.erase(found);
  }
  if (calls.size() >= kShownCalls) calls.erase(calls.begin());
  calls.push_back(std::move(call));
}

ShownCall* View::State::find(std::string_view task, std::string_view id) {
  auto call =
      std::find_if(calls.rbegin(), calls.rend(), [&](const ShownCall& c) { return c.task == task && c.id == id; });
  return call == calls.rend() ? nullptr : &*call;
}

// After a resume a call may go on that nobody saw coming.
ShownCall& View::State::known(const task::Event& event) {
  if (ShownCall* call = find(event.task, event.call)) return *call;
  if (calls.size() >= kShownCalls) calls.erase(calls.begin());
  ShownCall call;
  call.task = event.task;
  call.id = event.call;
  call.name = event.name;
  call.verdict = "valid";
  return calls.emplace_back(std::move(call));
}

// The tool and its arguments in short, then what was wrong with it. Said again when something else came in between.
void View::State::head_of(ShownCall& call, bool about) {
  const std::string block = "call " + call.id;
  if (call.head && last_block == call.task + "/" + block) return;
  begin(block, call.task);
  const std::size_t room = width(call.task);
  const std::string name = clipped(call.name.empty() ? "(no name)" : call.name, std::min<std::size_t>(room - 2, 48));
  // On a narrow screen the arguments have a row of their own.
  const bool beside = room > columns(name) + 20;
  const std::size_t left = beside ? room - columns(name) - 4 : room - 2;
  std::string arguments;
  if (!call.arguments.empty())
    arguments = short_arguments(call.arguments, left, about);
  else if (call.formed)
    arguments = call.formed->in_short(left);
  const std::string mark(marks.call);
  row(call.task, (call.refused ? options.style.red(mark) : options.style.cyan(mark)) + " " + options.style.bold(name) +
                     (arguments.empty() || !beside ? "" : "  " + arguments));
  if (!arguments.empty() && !beside) row(call.task, "  " + arguments);
  if (!call.head) trouble_of(call);
  call.head = true;
}

// What was mended, what was guessed, where it broke off.
void View::State::trouble_of(ShownCall& call) {
  if (!call.refused) {
    if (call.verdict == "split" && call.not_run.empty() && !call.refused)
      paragraph(call.task, "  ", "Split: several objects in one call; it only reads, so each is run.", Tone::yellow, 4);
    if (!call.receipt.empty()) paragraph(call.task, "  ", call.receipt, Tone::yellow, 4);
    if (!call.not_run.empty()) paragraph(call.task, "  ", call.not_run, Tone::yellow, 4);
    return;
  }
  if (!call.formed || call.verdict == "valid" || call.verdict == "mended" || call.verdict == "split") return;
  const auto raw = call.formed->raw();
  const json::Reading& reading = call.formed->finish(true);
  std::uint64_t offset = 0, length = 1;
  std::string what;
  if (reading.error) {
    offset = reading.error.position.offset;
    what = std::string(json::name(reading.error.kind)) + " at byte " + std::to_string(offset) + ", line " +
           std::to_string(reading.error.position.line) + ", column " + std::to_string(reading.error.position.column);
  } else {
    const auto guess = std::ranges::find(reading.edits, json::Grade::guess, &json::Edit::grade);
    if (guess == reading.edits.end()) return;
    offset = guess->offset;
    length = guess->length;
    what = std::string(json::name(guess->kind)) + " at byte " + std::to_string(offset);
  }
  row(call.task, "  " + options.style.red(clipped(what, width(call.task) - 2)));
  if (!raw || raw->empty()) return;
  const std::size_t room = width(call.task) > 12 ? width(call.task) - 4 : 8;
  const Excerpt e = excerpt(*raw, offset, length, room - 1);
  row(call.task, "    " + e.line);
  row(call.task, "    " + options.style.red(e.marks));
}

void View::State::tool_started(const task::Event& event, std::int64_t now) {
  ShownCall& call = known(event);
  if (!event.data.empty()) call.arguments = event.data;
  call.tool = event.name;
  call.running_since = now;
  call.output = Tail{kTailRows};
  enter(Phase::working, now);
  if (options.live) return;
  // Of calls that run together each is named with its result: several heads in a row belong to nothing.
  const bool alone =
      std::ranges::none_of(calls, [&](const ShownCall& c) { return &c != &call && !c.ended && c.task == call.task; });
  if (alone) head_of(call);
}

void View::State::tool_ended(const task::Event& event, std::int64_t now) {
  ShownCall& call = known(event);
  std::optional<std::int64_t> took;
  if (call.running_since) took = now - *call.running_since;
  call.running_since.reset();
  call.ended = true;
  call.not_run_why = call.refused || unrun.erase(event.task + "/" + event.call) > 0;
  const bool quiet = speaks_for_itself(call.own_name()) && !event.is_error;
  if (!quiet || (!call.receipt.empty() && !call.head)) head_of(call);
  if (!quiet) result_of(call, event.text, event.is_error, took);
  const bool last = std::ranges::none_of(calls, [&](const ShownCall& c) { return c.running_since && &c != &call; });
  if (last && phase == Phase::working) enter(Phase::asked_model, now);
}

void View::State::result_of(ShownCall& call, std::string_view text, bool is_error, std::optional<std::int64_t> took) {
  const std::string_view whole = text;
  text = without(without(text, call.receipt), call.not_run);
  const std::size_t room = std::max<std::size_t>(width(call.task), 12) - 2;
  const std::string& task = call.task;
  const std::string time = took && *took >= 1000 ? std::string(marks.dot) + duration_text(*took) : std::string();
  auto note = [&](const std::string& words) { row(task, "  " + options.style.dim(clipped(words, room))); };
  auto rows = [&](const Rows& given, Tone tone) {
    for (const std::string& r : given.rows) row(task, r.empty() ? "" : "  " + paint(tone, r));
  };
  // A failure is one without colours too.
  const std::string failed = "  " + std::string(marks.bad) + " ";
  if (is_error && call.not_run_why) text = first_sentence(text);
  if (text.empty() && !is_error) return note("(nothing)" + time);
  if (call.own_name() == "execute_command" && !call.not_run_why) {
    // The end says most: the last lines, and how it went.
    const std::size_t line = text.rfind('\n') + 1;
    const std::string_view end = text.substr(line);
    const bool has_end = end.starts_with('[') && end.ends_with(']');
    // Not the command says it, but who could not run it, or stopped it.
    if (is_error && !has_end && !text.empty()) return paragraph(task, failed, text, Tone::red, kErrorRows);
    const std::string_view output = has_end ? text.substr(0, line) : text;
    const Rows last = last_rows_of(output, room, kTailRows);
    if (last.more > 0) note(std::string(marks.more) + " " + counted(last.more, "row") + " before");
    rows(last, Tone::plain);
    if (has_end)
      paragraph(task, is_error ? failed : "  ", end.substr(1, end.size() - 2), is_error ? Tone::red : Tone::dim, 3);
    else if (is_error)
      paragraph(task, failed, "(failed)", Tone::red, 3);
    return;
  }
  if (is_error) {
    return paragraph(task, failed, text.empty() ? "(nothing)" : text, Tone::red, kErrorRows);
  }
  if (call.own_name() == "read_file") {
    // Its last line end belongs to the file. Which lines these are is said above them, for the model: that does not.
    if (text.size() < whole.size() && whole[text.size()] == '\n') text = whole.substr(0, text.size() + 1);
    const std::string_view first = text.substr(0, text.find('\n'));
    if (first.starts_with("[lines ") && first.ends_with(']') && first.size() < text.size())
      text.remove_prefix(first.size() + 1);
    return note(size_text(text) + time);
  }
  if (call.own_name() == "write_to_file" || call.own_name() == "apply_diff") {
    const std::string_view first = text.substr(0, text.find('\n'));
    paragraph(task, "  ", first, Tone::dim, 3);
    if (first.size() < text.size() && !call.changes) diff(task, text.substr(first.size() + 1), kDiffRows);
    call.changes = true;
    return;
  }
  const Rows first = rows_of(text, room, kHeadRows);
  rows(first, Tone::dim);
  if (first.more > 0) note(std::string(marks.more) + " " + counted(first.more, "more row") + time);
}

}  // namespace BELAY_NAMESPACE::screen
