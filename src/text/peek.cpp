#include "text/peek.h"

#include "text/peek_parts.h"
#include "text/scan.h"

#include <algorithm>

namespace belay::text {
namespace {

using json::EditKind;

// How many lists may stand around calls that no marker announces.
constexpr std::size_t kLists = 8;

// A name and the bracket behind it: f(
Is call_begins(std::string_view text, std::size_t& at, char bracket, bool final, std::string& name) {
  std::size_t from = at;
  while (at < text.size() && is_name_byte(text[at]) && text[at] != ':' && at - from < 256) ++at;
  name = text.substr(from, at - from);
  std::size_t behind = past_space(text, at);
  if (behind == text.size()) return final ? Is::no : Is::more;
  if (at == from || text[behind] != bracket) return Is::no;
  at = behind + 1;
  return Is::yes;
}

// [f(x=1), g()], without a marker: a known tool, with nothing or a keyword in its brackets.
Start peek_bare_python(std::string_view text, const Context& context, bool strict, bool final) {
  Start start;
  auto wait = [&] {
    start.is = final ? Is::no : Is::more;
    return start;
  };
  if (text.empty() || text.front() != '[') return start;
  std::size_t at = past_space(text, 1);
  // A list in a list, if it is not in many.
  for (std::size_t lists = 1; at < text.size() && text[at] == '[' && lists < kLists; ++lists)
    at = past_space(text, at + 1);
  if (at == text.size()) return wait();
  std::string name;
  Is call = call_begins(text, at, '(', final, name);
  if (call != Is::yes) {
    start.is = call;
    return start;
  }
  const bool known = context.tool(name) != nullptr;
  if (!known && !context.alone && (strict || !context.options.tools.empty())) return start;
  at = past_space(text, at);
  if (at == text.size()) return wait();
  if (text[at] != ')') {
    std::size_t from = at;
    while (at < text.size() && is_name_byte(text[at])) ++at;
    std::size_t behind = past_space(text, at);
    if (behind + 1 >= text.size()) return wait();
    if (at == from || text[behind] != '=' || text[behind + 1] == '=') return start;
  }
  start.is = Is::yes;
  return start;
}

Start peek_literal(std::string_view text, const Row& row, bool final) {
  Start start;
  std::size_t at = 0;
  Match marker;
  Is outer = past_outer(text, row, final, at, start.receipt);
  if (outer == Is::more) {
    start.is = outer;
    return start;
  }
  marker = match_any(text.substr(at), row.start, final);
  if (marker.is != Is::yes) {
    start.is = marker.is;
    return start;
  }
  start.length = at + marker.length;
  at = past_space(text, start.length);
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
  while (at < text.size() && text[at] == '[') at = past_space(text, at + 1);
  if (at == text.size()) {
    start.is = final ? Is::no : Is::more;
    return start;
  }
  start.is = call_begins(text, at, '(', final, name);
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
  std::size_t body = past_space(text, start.length);
  // A fence around the JSON.
  Match fence = match_literal(text.substr(body), "```", final);
  if (fence.is == Is::more && body < text.size()) {
    start.is = fence.is;
    return start;
  }
  if (fence.is == Is::yes) {
    body += 3;
    while (body < text.size() && is_name_byte(text[body])) ++body;
    start.length = body;
    start.fenced = true;
  }
  std::size_t words = 0;
  start.is = json_begins(text.substr(std::min(body, text.size())), context, row, strict, final, words);
  if (start.is == Is::yes && words > 0 && past_space(text, body) < body + words) {
    const std::size_t from = past_space(text, body);
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
    std::size_t next = at == 0 ? 0 : past_space(text, at);
    Match outer = match_any(text.substr(next), row.outer, final, true);
    // Behind one that was there the call's own marker may begin in the same way.
    if (outer.is == Is::more) return Is::more;
    if (outer.is == Is::no) {
      if (at > 0) at = next;
      return Is::no;
    }
    if (!outer.exact) receipt.safe(EditKind::marker_spelling, next, outer.length);
    at = next + outer.length;
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
    case Grammar::named: start = peek_named(text, row, context, last); break;
    case Grammar::tags: start = peek_tags(text, row, context, strict, last); break;
    case Grammar::python:
    case Grammar::script: start = peek_literal(text, row, last); break;
    case Grammar::harmony: start = peek_harmony(text, context, last); break;
    case Grammar::bare_python: start = peek_bare_python(text, context, strict, last); break;
    case Grammar::bare_json: {
      std::size_t i = 0;
      // A run of brackets is looked at from each of them.
      for (std::size_t lists = 0; i < text.size() && text[i] == '[' && lists < kLists; ++lists)
        i = past_space(text, i + 1);
      if (i == text.size())
        start.is = last ? Is::no : Is::more;
      else if (text[i] == '{')
        start.is = looks_like_call(text.substr(i), context, last).is;
      break;
    }
  }
  if (start.is == Is::more && full) start.is = Is::no;
  return start;
}

}  // namespace belay::text
