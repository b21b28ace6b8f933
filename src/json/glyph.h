// One unit of damaged JSON text between tokens: what a byte or a character can be, spelled in JSON's way or not.
#pragma once

#include <belay/version.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace BELAY_NAMESPACE::json {

enum class Is : std::uint8_t {
  more,  // cannot be told before more bytes come
  space,
  comma,
  colon,
  open_brace,
  close_brace,
  open_bracket,
  close_bracket,
  open_paren,
  close_paren,
  quote,
  fence,          // ```
  ellipsis,       // ... or …
  line_comment,   // // or #
  block_comment,  // /*
  html_comment,   // <!--
  tag,            // </ or <|
  word,           // anything else
};

enum class Quote : std::uint8_t {
  none,
  straight_double,
  straight_single,
  backtick,
  // of typography, up to double_prime
  smart_double,    // “ ” „ ‟
  smart_single,    // ‘ ’ ‚ ‛
  guillemet,       // « »
  angle,           // ‹ ›
  wide_double,     // ＂
  wide_single,     // ＇
  corner,          // 「 」 ｢ ｣
  white_corner,    // 『 』
  heavy_double,    // ❝ ❞
  heavy_single,    // ❛ ❜
  acute,           // ´
  prime,           // ′ ‵
  double_prime,    // ″ ‶ 〝 〞 〟
  entity_double,   // &quot; &#34;
  entity_single,   // &apos; &#39;
  escaped_double,  // \"
  escaped_single,  // \'
  triple_double,   // """, as Python has it
  triple_single,
  triple_backtick,
  doubled_double,  // ""a"", as CSV has it
  doubled_single,
};

struct Glyph {
  Is is = Is::more;
  std::uint8_t length = 1;
  Quote quote = Quote::none;
  bool odd = false;   // not as JSON spells it
  bool hash = false;  // a # comment
};

/// What the bytes are that stand for themselves, whatever follows; `more` for all others.
constexpr std::array<Glyph, 256> make_plain_glyphs() {
  std::array<Glyph, 256> t{};
  for (std::size_t c = 'a'; c <= 'z'; ++c) t[c].is = t[c - 'a' + 'A'].is = Is::word;
  for (std::size_t c = '0'; c <= '9'; ++c) t[c].is = Is::word;
  for (char c : {'_', '-', '+', '$', '@', '*', '!', '?', '%', '|', '>', '~', '^'})
    t[static_cast<unsigned char>(c)].is = Is::word;
  for (char c : {' ', '\n', '\r', '\t'}) t[static_cast<unsigned char>(c)].is = Is::space;
  t['{'].is = Is::open_brace;
  t['}'].is = Is::close_brace;
  t['['].is = Is::open_bracket;
  t[']'].is = Is::close_bracket;
  t['('] = {.is = Is::open_paren, .odd = true};
  t[')'] = {.is = Is::close_paren, .odd = true};
  t[','].is = Is::comma;
  t[';'] = {.is = Is::comma, .odd = true};
  t[':'].is = Is::colon;
  t['"'] = {.is = Is::quote, .quote = Quote::straight_double};
  t['\''] = {.is = Is::quote, .quote = Quote::straight_single, .odd = true};
  return t;
}
inline constexpr auto kPlainGlyphs = make_plain_glyphs();

/// As glyph(), for a byte that is not among the plain ones, or none.
Glyph special_glyph(const char* p, std::size_t n, bool final);

/// What stands at p. `final`: no more bytes will come.
inline Glyph glyph(const char* p, std::size_t n, bool final) {
  if (n > 0) {
    const Glyph& plain = kPlainGlyphs[static_cast<unsigned char>(*p)];
    if (plain.is != Is::more) return plain;
  }
  return special_glyph(p, n, final);
}

constexpr bool is_closer(Is is) { return is == Is::close_brace || is == Is::close_bracket || is == Is::close_paren; }
constexpr bool is_opener(Is is) { return is == Is::open_brace || is == Is::open_bracket || is == Is::open_paren; }
constexpr bool is_comment(Is is) { return is == Is::line_comment || is == Is::block_comment || is == Is::html_comment; }

/// The quotes of ASCII, " and '.
constexpr bool is_straight(Quote q) { return q == Quote::straight_double || q == Quote::straight_single; }
constexpr bool is_straight(const Glyph& g) { return g.is == Is::quote && is_straight(g.quote); }

/// Quotes of typography: none of them is ASCII.
constexpr bool is_typographic(Quote q) { return q >= Quote::smart_double && q <= Quote::double_prime; }

/// \" and \': of a text that was escaped as a whole.
constexpr bool is_escaped(Quote q) { return q == Quote::escaped_double || q == Quote::escaped_single; }

/// Whether a quote of kind `b` can end a string that one of kind `a` began.
bool can_close(Quote a, Quote b);

/// The character that a quote of this kind starts with in the text, for scanning; 0 when it is not ASCII.
char first_byte(Quote q);

}  // namespace BELAY_NAMESPACE::json
