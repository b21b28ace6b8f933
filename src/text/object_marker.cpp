// Whether a marker counts where it stands in an object that is not whole yet.
#include "text/object_part.h"
#include "text/peek.h"

#include <algorithm>

namespace BELAY_NAMESPACE::text {
namespace {

bool closes_json(char c) { return c == '}' || c == ']'; }

}  // namespace

Is looks_like_more(std::string_view rest, bool final) {
  const auto quote = [](char c) { return c == '"' || c == '\''; };
  const char c = rest.front();
  if (c != ',') {
    const bool word = (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9');
    return word || quote(c) || c == ':' ? Is::yes : Is::no;
  }
  const std::size_t next = past_gap(rest.substr(0, kHold), 1);
  if (next == rest.size() && !final) return Is::more;
  return next < rest.size() && next < kHold && quote(rest[next]) ? Is::yes : Is::no;
}

Is looks_like_member(std::string_view rest, bool final) {
  const bool full = rest.size() >= kHold;
  rest = rest.substr(0, kHold);
  const Is open = final || full ? Is::no : Is::more;
  std::size_t i = past_gap(rest, 0);
  if (i < rest.size() && rest[i] == ',') i = past_gap(rest, i + 1);
  if (i == rest.size()) return open;
  const char quote = rest[i] == '"' || rest[i] == '\'' ? rest[i] : '\0';
  if (quote != 0) ++i;
  const std::size_t from = i;
  while (i < rest.size() && is_name_byte(rest[i]) && rest[i] != ':') ++i;
  if (i == rest.size()) return open;
  const std::string_view key = rest.substr(from, i - from);
  if (quote != 0 && rest[i++] != quote) return Is::no;
  constexpr std::string_view kKeys[] = {"arguments", "parameters", "args", "input", "params", "kwargs"};
  if (key.empty() || (quote == 0 && std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys)))
    return Is::no;
  i = past_gap(rest, i);
  if (i == rest.size()) return open;
  return rest[i] == ':' ? Is::yes : Is::no;
}

Is looks_quoted(std::string_view rest, bool final) {
  if (rest.empty() || rest.front() != '"') return Is::no;
  const Match brace = next_byte(rest, 1, final);
  if (!brace || rest[brace.length] != '{') return brace.is == Is::more ? Is::more : Is::no;
  // With quotes that are not escaped the string would end at the first of them.
  const Match key = next_byte(rest, brace.length + 1, final);
  if (!key) return key.is;
  return rest[key.length] == '"' ? Is::no : Is::yes;
}

Match ObjectPart::own_end(std::string_view rest, bool final) const {
  Match best;
  for (const std::string& word : ends_) {
    const Match m = match_marker(rest, word, final);
    if (m.is == Is::yes) return m;
    if (m.is == Is::more) best = m;
  }
  return best;
}

// A quick look, without a thought of where it stands.
bool ObjectPart::may_be_marker(std::string_view rest) const {
  const char c = rest.front();
  if (c == '{') return follows_bare_;
  if (damaged_ && c == '<' && match_closer(rest, false).is != Is::no) return true;
  return own_end(rest, false).is != Is::no || match_any(rest, row_.start, false).is != Is::no;
}

Is ObjectPart::marker(std::string_view rest, bool final) {
  // The very first byte is the object's own.
  if (reader_.offset() == 0) return Is::no;
  json::Place place = span_.in_string() ? json::Place::string : json::Place::inside;
  if (!reader_.failed()) place = reader_.place();
  if (place == json::Place::string || place == json::Place::comment) return marker_in_string(rest, final, place);
  // The next call, where only a key or a closer may stand.
  if (rest.front() == '{') return last_ == ';' || last_ == '}' ? looks_like_call(rest, context_, final).is : Is::no;
  const Match end = own_end(rest, final), start = match_any(rest, row_.start, final);
  // Another closing tag or token cannot be part of a value either.
  const Match other = match_closer(rest, final);
  return std::max({end.is, start.is, other.is});
}

// In a string a marker is text, if the string has a proper end behind it. If it has none, a quote was forgotten or was
// too much somewhere, and the call ends here: otherwise all that follows would be lost in it. A comment has no such
// end.
Is ObjectPart::marker_in_string(std::string_view rest, bool final, json::Place place) {
  std::size_t length = 0;
  if (ends_.empty()) {
    const bool brace = rest.front() == '{';
    const bool separated = brace && (last_ == ';' || last_ == ',');
    if (!closes_json(last_) && !new_line_ && !separated) return Is::no;
    Start next;
    if (brace)
      next.is = looks_like_call(rest, context_, final).is;
    else
      next = peek(rest, row_, context_, true, final);
    if (next.is != Is::yes) return next.is;
    length = next.length;
  } else {
    const Match end = own_end(rest, final);
    if (end.is != Is::yes) return end.is;
    length = end.length;
    if (!closes_json(last_))
      if (const Is apart = set_apart(rest.substr(length), final); apart != Is::yes) return apart;
  }
  if (place == json::Place::comment || reader_.failed()) return Is::yes;
  const bool full = rest.size() - length >= kHoldString;
  const std::optional<bool> proper = reader_.string_ends_in(rest.substr(length, kHoldString), final && !full);
  if (!proper && !full) {
    wait_ = rest.size() + rest.size() / 8 + 1;
    return Is::more;
  }
  return proper.value_or(false) ? Is::no : Is::yes;
}

// Whether an end marker stands as they do: before the end of a line, the end of the text, or another marker.
Is ObjectPart::set_apart(std::string_view behind, bool final) const {
  std::size_t i = 0;
  while (i < behind.size() && i < kHold && (behind[i] == ' ' || behind[i] == '\t')) ++i;
  if (i == kHold) return Is::no;
  behind.remove_prefix(i);
  if (behind.empty()) return final ? Is::yes : Is::more;
  if (behind.front() == '\n' || behind.front() == '\r') return Is::yes;
  Is is = own_end(behind, final).is;
  for (const Words* words : {&row_.start, &row_.outer}) is = std::max(is, match_any(behind, *words, final, true).is);
  for (std::string_view token : last_tokens()) is = std::max(is, match_literal(behind, token, final).is);
  return is;
}

}  // namespace BELAY_NAMESPACE::text
