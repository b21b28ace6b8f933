#include "base/utf8.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace BELAY_NAMESPACE::utf8 {
namespace {

std::uint8_t byte(const char* p) { return static_cast<std::uint8_t>(*p); }

bool ascii(const char* p, std::size_t n) {
  std::size_t i = 0;
  std::uint64_t any = 0;
  for (; i + 32 <= n; i += 32) {
    std::uint64_t w[4];
    std::memcpy(w, p + i, 32);
    any |= w[0] | w[1] | w[2] | w[3];
  }
  for (; i + 8 <= n; i += 8) {
    std::uint64_t w;
    std::memcpy(&w, p + i, 8);
    any |= w;
  }
  for (; i < n; ++i) any |= static_cast<std::uint64_t>(byte(p + i));
  return (any & 0x8080808080808080ull) == 0;
}

bool valid_scalar(const char* p, std::size_t n) {
  for (std::size_t i = 0; i < n;) {
    if (byte(p + i) < 0x80) {
      ++i;
      continue;
    }
    Step s = step(p + i, n - i);
    if (s.is != Step::Is::whole) return false;
    i += s.length;
  }
  return true;
}

#if defined(__x86_64__)
// The method of Keiser and Lemire ("Validating UTF-8 in less than one instruction per byte"): three 16-entry tables,
// looked up by nibbles of each byte and the one before it, agree on a bit exactly when that pair is an error.
enum : int {
  kTooShort = 1 << 0,
  kTooLong = 1 << 1,
  kOverlong3 = 1 << 2,
  kTooLarge = 1 << 3,
  kSurrogate = 1 << 4,
  kOverlong2 = 1 << 5,
  kTooLarge1000 = 1 << 6,
  kOverlong4 = 1 << 6,
  kTwoContinuations = 1 << 7,
  kCarry = kTooShort | kTooLong | kTwoContinuations,
};

#define BELAY_SSSE3 __attribute__((target("ssse3")))

BELAY_SSSE3 inline __m128i table(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l,
                                 int m, int n, int o, int p) {
  auto s = [](int x) { return static_cast<char>(x); };
  return _mm_setr_epi8(s(a), s(b), s(c), s(d), s(e), s(f), s(g), s(h), s(i), s(j), s(k), s(l), s(m), s(n), s(o), s(p));
}

struct Tables {
  __m128i first_high, first_low, second_high;
};
BELAY_SSSE3 inline Tables tables() {
  Tables t;
  const int L = kTooLong, S = kTooShort;
  t.first_high =
      table(L, L, L, L, L, L, L, L, kTwoContinuations, kTwoContinuations, kTwoContinuations, kTwoContinuations,
            S | kOverlong2, S, S | kOverlong3 | kSurrogate, S | kTooLarge | kTooLarge1000 | kOverlong4);
  const int big = kCarry | kTooLarge | kTooLarge1000;
  t.first_low = table(kCarry | kOverlong3 | kOverlong2 | kOverlong4, kCarry | kOverlong2, kCarry, kCarry,
                      kCarry | kTooLarge, big, big, big, big, big, big, big, big, big | kSurrogate, big, big);
  const int cont = L | kOverlong2 | kTwoContinuations;
  t.second_high =
      table(S, S, S, S, S, S, S, S, cont | kOverlong3 | kTooLarge1000 | kOverlong4, cont | kOverlong3 | kTooLarge,
            cont | kSurrogate | kTooLarge, cont | kSurrogate | kTooLarge, S, S, S, S);
  return t;
}

BELAY_SSSE3 bool valid_ssse3(const char* p, std::size_t n) {
  const Tables t = tables();
  const __m128i first_high = t.first_high, first_low = t.first_low, second_high = t.second_high;
  const __m128i nibble = _mm_set1_epi8(0x0f);
  __m128i before = _mm_setzero_si128(), error = _mm_setzero_si128();
  std::size_t i = 0;
  auto check = [&](__m128i in) BELAY_SSSE3 {
    __m128i one = _mm_alignr_epi8(in, before, 15);
    __m128i a = _mm_shuffle_epi8(first_high, _mm_and_si128(_mm_srli_epi16(one, 4), nibble));
    __m128i b = _mm_shuffle_epi8(first_low, _mm_and_si128(one, nibble));
    __m128i c = _mm_shuffle_epi8(second_high, _mm_and_si128(_mm_srli_epi16(in, 4), nibble));
    __m128i pairs = _mm_and_si128(_mm_and_si128(a, b), c);
    __m128i third = _mm_subs_epu8(_mm_alignr_epi8(in, before, 14), _mm_set1_epi8(0x60));
    __m128i fourth = _mm_subs_epu8(_mm_alignr_epi8(in, before, 13), _mm_set1_epi8(0x70));
    __m128i must = _mm_and_si128(_mm_or_si128(third, fourth), _mm_set1_epi8(static_cast<char>(0x80)));
    error = _mm_or_si128(error, _mm_xor_si128(must, pairs));
    before = in;
  };
  auto load = [&](std::size_t at) BELAY_SSSE3 { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + at)); };
  bool plain = true;  // the block before was ASCII
  for (; i + 64 <= n; i += 64) {
    __m128i a = load(i), b = load(i + 16), c = load(i + 32), d = load(i + 48);
    if (_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d))) == 0) {
      if (!plain) check(a);  // finds a character that lacks its end
      plain = true;
      before = d;
      continue;
    }
    plain = false;
    check(a);
    check(b);
    check(c);
    check(d);
  }
  for (; i + 16 <= n; i += 16) check(load(i));
  if (i != n && n >= 32) {
    // Once more some of what was checked, with the rest behind it.
    before = load(n - 32);
    check(load(n - 16));
  } else if (i != n) {
    char rest[16] = {};
    std::memcpy(rest, p + i, n - i);
    check(_mm_loadu_si128(reinterpret_cast<const __m128i*>(rest)));
  }
  check(_mm_setzero_si128());  // a character that lacks its end is an error here, too
  return _mm_movemask_epi8(_mm_cmpeq_epi8(error, _mm_setzero_si128())) == 0xffff;
}
#endif

#if defined(__x86_64__)
#define BELAY_AVX2 __attribute__((target("avx2")))

// The same with 32 bytes at a time, for 96 at least.
BELAY_AVX2 bool valid_avx2(const char* p, std::size_t n) {
  const Tables t = tables();
  const __m256i first_high = _mm256_broadcastsi128_si256(t.first_high),
                first_low = _mm256_broadcastsi128_si256(t.first_low),
                second_high = _mm256_broadcastsi128_si256(t.second_high);
  const __m256i nibble = _mm256_set1_epi8(0x0f), top = _mm256_set1_epi8(static_cast<char>(0x80));
  __m256i before = _mm256_setzero_si256(), error = _mm256_setzero_si256();
  auto check = [&](__m256i in) BELAY_AVX2 {
    __m256i shifted = _mm256_permute2x128_si256(before, in, 0x21);
    __m256i one = _mm256_alignr_epi8(in, shifted, 15);
    __m256i a = _mm256_shuffle_epi8(first_high, _mm256_and_si256(_mm256_srli_epi16(one, 4), nibble));
    __m256i b = _mm256_shuffle_epi8(first_low, _mm256_and_si256(one, nibble));
    __m256i c = _mm256_shuffle_epi8(second_high, _mm256_and_si256(_mm256_srli_epi16(in, 4), nibble));
    __m256i third = _mm256_subs_epu8(_mm256_alignr_epi8(in, shifted, 14), _mm256_set1_epi8(0x60));
    __m256i fourth = _mm256_subs_epu8(_mm256_alignr_epi8(in, shifted, 13), _mm256_set1_epi8(0x70));
    __m256i must = _mm256_and_si256(_mm256_or_si256(third, fourth), top);
    error = _mm256_or_si256(error, _mm256_xor_si256(must, _mm256_and_si256(_mm256_and_si256(a, b), c)));
    before = in;
  };
  auto load = [&](std::size_t at) BELAY_AVX2 { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + at)); };
  std::size_t i = 0;
  bool plain = true;
  for (; i + 64 <= n; i += 64) {
    __m256i a = load(i), b = load(i + 32);
    if (_mm256_movemask_epi8(_mm256_or_si256(a, b)) == 0) {
      if (!plain) check(a);
      plain = true;
      before = b;
      continue;
    }
    plain = false;
    check(a);
    check(b);
  }
  if (i != n || !plain) {
    // The last 64 bytes, of which some were checked already, and the end. Where they are ASCII nothing lacks its end.
    __m256i a = load(n - 64), b = load(n - 32);
    if (_mm256_movemask_epi8(_mm256_or_si256(a, b)) != 0) {
      before = load(n - 96);
      check(a);
      check(b);
      check(_mm256_setzero_si256());
    }
  }
  return _mm256_testz_si256(error, error) != 0;
}
#endif

bool valid_bytes(const char* p, std::size_t n) {
  if (n < 64 && ascii(p, n)) return true;
#if defined(__x86_64__)
  if (n >= 256 && __builtin_cpu_supports("avx2")) return valid_avx2(p, n);
  if (n >= 16 && __builtin_cpu_supports("ssse3")) return valid_ssse3(p, n);
#endif
  return valid_scalar(p, n);
}

}  // namespace

Step step(const char* p, std::size_t n) noexcept {
  using Is = Step::Is;
  if (n == 0) return {Is::incomplete, 0};
  std::uint8_t b = byte(p);
  if (b < 0x80) return {Is::whole, 1};
  // Table 3-7 of the Unicode standard: the second byte's range depends on the first.
  std::uint8_t low = 0x80, high = 0xBF, length = 0;
  if (b >= 0xC2 && b <= 0xDF) {
    length = 2;
  } else if (b >= 0xE0 && b <= 0xEF) {
    length = 3;
    if (b == 0xE0) low = 0xA0;
    if (b == 0xED) high = 0x9F;
  } else if (b >= 0xF0 && b <= 0xF4) {
    length = 4;
    if (b == 0xF0) low = 0x90;
    if (b == 0xF4) high = 0x8F;
  } else {
    return {Is::invalid, 1};
  }
  for (std::uint8_t i = 1; i < length; ++i) {
    if (i == n) return {Is::incomplete, i};
    std::uint8_t c = byte(p + i);
    if (c < low || c > high) return {Is::invalid, i};
    low = 0x80;
    high = 0xBF;
  }
  return {Is::whole, length};
}

bool valid(std::string_view s) noexcept { return valid_bytes(s.data(), s.size()); }

Extent extent(std::string_view s) noexcept {
  const char* p = s.data();
  std::size_t n = s.size();
  if (n < 64 && ascii(p, n)) return {n, 0};
  std::size_t tail = 0;
  for (std::size_t back = 1; back <= 3 && back <= n; ++back) {
    std::uint8_t b = byte(p + n - back);
    if (b < 0x80) break;
    if (b >= 0xC0) {
      if (step(p + n - back, back).is == Step::Is::incomplete) tail = back;
      break;
    }
  }
  if (valid_bytes(p, n - tail)) return {n - tail, tail};
  std::size_t i = 0;
  while (i < n) {
    Step st = step(p + i, n - i);
    if (st.is == Step::Is::incomplete) return {i, n - i};
    if (st.is == Step::Is::invalid) return {i, 0};
    i += st.length;
  }
  return {n, 0};
}

std::string replaced(std::string_view s) {
  std::string out;
  out.reserve(s.size());
  for (std::size_t i = 0; i < s.size();) {
    Step st = step(s.data() + i, s.size() - i);
    if (st.is == Step::Is::whole)
      out.append(s, i, st.length);
    else
      out += kReplacement;
    i += st.length;
  }
  return out;
}

char* put(std::uint32_t c, char* out) noexcept {
  auto b = [](std::uint32_t v) { return static_cast<char>(v); };
  if (c < 0x80) {
    *out++ = b(c);
  } else if (c < 0x800) {
    *out++ = b(0xC0 | c >> 6);
    *out++ = b(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    *out++ = b(0xE0 | c >> 12);
    *out++ = b(0x80 | (c >> 6 & 0x3F));
    *out++ = b(0x80 | (c & 0x3F));
  } else {
    *out++ = b(0xF0 | c >> 18);
    *out++ = b(0x80 | (c >> 12 & 0x3F));
    *out++ = b(0x80 | (c >> 6 & 0x3F));
    *out++ = b(0x80 | (c & 0x3F));
  }
  return out;
}

void append(std::uint32_t c, std::string& out) {
  if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = 0xFFFD;
  char buffer[4];
  out.append(buffer, static_cast<std::size_t>(put(c, buffer) - buffer));
}

}  // namespace BELAY_NAMESPACE::utf8
