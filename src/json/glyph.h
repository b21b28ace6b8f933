// One unit of damaged JSON text between tokens: what a byte or a character can be, spelled in JSON's way or not.
#pragma once

#include <cstddef>
#include <cstdint>

namespace belay::json {

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

/// What stands at p. `final`: no more bytes will come.
Glyph glyph(const char* p, std::size_t n, bool final);

/// Whether a quote of kind `b` can end a string that one of kind `a` began.
bool can_close(Quote a, Quote b);

/// The character that a quote of this kind starts with in the text, for scanning; 0 when it is not ASCII.
char first_byte(Quote q);

}  // namespace belay::json
