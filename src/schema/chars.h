// Classes of characters that numbers, URIs and formats share. ASCII only, whatever the locale.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace BELAY_NAMESPACE::schema {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_alnum(char c) { return is_alpha(c) || is_digit(c); }
constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The value of a hexadecimal digit; -1 for other characters.
constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// True when a whole percent-escape, such as %2F, stands at `i`.
constexpr bool is_escape(std::string_view s, std::size_t i) {
  return i + 2 < s.size() && s[i] == '%' && hex_value(s[i + 1]) >= 0 && hex_value(s[i + 2]) >= 0;
}

/// How many digits stand at the front.
constexpr std::size_t count_digits(std::string_view s) {
  std::size_t n = 0;
  while (n < s.size() && is_digit(s[n])) ++n;
  return n;
}

/// What next_code_point() gives for bytes that are not UTF-8; no format allows it.
inline constexpr std::uint32_t kNoCodePoint = 0xFFFFFFFF;

/// Takes one character, which must be there, from the front.
std::uint32_t next_code_point(std::string_view& s);

}  // namespace BELAY_NAMESPACE::schema
