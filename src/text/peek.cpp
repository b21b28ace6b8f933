#include "text/peek.h"

#include "text/peek_parts.h"
#include "text/scan.h"

#include <algorithm>

namespace BELAY_NAMESPACE::text {
namespace {

using json::EditKind;

// A name and the bracket behind it: f(
Is call_begins(std::string_view text, std::size_t& at, char bracket, bool final, std::string& name) {
  std::size_t from = at;
  while (at < text.size() && is_name_byte(text[at]) && text[at] != ':' && at - from < 256) ++at;
  name = text.substr(from, at - from);
  std::size_t behind = past_gap(text, at);
  if (behind == text.size()) return final ? Is::no : Is::more;
  if (at == from || text[behind] != bracket) return Is::no;
  at = behind + 1;
  return Is::yes;
}

// Where a list of Python ends, by its brackets and strings; 0 when it does not.
std::size_t list_end(std::string_view text) {
  std::size_t depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '(' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == ')' || c == '}') && --depth == 0) {
      return i + 1;
    }
  }
  return 0;
}

// [f(x=1), g()], without a marker: a known tool, with nothing or a keyword in its brackets.
Start peek_bare_python(std::string_view text, const Context& context, bool strict, bool final) {
  Start start;
  auto wait = [&] {
    start.is = final ? Is::no : Is::more;
    return start;
  };
  if (text.empty() || text.front() != '[' || (strict && context.place == Place::inside)) return start;
  std::size_t at = past_gap(text, 1);
  // A list in a list, if it is not in many.
  for (std::size_t lists = 1; at < text.size() && text[at] == '[' && lists < kLists; ++lists)
    at = past_gap(text, at + 1);
  if (at == text.size()) return wait();
  std::string name;
  Is call = call_begins(text, at, '(', final, name);
  if (call != Is::yes) {
    start.is = call;
    return start;
  }
  const bool known = context.tool(context.plain_name(name)) != nullptr;
  if (!known && !context.alone && (strict || !context.options.tools.empty())) return start;
  at = past_gap(text, at);
  if (at == text.size()) return wait();
  if (text[at] != ')') {
    std::size_t from = at;
    while (at < text.size() && is_name_byte(text[at])) ++at;
    std::size_t behind = past_gap(text, at);
    if (behind + 1 >= text.size()) return wait();
    if (at == from || text[behind] != '=' || text[behind + 1] == '=') return start;
  }
  start.is = Is::yes;
  if (!strict) return start;
  // As with bare JSON: with text behind it on its line it is shown, not meant. A long one is a call before its end.
  start.beyond = Is::yes;
  if (context.place == Place::doubtful) start.receipt.guess(EditKind::missing_marker, 0, 0);
  const std::size_t end = list_end(text);
  start.is = end > 0 ? stands_alone(text, end, context, final) : final ? Is::yes : Is::more;
  return start;
}

Start peek_literal(std::string_view text, const Row& row, const Context& context, bool final) {
  Start start;
  std::size_t at = 0;
  Match marker;
  Is outer = past_outer(text, row, final, at, start.receipt);
  if (outer == Is::more) {
    start.is = outer;
    return start;
  }
  marker = match_any(text.substr(at), row.start, final, true);
  if (marker.is != Is::yes) {
    start.is = marker.is;
    return start;
  }
  if (!marker.exact) start.receipt.safe(EditKind::marker_spelling, at, marker.length);
  start.length = at + marker.length;
  at = past_gap(text, start.length);
  std::string name;
  if (row.grammar == Grammar::script) {
    Match call = match_literal(text.substr(at), "call:", final);
    if (call.is != Is::yes) {
      start.is = call.is;
      return start;
    }
    at += call.length;
    start.is = call_begins(text, at, '{', final, name);
    return start;
  }
  while (at < text.size() && text[at] == '[') at = past_gap(text, at + 1);
  if (at == text.size()) {
    start.is = final ? Is::no : Is::more;
    return start;
  }
  start.is = call_begins(text, at, '(', final, name);
  // Other code may stand there as well.
  if (!row.method.empty() && !name.ends_with(row.method) && !context.tool(context.plain_name(name)) &&
      start.is == Is::yes)
    start.is = Is::no;
  return start;
}

Start peek_json(std::string_view text, const Row& row, const Context& context, bool strict, bool final) {
  Start start;
  std::size_t at = 0;
  if (Is outer = past_outer(text, row, final, at, start.receipt); outer == Is::more) {
    start.is = outer;
    return start;
  }
  Match marker = match_any(text.substr(at), row.start, final, true);
  if (marker.is != Is::yes) {
    start.is = marker.is;
    return start;
  }
  start.length = at + marker.length;
  if (!marker.exact) start.receipt.safe(EditKind::marker_spelling, at, marker.length);
  if (past_twice(text, row, final, start.length, start.receipt) == Is::more) {
    start.is = Is::more;
    return start;
  }
  std::size_t body = past_gap(text, start.length);
  // A fence around the JSON.
  for (std::string_view mark : {"```", "~~~"}) {
    Match fence = match_literal(text.substr(body), mark, final);
    if (fence.is == Is::more && body < text.size()) {
      start.is = fence.is;
      return start;
    }
    if (fence.is != Is::yes) continue;
    body += mark.size();
    while (body < text.size() && is_name_byte(text[body])) ++body;
    start.length = body;
    start.around.fence = mark.front();
    break;
  }
  std::size_t words = 0;
  start.is = json_begins(text.substr(std::min(body, text.size())), context, row, strict, final, words);
  if (start.is == Is::yes && words > 0 && past_gap(text, body) < body + words) {
    const std::size_t from = past_gap(text, body);
    // Of a tool that is known there is no doubt.
    const json::Grade grade = context.options.tools.empty() ? json::Grade::guess : json::Grade::safe;
    start.receipt.add(EditKind::prose, grade, from, body + words - from);
    start.length = body + words;
  }
  return start;
}

}  // namespace

Is past_outer(std::string_view text, const Row& row, bool final, std::size_t& at, Receipt& receipt) {
  while (true) {
    std::size_t next = at == 0 ? 0 : past_gap(text, at);
    Match outer = match_any(text.substr(next), row.outer, final, true);
    // Behind one that was there the call's own marker may begin in the same way.
    if (outer.is == Is::more) return Is::more;
    if (outer.is == Is::no) {
      if (at == 0) return Is::no;
      Match lead = match_any(text.substr(next), row.lead, final);
      if (lead.is == Is::more) return Is::more;
      at = past_gap(text, next + lead.length);
      return Is::no;
    }
    if (!outer.exact) receipt.safe(EditKind::marker_spelling, next, outer.length);
    at = next + outer.length;
  }
}

Is past_twice(std::string_view text, const Row& row, bool final, std::size_t& at, Receipt& receipt) {
  while (true) {
    const std::size_t next = past_gap(text, at);
    if (next == text.size()) return Is::no;
    Match twice = match_any(text.substr(next), row.start, final, true);
    if (twice.is != Is::yes) return twice.is;
    receipt.safe(EditKind::surplus_marker, next, twice.length);
    at = next + twice.length;
  }
}

Start peek(std::string_view text, const Row& row, const Context& context, bool strict, bool final) {
  const std::size_t hold = row.grammar == Grammar::bare_json ? kHoldBare : kHold;
  const bool full = text.size() >= hold;
  text = text.substr(0, hold);
  // At the bound nothing is decided by the end of the text, but by what is there.
  const bool last = final && !full;
  Start start;
  switch (row.grammar) {
    case Grammar::json: start = peek_json(text, row, context, strict, last); break;
    case Grammar::named: start = peek_named(text, row, context, strict, last); break;
    case Grammar::tags: start = peek_tags(text, row, context, strict, last); break;
    case Grammar::python:
    case Grammar::script: start = peek_literal(text, row, context, last); break;
    case Grammar::harmony: start = peek_harmony(text, context, last); break;
    case Grammar::bare_python: start = peek_bare_python(text, context, strict, last); break;
    case Grammar::bare_json: start = peek_bare_json(text, context, strict, last, full); break;
  }
  if (start.is == Is::more && full) start.is = start.beyond;
  if (start.is == Is::yes) start.receipt.spaces(text.substr(0, start.length), 0);
  return start;
}

}  // namespace BELAY_NAMESPACE::text
