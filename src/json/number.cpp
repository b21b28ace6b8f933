#include "json/number.h"

#include <string>

namespace BELAY_NAMESPACE::json {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

// A number as 0.DIGITS × 10^exponent, without leading or trailing zeros in DIGITS. Zero has no digits.
struct Decimal {
  bool negative = false;
  std::string digits;
  std::int64_t exponent = 0;
  bool huge = false;  // the exponent does not fit: compare by its own digits
  std::string_view exponent_text;
};

Decimal decimal(std::string_view s) {
  Decimal d;
  std::size_t i = 0;
  if (i < s.size() && s[i] == '-') d.negative = true, ++i;
  std::int64_t point = 0;
  for (; i < s.size() && digit(s[i]); ++i) d.digits += s[i], ++point;
  if (i < s.size() && s[i] == '.')
    for (++i; i < s.size() && digit(s[i]); ++i) d.digits += s[i];
  if (i < s.size()) {
    d.exponent_text = s.substr(i + 1);
    std::string_view e = d.exponent_text;
    bool minus = !e.empty() && e[0] == '-';
    if (!e.empty() && (e[0] == '-' || e[0] == '+')) e.remove_prefix(1);
    while (e.size() > 1 && e[0] == '0') e.remove_prefix(1);
    if (e.size() > 17) {
      d.huge = true;
    } else {
      for (char c : e) d.exponent = d.exponent * 10 + (c - '0');
      if (minus) d.exponent = -d.exponent;
    }
  }
  std::size_t first = d.digits.find_first_not_of('0');
  if (first == std::string::npos) {
    d.digits.clear();
    d.exponent = 0;
    d.huge = false;
    d.exponent_text = {};
    return d;
  }
  d.digits.erase(0, first);
  d.exponent += point - static_cast<std::int64_t>(first);
  d.digits.erase(d.digits.find_last_not_of('0') + 1);
  return d;
}

}  // namespace

bool is_number(std::string_view s) noexcept {
  std::size_t i = 0, n = s.size();
  auto digits = [&] {
    std::size_t from = i;
    while (i < n && digit(s[i])) ++i;
    return i > from;
  };
  if (i < n && s[i] == '-') ++i;
  if (i < n && s[i] == '0')
    ++i;
  else if (!digits())
    return false;
  if (i < n && s[i] == '.') {
    ++i;
    if (!digits()) return false;
  }
  if (i < n && (s[i] == 'e' || s[i] == 'E')) {
    ++i;
    if (i < n && (s[i] == '+' || s[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == n;
}

bool begins_number(std::string_view text) {
  // Whatever a number lacks, one digit makes it whole: -, 1. and 1e+ lack nothing else.
  return is_number(text) || is_number(std::string(text) + '0');
}

bool same_number(std::string_view a, std::string_view b) {
  if (a == b) return true;
  Decimal x = decimal(a), y = decimal(b);
  if (x.huge || y.huge) return x.huge == y.huge && a == b;
  // -0 and 0 have one value.
  return x.digits == y.digits && x.exponent == y.exponent && (x.negative == y.negative || x.digits.empty());
}

std::optional<Integer> integer(std::string_view text) {
  Decimal d = decimal(text);
  if (d.digits.empty()) return Integer{};
  auto size = static_cast<std::int64_t>(d.digits.size());
  if (d.huge || d.exponent < size || d.exponent > 20) return std::nullopt;
  Integer r{d.negative, 0};
  for (std::int64_t i = 0; i < d.exponent; ++i) {
    auto next = static_cast<std::uint64_t>(i < size ? d.digits[static_cast<std::size_t>(i)] - '0' : 0);
    if (__builtin_mul_overflow(r.magnitude, std::uint64_t{10}, &r.magnitude)) return std::nullopt;
    if (__builtin_add_overflow(r.magnitude, next, &r.magnitude)) return std::nullopt;
  }
  return r;
}

}  // namespace BELAY_NAMESPACE::json
