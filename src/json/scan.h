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
