// Prose, and where calls and reasoning begin in it.
#include <belay/text/decoder.h>

#include "text/active.h"
#include "text/peek.h"
#include "text/state.h"
#include "text/tags.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace BELAY_NAMESPACE::text {
namespace {

// Tools whose closing tags are looked for in the text behind their calls.
constexpr std::size_t kClosings = 16;

// It ends messages that are no call, too.
bool ends_any_message(const Row& row, std::string_view end) {
  return std::ranges::any_of(silent(), [&](const Silent& s) { return s.format == row.format && s.token == end; });
}

}  // namespace

const Tool* Context::tool(std::string_view name, bool any_case) const {
  const Tool* like = nullptr;
  for (const Tool& tool : options.tools) {
    if (tool.name == name) return &tool;
    if (any_case && same_word(tool.name, name)) {
      if (like) return nullptr;
      like = &tool;
    }
  }
  return like;
}

std::string_view Context::plain_name(std::string_view written) const {
  constexpr std::string_view kSpace = "functions.";
  if (const std::size_t token = written.find("<|"); token != std::string_view::npos && token > 0) {
    written = written.substr(0, token);
    while (!written.empty() && is_space(written.back())) written.remove_suffix(1);
  }
  if (written.starts_with(kSpace) && !tool(written) && tool(written.substr(kSpace.size()), true))
    written.remove_prefix(kSpace.size());
  return written;
}

void Decoder::State::push(std::string_view bytes) {
  if (active.none) return context.output.text(bytes);
  if (bytes.empty()) return;
  if (held.empty()) {
    std::size_t used = run(bytes, false);
    held.assign(bytes.substr(used));
  } else {
    held += bytes;
    // What could not be decided with so many bytes is looked at again when there are clearly more.
    if (held.size() < look_again) return;
    std::size_t used = run(held, false);
    held.erase(0, used);
  }
  look_again = held.size() > 64 && !payload ? held.size() + held.size() / 8 : 0;
}

void Decoder::State::finish() {
  if (active.none) return context.output.flush();
  std::string rest = std::exchange(held, {});
  run(rest, true);
  if (mode == Mode::reasoning && !quarantine.empty()) replay();
  context.output.flush();
  if (payload) context.output.place(first_call, call_at, at.offset);
}

// What is held back and is no call is text; a call stays open.
void Decoder::State::boundary() {
  if (active.none || payload || held.empty()) return;
  std::string rest = std::exchange(held, {});
  look_again = 0;
  std::size_t used = run(rest, true);
  held.assign(std::string_view(rest).substr(used));
}

std::size_t Decoder::State::run(std::string_view window, bool final) {
  std::size_t pos = 0;
  while (true) {
    std::string_view rest = window.substr(pos);
    std::size_t used = 0;
    bool go = false;
    if (payload) {
      used = payload->read(rest, at, final);
      advance(at, rest.substr(0, used));
      pos += used;
      if (!payload->done()) break;
      end_payload();
      continue;
    }
    if (rest.empty()) break;
    go = mode == Mode::reasoning ? think(rest, final, used) : prose(rest, final, used);
    advance(at, rest.substr(0, used));
    pos += used;
    if (!go) break;
  }
  return pos;
}

void Decoder::State::end_payload() {
  for (std::string_view word : payload->owed())
    if (std::find(owed.begin(), owed.end(), word) == owed.end()) owed.push_back(word);
  again = payload->again();
  doubt = payload->doubt();
  expect_again(doubt.closing);
  if (last_row)
    for (const Words* words : {&last_row->end, &last_row->outer_end})
      for (std::string_view word : *words)
        if (!ends_any_message(*last_row, word)) expect_again(word);
  payload.reset();
  context.output.place(first_call, call_at, at.offset);
  if (shown_from) doubt_from(*shown_from, call_at);
  // Calls that begin inside another one that was left open.
  if (const auto open = context.output.left_open()) {
    doubt_from(std::max(first_call, *open + 1), call_at);
    ended_open = *open + 1 == context.output.calls() && !again.empty();
  }
  quotes.end_call();
  around.end_call();
  behind_call = at.offset;
  lead.end();
  span = 0;
  span_closes = false;
  line_blank = between = true;
  margin = false;
  data.clear();
  trail.clear();
}

// An end marker that comes again behind other text says that it was not the end.
void Decoder::State::expect_again(std::string_view end) {
  const bool known = std::any_of(closings.begin(), closings.end(), [&](const Closing& c) { return c.tag == end; });
  if (!end.empty() && !known && closings.size() < kClosings)
    closings.push_back({std::string(end), context.output.calls() - 1});
}

// Bytes of the prompt's end are there only to be understood.
void Decoder::State::text(std::string_view bytes) {
  trail.add(bytes);
  // White space may have been given before, if the text was cut behind it.
  const auto closed = quotes.text(bytes);
  if (closed) {
    say(bytes.substr(0, *closed));
    doubt_from(quotes.first(), quotes.offset());
    bytes.remove_prefix(*closed);
  }
  while (const auto against = around.text(bytes, context.output.calls())) {
    say(bytes.substr(0, against->behind));
    doubt_from(against->first, behind_call);
    bytes.remove_prefix(against->behind);
  }
  say(bytes);
}

void Decoder::State::say(std::string_view bytes) {
  const std::size_t skip = std::min(unsaid, bytes.size());
  unsaid -= skip;
  context.output.text(bytes.substr(skip));
}

void Decoder::State::reasoning(std::string_view bytes) {
  std::size_t skip = std::min(unsaid, bytes.size());
  unsaid -= skip;
  context.output.reasoning(bytes.substr(skip));
}

Decoder::State::Begin Decoder::State::begins_call(std::string_view text, const Row& row, bool final) {
  Start start = peek(text, row, context, active.automatic, final);
  Begin begin{start.is, start.length, What::call};
  begin.row = &row;
  begin.start = std::move(start);
  return begin;
}

// A block of reasoning in the middle of a line. Tokens are nothing else; tags may be words of a text about them, and
// are a block if it follows a sentence or a word, and closes.
Is Decoder::State::begins_aside(std::string_view text, const Thinking& block, std::size_t from, bool final) const {
  if (block.open.find('|') != std::string_view::npos) return Is::yes;
  if (!aside) return Is::no;
  const bool full = text.size() >= kHoldBare;
  const std::string_view rest = text.substr(0, kHoldBare).substr(std::min(from, kHoldBare));
  for (std::string_view close : closers_of(block))
    if (rest.find(close) != std::string_view::npos) return Is::yes;
  return final || full ? Is::no : Is::more;
}

// Half of an end marker, where the text ends. One byte is enough right behind a call.
bool Decoder::State::is_half_marker(std::string_view text) const {
  if (text.size() < (adjacent ? 1 : 2)) return false;
  auto half = [&](std::string_view word) { return word.size() > text.size() && word.starts_with(text); };
  if (std::any_of(owed.begin(), owed.end(), half) || std::any_of(again.begin(), again.end(), half)) return true;
  if (!last_row || !adjacent) return false;
  return std::any_of(last_row->end.begin(), last_row->end.end(), half);
}

// </tool_cal> right behind the call: an end marker that is owed, not quite as it is spelled.
Match Decoder::State::match_misspelt(std::string_view text, bool final) const {
  constexpr std::string_view kClose = "</";
  if (!adjacent) return {Is::no};
  for (std::string_view word : owed) {
    if (!word.starts_with(kClose) || !word.ends_with('>')) continue;
    const std::string_view wanted = word.substr(kClose.size(), word.size() - kClose.size() - 1);
    const std::size_t longest = word.size() + 2;
    const std::size_t same = std::min(kClose.size(), text.size());
    if (text.substr(0, same) != kClose.substr(0, same)) continue;
    const std::size_t end = text.substr(0, longest).find('>');
    if (end == std::string_view::npos) {
      if (text.size() < longest && !final) return {Is::more};
      continue;
    }
    if (nearly_named(text.substr(kClose.size(), end - kClose.size()), wanted)) return {Is::yes, end + 1};
  }
  return {Is::no};
}

// What begins at a byte that matters, or ends there.
Decoder::State::Begin Decoder::State::begins(std::string_view text, std::size_t index, bool final) {
  context.fresh = fresh;
  Begin begin = begins_something(text, final);
  return begin.is == Is::no ? ends_turn(text, index, final) : begin;
}

Decoder::State::Begin Decoder::State::begins_something(std::string_view text, bool final) {
  const bool bare =
      (text.front() == '{' && active.bare_json) || (text.front() == '[' && (active.bare_json || active.bare_python));
  const Is marker = active.literals.begins(text);
  const bool late = !owed.empty() || !again.empty() || !closings.empty() || adjacent;
  if (marker == Is::no && !bare && !late) return {};
  if (marker == Is::more && !final && !late) return {Is::more};
  context.alone = fresh && !active.automatic && context.options.format != "json";
  Begin more;
  auto is = [&](const Match& m) {
    if (m.is == Is::more) more.is = Is::more;
    return m.is == Is::yes;
  };
  // Late end markers of a call that is over.
  for (std::size_t k = 0; k < owed.size(); ++k)
    if (Match m = match_marker(text, owed[k], final); is(m)) return {Is::yes, m.length, What::owed, k};
  if (final && is_half_marker(text)) return {Is::yes, text.size(), What::silent};
  // One that came already comes before one that is nearly spelled like it.
  for (const std::string& word : again)
    if (Match m = match_marker(text, word, final); is(m)) return {Is::yes, m.length, What::again};
  if (Match m = match_misspelt(text, final); is(m)) return {Is::yes, m.length, What::misspelt};
  for (std::size_t k = 0; k < closings.size(); ++k)
    if (Match m = match_marker(text, closings[k].tag, final); is(m)) return {Is::yes, 0, What::doubt, k};
  if (adjacent)
    if (Match m = doubt.parameter(text, final); is(m)) return {Is::yes, 0, What::parameter, m.length};
  if (context.output.calls() > unclosed_from && context.options.in_reasoning != InReasoning::take)
    if (Match m = match_shown_end(text, final); is(m)) return {Is::yes, 0, What::closer};
  for (std::size_t k = 0; k < active.thinking.size(); ++k) {
    const Thinking& block = active.thinking[k];
    if (block.at_start && !fresh) continue;
    const Match m = match_thinking(text, block.open, final);
    if (!is(m)) continue;
    const Is begins = line_blank || fresh ? Is::yes : begins_aside(text, block, m.length, final);
    if (begins == Is::yes) return {Is::yes, m.length, What::thinking, k};
    if (begins == Is::more) return {Is::more};
  }
  for (std::size_t k = 0; k < quotations().size(); ++k)
    if (margin || !quotations()[k].line_start)
      if (Match m = match_marker(text, quotations()[k].open, final, true); is(m))
        return {Is::yes, 0, What::quotation, k};
  // As long as something is open around the calls, the next is like the last.
  if (last_row && !last_row->outer.empty() && marker != Is::no &&
      std::find(owed.begin(), owed.end(), *last_row->outer_end.begin()) != owed.end())
    if (Begin call = begins_call(text, *last_row, final); call.is != Is::no) return call;
  const std::size_t byte = static_cast<unsigned char>(text.front()) % active.anywhere_by.size();
  for (const auto* list : {&active.anywhere_by[byte], &active.at_line_by[byte]}) {
    if (list == &active.at_line_by[byte] && !line_blank) break;
    for (const Row* row : *list) {
      if (marker == Is::no && row->grammar != Grammar::bare_json && row->grammar != Grammar::bare_python) continue;
      // In the order of the table: one that may still match comes before all that follow.
      if (Begin call = begins_call(text, *row, final); call.is != Is::no) return call;
    }
  }
  // A call may begin with one of them, so they come behind the calls.
  if (!active.automatic || fresh)
    for (std::size_t k = 0; k < active.silent.size(); ++k)
      if (Match m = match_literal(text, active.silent[k].token, final); is(m))
        return {Is::yes, m.length, What::silent, k + 1};
  return more;
}

void Decoder::State::start(Begin& begin, std::size_t index) {
  fresh = false;
  unsaid = unsaid > begin.length ? unsaid - begin.length : 0;
  switch (begin.what) {
    case What::owed:
      between = true;
      again.emplace_back(owed[begin.index]);
      owed.erase(owed.begin() + static_cast<std::ptrdiff_t>(begin.index));
      return;
    case What::doubt:
      // A text in one of them may have held the others.
      for (std::size_t call = closings[begin.index].first; call < context.output.calls(); ++call)
        context.output.doubt(call, {json::EditKind::tag_in_text, json::Grade::guess, at.offset + index,
                                    closings[begin.index].tag.size()});
      closings.erase(closings.begin() + static_cast<std::ptrdiff_t>(begin.index));
      return;
    case What::parameter:
      context.output.doubt({json::EditKind::tag_in_text, json::Grade::guess, at.offset + index, begin.index});
      doubt = {};
      return;
    case What::closer:
      // What it closes was not seen to begin: in the middle of a line, or in the prompt.
      doubt_from(unclosed_from, at.offset + index);
      unclosed_from = context.output.calls();
      return;
    case What::misspelt:
      between = true;
      context.output.doubt({json::EditKind::marker_spelling, json::Grade::safe, at.offset + index, begin.length});
      owed.clear();
      return;
    case What::again:
      between = true;
      context.output.notice("surplus_marker", "an end marker came twice; the second was left out");
      return;
    case What::silent:
      // Of a format that was not chosen, only what belongs to this marker is silent from here on.
      if (active.automatic && begin.index > 0)
        if (std::string_view close = active.silent[begin.index - 1].close; !close.empty()) owed.push_back(close);
      return;
    case What::quotation: quotation = &quotations()[begin.index]; return;
    case What::thinking:
      mode = Mode::reasoning;
      set_closers(active.thinking[begin.index]);
      return;
    case What::call: break;
  }
  Start& s = *begin.start;
  for (json::Edit& edit : s.receipt.edits) edit.offset += at.offset + index;
  for (Attribute& attribute : s.attributes) attribute.offset += at.offset + index;
  s.receipt.limit = context.options.limits.edits;
  const Row& row = *begin.row;
  if (s.kind == Start::Kind::text) return;
  if (s.kind == Start::Kind::reasoning) {
    mode = Mode::reasoning;
    set_closers(std::vector<std::string_view>{"<|end|>", "<|start|>", "<|channel|>", "<|return|>"});
    return;
  }
  last_row = &row;
  const bool bare = row.grammar == Grammar::bare_json || row.grammar == Grammar::bare_python;
  begin_calls(at.offset + index, bare && active.automatic && context.place == Place::doubtful, bare);
  switch (row.grammar) {
    case Grammar::json: payload = json_calls(context, row, s.around, std::move(s.receipt)); break;
    case Grammar::bare_json: payload = json_calls(context, row, s.around, std::move(s.receipt)); break;
    case Grammar::named:
    case Grammar::harmony:
      payload = named_json(context, row, std::move(s.id), std::move(s.name), std::move(s.receipt));
      break;
    case Grammar::tags:
      payload =
          tag_calls(context, row, std::move(s.id), std::move(s.name), std::move(s.receipt), s.attributes, s.ended);
      break;
    case Grammar::python:
    case Grammar::script:
    case Grammar::bare_python: payload = literal_calls(context, row, std::move(s.receipt)); break;
  }
}

Decoder::Decoder(Sink& sink, Options options) : state_(std::make_unique<State>(sink, std::move(options))) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;
void Decoder::push(std::string_view bytes) { state_->push(bytes); }
void Decoder::boundary() { state_->boundary(); }
void Decoder::finish() { state_->finish(); }
json::MaybePartial Decoder::partial(std::size_t call) const {
  const State& s = *state_;
  if (!s.payload || call + 1 != s.context.output.calls() || !s.context.output.open()) return std::nullopt;
  return s.payload->partial();
}

bool Decoder::guessed(std::size_t call) const {
  const State& s = *state_;
  return s.payload && call + 1 == s.context.output.calls() && s.payload->guessed();
}

}  // namespace BELAY_NAMESPACE::text
