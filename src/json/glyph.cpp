#include "json/glyph.h"

#include "base/odd_space.h"
#include "base/utf8.h"
#include "json/scan.h"

#include <cstring>
#include <string_view>

namespace BELAY_NAMESPACE::json {
namespace {

struct Entity {
  std::string_view text;
  Quote quote;
};
constexpr Entity kEntities[] = {{"&quot;", Quote::entity_double}, {"&#34;", Quote::entity_double},
                                {"&#x22;", Quote::entity_double}, {"&apos;", Quote::entity_single},
                                {"&#39;", Quote::entity_single},  {"&#x27;", Quote::entity_single}};

Glyph make(Is is, std::size_t length, bool odd = false, Quote quote = Quote::none) {
  return {is, static_cast<std::uint8_t>(length), quote, odd, false};
}

// Whether the text starts with `what`; when it may yet do so, `more` is set.
bool starts(const char* p, std::size_t n, std::string_view what, bool final, bool& more) {
  std::size_t k = n < what.size() ? n : what.size();
  if (std::memcmp(p, what.data(), k) != 0) return false;
  if (k == what.size()) return true;
  if (!final) more = true;
  return false;
}

std::uint32_t decode(const char* p, std::size_t length) {
  auto b = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(p[i])); };
  if (length == 2) return (b(0) & 0x1F) << 6 | (b(1) & 0x3F);
  if (length == 3) return (b(0) & 0x0F) << 12 | (b(1) & 0x3F) << 6 | (b(2) & 0x3F);
  return (b(0) & 0x07) << 18 | (b(1) & 0x3F) << 12 | (b(2) & 0x3F) << 6 | (b(3) & 0x3F);
}

Glyph wide(const char* p, std::size_t n, bool final) {
  utf8::Step s = utf8::step(p, n);
  if (s.is == utf8::Step::Is::incomplete && !final) return make(Is::more, 0);
  if (s.is != utf8::Step::Is::whole) return make(Is::word, s.length, true);
  std::uint32_t c = decode(p, s.length);
  auto quote = [&](Quote q) { return make(Is::quote, s.length, true, q); };
  if (odd_space({p, s.length}) > 0) return make(Is::space, s.length, true);
  switch (c) {
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0x201F: return quote(Quote::smart_double);
    case 0x2018:
    case 0x2019:
    case 0x201A:
    case 0x201B: return quote(Quote::smart_single);
    case 0xAB:
    case 0xBB: return quote(Quote::guillemet);
    case 0x2039:
    case 0x203A: return quote(Quote::angle);
    case 0xFF02: return quote(Quote::wide_double);
    case 0xFF07: return quote(Quote::wide_single);
    case 0x300C:
    case 0x300D:
    case 0xFF62:
    case 0xFF63: return quote(Quote::corner);
    case 0x300E:
    case 0x300F: return quote(Quote::white_corner);
    case 0x275D:
    case 0x275E: return quote(Quote::heavy_double);
    case 0x275B:
    case 0x275C: return quote(Quote::heavy_single);
    case 0xB4: return quote(Quote::acute);
    case 0x2032:
    case 0x2035: return quote(Quote::prime);
    case 0x2033:
    case 0x2036:
    case 0x301D:
    case 0x301E:
    case 0x301F: return quote(Quote::double_prime);
    case 0xFE30:
    case 0xFE55:
    case 0xFF1A:
    case 0xFF1D: return make(Is::colon, s.length, true);
    case 0xFE50:
    case 0xFE51:
    case 0xFE54:
    case 0xFF0C:
    case 0xFF1B:
    case 0x3001: return make(Is::comma, s.length, true);
    case 0x2026: return make(Is::ellipsis, s.length, true);
    default: return make(Is::word, s.length);
  }
}

}  // namespace

Glyph special_glyph(const char* p, std::size_t n, bool final) {
  if (n == 0) return make(Is::more, 0);
  auto c = static_cast<unsigned char>(*p);
  if (c >= 0x80) return wide(p, n, final);
  bool more = false;
  switch (c) {
    case '\v':
    case '\f': return make(Is::space, 1, true);
    case '\x1B': {
      // ESC [ 1 ; 3 2 m: a colour of a terminal.
      constexpr std::size_t kLongestCode = 24;
      if (n > 1 && p[1] != '[') return make(Is::word, 1);
      std::size_t k = 2;
      while (k < n && k < kLongestCode && ((p[k] >= '0' && p[k] <= '9') || p[k] == ';')) ++k;
      if (k >= n && k < kLongestCode) return final ? make(Is::word, 1) : make(Is::more, 0);
      return k < kLongestCode && is_letter(p[k]) ? make(Is::space, k + 1, true) : make(Is::word, 1);
    }
    case '=':
      if (starts(p, n, "=>", final, more)) return make(Is::colon, 2, true);
      return more ? make(Is::more, 0) : make(Is::colon, 1, true);
    case '`':
      if (starts(p, n, "```", final, more)) return make(Is::fence, 3, true, Quote::triple_backtick);
      return more ? make(Is::more, 0) : make(Is::quote, 1, true, Quote::backtick);
    case '/':
      if (n < 2) return final ? make(Is::word, 1) : make(Is::more, 0);
      if (p[1] == '/') return make(Is::line_comment, 2);
      if (p[1] == '*') return make(Is::block_comment, 2);
      return make(Is::word, 1);
    case '#': {
      Glyph g = make(Is::line_comment, 1);
      g.hash = true;
      return g;
    }
    case '<':
      if (starts(p, n, "<!--", final, more)) return make(Is::html_comment, 4);
      if (starts(p, n, "</", final, more)) return make(Is::tag, 2);
      if (starts(p, n, "<|", final, more)) return make(Is::tag, 2);
      return more ? make(Is::more, 0) : make(Is::word, 1);
    case '.':
      if (starts(p, n, "...", final, more)) return make(Is::ellipsis, 3);
      return more ? make(Is::more, 0) : make(Is::word, 1);
    case '\\':
      if (n < 2) return final ? make(Is::word, 1) : make(Is::more, 0);
      if (p[1] == '"') return make(Is::quote, 2, true, Quote::escaped_double);
      if (p[1] == '\'') return make(Is::quote, 2, true, Quote::escaped_single);
      // White space of a text that was escaped as a whole.
      if (p[1] == 'n' || p[1] == 'r' || p[1] == 't') return make(Is::space, 2, true);
      return make(Is::word, 1);
    case '&':
      for (const Entity& e : kEntities)
        if (starts(p, n, e.text, final, more)) return make(Is::quote, e.text.size(), true, e.quote);
      return more ? make(Is::more, 0) : make(Is::word, 1);
    default: return make(Is::word, 1);
  }
}

bool can_close(Quote a, Quote b) {
  if (a == b) return true;
  // A curly quote is often closed by a straight one, a backtick by an accent.
  return (a == Quote::smart_double && b == Quote::straight_double) || (a == Quote::backtick && b == Quote::acute);
}

char first_byte(Quote q) {
  switch (q) {
    case Quote::straight_double:
    case Quote::triple_double:
    case Quote::doubled_double:
    case Quote::smart_double: return '"';
    case Quote::straight_single:
    case Quote::triple_single:
    case Quote::doubled_single:
    case Quote::smart_single: return '\'';
    case Quote::backtick:
    case Quote::triple_backtick: return '`';
    case Quote::entity_double:
    case Quote::entity_single: return '&';
    default: return '\\';
  }
}

}  // namespace BELAY_NAMESPACE::json
