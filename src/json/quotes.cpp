#include "json/quotes.h"

#include "json/glyph.h"
#include "json/scan.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace BELAY_NAMESPACE::json {
namespace {

constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
    {"“", "”"},   {"„", "“"}, {"„", "”"},   {"‟", "”"}, {"‘", "’"},   {"‚", "‘"}, {"‚", "’"},   {"‛", "’"},
    {"«", "»"},   {"‹", "›"}, {"「", "」"}, {"｢", "｣"}, {"『", "』"}, {"❝", "❞"}, {"❛", "❜"},   {"〝", "〞"},
    {"〝", "〟"}, {"‵", "′"}, {"‶", "″"},   {"′", "′"}, {"″", "″"},   {"´", "´"}, {"＂", "＂"}, {"＇", "＇"},
};

struct Found {
  std::size_t at = std::string_view::npos;
  std::size_t length = 0;
  explicit operator bool() const { return at != std::string_view::npos; }
};

// The first quote from `at` on that is no apostrophe inside a word.
Found next_quote(std::string_view text, std::size_t at, bool typographic_only) {
  while (at < text.size()) {
    const char c = text[at];
    const bool beyond_ascii = static_cast<unsigned char>(c) >= 0x80;
    const Glyph g = beyond_ascii ? glyph(text.data() + at, text.size() - at, true) : Glyph{Is::word};
    const bool quote = beyond_ascii ? g.is == Is::quote : !typographic_only && (c == '"' || c == '\'' || c == '`');
    const bool single = c == '\'' || g.quote == Quote::smart_single || g.quote == Quote::wide_single;
    if (quote && !(single && is_apostrophe(text, at, g.length))) return {at, g.length};
    at += g.length;
  }
  return {};
}

}  // namespace

bool is_apostrophe(std::string_view text, std::size_t at, std::size_t length) {
  auto latin = [](char lead) {
    return static_cast<unsigned char>(lead) >= 0xC3 && static_cast<unsigned char>(lead) <= 0xC9;
  };
  const bool before = at > 0 && (is_letter(text[at - 1]) || (at > 1 && latin(text[at - 2])));
  const std::size_t next = at + length;
  return before && next < text.size() && (is_letter(text[next]) || latin(text[next]));
}

bool is_pair(std::string_view opener, std::string_view closer) {
  return std::ranges::find(kPairs, std::pair(opener, closer)) != std::end(kPairs);
}

bool has_quote(std::string_view text, std::size_t from) { return bool(next_quote(text, from, false)); }

bool may_end_inside(std::string_view text, Role role) {
  const std::size_t last_colon = text.find_last_of(":=\x9A");  // the last byte of the full-width colon
  for (Found q = next_quote(text, 0, true); q; q = next_quote(text, q.at + q.length, true)) {
    std::size_t next = q.at + q.length;
    Glyph g;
    do {
      if (next >= text.size()) return false;
      g = glyph(text.data() + next, text.size() - next, true);
      next += g.length;
    } while (g.is == Is::space);
    if (g.is == Is::colon || g.is == Is::close_brace || g.is == Is::close_bracket) return true;
    if (g.is != Is::comma && g.is != Is::quote) continue;
    // "say “hi”, ok": a member behind the comma would have a colon.
    if (role != Role::member || (last_colon != text.npos && last_colon >= next)) return true;
  }
  return false;
}

}  // namespace BELAY_NAMESPACE::json
