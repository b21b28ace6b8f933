// Text between calls: what of it is code, data or a quotation, and which byte may begin something.
#include "text/scan.h"
#include "text/state.h"

namespace BELAY_NAMESPACE::text {
namespace {

// Ticks in a row are counted so far; more of them are a second row.
constexpr std::size_t kTicks = 64;

}  // namespace

// Takes text up to something that may begin a call, and that too when it does. False: more bytes are needed.
bool Decoder::State::prose(std::string_view rest, bool final, std::size_t& used) {
  std::size_t i = 0;
  auto give = [&](std::size_t to) {
    text(rest.substr(used, to - used));
    used = to;
  };
  auto wait = [&] {
    give(i);
    between = adjacent;
    return false;
  };
  while (i < rest.size()) {
    char c = rest[i];
    if (between && is_gap(rest, i)) {
      Begin begin;
      Took took = behind_markers(rest, i, final, begin);
      if (took != Took::nothing) give(i);
      if (took == Took::wait) return false;
      if (took == Took::some) {
        // The white space belongs to the markers around it.
        const std::size_t next = past_gap(rest, i);
        used = next + begin.length;
        start(begin, next);
        return true;
      }
    }
    adjacent = between && !is_space(c);
    if (adjacent) between = false;
    if (quotation) {
      Took took = in_quotation(rest, final, i);
      if (took == Took::some) continue;
      give(i);
      return took != Took::wait;
    }
    if (data.open() && data.step(c)) {
      if (c == '\n')
        new_line();
      else if (c != ' ' && c != '\t')
        lead.end(), line_blank = margin = fresh = false;
      ++i;
      continue;
    }
    if (c == '\n') {
      end_line(rest.substr(used, i - used));
      ++i;
      continue;
    }
    if (closing || owing) behind_ticks(c);
    // A fence ends the paragraph of a quotation. Whether it is still quoted nobody knows.
    if (lazy && (c == '`' || c == '~') && (line_blank || lead.open())) {
      cited = lazy = false;
      next_doubtful = true;
    }
    const bool code = in_code();
    if ((c == '`' && !cited) || (c == '~' && (line_blank || lead.open()) && !cited)) {
      std::size_t n = i;
      while (n < rest.size() && rest[n] == c && n - i < kTicks) ++n;
      if (n == rest.size() && !final && n - i < kTicks) return wait();
      if (!code && (line_blank || lead.blank()) && n - i >= 3 && active.bare_json) {
        Fenced fenced = fenced_call(rest.substr(i), n - i, final);
        if (fenced.is == Is::more) return wait();
        if (fenced.is == Is::yes) {
          give(i);
          used = i + fenced.length;
          begin_calls(at.offset + i, false, true);
          Receipt receipt(context.options.limits.edits);
          receipt.spaces(rest.substr(i, fenced.length), at.offset + i);
          payload = json_calls(context, *active.bare_row, {.fence = c}, std::move(receipt));
          unsaid = 0;
          return true;
        }
      }
      if (fence == 0 && c == '`') {
        const bool opens = n - i >= 3 && (line_blank || lead.open());
        if (const auto first = opens ? runs.fence(n - i) : runs.row(n - i)) {
          give(i);
          doubt_from(*first, at.offset + i);
        }
      }
      ticks(c, n - i);
      lead.end();
      line_blank = margin = fresh = false;
      again.clear();
      i = n;
      continue;
    }
    // The recipient, where the prompt ended with the role.
    if (active.harmony && at.offset + i == 0 && (c == ' ' || c == 't')) {
      Begin begin = begins_call(rest, *active.harmony, final);
      if (begin.is == Is::more) return wait();
      if (begin.is == Is::yes) {
        used = begin.length;
        start(begin, 0);
        return true;
      }
    }
    if (in_open_span() && active.stops.has(c)) {
      Begin begin;
      const Took took = call_in_span(rest, used, i, final, begin);
      if (took == Took::wait) return wait();
      if (took == Took::some) {
        give(i);
        used = i + begin.length;
        start(begin, i);
        return true;
      }
    }
    if (!code && (active.stops.has(c) || (line_blank && active.line_stops.has(c)))) {
      mark_line(rest.substr(used, i - used));
      Begin begin = begins(rest.substr(i), i, final);
      if (begin.is == Is::more) return wait();
      if (begin.is == Is::yes) {
        give(i);
        used = i + begin.length;
        start(begin, i);
        return true;
      }
      if ((c == '{' || c == '[') && (active.automatic || active.bare_json)) data.begin(c);
    }
    // A quotation of Markdown.
    lead.step(c);
    if (lead.cited() && fence == 0) cited = true;
    const bool odd_blank = static_cast<unsigned char>(c) >= 0x80 && lead.may_be_blank();
    if (line_blank && c != ' ' && c != '\t' && !odd_blank) {
      line_blank = margin = fresh = false;
      again.clear();
    }
    ++i;
    if (line_blank || lead.goes_on() || closing || owing || data.open()) continue;
    i = in_code() && !in_open_span() ? code_stops.find(rest, i) : active.stops.find(rest, i);
  }
  give(i);
  return true;
}

// A call behind backticks, some words away: if nothing closes them on the line, they hide nothing.
Decoder::State::Took Decoder::State::call_in_span(std::string_view rest, std::size_t used, std::size_t i, bool final,
                                                  Begin& begin) {
  mark_line(rest.substr(used, i - used));
  if (behind_tick) return Took::nothing;
  context.fresh = false;
  begin = begins_something(rest.substr(i), final);
  if (begin.is == Is::more) return Took::wait;
  const bool call = begin.is == Is::yes && begin.what == What::call && begin.start->kind == Start::Kind::call;
  if (!call) return Took::nothing;
  const Is ends = span_ends(rest.substr(i), final);
  if (ends == Is::more) return Took::wait;
  span_closes = ends == Is::yes;
  if (span_closes) return Took::nothing;
  span = 0;
  return Took::some;
}

// Text up to the end of the quotation. Nothing: all of it was taken.
Decoder::State::Took Decoder::State::in_quotation(std::string_view rest, bool final, std::size_t& i) {
  while (i < rest.size()) {
    char c = rest[i];
    if (c == '\n') {
      const bool empty = line_blank;
      new_line();
      ++i;
      if (!empty || !quotation->paragraph) continue;
      quotation = nullptr;
      return Took::some;
    }
    if (c == quotation->close.front()) {
      Match close = match_literal(rest.substr(i), quotation->close, final);
      if (close.is == Is::more) return Took::wait;
      if (close.is == Is::yes) {
        i += close.length;
        quotation = nullptr;
        lead.end();
        line_blank = margin = fresh = false;
        return Took::some;
      }
    }
    if (c != ' ' && c != '\t' && c != '\r') line_blank = margin = fresh = false;
    ++i;
  }
  return Took::nothing;
}

// White space behind a call: whether a marker follows it, or another call.
Decoder::State::Took Decoder::State::behind_markers(std::string_view rest, std::size_t i, bool final, Begin& begin) {
  between = false;
  const std::size_t next = past_gap(rest, i);
  if (next - i > kHold) return Took::nothing;
  auto wait = [&] {
    between = true;
    return Took::wait;
  };
  if (next == rest.size()) return final ? Took::nothing : wait();
  if (!active.stops.has(rest[next]) && !active.line_stops.has(rest[next])) return Took::nothing;
  mark_line({});
  adjacent = true;
  begin = begins(rest.substr(next), next, final);
  adjacent = false;
  if (begin.is == Is::more) return wait();
  // It says something of the call before, and is text.
  if (begin.is == Is::yes && (begin.what == What::doubt || begin.what == What::parameter)) start(begin, next);
  const bool call = begin.what == What::call && begin.start && begin.start->kind == Start::Kind::call;
  const bool half = begin.what == What::silent && final && next + begin.length == rest.size();
  const bool mine =
      call || half || begin.what == What::owed || begin.what == What::misspelt || begin.what == What::again;
  return begin.is == Is::yes && mine ? Took::some : Took::nothing;
}

// What stands before a byte that may begin a call without a marker.
void Decoder::State::mark_line(std::string_view before) {
  Trail so_far = trail;
  so_far.add(before);
  context.fence = 0;
  context.markup = so_far.ends_with_tag();
  aside = !line_blank && (so_far.ends_sentence() || so_far.ends_word());
  behind_tick = so_far.ends_with_tick();
  const bool doubtful = line_blank ? so_far.opens_element() || so_far.indents() : so_far.ends_sentence();
  const bool outside = doubtful || (line_blank && !so_far.goes_on());
  context.place = doubtful ? Place::doubtful : outside ? Place::line : Place::inside;
}

}  // namespace BELAY_NAMESPACE::text
