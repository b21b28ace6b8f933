#include "builtin/execute_command.h"

#include <belay/task/breakers.h>
#include <belay/task/retry.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace belay::task {
namespace {

TEST(Retry, DelaysDoubleWithinFullJitterUpToTheirBound) {
  RetryLimits limits;
  limits.attempts = 20;
  for (std::uint64_t attempt = 1; attempt < 12; ++attempt) {
    std::int64_t largest = 0;
    for (std::uint64_t n = 0; n < 2'000; ++n) {
      const Retry again = retry(limits, {"overloaded", "", true, {}}, attempt, random_number(7, n));
      ASSERT_TRUE(again.again);
      ASSERT_GE(again.delay, 0);
      largest = std::max(largest, again.delay);
    }
    const std::int64_t bound = std::min<std::int64_t>(1'000ll << (attempt - 1), 60'000);
    EXPECT_LE(largest, bound);
    EXPECT_GT(largest, bound * 9 / 10) << "the whole range is used";
  }
}

TEST(Retry, WhatWaitingCannotHelpIsNotSentAgain) {
  for (const char* kind : {"quota", "spend_limit", "billing", "authentication", "permission", "invalid_request"})
    EXPECT_FALSE(retry({}, {kind, "", true, {}}, 1, 0).again) << kind;
  EXPECT_EQ(retry({}, {"tls", "", false, {}}, 1, 0).why_not, "an error of this kind does not go away by waiting")
      << "no provider has said anything";
  EXPECT_FALSE(retry({}, {"server_error", "", false, {}}, 1, 0).again);
  EXPECT_TRUE(retry({}, {"server_error", "", true, {}}, 1, 0).again);
  EXPECT_FALSE(retry({}, {"server_error", "", true, {}}, 6, 0).again) << "the sixth attempt was the last";
}

TEST(Retry, AServerThatSaysWhenIsNotAskedBefore) {
  const Retry soon = retry({}, {"rate_limit", "", true, 12.5}, 1, 999'999);
  EXPECT_TRUE(soon.again);
  EXPECT_GE(soon.delay, 12'500);
  EXPECT_LT(soon.delay, 13'501);
  const Retry late = retry({}, {"rate_limit", "", true, 86'400}, 1, 0);
  EXPECT_FALSE(late.again);
  EXPECT_NE(late.why_not.find("86400 s"), std::string::npos) << late.why_not;
  EXPECT_FALSE(retry({}, {"rate_limit", "", true, 1e300}, 1, 0).again);
}

TEST(Retry, TheHeaderIsReadInAllItsForms) {
  const std::int64_t now = 784'111'777'000;  // Sun, 06 Nov 1994 08:49:37 GMT
  struct {
    std::string_view text;
    std::optional<double> seconds;
  } rows[] = {
      {"120", 120.0},
      {" 1.5 ", 1.5},
      {"0", 0.0},
      {"250ms", 0.25},
      {"1m30s", 90.0},
      {"1h", 3600.0},
      {"2.5s", 2.5},
      {"Sun, 06 Nov 1994 08:49:47 GMT", 10.0},
      {"Sunday, 06-Nov-94 08:50:37 GMT", 60.0},
      {"Sun Nov  6 08:49:38 1994", 1.0},
      {"Sun, 06 Nov 1994 08:49:00 GMT", 0.0},
      {"", {}},
      {"soon", {}},
      {"-5", {}},
      {"1.", {}},
      {"5 apples", {}},
      {"99 Nov 1994 08:49:37", {}},
      {"06 Xyz 1994 08:49:37", {}},
      {"06 Nov 1994 08:49", {}},
      {"9999999999999999999999999999999999999999999999999999999999999999999", {}},
  };
  for (const auto& row : rows) EXPECT_EQ(retry_after(row.text, now), row.seconds) << row.text;
}

TEST(Breakers, ASuccessResetsMistakesInARowButNotTheirSum) {
  Breakers b;
  for (int i = 0; i < 4; ++i) b.mistake({"schema", "put", static_cast<std::uint64_t>(i)});
  EXPECT_FALSE(b.tripped());
  b.success();
  for (int i = 0; i < 4; ++i) b.mistake({"schema", "put", static_cast<std::uint64_t>(i)});
  EXPECT_FALSE(b.tripped());
  b.mistake({"schema", "put", 9});
  EXPECT_EQ(b.tripped(), "5 mistakes were made in a row; the last: schema, put");
  EXPECT_EQ(b.mistakes(), 9u);
  EXPECT_EQ(b.by_kind().at("schema put"), 9u);
  b.reset();
  EXPECT_FALSE(b.tripped());
}

TEST(Breakers, TheSameMistakeTripsSooner) {
  Breakers b;
  for (int i = 0; i < 2; ++i) b.mistake({"truncated", "put", 1});
  b.mistake({"truncated", "put", 2});
  EXPECT_FALSE(b.tripped());
  for (int i = 0; i < 2; ++i) b.mistake({"truncated", "put", 2});
  EXPECT_EQ(b.tripped(),
            "the call of put was cut off 3 times in a row; where the output limit does it, --max-tokens raises that "
            "limit");
  for (int i = 0; i < 3; ++i) b.mistake({"schema", "put", 2});
  EXPECT_EQ(b.tripped(), "the same mistake was made 3 times in a row (schema, put)");
}

TEST(Breakers, MistakesInAllTripOnceMoreForEachTimeThatAPersonGoesOn) {
  BreakerLimits limits;
  limits.mistakes_in_all = 10;
  Breakers b(limits);
  auto make = [&](int n) {
    for (int i = 0; i < n; ++i) b.mistake({"failed", "do", static_cast<std::uint64_t>(b.mistakes())}), b.success();
  };
  make(9);
  EXPECT_FALSE(b.tripped());
  make(1);
  EXPECT_EQ(b.tripped(), "10 mistakes were made in all");
  b.reset();
  EXPECT_FALSE(b.tripped());
  make(9);
  EXPECT_FALSE(b.tripped());
  make(1);
  EXPECT_TRUE(b.tripped());
}

// What was done, as letters: a capital is the same call with another result.
std::optional<std::string> after(std::string_view acted) {
  Breakers b;
  for (char c : acted) b.acted(static_cast<std::uint64_t>(c | 32), static_cast<std::uint64_t>(c));
  return b.tripped();
}

TEST(Breakers, RoundsOfUpToSixCallsAreSeen) {
  EXPECT_EQ(after("xaaa"), "the same call gave the same result 3 times in a row");
  EXPECT_EQ(after("ababab"), "2 calls with the same results went round 3 times");
  EXPECT_EQ(after("zabcdefabcdefabcdef"), "6 calls with the same results went round 3 times");
  EXPECT_EQ(after("abcdefgabcdefgabcdefg"), std::nullopt) << "seven are too many to be sure";
  EXPECT_EQ(after("aa"), std::nullopt);
  EXPECT_EQ(after("ababa"), std::nullopt);
}

TEST(Breakers, WhatTookLongerIsTheSameResult) {
  const auto after = [](double seconds, unsigned survivors) {
    sandbox::Outcome outcome;
    outcome.code = 1;
    outcome.seconds = seconds;
    outcome.survivors = survivors;
    return untimed("1 test failed\n" + builtin::ending_of(outcome, {}));
  };
  EXPECT_EQ(after(0.4, 0), after(123.4, 0));
  EXPECT_EQ(after(0.4, 2), after(9.9, 2));
  EXPECT_NE(after(0.4, 0), after(0.4, 2));
  for (const char* same : {"", "]", "[", "s]", "[ s]", "took 3 s", "waited\n[5 s left, 3 of them]", "[3 s]\n",
                           "x [3 s]", "[ended by the time-out of 120 sheep]"})
    EXPECT_EQ(untimed(same), same);
}

TEST(Breakers, AResultThatChangesIsNoRepetition) {
  EXPECT_EQ(after("aAa"), std::nullopt);
  EXPECT_EQ(after("abaBab"), std::nullopt);
  EXPECT_EQ(after("aaba"), std::nullopt);
}

TEST(Breakers, AnswersWithoutACallAreBoundedAndACallResetsThem) {
  Breakers b;
  for (int i = 0; i < 3; ++i) b.no_tool();
  EXPECT_FALSE(b.tripped());
  b.used_tool();
  for (int i = 0; i < 4; ++i) b.no_tool();
  EXPECT_EQ(b.tripped(), "the model answered without a call 4 times in a row");
  b.used_tool();
  for (int i = 0; i < 4; ++i) b.empty();
  EXPECT_EQ(b.tripped(), "the model answered with nothing 4 times in a row");
}

}  // namespace
}  // namespace belay::task
