// Arguments that nobody means: depth without end, long strings, everything left open.
#include "text_members_reading.h"

#include <gtest/gtest.h>

namespace belay::check {
namespace {

std::string repeated(std::string_view part, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

TEST(MembersHostile, depth_is_limited_and_the_error_says_how_to_raise_it) {
  for (const auto& [notation, part] : {std::pair{kPython, "["},
                                       {kPython, "("},
                                       {kPython, "{'a':"},
                                       {kPython, "f("},
                                       {kPython, "{**{"},
                                       {kScript, "["},
                                       {kScript, "{a:"},
                                       {kScript, "("}}) {
    const std::string input = (notation.quote.empty() ? "x=" : "x:") + repeated(part, 100'000);
    for (std::size_t size : {input.size(), std::size_t{1000}, std::size_t{7}}) {
      const MembersReading got = read_members(chop(input, size), {.notation = notation, .watch = false});
      EXPECT_EQ(got.error.kind, json::ErrorKind::limit) << part;
      EXPECT_EQ(got.error.message,
                "the text passes the limit of 1024 for depth; raise it with --limit depth=N (Limits::depth)");
      EXPECT_FALSE(got.done);
    }
  }
}

TEST(MembersHostile, depth_within_a_raised_limit_is_read) {
  const std::string input = "x=" + repeated("[", 99'999) + repeated("]", 99'999) + ")";
  const MembersReading got =
      read_members(chop(input, 4096), {.notation = kPython, .limits = {.depth = 100'000}, .watch = false});
  EXPECT_TRUE(got.done);
  EXPECT_EQ(got.total, 0u);
  EXPECT_EQ(got.value, "{\"x\":" + repeated("[", 99'999) + repeated("]", 99'999) + "}");
}

TEST(MembersHostile, long_texts_in_small_pieces) {
  const std::string mega(1 << 20, 'a');
  const std::pair<text::Notation, std::string> cases[] = {
      {kPython, "x='" + mega + "')"},
      {kPython, "x=\"\"\"" + mega + "\"\"\")"},
      {kPython, "x=('" + mega + "'))"},
      {kScript, "x:<|\"|>" + mega + "<|\"|>}"},
  };
  for (const auto& [notation, input] : cases) {
    const MembersReading got = read_members(chop(input, 8), {.notation = notation, .watch = false});
    EXPECT_EQ(got.value, "{\"x\":\"" + mega + "\"}");
    EXPECT_TRUE(got.done);
    EXPECT_EQ(got.total, 0u);
  }
  // A word and a number of a megabyte are kept outside the window.
  EXPECT_EQ(read_members(chop("x=" + mega + ")", 8), {.notation = kPython, .watch = false}).value,
            "{\"x\":\"" + mega + "\"}");
  const std::string digits(1 << 20, '7');
  const MembersReading number = read_members(chop("x=" + digits + ")", 8), {.notation = kPython, .watch = false});
  EXPECT_EQ(number.value, "{\"x\":" + digits + "}");
  EXPECT_EQ(number.total, 0u);
}

TEST(MembersHostile, repeated_oddities_take_linear_time) {
  for (std::string_view part : {"(",
                                "'",
                                "\"",
                                "'''",
                                "#",
                                "\\",
                                "a ",
                                "1 ",
                                "x=",
                                "f(",
                                "b'",
                                "'a' ",
                                "{",
                                "**{",
                                ",",
                                "]",
                                ")",
                                "}",
                                "<",
                                "<|\"|>",
                                ":",
                                "\xC3",
                                "\xF0\x9F",
                                "'\\",
                                "\\u12",
                                "... ",
                                "1\"",
                                "("
                                "1),",
                                "\n",
                                "' x"}) {
    for (const text::Notation& notation : {kPython, kScript}) {
      const std::string input = "x=[" + repeated(part, 20'000);
      for (bool close : {false, true})
        EXPECT_EQ(read_members(chop(input, 3), {.notation = notation, .close = close, .watch = false}).fault, "")
            << part;
    }
  }
}

TEST(MembersHostile, beginnings_of_everything) {
  const std::string_view python =
      "a=[1, ('x', {'k': r'\\d' \"y\"}), {1, 2}], b='''t\\u00e9''', c=f(x=1, y=date(2)), **{'d': 1}, 'e': None, "
      "\xC3\xA9=1)";
  for (std::size_t n = 0; n <= python.size(); ++n)
    for (bool close : {false, true})
      EXPECT_EQ(members_cut_difference(python.substr(0, n), {.notation = kPython, .close = close}), "") << n;
  const std::string_view script =
      "a:[1,<|\"|>x\xC3\xA9<|\"|>,{b:New York,'c':\"\\u00e9\"}],<|\"|>d<|\"|>:true,e:f(1,2)}";
  for (std::size_t n = 0; n <= script.size(); ++n)
    for (bool close : {false, true})
      EXPECT_EQ(members_cut_difference(script.substr(0, n), {.notation = kScript, .close = close}), "") << n;
}

TEST(MembersHostile, what_is_looked_for_too_far_away_is_guessed_or_right) {
  const std::string far(600, 'a');
  const auto grade = [](const std::string& input) {
    const MembersOptions options{.notation = kPython};
    EXPECT_EQ(members_cut_difference(input, options, 64), "");
    return read_members({input}, options).grade;
  };
  EXPECT_EQ(grade("x=('" + far + "'))"), json::Grade::strict);
  EXPECT_EQ(grade("x=('" + far + "', 'b'))"), json::Grade::guess);
  EXPECT_EQ(grade("x={'" + far + "': 1})"), json::Grade::strict);
  EXPECT_EQ(grade("x={'" + far + "', 1})"), json::Grade::guess);
  EXPECT_EQ(grade("'" + far + "'=1)"), json::Grade::guess);
  EXPECT_EQ(grade("x='a'" + std::string(600, ' ') + "'b')"), json::Grade::safe);
  EXPECT_EQ(grade("x='a'" + std::string(600, '\n') + ", y=1)"), json::Grade::strict);
}

}  // namespace
}  // namespace belay::check
