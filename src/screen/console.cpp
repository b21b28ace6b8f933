#include <belay/screen/console.h>

#include "screen/always.h"
#include "screen/flow.h"
#include "screen/short_text.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::screen {
namespace {

using task::AskPerson;

constexpr std::size_t kInputRows = 8;
constexpr std::size_t kQueuedRows = 3;
constexpr std::size_t kRuleRows = 6;
constexpr std::size_t kTurnsBefore = 4;  // shown of a task that goes on

}  // namespace

Console::Console(ConsoleOptions options) : options_(std::move(options)), view_(options_.view) {
  options_.view.width = std::max<std::size_t>(options_.view.width, 20);
  editor_.complete = [this](std::string_view before) { return completions(before); };
}

void Console::greet(std::string_view task) {
  if (std::exchange(greeted_, true)) return;
  std::string line = "belay";
  if (!options_.model.empty()) line += " with " + options_.model;
  if (!options_.workspace.empty()) line += " in " + options_.workspace;
  if (!options_.mode.empty()) line += ", permission mode " + options_.mode;
  if (!task.empty()) line += ", task " + std::string(task);
  view_.remark(line + "; /help says what can be typed");
}

void Console::recount(std::span<const task::Record> records) {
  if (records.empty()) return;
  greet(records.front().task);
  view_.recount(records, kTurnsBefore);
}

void Console::on(const task::Event& event, std::int64_t now) {
  if (event.kind == task::EventKind::started || event.kind == task::EventKind::resumed) greet(event.task);
  queue(event);
  view_.on(event, now);
}

void Console::kept(const task::Record& record) { view_.kept(record); }

void Console::ask(std::string_view task, const AskPerson& question, std::int64_t now) {
  Open open;
  open.task = task;
  open.question = question;
  if (question.kind == AskPerson::Kind::approval) {
    if (options_.preview) open.preview = options_.preview(question.tool, question.arguments);
    open.rule = always(question.tool, question.arguments);
    // A rule that cannot be seen whole cannot be agreed to.
    if (open.rule && rows_of(rule_text(*open.rule), options_.view.width - 2, kRuleRows, Flow::Break::anywhere).more > 0)
      open.rule.reset();
  }
  questions_.push_back(std::move(open));
  if (questions_.size() == 1) present(now);
}

// Puts the first question into the transcript.
void Console::present(std::int64_t now) {
  Open* first = open();
  if (!first) {
    if (draft_) {
      editor_.put_away();  // words for a question that is not open any more
      editor_.set(std::move(*draft_));
    }
    draft_.reset();
    return;
  }
  if (!editor_.empty()) {
    draft_ = editor_.text();
    editor_.clear();
    typing_ = true;
  }
  hint_.clear();
  view_.ask(first->task, first->question, first->preview, now);
}

void Console::drop(std::string_view question) {
  const bool first = !questions_.empty() && questions_.front().question.id == question;
  // Whoever was writing an answer goes on writing for a moment: that is none to what comes next.
  if (first && !by_key(questions_.front()) && !editor_.empty()) typing_ = true;
  std::erase_if(questions_, [&](const Open& o) { return o.question.id == question; });
  if (first) {
    editor_.put_away();
    view_.end_question(last_key_);
    present(last_key_);
  }
}

void Console::idle(std::int64_t now) {
  requesting_.clear();
  release_queued();
  say_queued();
  stopping_ = false;
  if (hint_until_ != 0) {
    hint_ = now < hint_until_ && interrupted_ >= 0 ? "Stopped; Ctrl-C again quits" : "";
    if (hint_.empty()) hint_until_ = 0;
  }
  view_.idle(now);
}

std::optional<std::int64_t> Console::changes_at() const {
  if (hint_until_ == 0 || hint_.empty()) return std::nullopt;
  return hint_until_;
}

void Console::resize(std::size_t width, std::size_t height) {
  options_.view.width = std::max<std::size_t>(width, 20);
  options_.view.height = height;
  view_.resize(width, height);
}

bool Console::by_key(const Open& open) const {
  return !open.words &&
         (open.question.kind == AskPerson::Kind::approval || open.question.kind == AskPerson::Kind::limit);
}

// The keys that answer, as many a row as fit.
std::vector<std::string> Console::prompt_rows(const Open& open) const {
  const Style& style = options_.view.style;
  const std::size_t width = options_.view.width;
  std::vector<std::string> out;
  auto line = [&](std::string_view text) {
    for (const std::string& r : rows_of(text, width, 4).rows) out.push_back(style.dim(r));
  };
  if (open.words) {
    line("Why not? Your words go to the model; Enter alone says no, Esc goes back");
    return out;
  }
  switch (open.question.kind) {
    case AskPerson::Kind::question:
      line(open.question.choices.empty()
               ? "Your answer, and Enter"
               : "1 to " + std::to_string(open.question.choices.size()) +
                     (open.question.only_choices ? ", and Enter" : ", or your own words, and Enter"));
      return out;
    case AskPerson::Kind::completion: line("Enter or y accepts the result; or say what is missing"); return out;
    default: break;
  }
  struct Choice {
    std::string key, words;
  };
  std::vector<Choice> choices;
  const bool approval = open.question.kind == AskPerson::Kind::approval;
  choices.push_back({"y", approval ? "yes" : "go on"});
  choices.push_back({"n", approval ? "no, and say why" : "end the task"});
  // What is allowed for good is seen whole: a rule that does not fit beside its key has rows of its own below.
  const std::string rule = open.rule ? rule_text(*open.rule) : std::string();
  const std::string always = "always " + printable(rule) + " for this run";
  const bool beside = columns(always) + 2 <= width;
  if (approval && open.rule) choices.push_back({"a", beside ? always : "always for this run, by this rule:"});
  if (approval) choices.push_back({"i", "inspect"});
  choices.push_back({"q", "stop"});
  std::string row = approval ? "Run it?" : "Go on?";
  std::size_t used = row.size();
  row = style.bold(row);
  for (const Choice& c : choices) {
    const std::size_t size = 3 + c.key.size() + columns(c.words);
    if (used + size > width) {
      out.push_back(std::exchange(row, ""));
      used = 0;
    }
    const bool first = used == 0;
    row += (first ? "" : "  ") + style.bold(c.key) + " " + (first ? clipped(c.words, width - 2) : c.words);
    used += first ? size - 2 : size;
  }
  out.push_back(row);
  if (approval && open.rule && !beside)
    for (const std::string& r : rows_of(rule, width - 2, kRuleRows, Flow::Break::anywhere).rows)
      out.push_back("  " + style.dim(r));
  return out;
}

Frame Console::frame(std::int64_t now) {
  Frame out;
  out.transcript = view_.take();
  if (hint_until_ != 0 && now >= hint_until_) {
    hint_.clear();
    hint_until_ = 0;
  }
  if (open()) open()->framed = true;
  if (!options_.view.live) return out;
  if (leaving_) {
    out.rows = {"", options_.view.style.dim(clipped("leaving; Ctrl-C ends it at once", options_.view.width))};
    out.row = 1;
    return out;
  }
  const std::size_t width = options_.view.width;
  const std::size_t height = std::max<std::size_t>(options_.view.height, 4);
  const Style& style = options_.view.style;

  std::vector<std::string> below;  // from the status on: always there
  below.push_back("");
  if (Open* first = open()) {
    for (std::string& r : prompt_rows(*first)) below.push_back(std::move(r));
  } else {
    for (std::size_t i = 0; i < queued_.size() && i < kQueuedRows; ++i)
      below.push_back(style.dim(clipped("queued: " + queued_[i].text, width)));
    if (queued_.size() > kQueuedRows)
      below.push_back(style.dim(clipped("and " + counted(queued_.size() - kQueuedRows, "more message"), width)));
    below.push_back(view_.status(now));
  }
  if (draft_) below.push_back(style.dim(clipped("kept for later: " + *draft_, width)));
  if (!hint_.empty()) below.push_back(style.yellow(clipped(hint_, width)));
  if (!editor_.choices().empty()) {
    std::string all;
    for (const std::string& c : editor_.choices()) all += (all.empty() ? "" : "  ") + c;
    below.push_back(style.dim(clipped(all, width)));
  }
  std::size_t cursor_row = below.size() - 1, cursor_column = 0;
  if (!open() || !by_key(*open())) {
    const std::optional<std::string>& search = editor_.searching();
    const std::string prompt = search ? "(find " + clipped(*search, 16) + ") " : "> ";
    const Editor::Drawn drawn = editor_.draw(width, prompt, std::min(kInputRows, std::max<std::size_t>(height / 2, 1)));
    cursor_row = below.size() + drawn.row;
    cursor_column = std::min(drawn.column, width - 1);
    for (const std::string& r : drawn.rows) below.push_back(r);
  }
  // What does not fit goes from the top: the input is the last thing to go.
  std::vector<std::string> above = view_.live(now);
  const std::size_t most = height - 1;
  if (above.size() + below.size() > most) {
    const std::size_t too_many = above.size() + below.size() - most;
    above.erase(above.begin(), above.begin() + static_cast<std::ptrdiff_t>(std::min(too_many, above.size())));
  }
  if (below.size() > most) {
    const std::size_t gone = below.size() - most;
    below.erase(below.begin(), below.begin() + static_cast<std::ptrdiff_t>(gone));
    cursor_row -= std::min(cursor_row, gone);
  }
  out.row = above.size() + cursor_row;
  out.column = cursor_column;
  out.rows = std::move(above);
  std::ranges::move(below, std::back_inserter(out.rows));
  return out;
}

bool Console::shown(std::int64_t now) {
  Open* first = open();
  if (!first || !first->framed || first->shown) return false;
  first->shown = true;
  first->armed = now;
  return true;
}

std::string Console::line_prompt() const {
  if (leaving_) return "";
  if (questions_.empty()) return view_.busy() ? "" : "> ";
  std::string out;
  for (const std::string& r : prompt_rows(questions_.front())) out += r + "\n";
  return out;
}

}  // namespace BELAY_NAMESPACE::screen
