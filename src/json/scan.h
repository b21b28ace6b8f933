// Finding the next byte in a string that is not plain: quote, backslash, control character. Sixteen at a time.
#pragma once

#include <belay/version.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace BELAY_NAMESPACE::json {

/// Copies 32 bytes and gives a mask of those that are '"', '\\' or below 0x20. Bit i stands for byte i.
inline std::uint64_t copy32(const char* from, char* to) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1f);
  auto half = [&](std::size_t i) {
    __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), v);
    __m128i q = _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash));
    __m128i c = _mm_cmpeq_epi8(_mm_min_epu8(v, control), v);
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(q, c)));
  };
  std::uint32_t low = half(0), high = half(16);
  return static_cast<std::uint64_t>(high) << 16 | low;
#else
  std::uint64_t mask = 0;
  std::memmove(to, from, 32);
  for (std::uint32_t i = 0; i < 32; ++i) {
    auto c = static_cast<unsigned char>(from[i]);
    if (c < 0x20 || c == '"' || c == '\\') mask |= std::uint64_t{1} << i;
  }
  return mask;
#endif
}

/// Where the lowest bit is. There must be one.
inline std::size_t first(std::uint64_t mask) { return static_cast<unsigned>(std::countr_zero(mask)); }

/// The same for what may be a whole string: up to its quote, if all before that is plain.
struct Quoted {
  std::size_t size;       // up to the first quote
  bool odd;               // there is none, or something else before it
  std::uint64_t special;  // as copy32(), and a bit behind these
};
inline Quoted copy_quoted(const char* from, char* to) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << 32;
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1f);
  __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  __m128i z = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 16));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), a);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 16), z);
  auto bits = [](__m128i low, __m128i high) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(high))) << 16 |
           static_cast<std::uint32_t>(_mm_movemask_epi8(low));
  };
  auto other = [&](__m128i v) {
    return _mm_or_si128(_mm_cmpeq_epi8(v, slash), _mm_cmpeq_epi8(_mm_min_epu8(v, control), v));
  };
  std::uint64_t quotes = bits(_mm_cmpeq_epi8(a, quote), _mm_cmpeq_epi8(z, quote));
  std::uint64_t others = bits(other(a), other(z)) | kEnd;
#else
  std::uint64_t quotes = 0, others = kEnd;
  std::memmove(to, from, 32);
  for (std::uint32_t i = 0; i < 32; ++i) {
    auto c = static_cast<unsigned char>(from[i]);
    if (c == '"') quotes |= std::uint64_t{1} << i;
    if (c < 0x20 || c == '\\') others |= std::uint64_t{1} << i;
  }
#endif
  // How long it is hangs on the quotes alone, which are known first.
  std::uint64_t end = quotes | kEnd << 1;
  return {first(end), (others & (end - 1)) != 0, quotes | others};
}

inline void move32(const char* from, char* to) {
#if defined(__SSE2__)
  __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 16));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), a);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 16), b);
#else
  std::memcpy(to, from, 32);
#endif
}

/// A mask of those of 16 bytes that are `quote`, '\\', below 0x20 or from 0x80 on.
inline std::uint32_t special16(const char* from, char quote) {
#if defined(__SSE2__)
  __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  __m128i q = _mm_cmpeq_epi8(v, _mm_set1_epi8(quote));
  __m128i b = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
  // Signed: bytes from 0x80 on are negative, so they are below 0x20 too.
  __m128i c = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(q, b), c)));
#else
  std::uint32_t mask = 0;
  for (std::uint32_t i = 0; i < 16; ++i) {
    auto c = static_cast<unsigned char>(from[i]);
    if (c < 0x20 || c >= 0x80 || c == static_cast<unsigned char>(quote) || c == '\\') mask |= 1u << i;
  }
  return mask;
#endif
}

/// A bit for each of 32 bytes that are the same. `a` is aligned to 16.
inline std::uint32_t same32(const char* a, const char* b) {
#if defined(__SSE2__)
  auto half = [&](std::size_t i) {
    return static_cast<std::uint32_t>(
        _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128(reinterpret_cast<const __m128i*>(a + i)),
                                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + i)))));
  };
  return half(0) | half(16) << 16;
#else
  std::uint32_t mask = 0;
  for (std::uint32_t i = 0; i < 32; ++i)
    if (a[i] == b[i]) mask |= 1u << i;
  return mask;
#endif
}

/// Copies 0 to 32 bytes, without touching what lies behind them at `from`. `to` has room for 32.
inline void copy_rest(const char* from, std::size_t n, char* to) {
  auto both = [&]<class Word>(Word) {
    Word a, z;
    std::memcpy(&a, from, sizeof a);
    std::memcpy(&z, from + n - sizeof z, sizeof z);
    std::memcpy(to, &a, sizeof a);
    std::memcpy(to + n - sizeof z, &z, sizeof z);
  };
#if defined(__SSE2__)
  if (n >= 16) return both(__m128i{});
#else
  if (n >= 16) return static_cast<void>(std::memcpy(to, from, n));
#endif
  if (n >= 8) return both(std::uint64_t{});
  if (n >= 4) return both(std::uint32_t{});
  if (n >= 2) return both(std::uint16_t{});
  if (n == 1) *to = *from;
}

/// True when 1 to 32 bytes are all ASCII.
inline bool ascii_small(const char* p, std::size_t n) {
  std::uint64_t any = 0;
  if (n >= 8) {
    std::uint64_t w;
    std::size_t i = 0;
    for (; i + 8 < n; i += 8) {
      std::memcpy(&w, p + i, 8);
      any |= w;
    }
    std::memcpy(&w, p + n - 8, 8);
    any |= w;
  } else if (n >= 4) {
    std::uint32_t a, z;
    std::memcpy(&a, p, 4);
    std::memcpy(&z, p + n - 4, 4);
    any = a | z;
    any |= any << 32;
  } else {
    for (std::size_t i = 0; i < n; ++i) any |= static_cast<unsigned char>(p[i]);
  }
  return (any & 0x8080808080808080ull) == 0;
}

/// 1 to 8 bytes as a word, zeros behind them.
inline std::uint64_t load_few(const char* p, std::size_t n) {
  if (n >= 4) {
    std::uint32_t a, z;
    std::memcpy(&a, p, 4);
    std::memcpy(&z, p + n - 4, 4);
    return a | static_cast<std::uint64_t>(z) << (8 * (n - 4));
  }
  return static_cast<unsigned char>(p[0]) |
         static_cast<std::uint64_t>(static_cast<unsigned char>(p[n / 2])) << (8 * (n / 2)) |
         static_cast<std::uint64_t>(static_cast<unsigned char>(p[n - 1])) << (8 * (n - 1));
}

/// True when n bytes are the same; mostly they are few. At `kept` eight more than these may be read.
inline bool same(const char* kept, const char* p, std::size_t n) {
  if (n - 1 >= 8) return n == 0 || std::memcmp(kept, p, n) == 0;
  std::uint64_t word;
  std::memcpy(&word, kept, 8);
  return (word ^ load_few(p, n)) << (64 - 8 * n) == 0;
}

/// Zero when each of the first n (1 to 8) bytes can stand in a string as it is: ASCII, no quote, backslash or control
/// character. Otherwise the lowest bit that is set lies in the first byte that is not so.
inline std::uint64_t odd_few(std::uint64_t w, std::size_t n) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ull;
  std::uint64_t odd = w | (w - 0x20 * kOnes) | ((w ^ ('"' * kOnes)) - kOnes) | ((w ^ ('\\' * kOnes)) - kOnes);
  return odd & (0x80 * kOnes >> (64 - 8 * n));
}

/// True when each of 4 to 8 bytes can stand in a string as it is. They are given as two halves that overlap.
inline bool plain_halves(std::uint32_t a, std::uint32_t z) {
#if defined(__SSE2__)
  __m128i v = _mm_unpacklo_epi32(_mm_cvtsi32_si128(static_cast<int>(a)), _mm_cvtsi32_si128(static_cast<int>(z)));
  __m128i q = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
  // Signed: bytes from 0x80 on are negative, so they are not above 0x1F either.
  __m128i plain = _mm_andnot_si128(q, _mm_cmpgt_epi8(v, _mm_set1_epi8(0x1f)));
  return (_mm_movemask_epi8(plain) & 0xff) == 0xff;
#else
  return odd_few(a | static_cast<std::uint64_t>(z) << 32, 8) == 0;
#endif
}

/// A bit for each of eight bytes that cannot stand in a string as it is, or is beyond ASCII.
inline std::uint32_t special8(std::uint64_t word) {
#if defined(__SSE2__)
  const __m128i v = _mm_cvtsi64_si128(static_cast<long long>(word));
  __m128i q = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
  __m128i plain = _mm_andnot_si128(q, _mm_cmpgt_epi8(v, _mm_set1_epi8(0x1f)));
  return ~static_cast<std::uint32_t>(_mm_movemask_epi8(plain)) & 0xff;
#else
  std::uint32_t mask = 0;
  for (std::uint32_t i = 0; i < 8; ++i, word >>= 8) {
    const auto c = static_cast<unsigned char>(word);
    if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\') mask |= 1u << i;
  }
  return mask;
#endif
}

/// A piece of 1 to 32 bytes, put at `to` (which has room for 32 more), and what is special in it.
struct Small {
  std::uint64_t special;  // a bit for each '"', '\\' or control character
  bool ascii;
};

/// The same for 16 bytes at least, and where they are not ASCII.
struct Line {
  std::uint64_t special;
  std::uint64_t high;
};
inline Line copy_line(const char* from, std::size_t n, char* to) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1f);
  auto special = [&](__m128i v) {
    __m128i q = _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash));
    __m128i c = _mm_cmpeq_epi8(_mm_min_epu8(v, control), v);
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(q, c))));
  };
  // Two loads that overlap cover any length without reading past the end.
  __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  __m128i z = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + n - 16));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), a);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to + n - 16), z);
  auto high = [](__m128i v) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(v))); };
  return {special(a) | special(z) << (n - 16), high(a) | high(z) << (n - 16)};
#else
  Line line{0, 0};
  for (std::size_t i = 0; i < n; ++i) {
    auto c = static_cast<unsigned char>(from[i]);
    to[i] = from[i];
    if (c < 0x20 || c == '"' || c == '\\') line.special |= std::uint64_t{1} << i;
    if (c >= 0x80) line.high |= std::uint64_t{1} << i;
  }
  return line;
#endif
}

inline Small copy_small(const char* from, std::size_t n, char* to) {
#if defined(__SSE2__)
  if (n >= 16) {
    Line line = copy_line(from, n, to);
    return {line.special, line.high == 0};
  }
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1f);
  auto special = [&](__m128i v) {
    __m128i q = _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash));
    __m128i c = _mm_cmpeq_epi8(_mm_min_epu8(v, control), v);
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(q, c))));
  };
  // Two loads that overlap, again.
  std::uint64_t low = 0x2020202020202020ull, high = low;
  std::size_t shift = 0;
  if (n >= 8) {
    std::memcpy(&low, from, 8);
    std::memcpy(&high, from + n - 8, 8);
    std::memcpy(to, &low, 8);
    std::memcpy(to + n - 8, &high, 8);
    shift = n - 8;
  } else if (n >= 4) {
    std::uint32_t a, z;
    std::memcpy(&a, from, 4);
    std::memcpy(&z, from + n - 4, 4);
    std::memcpy(to, &a, 4);
    std::memcpy(to + n - 4, &z, 4);
    low = 0x2020202000000000ull | a;
    high = 0x2020202000000000ull | z;
    shift = n - 4;
  } else {
    std::uint64_t b0 = static_cast<unsigned char>(from[0]), b1 = static_cast<unsigned char>(from[n / 2]),
                  b2 = static_cast<unsigned char>(from[n - 1]);
    to[0] = from[0];
    to[n / 2] = from[n / 2];
    to[n - 1] = from[n - 1];
    low = 0x2020202020202000ull | b0;
    high = n == 1 ? low : n == 2 ? 0x2020202020202000ull | b2 : 0x2020202020200000ull | b2 << 8 | b1;
    shift = n == 1 ? 0 : 1;
  }
  __m128i v = _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
  std::uint64_t m = special(v);
  return {(m & 0xff) | (m >> 8) << shift, _mm_movemask_epi8(v) == 0};
#else
  Small s{0, true};
  for (std::size_t i = 0; i < n; ++i) {
    auto c = static_cast<unsigned char>(from[i]);
    to[i] = from[i];
    if (c < 0x20 || c == '"' || c == '\\') s.special |= std::uint64_t{1} << i;
    if (c >= 0x80) s.ascii = false;
  }
  return s;
#endif
}

/// What looks like a number at the start of 32 bytes that may be read: how long it is (32: it may go on), and whether
/// JSON spells numbers like that. The first byte must be a digit or '-'.
struct NumberScan {
  std::uint64_t size;
  bool right;
};
inline NumberScan scan_number(const char* p) {
  std::uint64_t digit = 0, dot = 0, power = 0, sign = 0;
#if defined(__SSE2__)
  for (int i = 0; i < 32; i += 16) {
    __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
    auto put = [&](std::uint64_t& mask, __m128i where) {
      mask |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(where))) << i;
    };
    __m128i d = _mm_sub_epi8(v, _mm_set1_epi8('0'));
    put(digit, _mm_cmpeq_epi8(_mm_min_epu8(d, _mm_set1_epi8(9)), d));
    put(dot, _mm_cmpeq_epi8(v, _mm_set1_epi8('.')));
    put(power, _mm_cmpeq_epi8(_mm_or_si128(v, _mm_set1_epi8(0x20)), _mm_set1_epi8('e')));
    put(sign, _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('+')), _mm_cmpeq_epi8(v, _mm_set1_epi8('-'))));
  }
#else
  for (std::uint32_t i = 0; i < 32; ++i) {
    std::uint64_t bit = std::uint64_t{1} << i;
    if (p[i] >= '0' && p[i] <= '9') digit |= bit;
    if (p[i] == '.') dot |= bit;
    if (p[i] == 'e' || p[i] == 'E') power |= bit;
    if (p[i] == '+' || p[i] == '-') sign |= bit;
  }
#endif
  auto size = static_cast<std::uint64_t>(std::countr_zero(~(digit | dot | power | sign)));
  std::uint64_t within = (std::uint64_t{1} << size) - 1;
  digit &= within;
  dot &= within;
  power &= within;
  sign &= within;
  // Each condition leaves a bit where it does not hold.
  std::uint64_t bad = sign & ~(power << 1 | 1);      // signs: in front (and there it is '-'), or behind an e
  bad |= (dot | sign) << 1 & ~digit;                 // a digit behind a dot or a sign
  bad |= power << 1 & ~(digit | sign);               // and behind an e, or a sign
  bad |= (dot | power) & ~(digit << 1);              // a digit before a dot or an e
  bad |= (dot & (dot - 1)) | (power & (power - 1));  // one of each at most
  bad |= dot & ~(power - 1);                         // the dot before the e
  std::uint64_t first = sign & 1;                    // no digit behind a zero in front
  bad |= static_cast<std::uint64_t>(p[first] == '0') & digit >> (first + 1);
  return {size, bad == 0};
}

inline constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
/// Of ASCII.
inline constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// Below the space, or DEL; white space, too.
inline constexpr bool is_control(char c) { return (c >= 0 && c < 0x20) || c == 0x7F; }
inline constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// What a name in a program is made of, and characters beyond ASCII.
inline constexpr bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-' || c == '.' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

/// What can stand behind a number in a container.
inline constexpr bool ends_number(char c) { return c == ',' || c == '}' || c == ']' || is_space(c); }

constexpr std::array<std::int8_t, 256> make_hex() {
  std::array<std::int8_t, 256> t{};
  t.fill(-1);
  for (std::size_t i = 0; i < 10; ++i) t['0' + i] = static_cast<std::int8_t>(i);
  for (std::size_t i = 0; i < 6; ++i) t['a' + i] = t['A' + i] = static_cast<std::int8_t>(10 + i);
  return t;
}
inline constexpr auto kHexDigits = make_hex();

/// The value of a hexadecimal digit, or -1.
inline constexpr int hex(char c) { return kHexDigits[static_cast<unsigned char>(c)]; }
/// The value of four hexadecimal digits, or -1.
inline int hex4(const char* p) {
  int a = hex(p[0]), b = hex(p[1]), c = hex(p[2]), d = hex(p[3]);
  return (a | b | c | d) < 0 ? -1 : a << 12 | b << 8 | c << 4 | d;
}

/// It opens more of these brackets than it closes.
inline bool leaves_open(std::string_view text, char opener, char closer) {
  return std::ranges::count(text, opener) > std::ranges::count(text, closer);
}

/// The first byte from `at` on that is a line feed, a carriage return or E2.
inline std::size_t find_line_sign(std::string_view text, std::size_t at) {
#if defined(__SSE2__)
  for (; text.size() - at >= 16; at += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\n')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\r')));
    const __m128i signs = _mm_or_si128(ends, _mm_cmpeq_epi8(v, _mm_set1_epi8('\xE2')));
    const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(signs));
    if (mask != 0) return at + first(mask);
  }
#endif
  for (; at < text.size(); ++at)
    if (text[at] == '\n' || text[at] == '\r' || text[at] == '\xE2') return at;
  return text.npos;
}

/// The end of a line as JavaScript has it: a carriage return, U+2028 and U+2029 end one, too.
inline std::size_t find_line_end(std::string_view text) {
  std::size_t at = find_line_sign(text, 0);
  while (at != text.npos && text[at] == '\xE2') {
    const std::string_view rest = text.substr(at, 3);
    if (rest == "\u2028" || rest == "\u2029") break;
    at = find_line_sign(text, at + 1);
  }
  return at;
}
/// How many bytes at the end of a text may be the first of such a one.
inline std::size_t begins_line_end(std::string_view text) {
  return text.ends_with('\xE2') ? 1 : text.ends_with("\xE2\x80") ? 2 : 0;
}

}  // namespace BELAY_NAMESPACE::json
