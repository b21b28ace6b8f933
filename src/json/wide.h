// Characters beyond ASCII in a small piece: whether its bytes go on with what came before, without a branch for each.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace BELAY_NAMESPACE::json {

struct Wide {
  bool right;        // UTF-8 so far; when it is not, other code finds out where
  std::size_t tail;  // if so: how many bytes at the end, 0 to 3, are a character that lacks some
};

/// Of n bytes (1 to 32) at p. Before them lie three or more that are UTF-8 but for the rest of a last character, which
/// may be among the n. 32 bytes can be read, whatever they are.
inline Wide check_wide(const char* p, std::size_t n) {
#if defined(__SSE2__)
  auto load = [](const char* q) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(q)); };
  auto all = [](int byte) { return _mm_set1_epi8(static_cast<char>(byte)); };
  auto wrong = [&](const char* q) {
    const __m128i v = load(q), one = load(q - 1), two = load(q - 2), three = load(q - 3);
    // A byte goes on with a character exactly where one begins that is so long. Signed: 0x80 to 0xBF are the lowest.
    const __m128i begun = _mm_or_si128(_mm_or_si128(_mm_subs_epu8(one, all(0xBF)), _mm_subs_epu8(two, all(0xDF))),
                                       _mm_subs_epu8(three, all(0xEF)));
    __m128i bad = _mm_cmpeq_epi8(_mm_cmpeq_epi8(begun, _mm_setzero_si128()), _mm_cmplt_epi8(v, all(0xC0)));
    // No character begins with 0xC0, 0xC1, or what is above 0xF4.
    bad = _mm_or_si128(bad, _mm_cmpeq_epi8(_mm_and_si128(v, all(0xFE)), all(0xC0)));
    bad = _mm_or_si128(bad, _mm_subs_epu8(v, all(0xF4)));
    // Behind some the second byte has bounds: too long a spelling, a surrogate, beyond the last character.
    const __m128i below_a0 = _mm_cmplt_epi8(v, all(0xA0)), below_90 = _mm_cmplt_epi8(v, all(0x90));
    bad = _mm_or_si128(bad, _mm_and_si128(_mm_cmpeq_epi8(one, all(0xE0)), below_a0));
    bad = _mm_or_si128(bad, _mm_andnot_si128(below_a0, _mm_cmpeq_epi8(one, all(0xED))));
    bad = _mm_or_si128(bad, _mm_and_si128(_mm_cmpeq_epi8(one, all(0xF0)), below_90));
    bad = _mm_or_si128(bad, _mm_andnot_si128(below_90, _mm_cmpeq_epi8(one, all(0xF4))));
    return ~static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bad, _mm_setzero_si128()))) & 0xffff;
  };
  std::uint64_t mask = wrong(p);
  if (n > 16) mask |= static_cast<std::uint64_t>(wrong(p + 16)) << 16;
  auto at = [&](std::ptrdiff_t i) { return static_cast<unsigned char>(p[static_cast<std::ptrdiff_t>(n) - i]); };
  // In what is right only one of these holds.
  std::size_t tail = (at(1) >= 0xC0 ? 1u : 0u) + (at(2) >= 0xE0 ? 2u : 0u) + (at(3) >= 0xF0 ? 3u : 0u);
  return {(mask & ((std::uint64_t{1} << n) - 1)) == 0, tail};
#else
  static_cast<void>(p);
  static_cast<void>(n);
  return {false, 0};
#endif
}

}  // namespace BELAY_NAMESPACE::json
