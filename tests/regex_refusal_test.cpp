// What patterns are refused, and in which words; limits; counts beyond those that RE2 knows.
#include "support/outcome.h"

#include <belay/regex.h>

#include "regex/translate.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace belay::check {
namespace {

using namespace std::string_view_literals;

struct Refusal {
  std::string_view pattern;
  std::string_view what;  ///< in the message
  std::size_t at;         ///< the offset that it names
};

void expect_refused(const std::vector<Refusal>& rows, bool is_regex) {
  const auto regexes = regex::make_regexes();
  for (const Refusal& row : rows) {
    SCOPED_TRACE(printable(row.pattern));
    const auto pattern = regexes->compile(row.pattern);
    ASSERT_FALSE(pattern);
    EXPECT_NE(pattern.error().find(row.what), std::string::npos) << pattern.error();
    EXPECT_NE(pattern.error().find("at offset " + std::to_string(row.at) + " "), std::string::npos) << pattern.error();
    EXPECT_EQ(regex::is_regex(row.pattern), is_regex);
    EXPECT_EQ(regexes->patterns()->found_in(row.pattern), is_regex);
  }
}

TEST(RegexRefusals, name_the_escape_that_ECMA_does_not_have) {
  expect_refused(
      {
          {R"(\a)", R"(\a)", 0},
          {R"(^\S(|(.|\n)*\S)\Z)", R"(\Z)", 15},
          {R"(\A)", R"(\A)", 0},
          {R"(\z)", R"(\z)", 0},
          {R"(x\e)", R"(\e)", 1},
          {R"(\Qa\E)", R"(\Q)", 0},
          {R"(\G)", R"(\G)", 0},
          {R"(\h)", R"(\h)", 0},
          {R"(\R)", R"(\R)", 0},
          {R"(\X)", R"(\X)", 0},
          {R"(\é)", R"(\é)", 0},
          {"\\\n", "\\\n", 0},
          {R"([\a])", R"(\a)", 1},
          {R"([\B])", R"(\B)", 1},
          {R"([\k])", R"(\k)", 1},
          {R"([\1])", R"(\1)", 1},
          {R"(\)", "escapes nothing", 0},
          {R"([\)", "escapes nothing", 1},
          {R"(\c)", "needs a letter", 0},
          {R"(\c1)", "needs a letter", 0},
          {R"([\c_])", "needs a letter", 1},
          {R"(\x)", "two hexadecimal", 0},
          {R"(\x4)", "two hexadecimal", 0},
          {R"(\xg0)", "two hexadecimal", 0},
          {R"(\u)", "four hexadecimal", 0},
          {R"(\u123)", "four hexadecimal", 0},
          {R"(\u{})", "hexadecimal", 0},
          {R"(\u{1)", "hexadecimal", 0},
          {R"(\u{xyz})", "hexadecimal", 0},
          {R"(\u{110000})", "last code point", 0},
          {R"(\u{FFFFFFFFFFFFFFFFF})", "last code point", 0},
          {R"(\00)", "octal", 0},
          {R"([\07])", "octal", 1},
      },
      false);
}

TEST(RegexRefusals, name_the_property_that_is_not_there) {
  expect_refused(
      {
          {R"(\p)", "in braces", 0},
          {R"(\pL)", R"(\p{L})", 0},
          {R"(\p{)", "in braces", 0},
          {R"(\p{})", R"(\p{})", 0},
          {R"(\p{L)", "in braces", 0},
          {R"(\p{Foo})", R"(\p{Foo})", 0},
          {R"(\p{letter})", R"(\p{letter})", 0},
          {R"(\p{ L })", "in braces", 0},
          {R"(\p{^L})", "in braces", 0},
          {R"(\p{Greek})", R"(\p{Script=Greek})", 0},
          {R"(\p{IsGreek})", "not a property", 0},
          {R"(\p{L=})", "not a property", 0},
          {R"(\p{=L})", "not a property", 0},
          {R"(\p{gc=})", "not a property", 0},
          {R"(\p{gc=Greek})", "not a property", 0},
          {R"(\p{sc=Lu})", "not a property", 0},
          {R"(\p{Alphabetic=Yes})", "not a property", 0},
          {R"(\p{Block=Latin})", "not a property", 0},
          {R"(a[b\P{Nope}])", R"(\P{Nope})", 3},
      },
      false);
}

TEST(RegexRefusals, name_what_does_not_fit_together) {
  expect_refused(
      {
          {"^(abc]", "( at", 1},
          {"(", "never closed", 0},
          {"a(b(c)", "never closed", 1},
          {")", "closes nothing", 0},
          {"(a))", "closes nothing", 3},
          {"[a", "[ at", 0},
          {"x[", "never closed", 1},
          {"[^", "never closed", 0},
          {"[a-", "never closed", 0},
          {"[]a]b[", "never closed", 5},
          {"*", "nothing to repeat", 0},
          {"a|*", "nothing to repeat", 2},
          {"(+a)", "nothing to repeat", 1},
          {"a**", "nothing to repeat", 2},
          {"a++", "nothing to repeat", 2},
          {"a{2}{3}", "{3}", 4},
          {"a???", "nothing to repeat", 3},
          {"^*", "nothing to repeat", 1},
          {"$?", "nothing to repeat", 1},
          {R"(\b+)", "nothing to repeat", 2},
          {"{1}", "{1}", 0},
          {"(?:{2,3})", "nothing to repeat", 3},
          {"a{2,1}", "wrong order", 1},
          {"a{,5}", "{,5}", 1},
          {"a{1, 2}", "{1, 2}", 1},
          {"a{ 1}", "{ 1}", 1},
          {"[z-a]", "z-a", 1},
          {R"([a-\d])", R"(a-\d)", 1},
          {R"([\w-z])", R"(\w-z)", 1},
          {R"([\s-\w])", R"(\s-\w)", 1},
          {"é[b-a]", "b-a", 3},
          {"(?", "(?", 0},
          {"(?i)abc", "(?i", 0},
          {"(?ims)abc", "not a group", 0},
          {"(?i:a)", "not a group", 0},
          {"(?#comment)a", "(?#", 0},
          {"(?P<name>x)", "(?P", 0},
          {"(?>a)", "not a group", 0},
          {"(?|a)", "not a group", 0},
          {"(?<>a)", "no name", 0},
          {"(?<a", "without its >", 0},
          {"(?<1a>b)", "1 at", 3},
          {"(?<a-b>c)", "- at", 4},
          {"(?<a b>c)", "group's name", 4},
          {"(?'a'b)", "not a group", 0},
      },
      false);
}

TEST(RegexRefusals, say_that_linear_time_cannot_look_around_or_back) {
  expect_refused(
      {
          {"(?=a)b", "look-ahead (?=", 0},
          {"^(?!.*x)", "look-ahead (?!", 1},
          {"(?<=a+)b", "look-behind (?<=", 0},
          {"a(?<!b)", "look-behind (?<!", 1},
          {R"((a)\1)", R"(back-reference \1)", 3},
          {R"(\1(a))", R"(back-reference \1)", 0},
          {R"((?<n>a)\k<n>)", R"(back-reference \k<n>)", 7},
          {R"((a)(?:\1|b){2000}(?=c))", R"(linear time cannot do it)", 6},
      },
      true);
  // What is wrong altogether comes first.
  expect_refused(
      {
          {"(?=a", "never closed", 0},
          {"(?=a)*", "nothing to repeat", 5},
          {"(?<!a)+", "nothing to repeat", 6},
          {"(?!a)[", "never closed", 5},
          {R"(\1)", "not there", 0},
          {R"((a)\2)", "of groups there are 1", 3},
          {R"(\k<n>)", "not there", 0},
          {R"(\k)", R"(\k<name>)", 0},
          {R"((?<a>x)\k<b>)", R"(\k<b>)", 7},
          {R"((?<a>x)\k<a)", "without its >", 7},
      },
      false);
}

TEST(RegexRefusals, quote_long_things_only_in_part) {
  const auto regexes = regex::make_regexes();
  const std::string name(1000, 'x');
  EXPECT_EQ(regexes->compile("\\k<" + name).error(),
            "\\k<" + name.substr(0, 57) + "... at offset 0 is a name without its >");
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "é";
  const std::string error = regexes->compile("(?<" + wide).error();
  EXPECT_TRUE(error.starts_with("(?<" + wide.substr(0, 56) + "... at offset 0 ")) << error;
}

TEST(RegexRefusals, a_pattern_that_is_not_UTF_8_is_none) {
  for (std::string_view pattern : {"\xFF"sv, "a\xC3"sv, "\xED\xA0\x80"sv, "[\x80]"sv}) {
    const auto compiled = regex::make_regexes()->compile(pattern);
    ASSERT_FALSE(compiled);
    EXPECT_EQ(compiled.error(), "the pattern is not UTF-8");
    EXPECT_FALSE(regex::is_regex(pattern));
  }
}

std::string times(std::string_view what, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += what;
  return out;
}

TEST(RegexCounts, beyond_those_of_RE2_are_written_out) {
  struct Count {
    std::string_view pattern, piece;
    std::size_t min;
    std::optional<std::size_t> max;
  };
  const auto regexes = regex::make_regexes();
  for (const Count& row : std::vector<Count>{
           {"^a{1000}$", "a", 1000, 1000},
           {"^a{1001}$", "a", 1001, 1001},
           {"^a{2500,2600}$", "a", 2500, 2600},
           {"^a{0,1500}$", "a", 0, 1500},
           {"^[ab]{3000,}$", "b", 3000, {}},
           {"^(?:[ab]{20,}){60}$", "b", 1200, {}},
           {"^.{1,5000}$", "é", 1, 5000},
           {"^(?:a{50}){50}$", "a", 2500, 2500},
           {"^(?:a{10,20}){100}$", "a", 1000, 2000},
           {"^(?:(?:a{10}){10}){30}$", "a", 3000, 3000},
           {"^(?:ab|c){1200,1201}$", "ab", 1200, 1201},
           {"^(?:(?:a{1000}){2}){2}$", "a", 4000, 4000},
           {"^(?:a{1000}){1,3}$", "a", 1000, 3000},
           {"^(?:a{0,9}){0,9}$", "a", 0, 81},
           {"^[a-z]{1,50000}$", "q", 1, 50000},
       }) {
    SCOPED_TRACE(row.pattern);
    const auto pattern = regexes->compile(row.pattern);
    ASSERT_TRUE(pattern) << pattern.error();
    const auto found = [&](std::size_t count) { return (*pattern)->found_in(times(row.piece, count)); };
    EXPECT_TRUE(found(row.min));
    EXPECT_TRUE(found(row.max.value_or(10 * row.min)));
    EXPECT_FALSE(row.min > 0 && found(row.min - 1));
    EXPECT_FALSE(row.max && found(*row.max + 1));
  }
}

TEST(RegexCounts, every_number_between_the_bounds_is_found_and_no_other) {
  for (std::size_t max : {3u, 4u, 5u, 6u, 7u, 8u, 9u, 12u, 31u, 33u, 100u}) {
    const auto pattern = regex::make_regexes()->compile("^a{2," + std::to_string(max) + "}$");
    ASSERT_TRUE(pattern);
    for (std::size_t count = 0; count <= max + 2; ++count)
      EXPECT_EQ((*pattern)->found_in(times("a", count)), count >= 2 && count <= max) << count << " of " << max;
  }
}

TEST(RegexLimits, are_named_when_they_are_reached) {
  const auto error = [](std::string_view pattern, regex::RegexOptions options = {}) {
    const auto compiled = regex::make_regexes(options)->compile(pattern);
    return compiled ? "compiled" : compiled.error();
  };
  EXPECT_EQ(error("abc", {.pattern_bytes = 3}), "compiled");
  EXPECT_NE(error("abcd", {.pattern_bytes = 3}).find("RegexOptions::pattern_bytes"), std::string::npos);
  EXPECT_NE(error(times("a", (64 << 10) + 1)).find("RegexOptions::pattern_bytes"), std::string::npos);
  EXPECT_EQ(error(times("a", 64 << 10)), "compiled");
  EXPECT_NE(error("\\p{L}{1,1000}").find("RegexOptions::memory"), std::string::npos);
  EXPECT_NE(error("a", {.memory = 0}).find("RegexOptions::memory"), std::string::npos);
  EXPECT_EQ(error("^\\p{L}{1,1000}$", {.memory = 64 << 20}), "compiled");
  EXPECT_EQ(error("a", {.memory = static_cast<std::size_t>(-1)}), "compiled");
  for (std::string_view pattern : {"a{0,99999999}"sv, "a{99999999999999999999999}"sv, "(?:a{1000}){1000}"sv,
                                   "(?:(?:(?:(?:\\b){1000}){1000}){1000}){1000}"sv, "(?:(?:){99999999}){9}"sv})
    EXPECT_NE(error(pattern).find("too large"), std::string::npos) << pattern;
}

TEST(RegexLimits, deep_and_long_patterns_do_not_recurse) {
  const auto regexes = regex::make_regexes();
  const std::size_t n = 10000;
  const std::string text = times("a", n);
  for (const std::string& pattern : {times("(", n) + "a" + times(")", n), times("(?:", n) + "a" + times(")*", n),
                                     times("(|", n) + "a" + times(")?", n), times("a|", n) + "b", times("[a]", n),
                                     "^[" + times("\\S", n) + "]*$", "a|" + times("{", n), times("a?", n)}) {
    const auto compiled = regexes->compile(pattern);
    ASSERT_TRUE(compiled) << compiled.error();
    EXPECT_TRUE((*compiled)->found_in(text)) << pattern.substr(0, 9);
  }
  EXPECT_FALSE(regexes->compile(times("(", n)));
  EXPECT_FALSE(regexes->compile(times("(?=", n)));
}

TEST(RegexLimits, what_makes_others_explode_takes_no_time_here) {
  const auto regexes = regex::make_regexes();
  const std::string text = times("a", 50000) + "!";
  for (std::string_view pattern : {"^(a+)+$"sv, "^(a|a)*$"sv, "^(a|aa)+$"sv, "^(.*)*x$"sv, "^(a*)*b$"sv}) {
    const auto compiled = regexes->compile(pattern);
    ASSERT_TRUE(compiled) << compiled.error();
    EXPECT_FALSE((*compiled)->found_in(text));
  }
}

TEST(RegexTranslation, leaves_nothing_for_RE2_to_interpret) {
  const auto re2 = [](std::string_view ecma) { return regex::translate(ecma).value_or("refused"); };
  EXPECT_EQ(re2(""), "");
  EXPECT_EQ(re2("a1"), "a1");
  EXPECT_EQ(re2("^a.b$"), "\\Aa[\\x{0}-\\x{9}\\x{b}-\\x{c}\\x{e}-\\x{2027}\\x{202a}-\\x{10ffff}]b\\z");
  EXPECT_EQ(re2("-🐲"), "\\x{2d}\\x{1f432}");
  EXPECT_EQ(re2("(?<n>a|b)+?"), "(?:a|b)+");
  EXPECT_EQ(re2("[]"), "[^\\x{0}-\\x{10ffff}]");
  EXPECT_EQ(re2("[^a]"), "[\\x{0}-\\x{60}b-\\x{10ffff}]");
  EXPECT_EQ(re2("\\B"), "\\A[\\x{0}-\\x{10ffff}]*(?:\\B)");
  EXPECT_EQ(re2("a{2,12}"), "a{2}(?:a{5})?(?:a{3})?(?:a{1})?(?:a{1})?");
  EXPECT_EQ(re2("a{1001,}"), "a{1000}a{1}a*");
}

TEST(RegexThreads, may_share_a_pattern) {
  const auto regexes = regex::make_regexes();
  const auto pattern = regexes->compile("^(?:[a-z]+[0-9])*$");
  ASSERT_TRUE(pattern);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 500; ++i) {
        const std::string text = times("ab" + std::to_string((t + i) % 10), i % 50);
        if (!(*pattern)->found_in(text) || (*pattern)->found_in(text + "x")) ++wrong[t];
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

}  // namespace
}  // namespace belay::check
