// Finding the next byte in a string that is not plain: quote, backslash, control character. Sixteen at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace belay::json {

/// Copies 16 bytes and gives a mask of those that are `quote`, '\\' or below 0x20. Bit i stands for byte i.
inline std::uint32_t copy16(const char* from, char* to, char quote) {
#if defined(__SSE2__)
  __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), v);
  __m128i q = _mm_cmpeq_epi8(v, _mm_set1_epi8(quote));
  __m128i b = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
  __m128i c = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v);
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(q, b), c)));
#else
  std::uint32_t mask = 0;
  std::memcpy(to, from, 16);
  for (std::uint32_t i = 0; i < 16; ++i) {
    auto c = static_cast<unsigned char>(from[i]);
    if (c < 0x20 || c == static_cast<unsigned char>(quote) || c == '\\') mask |= 1u << i;
  }
  return mask;
#endif
}

/// As copy16, without the copy, and bytes from 0x80 on count as well.
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

/// True when none of n (at most 16) bytes is a double quote, a backslash, a control character or beyond ASCII.
inline bool plain_small(const char* p, std::size_t n) {
  auto bad = [](std::uint64_t w) {
    constexpr std::uint64_t k01 = 0x0101010101010101ull, k80 = 0x8080808080808080ull;
    std::uint64_t q = w ^ (k01 * '"'), b = w ^ (k01 * '\\');
    return ((w - k01 * 0x20) | ((q - k01) & ~q) | ((b - k01) & ~b) | w) & k80;
  };
  constexpr std::uint64_t kFill = 0x2020202020202020ull;
  if (n >= 8) {
    std::uint64_t a, z;
    std::memcpy(&a, p, 8);
    std::memcpy(&z, p + n - 8, 8);
    return (bad(a) | bad(z)) == 0;
  }
  std::uint64_t w = kFill;
  if (n >= 4) {
    std::uint32_t a, z;
    std::memcpy(&a, p, 4);
    std::memcpy(&z, p + n - 4, 4);
    w = static_cast<std::uint64_t>(z) << 32 | a;
  } else if (n > 0) {
    w = kFill << 24 | static_cast<std::uint64_t>(static_cast<unsigned char>(p[0])) |
        static_cast<std::uint64_t>(static_cast<unsigned char>(p[n / 2])) << 8 |
        static_cast<std::uint64_t>(static_cast<unsigned char>(p[n - 1])) << 16;
  }
  return bad(w) == 0;
}

inline constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
inline constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The value of a hexadecimal digit, or -1.
inline constexpr int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}
/// The value of four hexadecimal digits, or -1.
inline int hex4(const char* p) {
  int a = hex(p[0]), b = hex(p[1]), c = hex(p[2]), d = hex(p[3]);
  return (a | b | c | d) < 0 ? -1 : a << 12 | b << 8 | c << 4 | d;
}

}  // namespace belay::json
