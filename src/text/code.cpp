// Code in Markdown: fences and code spans, and what is left of them where a line ends.
#include "text/scan.h"
#include "text/state.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace BELAY_NAMESPACE::text {

void Decoder::State::ticks(char mark, std::size_t n) {
  const bool begins_line = line_blank || lead.open();
  const std::size_t was = span;
  span_closes = false;
  if (fence > 0 && fence_line && mark == '`' && fence_mark == '`') {
    // ```ls```: there are no others on the line that begins a fence, so it was a span.
    span = n == fence ? 0 : fence;
    fence = 0;
    owing = false;
  } else if (fence > 0) {
    if (mark != fence_mark || n < fence) return;
    // What follows on the line says whether it closes the fence.
    if (line_blank || lead.blank())
      closing = glued = true;
    else if (inline_fence)
      fence = 0;
  } else if (span > 0) {
    if (n == span && mark == '`') span = 0;
  } else if (begins_line && n >= 3) {
    fence = n;
    fence_mark = mark;
    nested = 0;
    inline_fence = false;
    fence_line = true;
    owing = owed_fences > 0;
  } else if (mark == '`') {
    span = n;
  }
  quotes.ticks(span > was);
}

// Whether the open code span closes on its line. Backticks that nothing closes are no span, and hide nothing.
Is Decoder::State::span_ends(std::string_view rest, bool final) {
  const bool full = rest.size() >= kHoldBare;
  rest = rest.substr(0, kHoldBare);
  for (std::size_t i = code_stops.find(rest, 0); i < rest.size(); i = code_stops.find(rest, i)) {
    if (rest[i] == '\n') return Is::no;
    const std::size_t from = i;
    while (i < rest.size() && rest[i] == '`') ++i;
    if (i == rest.size() && !final) break;
    if (i - from == span) return Is::yes;
  }
  next_doubtful = full;
  return final || full ? Is::no : Is::more;
}

// A byte behind marks that close a fence if nothing stands behind them.
void Decoder::State::behind_ticks(char c) {
  if (c == ' ' || c == '\t' || c == '\r') {
    glued = false;
    return;
  }
  owing = false;
  if (!std::exchange(closing, false)) return;
  // ```<tool_call>: the end of a line may be missing, or this ends a fence in the fence.
  if (c == '<' && nested > 0)
    --nested;
  else if (c == '<')
    fence = 0, shaky = true;
  // A fence in a fence, as some write it.
  else if (glued)
    ++nested;
}

// A line of text ends, `before` being the end of what is not given yet.
void Decoder::State::end_line(std::string_view before) {
  if (std::exchange(closing, false)) {
    fence = 0;
    // Those inside are closed by as many marks, or by none: from here on either is possible.
    if (nested > 0) shaky = true;
    owed_fences += std::exchange(nested, 0);
  } else if (std::exchange(owing, false)) {
    fence = 0;
    --owed_fences;
  } else if (span >= 3) {
    Trail so_far = trail;
    so_far.add(before);
    if (so_far.opens_fence(span)) {
      runs.row(span);  // it is half of no span
      fence = span;
      fence_mark = '`';
      nested = 0;
      inline_fence = true;
    }
  }
  span = 0;
  span_closes = fence_line = false;
  // A quotation goes on to the end of its paragraph, with or without a mark on each line.
  if (cited) {
    Trail so_far = trail;
    so_far.add(before);
    cited = lazy = !lead.blank() && !so_far.ends_with_mark();
  }
  if (lead.blank()) {
    runs.end_paragraph();
    code_may_follow = true;
  } else {
    code_may_follow = fence == 0 && in_block();
  }
  new_line();
}

// Text begins anew, behind reasoning.
void Decoder::State::new_text() {
  line_blank = fresh = true;
  fence = span = nested = owed_fences = 0;
  closing = owing = shaky = code_may_follow = span_closes = fence_line = false;
  lead.new_line();
  runs.clear();
  trail.clear();
  data.clear();
  unclosed_from = context.output.calls();
}

// Calls begin here that may be shown only, or be so by what follows.
void Decoder::State::begin_calls(std::uint64_t offset, bool doubtful, bool bare) {
  // A marker that stands at the prompt's end: in the text, its calls begin at the first byte.
  if (static_cast<std::int64_t>(offset) < 0) offset = 0;
  first_call = context.output.calls();
  call_at = offset;
  shown_from.reset();
  if (doubtful)
    shown_from = first_call + 1;
  else if (std::exchange(next_doubtful, false) || shaky || in_block() || trail.opens_example())
    shown_from = first_call;
  around.begin_call(first_call, bare && active.automatic);
  // An end marker and the next call right behind it: not inside of the one that lacks a quote.
  if (std::exchange(ended_open, false) && trail.blank()) context.output.forget_open();
  runs.call(first_call);
  quotes.begin_call(trail, first_call, offset);
}

void Decoder::State::doubt_from(std::size_t first, std::uint64_t offset) {
  for (std::size_t call = first; call < context.output.calls(); ++call)
    context.output.doubt(call, {json::EditKind::prose, json::Grade::guess, offset, 0});
}

// A fence with a call in it, and nothing else.
Decoder::State::Fenced Decoder::State::fenced_call(std::string_view rest, std::size_t marks, bool final) {
  std::size_t i = marks;
  while (i < rest.size() && is_name_byte(rest[i])) ++i;
  std::string_view language = rest.substr(marks, i - marks);
  if (i == rest.size()) return {final || language.size() > 16 ? Is::no : Is::more, 0};
  constexpr std::string_view kLanguages[] = {"", "json", "tool_call", "tool_calls", "tool_code", "jsonc", "json5"};
  if (std::find(std::begin(kLanguages), std::end(kLanguages), language) == std::end(kLanguages)) return {Is::no, 0};
  const Match next = next_byte(rest, i, final);
  if (!next) return {next.is, 0};
  const std::size_t body = next.length;
  if (rest[body] != '{' && rest[body] != '[') return {Is::no, 0};
  context.place = Place::line;
  context.fence = rest.front();
  context.fresh = false;
  Start start = peek(rest.substr(body), *active.bare_row, context, active.automatic, final);
  return {start.is, body};
}

}  // namespace BELAY_NAMESPACE::text
