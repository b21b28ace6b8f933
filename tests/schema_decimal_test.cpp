// Exact decimals: a table of values in ascending order, and properties against 128-bit and schoolbook arithmetic.
#include "schema/decimal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace belay::schema {
namespace {

__extension__ using Exact = __int128;

/// Each row is one value in several spellings, and less than the next row.
const std::vector<std::vector<std::string>> kAscending = {
    {"-1e1000000000000000000000", "-10e999999999999999999999", "-0.1E+1000000000000000000001"},
    {"-1e999999999999999999999", "-100e999999999999999999997"},
    {"-1e1000000000000000000", "-10e999999999999999999", "-0.01e1000000000000000002"},
    {"-9223372036854775809"},
    {"-9223372036854775808", "-9223372036854775808.000"},
    {"-1000000000000000000", "-1e18", "-1000000000000000000.0"},
    {"-999999999999999999", "-9.99999999999999999e17"},
    {"-120", "-12e1", "-1.2E+2", "-0.12e3", "-120.0"},
    {"-119.999999999999999999999999999999999999"},
    {"-1", "-1.0", "-10e-1", "-0.1e1", "-100e-002"},
    {"-0.5", "-5e-1", "-50E-2"},
    {"-1e-5", "-0.00001"},
    {"-1e-1000000000000000000000", "-0.1e-999999999999999999999"},
    {"0", "-0", "0.0", "-0.000", "0e7", "0.0e-9", "-0e999999999999999999999999", "0e-999999999999999999999999"},
    {"1e-1000000000000000000001", "10e-1000000000000000000002"},
    {"1e-1000000000000000000", "10e-1000000000000000001", "0.001e-999999999999999997"},
    {"1e-999999999999999999", "0.1e-999999999999999998"},
    {"1e-5", "0.00001", "0.01e-3"},
    {"0.1", "1e-1", "0.10", "10E-2"},
    {"0.10000000000000000000000000000000000000001"},
    {"0.3", "3e-1"},
    {"1", "1.0", "10e-1", "0.1e1", "100e-2", "1e0", "1E+0", "1e-0", "0.0000001e7"},
    {"1.5", "15e-1", "0.15E1"},
    {"12", "12.0", "1.2e1", "12000e-3"},
    {"99"},
    {"100", "1e2", "100.00", "0.01e4", "1e+0000000000000000000000002"},
    {"999999999999999999", "999999999999999999.0"},
    {"1000000000000000000", "1e18", "0.1e19"},
    {"9007199254740993000000000000"},
    {"9007199254740993000000000001", "9007199254740993000000000001.0", "9.007199254740993000000000001e27"},
    {"1e999999999999999999", "0.1e1000000000000000000"},
    {"1.5e999999999999999999999999999999", "15e999999999999999999999999999998"},
    {"1e1000000000000000000000000000000", "100000e999999999999999999999999999995"},
    {"1.5e1000000000000000000000000000000"},
    {"2e1000000000000000000000000000000"},
};

TEST(Decimal, orders_values_whatever_their_spelling) {
  for (std::size_t i = 0; i < kAscending.size(); ++i)
    for (std::size_t j = 0; j < kAscending.size(); ++j)
      for (const std::string& a : kAscending[i])
        for (const std::string& b : kAscending[j]) {
          SCOPED_TRACE(a + " and " + b);
          EXPECT_TRUE((Decimal(a) <=> Decimal(b)) == (i <=> j));
          EXPECT_EQ(Decimal(a) == Decimal(b), i == j);
          EXPECT_EQ(Decimal(a).hash() == Decimal(b).hash(), i == j);
        }
}

TEST(Decimal, knows_its_sign_and_zero) {
  for (const std::vector<std::string>& row : kAscending)
    for (const std::string& text : row) {
      SCOPED_TRACE(text);
      EXPECT_EQ(Decimal(text).zero(), row.front() == "0");
      EXPECT_EQ(Decimal(text).negative(), row.front().front() == '-');
    }
}

TEST(Decimal, knows_whole_numbers) {
  for (std::string_view text :
       {"0", "-0.0", "0e-99999999999999999999", "7", "-7.0", "1e2", "12.50e1", "1500e-2", "1e400",
        "123456789012345678901234567890", "1e99999999999999999999", "0.1e99999999999999999999"})
    EXPECT_TRUE(Decimal(text).integer()) << text;
  for (std::string_view text : {"0.5", "-1.25e1", "1e-1", "1501e-2", "10e-99999999999999999999",
                                "123456789012345678901234567890.5", "1.000000000000000000000000000000000001"})
    EXPECT_FALSE(Decimal(text).integer()) << text;
}

TEST(Decimal, divides_when_positive_and_of_64_bits) {
  for (std::string_view text : {"1", "0.01", "1e-400", "18446744073709551615", "1844674407370955.1615e99",
                                "18446744073709551615000", "3e99999999999999999999"})
    EXPECT_TRUE(Decimal(text).divisor()) << text;
  for (std::string_view text : {"0", "-0.0", "-1", "18446744073709551616", "99999999999999999999",
                                "1.8446744073709551616", "123456789012345678901"})
    EXPECT_FALSE(Decimal(text).divisor()) << text;
}

struct Division {
  std::string_view value, divisor;
  bool whole;
};

TEST(Decimal, finds_multiples_exactly) {
  const Division rows[] = {
      {"0", "7", true},
      {"-0.0", "0.01", true},
      {"21", "7", true},
      {"-21", "7", true},
      {"22", "7", false},
      {"0.3", "0.1", true},
      {"0.35", "0.1", false},
      {"19.99", "0.01", true},
      {"4.35", "0.01", true},
      {"1.1", "0.1", true},
      {"0.0075", "0.0001", true},
      {"0.00751", "0.0001", false},
      {"1e308", "0.123456789", false},
      {"1e9999999999", "1024", true},
      {"1e9999999999", "3", false},
      {"3e9999999999", "3", true},
      {"3e99999999999999999999", "6e-99999999999999999999", true},
      {"1e-99999999999999999999", "1", false},
      {"1e99999999999999999999", "1e99999999999999999998", true},
      {"1e99999999999999999999", "2e99999999999999999999", false},
      {"10e99999999999999999998", "1e99999999999999999999", true},
      {"1e63", "9223372036854775808", true},
      {"1e62", "9223372036854775808", false},
      {"36893488147419103230", "18446744073709551615", true},
      {"36893488147419103231", "18446744073709551615", false},
      {"340282366920938463426481119284349108225", "18446744073709551615", true},
      {"340282366920938463426481119284349108226", "18446744073709551615", false},
      {"1000000000000000000000000", "0.5", true},
      {"1e18", "7e17", false},
      {"1.0", "1", true},
  };
  for (const Division& row : rows) {
    SCOPED_TRACE(std::string(row.value) + " by " + std::string(row.divisor));
    ASSERT_TRUE(Decimal(row.divisor).divisor());
    EXPECT_EQ(Decimal(row.value).multiple_of(Decimal(row.divisor)), row.whole);
  }
}

TEST(Decimal, orders_even_texts_that_are_no_numbers) {
  const std::string_view texts[] = {"",   "-",  ".",    "e",   "1e",    "1e+", "--1", "1.",
                                    ".5", "+1", "\xff", "1x9", "1.2.3", "e-e", "-.e"};
  for (std::string_view a : texts)
    for (std::string_view b : texts) {
      EXPECT_EQ(Decimal(a) < Decimal(b), Decimal(b) > Decimal(a)) << a << " and " << b;
      const bool equal = Decimal(a) == Decimal(b);
      EXPECT_EQ(equal, Decimal(a).hash() == Decimal(b).hash()) << a << " and " << b;
    }
}

/// m × 10^e, and one of the ways to write it.
struct Spelt {
  std::int64_t m;
  int e;
  std::string text;
};
constexpr int kMostPower = 8;

Exact power_of_ten(int n) {
  Exact p = 1;
  for (; n > 0; --n) p *= 10;
  return p;
}
/// The value in units of 10^-8.
Exact exact(const Spelt& s) { return s.m * power_of_ten(s.e + kMostPower); }

/// Writes m × 10^e: `zeros` more digits, `behind` of all digits behind the point, and an exponent that makes up for it.
std::string spell(std::int64_t m, int e, std::size_t zeros, std::size_t behind, std::string_view exponent_mark) {
  std::string digits = std::to_string(m < 0 ? -m : m) + std::string(zeros, '0');
  if (digits.size() < behind + 1) digits.insert(0, behind + 1 - digits.size(), '0');
  std::string head = digits.substr(0, digits.size() - behind);
  head.erase(0, std::min(head.find_first_not_of('0'), head.size() - 1));
  std::string out = (m < 0 ? "-" : "") + head;
  if (behind > 0) out += "." + digits.substr(digits.size() - behind);
  const int power = e - static_cast<int>(zeros) + static_cast<int>(behind);
  if (power < 0) out += "e-00" + std::to_string(-power);
  if (power > 0) out += std::string(exponent_mark) + std::to_string(power);
  return out;
}

Spelt some_spelling(std::int64_t m, int e) {
  const auto zeros = *rc::gen::inRange<std::size_t>(0, 4), behind = *rc::gen::inRange<std::size_t>(0, 12);
  return {m, e, spell(m, e, zeros, behind, *rc::gen::element<std::string>("e", "E+", "e0"))};
}

Spelt some_number(std::int64_t from = -1'000'000'000) {
  // Small digits often, so that equal values and multiples are met.
  const auto most = *rc::gen::element<std::int64_t>(10, 200, 1'000'000'000);
  const auto m = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(std::max(from, -most), most));
  return some_spelling(m, *rc::gen::inRange(-kMostPower, kMostPower + 1));
}

RC_GTEST_PROP(DecimalProperty, compares_and_hashes_as_128_bit_integers_do, ()) {
  const Spelt a = some_number();
  const Spelt b = *rc::gen::arbitrary<bool>() ? some_spelling(a.m, a.e) : some_number();
  RC_TAG(exact(a) == exact(b) ? "equal" : "different");
  if ((Decimal(a.text) <=> Decimal(b.text)) != (exact(a) <=> exact(b))) RC_FAIL(a.text + " and " + b.text);
  RC_ASSERT((Decimal(a.text) == Decimal(b.text)) == (exact(a) == exact(b)));
  RC_ASSERT((Decimal(a.text).hash() == Decimal(b.text).hash()) == (exact(a) == exact(b)));
}

RC_GTEST_PROP(DecimalProperty, knows_whole_numbers_zero_and_sign_as_128_bit_integers_do, ()) {
  const Spelt a = some_number();
  RC_ASSERT(Decimal(a.text).integer() == (exact(a) % power_of_ten(kMostPower) == 0));
  RC_ASSERT(Decimal(a.text).zero() == (a.m == 0));
  RC_ASSERT(Decimal(a.text).negative() == (a.m < 0));
}

RC_GTEST_PROP(DecimalProperty, finds_multiples_as_128_bit_integers_do, ()) {
  const Spelt a = some_number(), d = some_number(1);
  RC_ASSERT(Decimal(d.text).divisor());
  RC_TAG(exact(a) % exact(d) == 0 ? "multiple" : "no multiple");
  if (Decimal(a.text).multiple_of(Decimal(d.text)) != (exact(a) % exact(d) == 0)) RC_FAIL(a.text + " by " + d.text);
}

/// With an exponent of 30 digits: m × 10^(e ± 10^29), so that the order is that of the values without the ±10^29.
std::string far_away(const Spelt& s, bool up) {
  return std::to_string(s.m) + (up ? "e1" : "e-1") + std::string(26, '0') + std::to_string(500 + (up ? s.e : -s.e));
}

RC_GTEST_PROP(DecimalProperty, keeps_order_and_multiples_when_all_exponents_are_far_away, ()) {
  const Spelt a = some_number(), b = some_number(), d = some_number(1);
  const bool up = *rc::gen::arbitrary<bool>();
  const std::string x = far_away(a, up), y = far_away(b, up), z = far_away(d, up);
  if ((Decimal(x) <=> Decimal(y)) != (exact(a) <=> exact(b))) RC_FAIL(x + " and " + y);
  RC_ASSERT((Decimal(x).hash() == Decimal(y).hash()) == (exact(a) == exact(b)));
  RC_ASSERT(Decimal(x).multiple_of(Decimal(z)) == (exact(a) % exact(d) == 0));
}

/// A JSON number that may have many digits everywhere.
std::string some_text() {
  auto digits = [] {
    const auto most = *rc::gen::element<std::size_t>(2, 25, 50);
    std::string out;
    for (auto n = *rc::gen::inRange<std::size_t>(1, most); n > 0; --n) out += *rc::gen::element('0', '1', '9', '5');
    return out;
  };
  std::string head = digits();
  head.erase(0, std::min(head.find_first_not_of('0'), head.size() - 1));
  std::string out = (*rc::gen::arbitrary<bool>() ? "-" : "") + head;
  if (*rc::gen::arbitrary<bool>()) out += "." + digits();
  if (*rc::gen::arbitrary<bool>()) out += *rc::gen::element<std::string>("e", "e-", "E+") + digits();
  return out;
}

RC_GTEST_PROP(DecimalProperty, is_ordered_totally, ()) {
  std::vector<std::string> texts = {some_text(), some_text(), some_text()};
  for (const std::string& a : texts) {
    RC_ASSERT(Decimal(a) == Decimal(a));
    for (const std::string& b : texts) {
      RC_ASSERT((Decimal(a) < Decimal(b)) == (Decimal(b) > Decimal(a)));
      RC_ASSERT((Decimal(a) == Decimal(b)) == (Decimal(b) == Decimal(a)));
      if (Decimal(a) == Decimal(b)) RC_ASSERT(Decimal(a).hash() == Decimal(b).hash());
      for (const std::string& c : texts)
        if (Decimal(a) <= Decimal(b) && Decimal(b) <= Decimal(c)) RC_ASSERT(Decimal(a) <= Decimal(c));
    }
  }
}

/// digits × factor + more, as on paper.
std::string times_plus(std::string digits, std::uint64_t factor, std::uint64_t more) {
  __extension__ using Wide = unsigned __int128;
  Wide carry = more;
  for (auto it = digits.rbegin(); it != digits.rend(); ++it, carry /= 10) {
    carry += Wide{factor} * static_cast<unsigned>(*it - '0');
    *it = static_cast<char>('0' + static_cast<int>(carry % 10));
  }
  for (; carry > 0; carry /= 10) digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(carry % 10)));
  return digits;
}

RC_GTEST_PROP(DecimalProperty, finds_multiples_of_64_bits_in_long_numbers, ()) {
  auto any = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>());
  const std::uint64_t n = std::max<std::uint64_t>(*any, 2);
  std::string factor = "7";
  for (int i = *rc::gen::inRange(0, 3); i >= 0; --i) factor += std::to_string(*any);
  const std::string multiple = times_plus(factor, n, 0), other = times_plus(factor, n, 1 + *any % (n - 1));
  const std::string d = std::to_string(n);
  if (!Decimal(multiple).multiple_of(Decimal(d))) RC_FAIL(multiple + " by " + d);
  if (Decimal(other).multiple_of(Decimal(d))) RC_FAIL(other + " by " + d);
  RC_ASSERT(Decimal(multiple) < Decimal(other));
}

}  // namespace
}  // namespace belay::schema
