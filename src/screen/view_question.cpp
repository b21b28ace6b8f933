// Questions to a person, as they stand in the transcript.
#include "screen/short_text.h"
#include "screen/view_state.h"

#include <algorithm>

namespace BELAY_NAMESPACE::screen {
namespace {

using task::AskPerson;

// Rows that a question may fill, so that it is on the screen together with what is asked.
std::size_t rows_for(std::size_t height) { return height > 18 ? height - 10 : 8; }

}  // namespace

void View::State::exactly(std::string_view task, std::string_view text, std::size_t most, std::string_view what) {
  const std::size_t room = std::max<std::size_t>(width(task), 12) - 4;
  const Rows rows = rows_of(text, room, most, Flow::Break::anywhere);
  for (const std::string& r : rows.rows) row(task, "  " + options.style.dim(marks.bar) + " " + r);
  if (rows.more == 0) return;
  const std::string note =
      std::string(marks.more) + " " + counted(rows.more, "more row") + " of the " + std::string(what) + "; i shows all";
  paragraph(task, "  ", note, Tone::red, 4);
}

void View::ask(std::string_view task, const AskPerson& question, std::string_view preview, std::int64_t now) {
  State& s = *state_;
  s.end_speech(now);
  s.before_question = s.phase;
  s.enter(State::Phase::asking, now);
  const std::size_t most = rows_for(s.options.height);
  switch (question.kind) {
    case AskPerson::Kind::approval: {
      task::Event about;
      about.task = task;
      about.call = question.call;
      about.name = question.tool;
      ShownCall& call = s.known(about);
      call.arguments = question.arguments;
      const bool told = !call.receipt.empty() || !call.not_run.empty();
      const std::string command = member_of(question.arguments, "command");
      s.head_of(call, command.empty());
      // Exactly what would run: the command, the change, or all arguments; never shortened without a word.
      if (!command.empty()) s.exactly(task, command, most, "command");
      if (command.empty() && preview.empty()) s.exactly(task, question.arguments, most, "arguments");
      if (!preview.empty()) {
        s.diff(task, preview, most);
        call.changes = true;
      }
      if (!told && !question.receipt.empty()) s.paragraph(task, "  ", question.receipt, State::Tone::yellow, 6);
      return s.paragraph(task, "  ", "asked because " + question.text, State::Tone::dim, 4);
    }
    case AskPerson::Kind::question: {
      s.begin("question " + question.id, task);
      s.paragraph(task, "? ", question.text, State::Tone::bold, 100);
      std::size_t n = 0;
      for (const std::string& choice : question.choices)
        s.paragraph(task, "  " + std::to_string(++n) + "  ", choice, State::Tone::plain, 6);
      return;
    }
    case AskPerson::Kind::completion: return;  // the result stands there already
    case AskPerson::Kind::limit:
      s.begin("limit " + question.id, task);
      return s.paragraph(task, "? ", question.text, State::Tone::bold, 10);
  }
}

// A question of the task is asked and answered by events, too. One of a tool's server is not: nothing else would say
// that it is over, least of all when nothing is under way.
void View::end_question(std::int64_t now) {
  // Who types has an older idea of the time than who asked.
  if (state_->phase == State::Phase::asking) state_->enter(state_->before_question, std::max(now, state_->phase_since));
}

}  // namespace BELAY_NAMESPACE::screen
