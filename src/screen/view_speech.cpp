// What the model says and thinks.
#include "screen/short_text.h"
#include "screen/view_state.h"

#include <algorithm>

namespace BELAY_NAMESPACE::screen {
namespace {

constexpr std::size_t kCompared = 1 << 20;  // bytes of an answer; a longer one is not known again

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

// Spaces aside: the pieces of an answer may be put together in other ways than they were shown.
bool View::State::was_spoken(std::string_view task, std::string_view text) const {
  if (spoken_task != task || spoken.size() > kCompared || text.empty()) return false;
  std::size_t at = 0;
  for (const char c : text) {
    if (is_space(c)) continue;
    while (at < spoken.size() && is_space(spoken[at])) ++at;
    if (at == spoken.size() || spoken[at] != c) return false;
    ++at;
  }
  return std::all_of(spoken.begin() + static_cast<std::ptrdiff_t>(at), spoken.end(), is_space);
}

void View::State::speak(const task::Event& event, std::int64_t now) {
  const Speech kind = event.kind == task::EventKind::text ? Speech::text : Speech::thought;
  if (speech != kind || speech_task != event.task) {
    end_speech(now);
    speech = kind;
    speech_task = event.task;
    flow = Flow(width(event.task));
    markup = {};
    if (kind == Speech::thought) {
      thought_since = now;
      thought_characters = 0;
      thought.clear();
    }
  }
  if (kind == Speech::thought) {
    enter(Phase::thinking, now);
    flow.push(event.text, [&](std::string r) {
      if (!r.empty()) thought = std::move(r);
    });
    thought_characters += static_cast<std::uint64_t>(
        std::ranges::count_if(event.text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    return;
  }
  enter(Phase::writing, now);
  if (spoken_task != event.task) {
    spoken_task = event.task;
    spoken.clear();
  }
  if (spoken.size() <= kCompared) spoken += event.text;
  flow.push(event.text, [&](const std::string& r) { text_row(r); });
}

// Blank rows count only when something follows them: models begin and end with some.
void View::State::text_row(const std::string& r) {
  if (r.find_first_not_of(' ') == r.npos) {
    if (any_text) ++blank_rows;
    return;
  }
  if (!any_text) begin("text", speech_task);
  any_text = true;
  for (; blank_rows > 0; --blank_rows) row(speech_task, "");
  row(speech_task, markup.row(r, options.style));
}

void View::State::resize() {
  flow.resize(width(speech_task), [&](std::string r) {
    if (speech == Speech::text) text_row(r);
    if (speech == Speech::thought) thought = std::move(r);
  });
}

void View::State::end_thought(std::int64_t now) {
  if (thought_characters == 0) return;
  begin("thought", speech_task);
  row(speech_task, options.style.dim(clipped("thought for " + duration_text(now - thought_since) + ", " +
                                                 counted(thought_characters, "character"),
                                             width(speech_task))));
  thought_characters = 0;
}

void View::State::end_speech(std::int64_t now) {
  if (speech == Speech::thought) end_thought(now);
  if (speech == Speech::text) {
    flow.finish([&](const std::string& r) { text_row(r); });
    blank_rows = 0;
    any_text = false;
    if (last_block == speech_task + "/text") last_block += " ended";
  }
  speech = Speech::none;
}

}  // namespace BELAY_NAMESPACE::screen
