#include <belay/screen/view.h>

#include "screen/columns.h"
#include "screen/short_text.h"
#include "screen/view_state.h"

#include <algorithm>

namespace BELAY_NAMESPACE::screen {

namespace {

constexpr std::size_t kBars = 4;  // tasks within tasks that can be told apart

}  // namespace

std::string View::State::prefix(std::string_view task) const {
  const auto at = depth.find(task);
  std::string bars;
  for (std::size_t i = 0; at != depth.end() && i < std::min(at->second, kBars); ++i)
    bars += options.style.dim(marks.bar) + " ";
  return bars;
}

std::size_t View::State::width(std::string_view task) const {
  const auto at = depth.find(task);
  return options.width - (at == depth.end() ? 0 : 2 * std::min(at->second, kBars));
}

void View::State::row(std::string_view task, std::string_view text) {
  out += prefix(task);
  out += text;
  out += '\n';
}

// Blocks stand apart from each other; rows of one block stand together.
void View::State::begin(std::string_view block, std::string_view task) {
  const std::string name = std::string(task) + "/" + std::string(block);
  if (name == last_block) return;
  if (!last_block.empty()) row(task, "");
  last_block = name;
}

std::string View::State::paint(Tone tone, std::string_view text) const {
  const Style& style = options.style;
  switch (tone) {
    case Tone::dim: return style.dim(text);
    case Tone::red: return style.red(text);
    case Tone::yellow: return style.yellow(text);
    case Tone::green: return style.green(text);
    case Tone::bold: return style.bold(text);
    case Tone::marked:
    case Tone::plain: break;
  }
  return std::string(text);
}

void View::State::paragraph(std::string_view task, std::string_view lead, std::string_view text, Tone tone,
                            std::size_t most) {
  const std::size_t indent = columns(lead);
  const std::size_t room = std::max<std::size_t>(width(task), indent + 4) - indent;
  while (text.ends_with('\n')) text.remove_suffix(1);
  const Rows rows = rows_of(text, room, most);
  std::string before(lead);
  Markup marked;
  for (const std::string& r : rows.rows) {
    const std::string shown = tone == Tone::marked ? marked.row(r, options.style) : paint(tone, r);
    row(task, r.empty() ? std::string() : before + shown);
    if (!r.empty() || before != lead) before.assign(indent, ' ');
  }
  if (rows.rows.empty()) row(task, lead);
  if (rows.more > 0)
    row(task,
        std::string(indent, ' ') + options.style.dim(std::string(marks.more) + " " + counted(rows.more, "more row")));
}

std::string View::State::diff_row(std::string_view line, std::string_view shown) const {
  if (line.starts_with("+++") || line.starts_with("---")) return options.style.bold(shown);
  if (line.starts_with('+')) return options.style.green(shown);
  if (line.starts_with('-')) return options.style.red(shown);
  if (line.starts_with("@@")) return options.style.cyan(shown);
  return std::string(shown);
}

void View::State::diff(std::string_view task, std::string_view text, std::size_t most) {
  const std::size_t room = std::max<std::size_t>(width(task), 12) - 2;
  std::size_t shown = 0, more = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    // A single line more takes no more room than to say that it is left out.
    const bool only_one = shown == most && more == 0 && text.empty() && columns(line) <= room;
    if (shown >= most && !only_one) {
      ++more;
      continue;
    }
    const Rows rows = rows_of(line, room, only_one ? 1 : most - shown, Flow::Break::anywhere);
    for (const std::string& r : rows.rows) row(task, "  " + diff_row(line, r));
    if (rows.rows.empty()) row(task, "");
    shown += std::max<std::size_t>(rows.rows.size(), 1);
    if (rows.more > 0) ++more;
  }
  if (more > 0)
    row(task,
        "  " + options.style.dim(std::string(marks.more) + " " + counted(more, "more line") + " of the difference"));
}

View::View(ViewOptions options) : state_(std::make_unique<State>(options)) {
  state_->options.width = std::max(state_->options.width, kLeastColumns);
}
View::~View() = default;

std::string View::take() { return std::exchange(state_->out, {}); }
std::size_t View::waiting() const { return state_->out.size(); }
const std::string& View::task() const { return state_->root; }
std::string View::raw_of(std::string_view task, std::string_view call) const {
  const ShownCall* const found = state_->find(task, call);
  return found ? found->raw : std::string();
}

bool View::busy() const { return state_->phase != State::Phase::idle; }

void View::idle(std::int64_t now) {
  state_->end_speech(now);
  state_->growing.clear();
  state_->enter(State::Phase::idle, now);
}

void View::resize(std::size_t width, std::size_t height) {
  state_->options.width = std::max(width, kLeastColumns);
  state_->options.height = height;
  state_->resize();
}

void View::said(std::string_view words) {
  State& s = *state_;
  s.end_speech(s.phase_since);
  s.begin("said" + std::to_string(s.out.size()), s.root);
  s.paragraph(s.root, "> ", words, State::Tone::bold);
}

void View::answered(std::string_view words) {
  State& s = *state_;
  s.paragraph(s.root, "  > ", words.empty() ? std::string_view("(nothing)") : words, State::Tone::bold);
}

void View::remark(std::string_view text, bool is_error) {
  State& s = *state_;
  s.end_speech(s.phase_since);
  s.begin("remark", s.root);
  s.paragraph(s.root, "", text, is_error ? State::Tone::red : State::Tone::dim);
}

void View::document(std::string_view title, std::string_view text) {
  constexpr std::size_t kRows = 2000;
  State& s = *state_;
  s.end_speech(s.phase_since);
  s.row(s.root, s.options.style.dim("  " + clipped(title, s.width(s.root) - 2)));
  // Exactly: prose would keep what an emoji has behind it.
  const Rows rows = rows_of(text, s.width(s.root) - 2, kRows, Flow::Break::anywhere);
  for (const std::string& r : rows.rows) s.row(s.root, r.empty() ? std::string() : "  " + r);
  if (rows.more > 0)
    s.row(s.root, "  " + s.options.style.dim(std::string(s.marks.more) + " " + counted(rows.more, "more row")));
}

void View::diff(std::string_view text) {
  constexpr std::size_t kRows = 2000;
  state_->diff(state_->root, text, kRows);
}

}  // namespace BELAY_NAMESPACE::screen
