// A document inside a string whose quotes were not escaped: {"arguments":"{"path":"a","n":1}","id":2}. What stands
// behind its quotes looks like the end of the string at every turn; its brackets say where that is.
#include "json/mender.h"
#include "json/scan.h"
#include "json/session.h"

#include <algorithm>
#include <string_view>

namespace BELAY_NAMESPACE::json {
namespace {

constexpr std::size_t kLongestOpening = 64;
constexpr std::string_view kOpening = "{[ \t\r\n";

std::uint64_t opening(std::string_view text) {
  return static_cast<std::uint64_t>(std::ranges::count_if(text, [](char c) { return c == '{' || c == '['; }));
}

}  // namespace

void Mender::pass_inner_quote(const Glyph& g) {
  guess(EditKind::inner_quote, offset(), g.length);
  inner_quote_ = true;
  take_raw(g.length);
}

// The string's first quote that is text: behind nothing but brackets, and with a name behind it, it begins a document.
void Mender::note_inner_document(const Glyph& g) {
  if (is_key_ || quote_ != Quote::straight_double || left() <= g.length) return;
  const std::string_view so_far = s_.tape().text(string_node_);
  if (so_far.size() > kLongestOpening || so_far.find_first_not_of(kOpening) != so_far.npos) return;
  if (glyph(here() + g.length, left() - g.length, true).is != Is::word) return;
  inner_depth_ = opening(so_far);
  inner_string_ = inner_first_ = inner_depth_ > 0;
}

// Text between the document's strings.
void Mender::count_inner(std::string_view text) {
  for (char c : text) {
    if (c == '{' || c == '[') ++inner_depth_;
    if ((c == '}' || c == ']') && --inner_depth_ == 0) return;
  }
}

// A quote while the document is open. Nothing: it is none after all, and the quote is like any other.
std::optional<Mender::Next> Mender::step_inner_quote(const Glyph& g) {
  if (inner_first_) {
    // Behind its first string a document goes on: "["x" is a bracket" has none.
    constexpr std::string_view kGoesOn = ":,]}";
    const std::size_t k = past_space(std::max<std::size_t>(g.length, seek_));
    seek_ = k;
    if (k == left() && !final_ && k <= kHold) return Next::wait;
    const bool goes_on = k <= kHold && (k == left() || kGoesOn.find(here()[k]) != kGoesOn.npos);
    seek_ = 0;
    inner_first_ = false;
    if (!goes_on) {
      inner_depth_ = 0;
      return std::nullopt;
    }
  }
  pass_inner_quote(g);
  inner_string_ = !inner_string_;
  return Next::go;
}

// curl -d '{"a": "b", "c": 1}': a document behind other text, if a brace stands before this quote. It has to be seen to
// its end before its quotes are known to be text; what was looked through without finding one is not looked through
// again.
std::optional<Mender::Next> Mender::find_inner_document(const Glyph& g) {
  InnerScan& scan = inner_scan_;
  if (scan.at == 0) {
    if (is_key_ || quote_ != Quote::straight_double || offset() < inner_tried_) return {};
    const std::string_view so_far = s_.tape().text(string_node_);
    const std::string_view last = so_far.substr(so_far.size() - std::min(so_far.size(), kLongestOpening + 1));
    const std::size_t before = last.find_last_not_of(kOpening);
    if (before == last.npos && !inner_quote_) return {};  // note_inner_document() will see
    const std::string_view brackets = last.substr(before == last.npos ? 0 : before + 1);
    const std::size_t bracket = brackets.find_last_of("{[");
    if (bracket == brackets.npos || brackets[bracket] != '{') return {};
    // No other question is asked about the quote before this one is answered.
    const Glyph next = glyph(here() + g.length, left() - g.length, final_);
    if (next.is == Is::more && !final_) return Next::wait;
    if (next.is != Is::word) return {};
    scan = {.at = g.length, .depth = opening(brackets)};
  }
  while (scan.at < left() && scan.at <= kHold && scan.in != InnerScan::In::none && scan.depth > 0) {
    const char c = here()[scan.at];
    if (c == '\\' && scan.at + 1 == left()) break;
    // Some of its quotes may be escaped.
    const bool escaped = c == '\\' && here()[scan.at + 1] != '"';
    scan.at += escaped ? 2 : 1;
    if (!escaped && c != '\\') scan.see(c);
  }
  const bool found = scan.depth == 0;
  const std::uint64_t end = offset() + scan.at;
  if (!found && scan.in != InnerScan::In::none && scan.at <= kHold && !final_) return Next::wait;
  scan = {};
  if (!found) {
    inner_tried_ = end;
    return {};
  }
  inner_end_ = end;
  pass_inner_quote(g);
  return Next::go;
}

// What follows each other in a document, as far as it tells one from the text around it.
void Mender::InnerScan::see(char c) {
  constexpr std::string_view kBeforeString = "{[,:(", kBeginsValue = "\"{[-0123456789tfnTFN";
  if (in == In::string || in == In::name) {
    if (c == '"') in = in == In::name ? In::colon : In::between, last = c;
    return;
  }
  if (is_space(c)) return;
  if ((in == In::colon && c != ':') || (in == In::value && kBeginsValue.find(c) == kBeginsValue.npos) ||
      (in == In::between && c == '"' && kBeforeString.find(last) == kBeforeString.npos)) {
    in = In::none;
    return;
  }
  in = in == In::colon ? In::value : c == '"' ? In::string : In::between;
  depth += static_cast<std::uint64_t>(c == '{' || c == '[');
  depth -= static_cast<std::uint64_t>(c == '}' || c == ']');
  last = c;
}

}  // namespace BELAY_NAMESPACE::json
