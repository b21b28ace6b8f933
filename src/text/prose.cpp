// Text between calls: what of it is code, data or a quotation, and which byte may begin something.
#include "text/scan.h"
#include "text/state.h"

#include <algorithm>
#include <iterator>

namespace belay::text {
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
    if (between && is_space(c)) {
      Begin begin;
      Took took = behind_markers(rest, i, final, begin);
      if (took != Took::nothing) give(i);
      if (took == Took::wait) return false;
      if (took == Took::some) {
        // The white space belongs to the markers around it.
        const std::size_t next = past_space(rest, i);
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
        line_blank = margin = true;
      else if (c != ' ' && c != '\t')
        line_blank = margin = fresh = false;
      ++i;
      continue;
    }
    if (c == '\n') {
      line_blank = margin = true;
      span = 0;
      cited = false;
      ++i;
      continue;
    }
    const bool code = in_code();
    if ((c == '`' && !cited) || (c == '~' && line_blank && !cited)) {
      std::size_t n = i;
      while (n < rest.size() && rest[n] == c && n - i < kTicks) ++n;
      if (n == rest.size() && !final && n - i < kTicks) return wait();
      if (!code && line_blank && n - i >= 3 && active.bare_json) {
        Fenced fenced = fenced_call(rest.substr(i), n - i, final);
        if (fenced.is == Is::more) return wait();
        if (fenced.is == Is::yes) {
          give(i);
          used = i + fenced.length;
          payload = json_calls(context, *active.bare_row, {.fence = c}, Receipt(context.options.limits.edits));
          unsaid = 0;
          return true;
        }
      }
      ticks(c, n - i);
      line_blank = margin = fresh = false;
      again.clear();
      i = n;
      continue;
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
    if (margin && c == '>' && fence == 0) cited = true;
    if (line_blank && c != ' ' && c != '\t') {
      line_blank = margin = fresh = false;
      again.clear();
    }
    ++i;
    if (line_blank || data.open()) continue;
    i = in_code() ? code_stops.find(rest, i) : active.stops.find(rest, i);
  }
  give(i);
  return true;
}

// Text up to the end of the quotation. Nothing: all of it was taken.
Decoder::State::Took Decoder::State::in_quotation(std::string_view rest, bool final, std::size_t& i) {
  while (i < rest.size()) {
    char c = rest[i];
    if (c == '\n') {
      const bool empty = line_blank;
      line_blank = margin = true;
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
  const std::size_t next = past_space(rest, i);
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
  const bool call = begin.what == What::call && begin.start && begin.start->kind == Start::Kind::call;
  const bool half = begin.what == What::silent && final && next + begin.length == rest.size();
  const bool mine = call || half || begin.what == What::owed || begin.what == What::again;
  return begin.is == Is::yes && mine ? Took::some : Took::nothing;
}

// What stands before a byte that may begin a call without a marker.
void Decoder::State::mark_line(std::string_view before) {
  Trail so_far = trail;
  so_far.add(before);
  context.fence = 0;
  context.markup = so_far.ends_with_tag();
  const bool doubtful = line_blank ? so_far.opens_element() || so_far.indents() : so_far.ends_sentence();
  const bool outside = doubtful || (line_blank && !so_far.goes_on());
  context.place = doubtful ? Place::doubtful : outside ? Place::line : Place::inside;
}

void Decoder::State::ticks(char mark, std::size_t n) {
  if (fence > 0) {
    if (line_blank && n >= fence && mark == fence_mark) fence = 0;
  } else if (span > 0) {
    if (n == span && mark == '`') span = 0;
  } else if (line_blank && n >= 3) {
    fence = n;
    fence_mark = mark;
  } else if (mark == '`') {
    span = n;
  }
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

}  // namespace belay::text
