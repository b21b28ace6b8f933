// JSON as a call: behind a marker, and without one.
#include "text/peek_parts.h"
#include "text/scan.h"
#include "text/span.h"
#include "text/wrapper.h"

namespace belay::text {
namespace {

// Reads JSON from the front of a text of which more may come.
struct Cursor {
  std::string_view text;
  std::size_t at = 0;
  bool more = false;

  [[nodiscard]] char next() {
    at = past_space(text, at);
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
    if (ch == '}') return name && (arguments || tool) ? Is::yes : Is::no;
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
      tool = context.tool(*word, true);
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

}  // namespace

Match looks_like_call(std::string_view text, const Context& context, bool final) {
  const bool full = text.size() >= kHoldBare;
  Is is = look(text.substr(0, kHoldBare), context, final && !full, 0);
  if (is == Is::more && full) is = Is::no;
  return {is, 0, true};
}

// {"name": ... behind a marker.
Is json_begins(std::string_view text, const Context& context, const Row& row, bool strict, bool final) {
  std::size_t i = past_space(text, 0);
  while (i < text.size() && text[i] == '[') i = past_space(text, i + 1);
  if (i == text.size()) return final ? Is::no : Is::more;
  if (text[i] != '{') return Is::no;
  Cursor c{text.substr(i)};
  ++c.at;
  char ch = c.next();
  if (c.more) return final ? (strict ? Is::no : Is::yes) : Is::more;
  if (ch == '}') return strict ? Is::no : Is::yes;
  if (ch != '"' && ch != '\'' && !is_name_byte(ch)) return Is::no;
  if (!strict) return Is::yes;
  auto key = c.word();
  if (!key) return c.more ? (final ? Is::no : Is::more) : Is::no;
  if (c.next() != ':') return c.more && !final ? Is::more : Is::no;
  const bool known = is_name_key(*key) || is_arguments_key(*key) || is_other_key(*key) ||
                     (row.key_is_name && (context.options.tools.empty() || context.tool(*key)));
  return known ? Is::yes : Is::no;
}

}  // namespace belay::text
