// A name outside of the JSON, and channels.
#include "text/peek_parts.h"
#include "text/scan.h"
#include "text/tag_doubt.h"

#include <algorithm>

namespace BELAY_NAMESPACE::text {
namespace {

using json::EditKind;

// functions.NAME:3, with another namespace as well.
std::string plain_name(std::string_view id, const Context& context) {
  std::size_t colon = id.rfind(':');
  const bool counted = colon != std::string_view::npos && colon + 1 < id.size() &&
                       id.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  if (counted) id = id.substr(0, colon);
  if (id.starts_with("functions.")) {
    id.remove_prefix(10);
  } else if (const std::size_t dot = id.find('.'); dot != std::string_view::npos && dot > 0 && !context.tool(id)) {
    const std::string_view bare = id.substr(dot + 1);
    const bool known = context.options.tools.empty() ? counted : context.tool(bare) != nullptr;
    if (known && !nearly_named(id.substr(0, dot), "functions")) id = bare;
  }
  // A bare counter is no name.
  if (id.find_first_not_of("0123456789") == std::string_view::npos) return {};
  return std::string(id);
}

// Whether a name has the namespace of tools before it, misspelt: then it is not the name that was meant.
bool torn_space(std::string_view name, const Context& context) {
  if (context.tool(name)) return false;
  constexpr std::string_view kSpace = "functions";
  const std::size_t dot = name.find('.');
  const std::string_view space = name.substr(0, dot);
  if (dot != std::string_view::npos && nearly_named(space, kSpace)) return true;
  return name.starts_with(kSpace) || torn_name(name);
}

bool is_name(std::string_view s) {
  if (s.empty() || s.size() > 256) return false;
  for (char c : s)
    if (!is_name_byte(c)) return false;
  return true;
}

// Where the name ends: at the separator, at what comes before an id, at a bracket, a line's end or a fence.
std::size_t name_end(std::string_view text, std::size_t from, bool& more, bool final) {
  std::size_t i = from;
  while (i < text.size() && is_name_byte(text[i]) && i - from < 256) ++i;
  more = i == text.size() && !final;
  return i;
}

}  // namespace

Start peek_named(std::string_view text, const Row& row, const Context& context, bool strict, bool final) {
  Start start;
  auto wait = [&] {
    start.is = final ? Is::no : Is::more;
    return start;
  };
  std::size_t at = 0;
  if (past_outer(text, row, final, at, start.receipt) == Is::more) return wait();
  Match marker = match_any(text.substr(at), row.start, final);
  if (marker.is != Is::yes) {
    start.is = marker.is;
    return start;
  }
  at += marker.length;
  const bool line = row.separator == "\n";
  if (!line && past_twice(text, row, final, at, start.receipt) == Is::more) return wait();
  std::size_t from = line ? at : past_gap(text, at);
  bool more = false;
  std::size_t end = name_end(text, from, more, final);
  if (more) return wait();
  std::string_view name = text.substr(from, end - from);
  if (!is_name(name) && !(name.empty() && row.separator.starts_with("<|content"))) return start;
  at = end;
  if (line) {
    if (at < text.size() && text[at] == '\r') ++at;
    if (at == text.size()) return wait();
    if (text[at] != '\n') return start;
    ++at;
    start.name = name;
    if (name == "all") start.kind = Start::Kind::text;
    start.is = Is::yes;
    start.length = at;
    // The header says so; that it is no tool that is known makes it a line of text.
    if (name != "all" && !context.options.tools.empty() && !context.tool(name)) {
      std::size_t body = past_gap(text, at);
      if (body == text.size()) return wait();
      if (text[body] != '{') start.is = Is::no;
    }
    return start;
  }
  // The id, where there is one.
  if (!row.before_id.empty()) {
    Match id = match_literal(text.substr(at), row.before_id, final);
    if (id.is == Is::more && at < text.size()) return wait();
    if (id.is == Is::yes) {
      std::size_t id_from = at + id.length, id_end = name_end(text, id_from, more, final);
      if (more) return wait();
      start.id = text.substr(id_from, id_end - id_from);
      at = id_end;
    }
  }
  std::size_t behind = past_gap(text, at);
  if (behind == text.size() && !final) return wait();
  Match separator = match_literal(text.substr(behind), row.separator, final);
  if (separator.is == Is::more && behind < text.size()) return wait();
  if (separator.is == Is::yes) {
    at = behind + separator.length;
    // DeepSeek: the first word says what kind of call it is, the name follows.
    std::size_t next = past_gap(text, at);
    if (row.fence && (nearly_named(name, "function") || name.starts_with("function"))) {
      if (next == text.size() && !final) return wait();
      const bool word = next < text.size() && is_name_byte(text[next]);
      // Something else there may be a part of the separator that got torn.
      if (!word && next < text.size() && text[next] != '{' && text[next] != '`') {
        const Match last = match_any(text.substr(next), row.end, final);
        if (last.is == Is::more) return wait();
        if (last.is == Is::no) start.receipt.guess(EditKind::marker_spelling, next, 0);
      }
      if (word) {
        if (name != "function") start.receipt.guess(EditKind::marker_spelling, end - name.size(), name.size());
        std::size_t name_at = next;
        end = name_end(text, name_at, more, final);
        if (more) return wait();
        name = text.substr(name_at, end - name_at);
        at = end;
      }
    }
  } else {
    // No separator: the arguments follow the name directly, or nothing does.
    // Where the same marker begins other things than calls, the separator alone says that this is one.
    if (row.separator.starts_with("<|content")) return start;
    if (behind < text.size() && text[behind] != '{') {
      Match end_marker = match_any(text.substr(behind), row.end, final);
      Match next_call = match_any(text.substr(behind), row.start, final);
      if (end_marker.is == Is::more || next_call.is == Is::more) return wait();
      if (!end_marker && !next_call) return start;
    }
    // Without arguments there is no more than a word between two markers.
    const bool object = behind < text.size() && text[behind] == '{';
    start.receipt.add(EditKind::missing_marker, object ? json::Grade::safe : json::Grade::guess, behind, 0);
    at = behind;
  }
  // A fence before the arguments, behind a little white space. Where the text ends in that, a fence may follow.
  constexpr std::size_t kSpace = 64;
  std::size_t body = past_gap(text.substr(0, std::min(text.size(), at + kSpace)), at);
  if (body == text.size() && body < at + kSpace && !final) return wait();
  if (row.fence || (body < text.size() && text[body] == '`')) {
    Match fence = match_literal(text.substr(body), "```", final);
    if (fence.is == Is::more) return wait();
    if (fence.is == Is::yes) {
      std::size_t word = body + 3;
      while (word < text.size() && is_name_byte(text[word])) ++word;
      if (word == text.size() && !final) return wait();
      at = word;
    }
  }
  start.name = plain_name(trimmed(name), context);
  // What stands around a name and got lost is a part of it now, and no tool can say so where none is known.
  bool torn = torn_space(start.name, context) || start.name.ends_with(':');
  if (context.options.tools.empty() && name.starts_with("functions.") && start.name == name.substr(10)) torn = true;
  if (context.options.tools.empty() && !row.before_id.empty() && start.id.empty())
    torn |= name.size() > 9 && name.find_last_not_of("0123456789") + 10 <= name.size();
  if (torn) start.receipt.guess(EditKind::marker_spelling, end - name.size(), name.size());
  if (start.name != name && start.id.empty()) start.id = trimmed(name);
  start.length = at;
  start.is = strict && is_placeholder(start.name, context) ? Is::no : Is::yes;
  return start;
}

// <|start|>assistant to=functions.f<|channel|>commentary <|constrain|>json<|message|>
Start peek_harmony(std::string_view text, const Context& context, bool final) {
  Start start;
  // Where the prompt ended with the role, the text begins with the recipient.
  constexpr std::string_view kBegins[] = {"<|start|>", "<|channel|>", " to=", "to="};
  Is begins = Is::no;
  for (std::string_view word : kBegins) begins = std::max(begins, match_literal(text, word, final).is);
  if (begins != Is::yes) {
    start.is = begins;
    return start;
  }
  std::size_t message = text.find("<|message|>");
  // A header holds no other token than its own, and not many of them.
  constexpr std::size_t kTokens = 8;
  std::string_view header = text.substr(0, message);
  std::size_t tokens = 0;
  for (std::size_t i = header.find("<|"); i != std::string_view::npos; i = header.find("<|", i + 2)) {
    std::string_view token = header.substr(i);
    bool own = false;
    for (std::string_view word : {"<|start|>", "<|channel|>", "<|constrain|>", "<|message|>"})
      own |= match_literal(token, word, message != std::string_view::npos).is != Is::no;
    if (!own || ++tokens > kTokens) return start;
  }
  if (header.find('\n') != std::string_view::npos) return start;
  if (message == std::string_view::npos) {
    start.is = final ? Is::no : Is::more;
    return start;
  }
  start.length = message + 11;
  start.is = Is::yes;
  std::size_t to = header.find("to=");
  if (to != std::string_view::npos) {
    std::size_t end = to + 3;
    while (end < header.size() && !is_gap(header, end) && header[end] != '<') ++end;
    std::string_view recipient = header.substr(to + 3, end - to - 3);
    if (recipient != "user" && recipient != "assistant" && !recipient.empty()) {
      if (recipient.starts_with("functions.")) recipient.remove_prefix(10);
      start.name = recipient;
      if (torn_space(recipient, context)) start.receipt.guess(EditKind::marker_spelling, to + 3, end - to - 3);
      return start;
    }
  }
  std::size_t channel = header.find("<|channel|>");
  const bool analysis = channel != std::string_view::npos && header.substr(channel + 11).starts_with("analysis");
  start.kind = analysis ? Start::Kind::reasoning : Start::Kind::text;
  return start;
}

}  // namespace BELAY_NAMESPACE::text
