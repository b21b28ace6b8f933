// JSON as a call: behind a marker, and without one.
#include "text/peek_parts.h"
#include "text/scan.h"
#include "text/span.h"
#include "text/wrapper.h"

#include <algorithm>
#include <iterator>

namespace BELAY_NAMESPACE::text {
namespace {

// How many bytes of words may stand between a marker and its JSON.
constexpr std::size_t kWords = 128;

bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

// A quote as JSON has it, or as others write it; those of more than one byte close as they open, or nearly so.
constexpr std::string_view kQuotes[] = {"\"", "'", "`", "“", "”", "„", "‘", "’", "‚", "«", "»", "‹", "›", "＂"};

// How long the quote at the front of a text is; 0 when there is none. `more`: part of one is there.
std::size_t quote_at(std::string_view text, bool& more) {
  for (std::string_view quote : kQuotes) {
    if (text.starts_with(quote)) return quote.size();
    more |= !text.empty() && quote.starts_with(text);
  }
  return 0;
}

// Reads JSON from the front of a text of which more may come.
struct Cursor {
  std::string_view text;
  std::size_t at = 0;
  bool more = false;

  [[nodiscard]] char next() {
    at = past_gap(text, at);
    if (at < text.size()) return text[at];
    more = true;
    return 0;
  }
  // A string or a plain word; its raw inside.
  std::optional<std::string_view> word() {
    char quote = next();
    if (more) return std::nullopt;
    if (quote == '"' || quote == '\'') {
      std::size_t i = at + 1;
      while (true) {
        i = find_quote(text, i, quote);
        if (i < text.size() && text[i] == '\\') {
          i += 2;
          continue;
        }
        break;
      }
      if (i >= text.size()) {
        more = true;
        return std::nullopt;
      }
      std::string_view inside = text.substr(at + 1, i - at - 1);
      at = i + 1;
      return inside;
    }
    if (std::size_t open = quote_at(text.substr(at), more); open > 0) {
      // A name between them is short, and holds none of them.
      std::size_t i = at + open;
      while (i < text.size() && is_name_byte(text[i])) ++i;
      const std::size_t close = quote_at(text.substr(i), more);
      more |= i == text.size();
      if (close == 0) return std::nullopt;
      std::string_view inside = text.substr(at + open, i - at - open);
      at = i + close;
      return inside;
    }
    std::size_t i = at;
    while (i < text.size() && is_name_byte(text[i]) && text[i] != ':') ++i;
    if (i == text.size()) more = true;
    if (more || i == at) return std::nullopt;
    std::string_view inside = text.substr(at, i - at);
    at = i;
    return inside;
  }
  bool skip_value() {
    char c = next();
    if (more) return false;
    if (c == '"' || c == '\'') return word().has_value();
    if (c == '{' || c == '[') {
      Span span;
      Span::Stop stop = span.scan(text, at);
      at = stop.taken;
      more = stop.at != Span::At::closed;
      return !more;
    }
    while (at < text.size() && text[at] != ',' && text[at] != '}') ++at;
    more = at == text.size();
    return !more;
  }
};

// {"type": "object", "properties": ...}: a tool's definition, not a call of it.
bool is_schema(Cursor c, const Tool* tool, bool& more) {
  ++c.at;  // the brace
  if (c.next() == '}') return false;
  auto key = c.word();
  more = c.more;
  if (!key) return false;
  if (tool && tool->parameters.has(*key)) return false;
  return *key == "properties" || *key == "$schema" || *key == "type";
}

Is look(std::string_view text, const Context& context, bool final, int depth) {
  Cursor c{text};
  ++c.at;
  bool name = false, arguments = false;
  const Tool* tool = nullptr;
  auto wait = [&] { return c.more && !final ? Is::more : Is::no; };
  while (true) {
    char ch = c.next();
    if (c.more) return wait();
    // A tool's name alone is a record like many others, where nothing else says that calls are written so.
    if (ch == '}') return name && (arguments || (tool && context.options.format != "auto")) ? Is::yes : Is::no;
    if (ch == ',') {
      ++c.at;
      continue;
    }
    auto key = c.word();
    if (!key || c.next() != ':') return wait();
    ++c.at;
    ch = c.next();
    if (c.more) return wait();
    if (*key == "function" && ch == '{' && depth == 0) return look(text.substr(c.at), context, final, 1);
    if (is_name_key(*key)) {
      if (ch != '"' && ch != '\'') return Is::no;
      auto word = c.word();
      if (!word) return wait();
      tool = context.tool(context.plain_name(*word), true);
      if (word->empty() || (!tool && !context.options.tools.empty() && !context.alone)) return Is::no;
      name = true;
    } else if (is_arguments_key(*key)) {
      if (ch != '{' && ch != '"' && ch != 'n') return Is::no;
      bool more = false;
      if (ch == '{' && is_schema(c, tool, more)) return Is::no;
      if (more && !final) return Is::more;
      arguments = true;
      if (name) return Is::yes;
      if (!c.skip_value()) return wait();
    } else if (is_other_key(*key)) {
      if (!c.skip_value()) return wait();
    } else {
      return Is::no;
    }
    if (name && arguments) return Is::yes;
  }
}

// {"tool_calls": [...]}, as a whole message: a list of calls after all.
Start peek_wrapped(std::string_view text, const Context& context, bool final, bool full) {
  Start start;
  Cursor c{text};
  ++c.at;
  auto wait = [&] {
    start.is = c.more && !final ? Is::more : Is::no;
    return start;
  };
  while (start.length == 0) {
    if (c.next() == ',') ++c.at;
    auto key = c.word();
    if (!key || c.next() != ':') return wait();
    ++c.at;
    const char ch = c.next();
    if (c.more) return wait();
    if (*key == "tool_calls" && ch == '[') {
      const std::size_t list = c.at;
      ++c.at;
      if (c.next() != '{') return wait();
      if (start.is = looks_like_call(text.substr(c.at), context, final).is; start.is != Is::yes) return start;
      start.length = list;
    } else if (*key == "role" || ((*key == "content" || *key == "refusal") && (ch == 'n' || ch == '"'))) {
      const std::size_t from = c.at;
      if (!c.skip_value()) return wait();
      // What is said beside the calls would be lost.
      if (*key != "role" && ch == '"' && c.at - from > 2) return Start{};
    } else {
      return Start{};
    }
  }
  start.around.wrapped = true;
  Span list, all;
  const Span::Stop end = list.scan(text, start.length);
  const Span::Stop closed = all.scan(text, 0);
  if (closed.at != Span::At::closed) {
    start.is = final || full ? Is::yes : Is::more;
    return start;
  }
  const std::size_t behind = past_gap(text, closed.taken);
  const bool alone = past_gap(text, end.taken) + 1 == closed.taken;
  if (!alone || behind < text.size()) return Start{};
  start.is = final || full ? Is::yes : Is::more;
  return start;
}

}  // namespace

Is stands_alone(std::string_view text, std::size_t at, const Context& context, bool final) {
  const Is end = final ? Is::yes : Is::more;
  while (at < text.size() && (text[at] == '}' || text[at] == ']')) ++at;
  const bool fence = context.fence != 0;
  while (at < text.size() && text[at] != '\n' && is_gap(text, at)) at = past_blank(text, at);
  if (fence) at = past_gap(text, at);
  if (at == text.size()) return end;
  const char c = text[at];
  if (c == '{' || c == '[' || (fence ? c == context.fence : c == '\n')) return Is::yes;
  if (c == ';' || c == ',') {
    const std::size_t next = past_gap(text, at + 1);
    if (next == text.size()) return c == ';' ? end : final ? Is::no : Is::more;
    return text[next] == '{' || text[next] == '[' ? Is::yes : Is::no;
  }
  if (c != '<' || fence) return Is::no;
  Is is = Is::no;
  auto token = [&](const Match& m) {
    if (m.is == Is::yes || is == Is::no) is = m.is;
  };
  for (std::string_view word : last_tokens()) token(match_literal(text.substr(at), word, final));
  for (const Row& row : rows()) token(match_any(text.substr(at), row.end, final));
  return is;
}

bool is_placeholder(std::string_view name, const Context& context) {
  if (context.tool(name)) return false;
  // <name>, {name}; or dots and the like alone.
  if (name.find_first_of("<{") == 0) return true;
  constexpr std::string_view kEllipsis = "…";
  bool marks = !name.empty();
  for (std::size_t i = 0; i < name.size() && marks; ++i) {
    const char c = lower(name[i]);
    if (name.substr(i).starts_with(kEllipsis))
      i += kEllipsis.size() - 1;
    else
      marks = static_cast<unsigned char>(c) < 0x80 && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9');
  }
  if (marks) return true;
  constexpr std::string_view kNames[] = {"function_name", "function-name", "tool_name", "tool-name",
                                         "func_name",     "your_function", "your_tool", "example_function_name"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

Start peek_bare_json(std::string_view text, const Context& context, bool strict, bool final, bool full) {
  Start start;
  if (strict && context.place == Place::inside) return start;
  std::size_t i = 0;
  // A run of brackets is looked at from each of them.
  for (std::size_t lists = 0; i < text.size() && text[i] == '[' && lists < kLists; ++lists) i = past_gap(text, i + 1);
  if (i == text.size()) {
    start.is = final ? Is::no : Is::more;
    return start;
  }
  if (text[i] != '{') return start;
  start.is = looks_like_call(text.substr(i), context, final).is;
  if (start.is == Is::no && i == 0 && context.fresh) return peek_wrapped(text, context, final, full);
  if (start.is != Is::yes || !strict) return start;
  // Its end, and what stands behind it, say whether it is meant or shown.
  Span span;
  const Span::Stop stop = span.scan(text, 0);
  if (stop.at == Span::At::closed)
    start.is = stands_alone(text, stop.taken, context, final);
  else
    start.is = final ? Is::yes : Is::more;
  if (start.is == Is::more && full) start.is = Is::yes;
  if (context.place == Place::doubtful) start.receipt.guess(json::EditKind::missing_marker, 0, 0);
  return start;
}

Match looks_like_call(std::string_view text, const Context& context, bool final) {
  const bool full = text.size() >= kHoldBare;
  Is is = look(text.substr(0, kHoldBare), context, final && !full, 0);
  if (is == Is::more && full) is = Is::no;
  return {is, 0, true};
}

namespace {

// A key that calls have, and its colon.
Is known_key(Cursor c, const Context& context, const Row& row, bool final) {
  auto key = c.word();
  if (!key) return c.more && !final ? Is::more : Is::no;
  if (c.next() != ':') return c.more && !final ? Is::more : Is::no;
  const bool known = is_name_key(*key) || is_arguments_key(*key) || is_other_key(*key) ||
                     (row.key_is_name && (context.options.tools.empty() || context.tool(*key)));
  if (!known || !is_name_key(*key)) return known ? Is::yes : Is::no;
  // What the name is: documents about calls have dots there, or <name>.
  ++c.at;
  const char ch = c.next();
  if (c.more) return final ? Is::yes : Is::more;
  if (ch == '<') return Is::no;
  if (ch != '"' && ch != '\'') return Is::yes;
  auto name = c.word();
  if (!name) return final ? Is::yes : Is::more;
  return is_placeholder(*name, context) ? Is::no : Is::yes;
}

// Words before it, as in "Sure: {", where the format was chosen. A name that is written outside must not be passed for
// a word, so it takes more than one word or a colon, no tool's name, and an object that is a call without doubt.
Is words_before(std::string_view text, const Context& context, bool final, std::size_t& at) {
  const std::size_t from = at;
  while (at < text.size() && at - from < kWords &&
         std::string_view("{[<(=\"`").find(text[at]) == std::string_view::npos)
    ++at;
  if (at == text.size() && at - from < kWords) return final ? Is::no : Is::more;
  if (at == text.size() || text[at] != '{') return Is::no;
  std::string_view words = text.substr(from, at - from);
  while (is_space(words.back())) words.remove_suffix(1);
  bool many = words.back() == ':';
  for (std::size_t i = 0; i < words.size();) {
    std::size_t end = i;
    while (end < words.size() && (is_letter(words[end]) || words[end] == '_' || words[end] == '-')) ++end;
    if (context.tool(words.substr(i, end - i), true)) return Is::no;
    many |= end < words.size() && is_space(words[end]);
    i = std::max(end, i + 1);
  }
  return many ? looks_like_call(text.substr(at), context, final).is : Is::no;
}

}  // namespace

// {"name": ... behind a marker. `at` is where it begins.
Is json_begins(std::string_view text, const Context& context, const Row& row, bool strict, bool final,
               std::size_t& at) {
  bool sure = strict;
  at = past_gap(text, 0);
  if (!strict && !row.end.empty() && at < text.size() && is_letter(text[at]))
    return words_before(text, context, final, at);
  std::size_t i = at;
  while (i < text.size() && text[i] == '[') i = past_gap(text, i + 1);
  if (i == text.size()) return final ? Is::no : Is::more;
  // The first brace may be missing.
  if (text[i] == '"') return known_key({text, i}, context, row, final);
  if (text[i] != '{') return Is::no;
  Cursor c{text, i + 1};
  char ch = c.next();
  // A brace too many.
  if (ch == '{') {
    sure = true;
    ++c.at;
    ch = c.next();
  }
  if (c.more) return final ? (sure ? Is::no : Is::yes) : Is::more;
  if (ch == '}') return sure ? Is::no : Is::yes;
  bool more = false;
  if (!is_name_byte(ch) && quote_at(text.substr(c.at), more) == 0) return more && !final ? Is::more : Is::no;
  return sure ? known_key(c, context, row, final) : Is::yes;
}

}  // namespace BELAY_NAMESPACE::text
