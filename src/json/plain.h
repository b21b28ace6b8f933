// What even damaged text mostly is: names in quotes and without, characters that are no quotes, spaces. The functions
// here recognise it in a few instructions; what they do not know is read by those who look at every byte.
#pragma once

#include "json/scan.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace BELAY_NAMESPACE::json {

constexpr std::array<bool, 256> make_bare_bytes() {
  std::array<bool, 256> t{};
  for (std::size_t c = 0; c < 128; ++c) t[c] = is_letter(static_cast<char>(c)) || is_digit(static_cast<char>(c));
  for (char c : {'_', '-', '$', '+', '@', '%', '?'}) t[static_cast<unsigned char>(c)] = true;
  return t;
}
inline constexpr auto kBareBytes = make_bare_bytes();

/// A byte of a word without quotes that is part of it whatever follows.
constexpr bool is_bare(char c) { return kBareBytes[static_cast<unsigned char>(c)]; }

inline std::size_t bare_length(const char* p, const char* end) {
  const char* const from = p;
  while (p < end && is_bare(*p)) ++p;
  return static_cast<std::size_t>(p - from);
}

constexpr bool breaks_name(char c) {
  const auto b = static_cast<unsigned char>(c);
  return b < 0x20 || b >= 0x80 || c == '"' || c == '\'' || c == '`' || c == '\\' || c == '&';
}

/// A mask of those of 16 bytes that cannot stand in a name in quotes, whichever these are.
inline std::uint32_t breaks_name16(const char* p) {
#if defined(__SSE2__)
  const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  auto is = [&](char c) { return _mm_cmpeq_epi8(v, _mm_set1_epi8(c)); };
  // Signed: bytes from 0x80 on are negative. ' and & differ in their lowest bit.
  const __m128i control = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20));
  const __m128i single = _mm_cmpeq_epi8(_mm_or_si128(v, _mm_set1_epi8(1)), _mm_set1_epi8('\''));
  const __m128i other = _mm_or_si128(_mm_or_si128(is('"'), is('`')), is('\\'));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(control, single), other)));
#else
  std::uint32_t mask = 0;
  for (std::uint32_t i = 0; i < 16; ++i)
    if (breaks_name(p[i])) mask |= 1u << i;
  return mask;
#endif
}

/// How long the name in quotes is that begins at p, behind its first quote: plain bytes only, and then the same quote.
/// 0: there is none, or not all of it is there.
inline std::size_t quoted_length(const char* p, const char* end, char quote) {
  constexpr std::ptrdiff_t kLongest = 64;
  for (const char* at = p; at < end && at - p < kLongest; at += 16) {
    const auto n = static_cast<std::size_t>(end - at);
    char few[32] = {};
    std::uint32_t mask;
    if (n >= 16) {
      mask = breaks_name16(at);
    } else {
      copy_rest(at, n, few);
      mask = breaks_name16(few);
    }
    if (mask == 0) continue;
    at += std::countr_zero(mask);
    return at < end && *at == quote ? static_cast<std::size_t>(at - p) : 0;
  }
  return 0;
}

/// How many bytes from p on are letters of ASCII and spaces.
inline std::size_t words_length(const char* p, const char* end) {
  const char* const from = p;
#if defined(__SSE2__)
  for (; end - p >= 16; p += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i letter = _mm_sub_epi8(_mm_or_si128(v, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    const __m128i is_one = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(25)), letter);
    const __m128i words = _mm_or_si128(is_one, _mm_cmpeq_epi8(v, _mm_set1_epi8(' ')));
    const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(words));
    if (mask != 0xFFFF) return static_cast<std::size_t>(p - from) + static_cast<std::size_t>(std::countr_one(mask));
  }
#endif
  while (p < end && (is_letter(*p) || *p == ' ')) ++p;
  return static_cast<std::size_t>(p - from);
}

/// The first byte from p on that is no white space, some way off at most.
inline const char* past_few_spaces(const char* p, const char* end) {
  constexpr std::ptrdiff_t kMost = 256;
  if (end - p > kMost) end = p + kMost;
  while (p < end && is_space(*p)) ++p;
  return p;
}

/// The length of a character beyond ASCII that is whole and right, and no quote. 0: that has to be looked at.
inline std::size_t plain_character(const char* p, std::size_t n) {
  auto follows = [&](std::size_t i) { return (static_cast<unsigned char>(p[i]) & 0xC0) == 0x80; };
  const auto lead = static_cast<unsigned char>(*p);
  if (lead >= 0xC3 && lead < 0xE0) return n >= 2 && follows(1) ? 2 : 0;
  // All but those that begin with E2, E3 and EF, among which are quotes, and those with rules of their own.
  if (lead == 0xE1 || (lead >= 0xE4 && lead <= 0xEC)) return n >= 3 && follows(1) && follows(2) ? 3 : 0;
  return 0;
}

/// Copies up to 16 of n bytes, and says how many there are before the first that is `quote`, '\\', below 0x20 or from
/// 0x80 on. `to` has room for 32.
inline std::size_t copy_plain16(const char* from, std::size_t n, char* to, char quote) {
  n = std::min<std::size_t>(n, 16);
  copy_rest(from, n, to);
  return first(special16(to, quote) | std::uint64_t{1} << n);
}

}  // namespace BELAY_NAMESPACE::json
