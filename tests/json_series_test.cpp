// A series of texts, each like the one before, is read as each of them is alone.
#include "support/outcome.h"

#include <belay/json.h>

#include <gtest/gtest.h>

namespace belay {
namespace {

// What json::read() says of a text, and what a reader says that has read others before.
void expect_same(json::SeriesReader& series, std::string_view text, json::ReaderOptions options = {}) {
  json::Reading alone = json::read(text, options);
  json::Verdict verdict = series.read(text);
  EXPECT_EQ(verdict, alone.verdict) << check::printable(text);
  if (alone.document.empty() || verdict.word() == json::Word::broken) return;
  EXPECT_EQ(json::to_string(series.root()), json::to_string(alone.document.root())) << check::printable(text);
}

TEST(Series, TextsThatDifferInStringsAndNumbersAreReadAsEachIsAlone) {
  json::SeriesReader series;
  for (std::string_view text :
       {R"({"id":"a","n":1,"delta":{"text":"one"},"end":null})", R"({"id":"a","n":2,"delta":{"text":""},"end":null})",
        R"({"id":"a","n":10,"delta":{"text":"a longer text, more than sixteen bytes"},"end":null})",
        R"({"id":"a","n":-1.5e300,"delta":{"text":"\"quoted\" \\ \/ \b\f\n\r\t é 😀"},"end":null})",
        R"({"id":"b","n":123456789012345678901234567890,"delta":{"text":"\u00e9\ud83d\ude00\u0000"},"end":null})",
        R"({"id":"","n":0,"delta":{"text":"x"},"end":null})", R"({"id":"a","n":0,"delta":{"text":"x"},"end":"stop"})"})
    expect_same(series, text);
}

TEST(Series, WhatIsNoJsonAfterJsonIsJudgedAsAlone) {
  const std::string_view shape = R"({"id":"a","n":1,"t":"one"})";
  for (std::string_view text : {R"({"id":"a","n":01,"t":"one"})",
                                R"({"id":"a","n":1.,"t":"one"})",
                                R"({"id":"a","n":,"t":"one"})",
                                R"({"id":"a","n":+1,"t":"one"})",
                                R"({"id":"a","n":1e,"t":"one"})",
                                R"({"id":"a","n":1,"t":"on"e"})",
                                R"({"id":"a","n":1,"t":"\d"})",
                                R"({"id":"a","n":1,"t":"\ud800"})",
                                R"({"id":"a","n":1,"t":"\udc00\ud800"})",
                                R"({"id":"a","n":1,"t":"\u12"})",
                                R"({"id":"a","n":1,"t":"one)",
                                R"({"id":"a","n":1,"t":"one\)",
                                R"({"id":"a","n":1,"t":"one"}})",
                                R"({"id":"a","n":1,"t":"one"} {"a":1})",
                                R"({"id":"a","n":1,"t":"one")",
                                R"({"id":"a","n":1,"n":"one"})",
                                R"({"id":"a","n":1,"t":"one",})",
                                "{\"id\":\"a\",\"n\":1,\"t\":\"o\nn\"}",
                                "{\"id\":\"a\",\"n\":1,\"t\":\"\xc3\"}",
                                "{\"id\":\"a\",\"n\":1,\"t\":\"\\\"\xff\"}",
                                ""}) {
    json::SeriesReader series;
    expect_same(series, shape);
    expect_same(series, R"({"id":"a","n":2,"t":"two"})");
    expect_same(series, text);
    expect_same(series, shape);
    expect_same(series, R"({"id":"a","n":2,"t":"two"})");
  }
}

TEST(Series, LimitsHoldForTextsThatAreLikeTheOneBefore) {
  json::ReaderOptions options;
  options.limits.bytes = 20;
  json::SeriesReader series(options);
  expect_same(series, R"({"a":"12345678"})", options);
  expect_same(series, R"({"a":"1234567"})", options);
  expect_same(series, R"({"a":"123456789012"})", options);
  expect_same(series, R"({"a":"1234567890123"})", options);
}

TEST(Series, ShapesByTurnsAndRootsOfEveryKind) {
  json::SeriesReader series;
  for (int i = 0; i < 200; ++i) {
    const std::string n = std::to_string(i % 7);
    expect_same(series, i % 3 == 0 ? "{\"a\":" + n + "}" : i % 3 == 1 ? "[\"" + n + "\"]" : n);
  }
}

}  // namespace
}  // namespace belay
