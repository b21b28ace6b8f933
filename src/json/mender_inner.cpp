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

// The string's first quote that is text: behind nothing but brackets, and with a name behind it, it begins a document.
void Mender::note_inner_document(const Glyph& g) {
  constexpr std::size_t kLongest = 64;
  if (is_key_ || quote_ != Quote::straight_double || left() <= g.length) return;
  const std::string_view so_far = s_.tape().text(string_node_);
  if (so_far.size() > kLongest || so_far.find_first_not_of("{[ \t\r\n") != so_far.npos) return;
  if (glyph(here() + g.length, left() - g.length, true).is != Is::word) return;
  const auto brackets = std::ranges::count_if(so_far, [](char c) { return c == '{' || c == '['; });
  inner_depth_ = static_cast<std::uint64_t>(brackets);
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
    seek_ = 0;
    inner_first_ = false;
    if (k > kHold || (k < left() && kGoesOn.find(here()[k]) == kGoesOn.npos)) {
      inner_depth_ = 0;
      return std::nullopt;
    }
  }
  pass_inner_quote(g);
  inner_string_ = !inner_string_;
  return Next::go;
}

}  // namespace belay::json
