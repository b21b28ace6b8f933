#include "schema/decimal.h"

#include "schema/chars.h"

#include <algorithm>
#include <cassert>

namespace BELAY_NAMESPACE::schema {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kSmallDigits = 18;  // any number of 18 digits fits in 64 bits, with sign

void drop_leading_zeros(std::string_view& s) { s.remove_prefix(std::min(s.find_first_not_of('0'), s.size())); }
void drop_trailing_zeros(std::string_view& s) { s.remove_suffix(s.size() - (s.find_last_not_of('0') + 1)); }

std::int64_t signed_size(std::string_view s) { return static_cast<std::int64_t>(s.size()); }

std::uint64_t mix(std::uint64_t h) {  // the last steps of splitmix64
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
  return h ^ (h >> 31);
}

std::uint64_t power_of_ten(std::size_t n) {
  std::uint64_t p = 1;
  for (; n > 0; --n) p *= 10;
  return p;
}

}  // namespace

Decimal::Decimal(std::string_view text) {
  if (read_small(text)) return;
  if (!text.empty() && text.front() == '-') negative_ = true, text.remove_prefix(1);
  head_ = text.substr(0, count_digits(text));
  text.remove_prefix(head_.size());
  if (!text.empty() && text.front() == '.') {
    tail_ = text.substr(1, count_digits(text.substr(1)));
    text.remove_prefix(1 + tail_.size());
  }
  drop_leading_zeros(head_);
  drop_trailing_zeros(tail_);
  exponent_ = -signed_size(tail_);
  if (head_.empty()) drop_leading_zeros(tail_);
  if (tail_.empty()) {
    const std::int64_t before = signed_size(head_);
    drop_trailing_zeros(head_);
    exponent_ += before - signed_size(head_);
  }
  if (digits() == 0) {
    exponent_ = 0;
    negative_ = false;
    is_small_ = true;
  } else if (!text.empty()) {
    read_exponent(text.substr(1));
  }
}

// Nearly every number is of this kind, and its comparisons are those of the machine.
bool Decimal::read_small(std::string_view text) {
  const bool minus = !text.empty() && text.front() == '-';
  std::string_view plain = text.substr(minus ? 1 : 0);
  if (plain.empty() || plain.size() > kSmallDigits) return false;
  std::int64_t value = 0;
  for (char c : plain) {
    if (!is_digit(c)) return false;
    value = value * 10 + (c - '0');
  }
  drop_leading_zeros(plain);
  head_ = plain;
  drop_trailing_zeros(head_);
  exponent_ = signed_size(plain) - signed_size(head_);
  small_ = minus ? -value : value;
  is_small_ = true;
  negative_ = small_ < 0;
  return true;
}

void Decimal::read_exponent(std::string_view text) {
  bool minus = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) minus = text.front() == '-', text.remove_prefix(1);
  text = text.substr(0, count_digits(text));
  drop_leading_zeros(text);
  if (text.size() > kSmallDigits) {
    far_ = text;
    far_negative_ = minus;
    return;
  }
  std::int64_t value = 0;
  for (char c : text) value = value * 10 + (c - '0');
  exponent_ += minus ? -value : value;
}

bool Decimal::zero() const { return digits() == 0; }
bool Decimal::negative() const { return negative_; }

bool Decimal::integer() const {
  // No text is long enough for its point to make up for an exponent of 10^18 or more.
  if (!far_.empty()) return !far_negative_;
  return exponent_ >= 0;
}

int Decimal::digit(std::size_t i) const { return (i < head_.size() ? head_[i] : tail_[i - head_.size()]) - '0'; }

// The number that the digits of [from, to) make; at most 19 of them.
std::uint64_t Decimal::some_digits(std::size_t from, std::size_t to) const {
  std::uint64_t value = 0;
  for (; from < to; ++from) value = value * 10 + static_cast<std::uint64_t>(digit(from));
  return value;
}

// By how much the power of ten of a's last digit exceeds that of b's. Exact up to 2^61; beyond that, at least 2^61 in
// the right direction: more than the lengths of texts can make up for.
std::int64_t Decimal::powers_apart(const Decimal& a, const Decimal& b) {
  constexpr std::int64_t kEnough = std::int64_t{1} << 62;
  const std::size_t n = std::max(a.far_.size(), b.far_.size());
  auto place = [n](const Decimal& d, std::size_t i) {
    const std::size_t missing = n - d.far_.size();
    const int value = i < missing ? 0 : d.far_[i - missing] - '0';
    return d.far_negative_ ? -value : value;
  };
  std::int64_t far = 0;
  for (std::size_t i = 0; i < n; ++i) {
    // Further places cannot bring it back: each multiplies by 10 and changes by 18 at most.
    if (far > kEnough / 8 || far < -kEnough / 8) {
      far = far > 0 ? kEnough : -kEnough;
      break;
    }
    far = far * 10 + (place(a, i) - place(b, i));
  }
  return std::clamp(far, -kEnough, kEnough) + (a.exponent_ - b.exponent_);
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  if (a.is_small_ && b.is_small_) return a.small_ <=> b.small_;
  if (a.negative_ != b.negative_) return a.negative_ ? std::strong_ordering::less : std::strong_ordering::greater;
  if (a.zero() || b.zero()) return b.zero() <=> a.zero();
  // Both have one sign from here on: the magnitudes decide, for negative numbers the other way round.
  const Decimal& x = a.negative_ ? b : a;
  const Decimal& y = a.negative_ ? a : b;
  const std::size_t p = x.digits(), q = y.digits();
  const std::int64_t first_place =
      Decimal::powers_apart(x, y) + (static_cast<std::int64_t>(p) - static_cast<std::int64_t>(q));
  if (first_place != 0) return first_place <=> 0;
  for (std::size_t i = 0; i < std::min(p, q); ++i)
    if (x.digit(i) != y.digit(i)) return x.digit(i) <=> y.digit(i);
  return p <=> q;
}

bool operator==(const Decimal& a, const Decimal& b) { return (a <=> b) == 0; }

std::uint64_t Decimal::hash() const {
  // Modulo 2^64 the power of ten is the same for all spellings, whatever the length of the exponent.
  std::uint64_t power = 0;
  for (char c : far_) power = power * 10 + static_cast<std::uint64_t>(c - '0');
  if (far_negative_) power = 0 - power;
  power += static_cast<std::uint64_t>(exponent_);
  std::uint64_t h = mix(power * 2 + (negative_ ? 1 : 0) + 0x9E3779B97F4A7C15u);
  for (std::size_t i = 0; i < digits(); i += kSmallDigits)
    h = mix(h + 0x9E3779B97F4A7C15u + some_digits(i, std::min(i + kSmallDigits, digits())));
  return h;
}

bool Decimal::divisor() const {
  if (zero() || negative_ || digits() > 20) return false;
  if (digits() < 20) return true;
  const Wide value = Wide{some_digits(0, 19)} * 10 + static_cast<unsigned>(digit(19));
  return value <= ~std::uint64_t{0};
}

bool Decimal::multiple_of(const Decimal& d) const {
  assert(d.divisor());
  if (zero()) return true;
  if (is_small_ && d.is_small_) return small_ % d.small_ == 0;
  // With m × 10^e for this and n × 10^f for d: n × 10^(f-e) has to divide m, which 10 does not divide.
  const std::int64_t apart = powers_apart(*this, d);
  if (apart < 0) return false;
  const std::size_t last = d.digits() - 1;
  const std::uint64_t n = d.some_digits(0, last) * 10 + static_cast<std::uint64_t>(d.digit(last));
  Wide rest = 0;
  for (std::size_t i = 0; i < digits(); i += kSmallDigits) {
    const std::size_t to = std::min(i + kSmallDigits, digits());
    rest = (rest * power_of_ten(to - i) + some_digits(i, to)) % n;
  }
  // 64 factors of 10 hold every 2 and 5 that n can have; more of them change nothing.
  for (std::int64_t i = std::min<std::int64_t>(apart, 64); i > 0 && rest != 0; --i) rest = rest * 10 % n;
  return rest == 0;
}

}  // namespace BELAY_NAMESPACE::schema
