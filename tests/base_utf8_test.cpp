// UTF-8 is checked many bytes at a time, in other ways for short texts and long ones, and the last bytes of a text
// once more with what comes before them. Nothing of that may show: all is compared with a decoder that takes one byte
// after the other.
#include "base/utf8.h"
#include "support/outcome.h"
#include "support/prefix.h"

#include <gtest/gtest.h>

#include <random>

namespace belay::check {
namespace {

constexpr std::string_view kCharacters[] = {
    "\x7f",         "\xc2\x80",     "\xdf\xbf",         "\xe0\xa0\x80",     "\xe2\x82\xac",    "\xed\x9f\xbf",
    "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"};
constexpr std::string_view kWrong[] = {"\x80",
                                       "\xbf",
                                       "\xc0\x80",
                                       "\xc1\xbf",
                                       "\xc3",
                                       "\xc3\xc3",
                                       "\xe0\x9f\xbf",
                                       "\xe2\x82",
                                       "\xe2",
                                       "\xed\xa0\x80",
                                       "\xed\xbf\xbf",
                                       "\xf0\x8f\xbf\xbf",
                                       "\xf0\x9f\x98",
                                       "\xf0\x9f",
                                       "\xf0",
                                       "\xf4\x90\x80\x80",
                                       "\xf5\x80\x80\x80",
                                       "\xff",
                                       "\xe2\x82\xac\x80",
                                       "\xf0\x9f\x98\x80\x80"};

/// What extent() must give: the longest start of whole characters, and behind it the start of one that ends the text.
utf8::Extent slow_extent(std::string_view text) {
  std::size_t whole = 0;
  while (whole < text.size()) {
    std::size_t n = 1;
    while (n <= 4 && whole + n <= text.size() && !is_utf8(text.substr(whole, n))) ++n;
    if (n > 4 || whole + n > text.size()) break;
    whole += n;
  }
  const std::string_view rest = text.substr(whole);
  // Half a character is one that some bytes behind it make whole.
  if (rest.size() < 4)
    for (std::string_view one : kCharacters)
      for (int last = 0x80; !rest.empty() && one.size() > rest.size() && last <= 0xbf; ++last) {
        std::string joined = std::string(rest) + std::string(one.size() - rest.size(), '\x80');
        joined[rest.size()] = static_cast<char>(last);
        if (is_utf8(joined)) return {whole, rest.size()};
      }
  return {whole, 0};
}

void expect_same(std::string_view text) {
  const bool right = is_utf8(text);
  ASSERT_EQ(utf8::valid(text), right) << printable(text);
  const utf8::Extent got = utf8::extent(text), wanted = right ? utf8::Extent{text.size(), 0} : slow_extent(text);
  ASSERT_EQ(got.whole, wanted.whole) << printable(text);
  ASSERT_EQ(got.tail, wanted.tail) << printable(text);
}

TEST(Utf8, is_checked_the_same_at_every_place_of_texts_of_every_length) {
  auto check = [](std::string_view special) {
    for (std::size_t size = special.size(); size <= 340; size += size < 100 || size > 250 ? 1 : 13) {
      // The last 100 bytes, where the ways differ, and some places before them.
      const std::size_t last = size - special.size();
      for (std::size_t at = 0; at <= last; at += at + 100 >= last ? 1 : 11) {
        std::string text(size, 'a');
        text.replace(at, special.size(), special);
        ASSERT_NO_FATAL_FAILURE(expect_same(text));
      }
    }
  };
  for (std::string_view special : kCharacters) ASSERT_NO_FATAL_FAILURE(check(special));
  for (std::string_view special : kWrong) ASSERT_NO_FATAL_FAILURE(check(special));
}

TEST(Utf8, is_checked_the_same_where_few_bytes_are_ascii) {
  std::mt19937 random(8);
  for (int round = 0; round < 20'000; ++round) {
    const std::size_t size = random() % 400, dense = 1 + random() % 6;
    std::string text;
    while (text.size() < size)
      text += random() % dense == 0 ? kCharacters[random() % std::size(kCharacters)]
                                    : std::string_view("abcd", random() % 5);
    if (round % 2 == 1 && !text.empty()) {
      const std::string_view wrong = kWrong[random() % std::size(kWrong)];
      text.insert(
          random() % 2 == 0 ? text.size() - std::min<std::size_t>(text.size(), random() % 70) : random() % text.size(),
          wrong);
    }
    ASSERT_NO_FATAL_FAILURE(expect_same(text)) << round;
    // Cut anywhere near its end, too.
    ASSERT_NO_FATAL_FAILURE(
        expect_same(std::string_view(text).substr(0, text.size() - std::min<std::size_t>(text.size(), random() % 5))));
  }
}

}  // namespace
}  // namespace belay::check
