// Finding the next byte that matters, sixteen at a time.
#pragma once

#include "base/odd_space.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace BELAY_NAMESPACE::text {

/// A few bytes to look for.
class ByteSet {
 public:
  static constexpr std::size_t kMost = 8;

  void add(char c) {
    if (has(c)) return;
    if (size_ < kMost) bytes_[size_] = c;
    ++size_;
    in_[static_cast<unsigned char>(c)] = true;
  }
  [[nodiscard]] bool has(char c) const { return in_[static_cast<unsigned char>(c)]; }

  /// The index of the first of them from `from` on, or the size of the text.
  [[nodiscard]] std::size_t find(std::string_view text, std::size_t from) const {
    const char* p = text.data();
    std::size_t i = from, n = text.size();
#if defined(__SSE2__)
    if (size_ <= kMost) {
      for (; i + 16 <= n; i += 16) {
        __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
        __m128i any = _mm_setzero_si128();
        for (std::size_t k = 0; k < size_; ++k) any = _mm_or_si128(any, _mm_cmpeq_epi8(v, _mm_set1_epi8(bytes_[k])));
        auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(any));
        if (mask != 0) return i + static_cast<std::size_t>(std::countr_zero(mask));
      }
    }
#endif
    while (i < n && !has(p[i])) ++i;
    return i;
  }

 private:
  std::array<char, kMost> bytes_{};
  std::size_t size_ = 0;
  std::array<bool, 256> in_{};
};

/// The index of the first quote or backslash from `from` on, or the size of the text.
inline std::size_t find_quote(std::string_view text, std::size_t from, char quote) {
  const char* p = text.data();
  std::size_t i = from, n = text.size();
#if defined(__SSE2__)
  const __m128i q = _mm_set1_epi8(quote), b = _mm_set1_epi8('\\');
  for (; i + 16 <= n; i += 16) {
    __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
    auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(v, q), _mm_cmpeq_epi8(v, b))));
    if (mask != 0) return i + static_cast<std::size_t>(std::countr_zero(mask));
  }
#endif
  while (i < n && p[i] != quote && p[i] != '\\') ++i;
  return i;
}

inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// The index of the first byte from `from` on that is no white space, or the size of the text.
inline std::size_t past_space(std::string_view text, std::size_t from) {
  while (from < text.size() && is_space(text[from])) ++from;
  return from;
}

/// White space of any kind begins at `at`, or half a character that may be such.
inline bool is_gap(std::string_view text, std::size_t at) {
  if (static_cast<unsigned char>(text[at]) < 0x80) return is_space(text[at]);
  return odd_space(text.substr(at)) > 0 || half_space(text.substr(at));
}

/// As past_space(), for white space of any kind.
inline std::size_t past_any_space(std::string_view text, std::size_t from) {
  while (true) {
    from = past_space(text, from);
    const std::size_t odd = from < text.size() ? odd_space(text.substr(from)) : 0;
    if (odd == 0) return from;
    from += odd;
  }
}

/// The same, for who looks ahead: half a character at the end of the text counts, since more of it may come.
inline std::size_t past_gap(std::string_view text, std::size_t from) {
  from = past_any_space(text, from);
  return from < text.size() && half_space(text.substr(from)) ? text.size() : from;
}

/// Past one blank of any kind, which is_gap() has seen.
inline std::size_t past_blank(std::string_view text, std::size_t at) {
  const std::size_t odd = odd_space(text.substr(at));
  return odd > 0 ? at + odd : is_space(text[at]) ? at + 1 : text.size();
}

/// Without white space of any kind at the end.
inline std::string_view without_trailing_spaces(std::string_view text) {
  while (!text.empty()) {
    std::size_t n = is_space(text.back()) ? 1 : 0;
    for (std::size_t k = 2; k <= 3 && k <= text.size() && n == 0; ++k)
      if (odd_space(text.substr(text.size() - k)) == k) n = k;
    if (n == 0) break;
    text.remove_suffix(n);
  }
  return text;
}

/// The same at both ends.
inline std::string_view without_spaces(std::string_view text) {
  return without_trailing_spaces(text.substr(past_any_space(text, 0)));
}

/// Without the white space at both ends.
inline std::string_view trimmed(std::string_view text) {
  text.remove_prefix(past_space(text, 0));
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// A byte that tools and parameters have in their names.
inline bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == ':' || c == '/';
}

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

inline bool same_word(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

}  // namespace BELAY_NAMESPACE::text
