// The rows that change.
#include "screen/short_text.h"
#include "screen/view_state.h"

#include <algorithm>

namespace BELAY_NAMESPACE::screen {
namespace {

constexpr std::size_t kFormingMembers = 6;  // of a call that forms
constexpr std::size_t kCalls = 3;           // at work at once, that are shown
constexpr std::size_t kOutput = 4;          // lines of a tool's output

// Whole ones: what is drawn every second must not flicker with tenths.
std::string seconds(std::int64_t ms) { return std::to_string(std::max<std::int64_t>(ms, 0) / 1000) + " s"; }

}  // namespace

std::vector<std::string> View::live(std::int64_t now) {
  State& s = *state_;
  const Style& style = s.options.style;
  std::vector<std::string> out;
  auto add = [&](std::string_view task, std::string_view row) { out.push_back(s.prefix(task) + std::string(row)); };
  const std::string gap;
  if (s.speech == State::Speech::text && !s.flow.open_row().empty()) {
    // Where a block of text begins with this row, it stands apart from what was before it.
    if (!s.any_text && !s.last_block.empty()) add(s.speech_task, gap);
    for (std::size_t i = 0; i < s.blank_rows && i < 2; ++i) add(s.speech_task, gap);
    add(s.speech_task, s.markup.open_row(s.flow.open_row(), style));
  }
  if (s.speech == State::Speech::thought) {
    if (!s.last_block.empty()) add(s.speech_task, gap);
    const std::string_view open = s.flow.open_row();
    add(s.speech_task, style.dim(open.empty() ? std::string_view(s.thought) : open));
  }
  for (State::Growing& g : s.growing) {
    const std::size_t room = s.width(g.task);
    add(g.task, gap);
    const std::string name = clipped(g.call.name().empty() ? "(no name yet)" : g.call.name(), room - 2);
    const std::string size = "  " + counted(g.call.bytes(), "byte");
    add(g.task, style.yellow(s.marks.call) + " " + style.bold(name) +
                    (columns(name) + columns(size) + 2 <= room ? style.dim(size) : ""));
    if (&g == &s.growing.back())
      for (const std::string& r : g.call.rows(room - 2, kFormingMembers)) add(g.task, "  " + r);
  }
  std::size_t working = 0;
  for (ShownCall& call : s.calls) {
    if (!call.running_since) continue;
    if (++working > kCalls) continue;
    const std::size_t room = s.width(call.task);
    const bool joins = call.head && s.last_block == call.task + "/call " + call.id;
    if (!joins) {
      add(call.task, gap);
      const std::string name = clipped(call.name, room - 2);
      const std::size_t left = room > columns(name) + 8 ? room - columns(name) - 4 : 0;
      add(call.task, style.yellow(s.marks.call) + " " + style.bold(name) +
                         (left > 0 ? "  " + short_arguments(call.arguments, left) : ""));
    }
    auto lines = call.output.lines();
    if (lines.size() > kOutput) lines.erase(lines.begin(), lines.end() - kOutput);
    for (std::string_view line : lines) add(call.task, "  " + style.dim(clipped(line, room - 2)));
    const std::string so_far = call.output.empty() ? "" : counted(call.output.count(), "line") + ", ";
    add(call.task, style.dim(clipped("  " + so_far + seconds(now - *call.running_since), room)));
  }
  if (working > kCalls)
    add(s.root, style.dim(clipped("  and " + std::to_string(working - kCalls) + " more at work", s.width(s.root))));
  return out;
}

std::string View::status(std::int64_t now) const {
  using Phase = State::Phase;
  const State& s = *state_;
  std::string doing;
  switch (s.phase) {
    case Phase::idle: doing = "ready"; break;
    case Phase::asked_model: doing = s.summary ? "summing up" : "waiting for the model"; break;
    case Phase::thinking: doing = "thinking"; break;
    case Phase::writing: doing = "writing"; break;
    case Phase::calling: doing = "writing a call"; break;
    case Phase::asking: doing = "your turn"; break;
    case Phase::waiting:
      doing = (s.retry_why.empty() ? "" : s.retry_why + ": ") + "sending again in " + seconds(s.retry_at - now + 999);
      break;
    case Phase::working: {
      doing = "at work";
      for (const ShownCall& call : s.calls)
        if (call.running_since) doing = "running " + call.name;
      break;
    }
  }
  if (s.phase == Phase::asked_model && s.attempt > 1) doing += ", attempt " + std::to_string(s.attempt);
  // A turn counts when its answer is there; the one under way is the next.
  const State::Used all = s.in_all();
  const bool under_way = s.phase != Phase::idle && s.phase != Phase::working && s.phase != Phase::asking;
  const std::string dot(s.marks.dot);
  std::string text = doing + dot + "turn " + std::to_string(all.turns + (under_way ? 1 : 0));
  const std::string about = all.estimated > 0 ? "~" : "";
  if (all.input + all.output > 0)
    text += dot + about + tokens_text(all.input) + " in, " + about + tokens_text(all.output) + " out";
  if (all.cost > 0) text += dot + about + money_text(all.cost);
  if (s.any_event) text += dot + clock_text(s.active(now));
  return s.options.style.dim(clipped(text, s.options.width));
}

}  // namespace BELAY_NAMESPACE::screen
