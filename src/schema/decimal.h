// Numbers as JSON writes them, compared and divided exactly: no rounding, no overflow, any number of digits.
#pragma once

#include <belay/version.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace BELAY_NAMESPACE::schema {

/// A JSON number as sign, digits and power of ten, in one form for all spellings of one value. A view: it points into
/// the text it came from, which must outlive it. 0, -0 and 0.0e9 are all zero and not negative. Exponents may have any
/// number of digits, too: 1e99999999999999999999 is less than 1e100000000000000000000.
class Decimal {
 public:
  /// `text` must be a JSON number; of other texts the value is unspecified. O(its length), no allocation.
  explicit Decimal(std::string_view text);

  [[nodiscard]] bool zero() const;
  [[nodiscard]] bool negative() const;
  /// True when the value is a whole number: 1.0, 1e2 and 12.50e1 are.
  [[nodiscard]] bool integer() const;
  /// By value. O(digits).
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal& a, const Decimal& b);

  /// The same for every spelling of one value, and otherwise well spread. O(digits).
  [[nodiscard]] std::uint64_t hash() const;

  /// True when this can divide others: positive, and its digits (without trailing zeros) fit in 64 bits.
  [[nodiscard]] bool divisor() const;
  /// True when this is a whole multiple of `d`, for which divisor() must be true. O(digits).
  [[nodiscard]] bool multiple_of(const Decimal& d) const;

 private:
  // The value is ±DIGITS × 10^(exponent_ ± far_). DIGITS are those of head_ and then tail_; neither the first nor the
  // last of them is 0, and zero has none.
  std::string_view head_;      // digits before the point
  std::string_view tail_;      // digits behind it
  std::string_view far_;       // an exponent of more than 18 digits, without leading zeros; empty otherwise
  std::int64_t exponent_ = 0;  // the exponent, unless it is far, and the shift from moving the point
  std::int64_t small_ = 0;     // the value, when is_small_
  bool is_small_ = false;      // a whole number that was written plainly, in at most 18 digits
  bool negative_ = false;
  bool far_negative_ = false;

  [[nodiscard]] std::size_t digits() const { return head_.size() + tail_.size(); }
  [[nodiscard]] int digit(std::size_t i) const;
  [[nodiscard]] std::uint64_t some_digits(std::size_t from, std::size_t to) const;
  [[nodiscard]] bool read_small(std::string_view text);
  void read_exponent(std::string_view text);
  static std::int64_t powers_apart(const Decimal& a, const Decimal& b);
};

}  // namespace BELAY_NAMESPACE::schema
