// A document inside a string whose quotes were not escaped: {"arguments":"{"path":"a","n":1}","id":2}. What stands
// behind its quotes looks like the end of the string at every turn; its brackets say where that is.
#include "json/mender.h"
#include "json/session.h"

#include <algorithm>
#include <string_view>

namespace belay::json {

void Mender::pass_inner_quote(const Glyph& g) {
  guess(EditKind::inner_quote, offset(), g.length);
  inner_quote_ = true;
  take_raw(g.length);
}

// A quote that is text: behind brackets, and with a name behind it, it may begin a document. The string's first one
// does so behind nothing else, and any behind a brace: curl -d '{"a": "b"}'.
void Mender::note_inner_document(const Glyph& g) {
  constexpr std::size_t kLongest = 64;
  constexpr std::string_view kOpening = "{[ \t\r\n";
  if (is_key_ || quote_ != Quote::straight_double || left() <= g.length) return;
  const std::string_view so_far = s_.tape().text(string_node_);
  const std::string_view last = so_far.substr(so_far.size() - std::min(so_far.size(), kLongest + 1));
  const std::size_t before = last.find_last_not_of(kOpening);
  const std::string_view brackets = last.substr(before == last.npos ? 0 : before + 1);
  if (brackets.size() > kLongest) return;
  inner_behind_ = brackets.size() < so_far.size() || inner_quote_;
  const std::size_t bracket = brackets.find_last_of("{[");
  if (bracket == brackets.npos || (inner_behind_ && brackets[bracket] != '{')) return;
  if (glyph(here() + g.length, left() - g.length, true).is != Is::word) return;
  const auto open = std::ranges::count_if(brackets, [](char c) { return c == '{' || c == '['; });
  inner_depth_ = static_cast<std::uint64_t>(open);
  inner_string_ = inner_first_ = true;
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
    // Behind its first string a document goes on: "["x" is a bracket" has none. Behind other text that is not enough:
    // {"name": stands for it.
    constexpr std::string_view kGoesOn = ":,]}", kBeginsValue = "\"{[-0123456789tfn";
    std::size_t k = past_space(std::max<std::size_t>(g.length, seek_));
    seek_ = k;
    if (k == left() && !final_ && k <= kHold) return Next::wait;
    bool goes_on = k <= kHold && (k == left() || kGoesOn.find(here()[k]) != kGoesOn.npos);
    if (inner_behind_) {
      goes_on &= k < left() && here()[k] == ':';
      if (goes_on) k = past_space(k + 1);
      if (goes_on && k == left() && !final_ && k <= kHold) return Next::wait;
      goes_on &= k < left() && k <= kHold && kBeginsValue.find(here()[k]) != kBeginsValue.npos;
    }
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

}  // namespace belay::json
