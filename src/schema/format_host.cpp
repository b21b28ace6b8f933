// Addresses and names of hosts: IPv4 with four plain decimals, IPv6 (RFC 4291, no zones), host names (RFC 1123, 5890).
#include "schema/chars.h"
#include "schema/format_checks.h"
#include "schema/idna.h"

#include <cstddef>

namespace BELAY_NAMESPACE::schema {
namespace {

constexpr std::size_t kLongestName = 253;

// The full stops that RFC 3490 takes for dots.
bool is_wide_dot(std::uint32_t c) { return c == 0x3002 || c == 0xFF0E || c == 0xFF61; }

std::size_t count_hex_digits(std::string_view s) {
  std::size_t n = 0;
  while (n < s.size() && hex_value(s[n]) >= 0) ++n;
  return n;
}

}  // namespace

bool is_ipv4(std::string_view s) {
  for (int part = 1;; ++part) {
    const std::size_t digits = count_digits(s);
    // A leading zero would be octal to some readers.
    if (digits == 0 || digits > 3 || (digits > 1 && s.front() == '0')) return false;
    if (digits == 3 && s.substr(0, 3) > "255") return false;
    s.remove_prefix(digits);
    if (part == 4) return s.empty();
    if (!s.starts_with('.')) return false;
    s.remove_prefix(1);
  }
}

bool is_ipv6(std::string_view s) {
  int groups = 0;  // of 16 bits
  bool gap = false;
  if (s.starts_with("::")) {
    gap = true;
    s.remove_prefix(2);
  }
  while (!s.empty()) {
    const std::size_t digits = count_hex_digits(s);
    if (digits < s.size() && s[digits] == '.') {
      if (!is_ipv4(s)) return false;
      groups += 2;
      break;
    }
    if (digits == 0 || digits > 4 || ++groups > 8) return false;
    s.remove_prefix(digits);
    if (s.empty()) break;
    if (s.starts_with("::")) {
      if (gap) return false;
      gap = true;
      s.remove_prefix(2);
      continue;
    }
    if (!s.starts_with(':') || s.size() == 1) return false;
    s.remove_prefix(1);
  }
  return gap ? groups < 8 : groups == 8;
}

bool is_hostname(std::string_view s, Alphabet alphabet) {
  std::size_t length = 0;
  bool right_to_left = false, keeps_direction = true;
  Label label;
  for (bool end = false;;) {
    end = s.empty();
    const std::uint32_t c = end ? '.' : next_code_point(s);
    if (c >= 0x80 && (alphabet == Alphabet::ascii || c == kNoCodePoint)) return false;
    if (c != '.' && !is_wide_dot(c)) {
      if (label.full()) return false;
      label.push_back(c);
      continue;
    }
    const LabelVerdict verdict = judge_label(label);
    if (!verdict.valid) return false;
    length += verdict.ascii_length;
    if (length > kLongestName) return false;
    right_to_left |= verdict.right_to_left;
    keeps_direction &= verdict.keeps_direction;
    if (end) return !right_to_left || keeps_direction;
    ++length;  // the dot
    label = {};
  }
}

}  // namespace BELAY_NAMESPACE::schema
