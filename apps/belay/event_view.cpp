#include "event_view.h"

#include "partial_text.h"
#include "table.h"
#include "words.h"

#include <belay/json/writer.h>

#include <algorithm>

namespace belay::cli {
namespace {

constexpr std::size_t kEventWidth = 80;
constexpr std::size_t kLabel = 8;
constexpr std::size_t kKey = 14;
constexpr std::size_t kEventMembers = 12;  // shown of one call
constexpr std::size_t kEdits = 5;
constexpr std::size_t kSentence = 20 * (kEventWidth - kLabel);  // columns of a message; servers' can be of any length

std::string size_note(std::string_view text) {
  return text.size() > kEventWidth ? " (" + std::to_string(text.size()) + " bytes)" : std::string();
}

// One member on one line: its key, and as much of the value as fits.
std::string member_line(std::string_view key, std::string_view text, const std::string& note) {
  const std::size_t room = kEventWidth - kLabel - kKey - 2 - columns(note);
  return std::string(kLabel, ' ') + padded(key, kKey) + "  " + clipped(text, room) + note;
}

}  // namespace

// Where nothing is coloured nothing is drawn over either.
EventView::EventView(Output& out)
    : out_(out), live_(Style::for_terminal(out.is_terminal()).coloured()), style_(live_) {}

void EventView::line(std::string_view label, std::string_view text) {
  out_ << style_.dim(padded(label, kLabel)) << text << "\n";
}

// Speech is drawn line by line, broken at spaces.
void EventView::say(std::string_view what, std::string_view piece) {
  if (speech_label_ != what) flush();
  erase_growing();
  growing_ = false;
  speech_label_ = what;
  speech_ += piece;
}

// Broken at spaces; a word that is longer than a line, where the line ends.
void EventView::sentence(std::string_view label, std::string_view text, Tone tone) {
  do {
    std::size_t take = 0, width = 0, space = 0;
    while (take < text.size()) {
      Glyph g = first_glyph(text.substr(take));
      if (width + g.columns > kEventWidth - kLabel) break;
      if (g.text == " ") space = take;
      width += g.columns;
      take += g.bytes;
    }
    if (take < text.size() && space > 0) take = space;
    const std::string row = printable(text.substr(0, take));
    line(label, tone == Tone::red ? style_.red(row) : tone == Tone::dim ? style_.dim(row) : row);
    label = {};
    text.remove_prefix(take);
    while (text.starts_with(' ')) text.remove_prefix(1);
  } while (!text.empty());
}

void EventView::flush() {
  if (speech_.empty()) return;
  std::string_view rest = speech_;
  std::string_view label = speech_label_;
  while (!rest.empty()) {
    std::size_t end = std::min(rest.find('\n'), rest.size());
    sentence(label, rest.substr(0, end));
    label = {};
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  speech_.clear();
  speech_label_.clear();
}

void EventView::on_call_start(std::size_t slot, std::string_view, std::string_view name) {
  flush();
  erase_growing();
  if (names_.size() <= slot) names_.resize(slot + 1);
  names_[slot] = name;
  slot_ = slot;
  growing_ = changed_ = true;
}

void EventView::on_call_delta(std::size_t slot, std::string_view) {
  if (slot != slot_) erase_growing();
  slot_ = slot;
  growing_ = changed_ = true;
}

void EventView::update() {
  if (!live_) return;
  if (!growing_) flush();
  if (growing_ && changed_) draw_growing();
  out_.flush();
}

void EventView::erase_growing() {
  if (drawn_ > 0) out_ << "\x1b[" << std::to_string(drawn_) << "A\x1b[J";
  drawn_ = 0;
}

void EventView::draw_growing() {
  if (!live_ || !ledger_ || slot_ >= ledger_->size()) return;
  erase_growing();
  changed_ = false;
  line("call " + std::to_string(slot_), style_.bold(clipped(names_[slot_], kEventWidth - kLabel)));
  drawn_ = 1;
  json::MaybePartial value = ledger_->partial(slot_);
  if (!value || value->kind() != json::Kind::object) return;
  std::size_t shown = 0;
  value->each_member([&](std::string_view key, const json::Partial& member) {
    if (++shown > kEventMembers) return;
    bool string = member.kind() == json::Kind::string;
    std::string text = string && member.as_string().size() > kEventWidth
                           ? "\"…" + std::string(member.as_string().substr(member.as_string().size() - 40))
                           : partial_text(member);
    out_ << member_line(key, text, string ? size_note(member.as_string()) : "") << "\n";
    ++drawn_;
  });
}

void EventView::draw_members(std::optional<json::Value> value) {
  if (!value) return;
  std::size_t shown = 0;
  for (json::Member m : value->members()) {
    if (++shown > kEventMembers) break;
    std::string text = json::to_string(m.value);
    out_ << member_line(m.key, text, m.value.is_string() ? size_note(m.value.as_string()) : "") << "\n";
  }
  if (value->size() > kEventMembers)
    out_ << std::string(kLabel, ' ') << "and " << std::to_string(value->size() - kEventMembers) << " more\n";
}

void EventView::draw_receipt(const turn::Call& call) {
  std::size_t shown = 0;
  for (const json::Edit& e : call.reading.edits) {
    if (++shown > kEdits) break;
    sentence({},
             std::string(json::name(e.kind)) + " (" + std::string(json::name(e.grade)) + "), byte " +
                 std::to_string(e.offset) + ": " + std::string(words(e.kind).what),
             Tone::dim);
  }
  for (const schema::AlignEdit& e : call.aligned) {
    if (++shown > kEdits) break;
    sentence({},
             std::string(schema::name(e.kind)) + " (" + std::string(json::name(e.grade)) + ") at " +
                 (e.path.empty() ? "the whole" : e.path),
             Tone::dim);
  }
  const std::uint64_t total = call.reading.edits_total + call.aligned.size();
  if (total > kEdits) sentence({}, "and " + std::to_string(total - kEdits) + " more edits", Tone::dim);
}

void EventView::on_call_end(const turn::Call& call) {
  flush();
  erase_growing();
  growing_ = false;
  line("call " + std::to_string(call.slot),
       style_.bold(clipped(call.name.empty() ? "(no name)" : call.name, 40)) + "  " + style_.dim(clipped(call.id, 28)));
  if (!call.tool.empty() && call.tool != call.name)
    sentence({}, "means the tool " + clipped(call.tool, kEventWidth), Tone::dim);
  if (call.verdict.count > 1)
    for (json::Value v : call.values()) draw_members(v);
  else if (call.verdict.end != json::End::broken)
    draw_members(call.arguments());
  const std::string word(json::name(call.verdict.word()));
  const std::string painted = call.trusted                                 ? style_.green(word)
                              : call.verdict.word() == json::Word::guessed ? style_.yellow(word)
                                                                           : style_.red(word);
  out_ << std::string(kLabel, ' ') << painted << (call.trusted ? ", trusted" : ", not trusted") << "\n";
  // Where its own error is the reason, that says more.
  if (!call.trusted && !(call.error && call.distrust == call.error->kind)) sentence({}, "because " + call.distrust);
  if (call.error) sentence({}, clipped(call.error->kind + ": " + for_shell(call.error->message), kSentence));
  draw_receipt(call);
}

void EventView::on_usage(const chat::Usage& usage) {
  flush();
  auto count = [](const std::optional<std::uint64_t>& n) { return n ? std::to_string(*n) : std::string("?"); };
  std::string text = count(usage.input_tokens) + (usage.input_tokens == 1 ? " token in, " : " tokens in, ") +
                     count(usage.output_tokens) + " out";
  if (usage.cached_tokens) text += ", " + count(usage.cached_tokens) + " cached";
  if (usage.reasoning_tokens) text += ", " + count(usage.reasoning_tokens) + " of reasoning";
  line("usage", text);
}

void EventView::on_stop(chat::StopReason reason, std::string_view raw) {
  flush();
  std::string text(chat::name(reason));
  if (!raw.empty() && raw != text) text += " (" + clipped(raw, 40) + ")";
  if (reason == chat::StopReason::none && raw.empty()) text = "none: the stream did not say that it was over";
  line("stop", text);
}

void EventView::on_notice(std::string_view kind, std::string_view message) {
  flush();
  erase_growing();
  sentence("notice", clipped(std::string(kind) + ": " + for_shell(message), kSentence));
}

void EventView::on_failure(const chat::Failure& failure) {
  flush();
  erase_growing();
  failed_ = true;
  std::string text = std::string(failure.kind) + ": " + for_shell(failure.message);
  sentence("error", clipped(text, kSentence), Tone::red);
  if (failure.retryable) line("", "trying again may help");
}

}  // namespace belay::cli
