// Strict mode: RFC 8259 exactly. The first deviation ends the reading, with its kind and its place.
#include "support/independent.h"
#include "support/oracles.h"
#include "support/outcome.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace belay::check {
namespace {

using json::ErrorKind;
using namespace std::string_view_literals;

json::ReaderOptions strict() {
  json::ReaderOptions options;
  options.mode = json::Mode::strict;
  return options;
}

TEST(Strict, accepts_JSON_and_gives_its_tree) {
  const std::string_view texts[] = {
      "{}",
      "[]",
      " \t\r\n[ ] ",
      "null",
      "true",
      "false",
      "0",
      "-0",
      "-1.5E+10",
      "\"\"",
      "\"\\u0000\\\"\\/\"",
      "[1,[2,[3,{\"a\":[]}]]]",
      "{\"a\":{\"b\":1},\"c\":[true,null]}",
      "\"\\ud83d\\ude00\"",
      "\"\x7f\xc2\x80\xf4\x8f\xbf\xbf\"",
      "123456789012345678901234567890",
      "\"// # /* */ \"",
      "[1e1,1E-1,0.1e+1]",
  };
  for (std::string_view text : texts) {
    SCOPED_TRACE(printable(text));
    Outcome got = read_whole(text, strict());
    ASSERT_EQ(name(got.reading.verdict.word()), "valid") << describe(got);
    EXPECT_EQ(got.reading.edits_total, 0u);
    EXPECT_FALSE(got.reading.error);
    EXPECT_TRUE(to_tree(got.reading.document.root()) == parse_independently(text).tree) << describe(got);
    EXPECT_EQ(got.text, text) << "strict input passes byte for byte";
    EXPECT_EQ(cut_difference(text, strict(), json::Ending::complete), "");
  }
}

// However the input ended, no more bytes make these a number.
TEST(Strict, refuses_at_the_end_a_number_that_is_already_wrong) {
  for (std::string_view number : {"01", "00", "-01", "1..", "1.2.", "1e+-", "-.", "1ee", "--"})
    for (std::string_view before : {"", "[", "[1,\n", "{\"a\":"})
      for (json::Ending ending : {json::Ending::complete, json::Ending::cut}) {
        const std::string text = std::string(before) + std::string(number);
        const Outcome got = read_whole(text, strict(), ending);
        EXPECT_EQ(name(got.reading.error.kind), "bad_number") << printable(text);
        EXPECT_EQ(got.reading.error.position.offset, before.size()) << printable(text);
        EXPECT_EQ(cut_difference(text, strict(), ending), "") << printable(text);
      }
  for (std::string_view number : {"1", "-", "0", "1.", "1.5", "1e", "1E-", "-0.0e+0"})
    EXPECT_EQ(name(read_whole("[" + std::string(number), strict(), json::Ending::cut).reading.error.kind), "truncated")
        << number;
}

TEST(Strict, accepts_repeated_keys_and_keeps_them) {
  Outcome got = read_whole(R"({"a":1,"a":2})", strict());
  EXPECT_EQ(name(got.reading.verdict.word()), "valid");
  EXPECT_EQ(got.reading.document.root().size(), 2u);
}

struct Refusal {
  std::string_view text;
  std::vector<ErrorKind> kinds;  ///< one of these
  std::size_t from, to;          ///< where the error may say it is
};

std::vector<Refusal> refusals() {
  using enum ErrorKind;
  return {
      {"", {empty}, 0, 0},
      {" \n ", {empty}, 0, 3},
      {"{\"a\":1,}", {unexpected_byte}, 7, 7},
      {"[1,\n 2,,3]", {unexpected_byte}, 7, 7},
      {"{\"a\" 1}", {unexpected_byte}, 5, 5},
      {"{a:1}", {unexpected_byte}, 1, 1},
      {"{'a':1}", {unexpected_byte}, 1, 1},
      {"[1 2]", {unexpected_byte}, 3, 3},
      {"[1}", {unexpected_byte}, 2, 2},
      {"{\"a\":1]", {unexpected_byte}, 6, 6},
      {"[1] // x", {trailing_bytes}, 4, 4},
      {"{}{}", {trailing_bytes}, 2, 2},
      {"[1]]", {trailing_bytes}, 3, 3},
      {"1 2", {trailing_bytes}, 2, 2},
      {"\xef\xbb\xbf{}", {unexpected_byte, invalid_utf8}, 0, 0},
      {"+1", {unexpected_byte, bad_number}, 0, 0},
      {".5", {unexpected_byte, bad_number}, 0, 0},
      {"[1.]", {bad_number}, 1, 3},
      {"[01]", {bad_number, unexpected_byte}, 1, 2},
      {"[-]", {bad_number}, 1, 2},
      {"[1e]", {bad_number}, 1, 3},
      {"[0x1F]", {bad_number, unexpected_byte}, 1, 2},
      {"[NaN]", {bad_literal, unexpected_byte}, 1, 1},
      {"[tru]", {bad_literal}, 1, 4},
      {"[nulll]", {bad_literal, unexpected_byte}, 1, 5},
      {"[True]", {bad_literal, unexpected_byte}, 1, 1},
      {"[\"\\x41\"]", {bad_escape}, 2, 3},
      {"[\"\\u12G4\"]", {bad_escape}, 2, 6},
      {"[\"\\'\"]", {bad_escape}, 2, 3},
      {"[\"a\nb\"]", {control_character}, 3, 3},
      {"[\"a\0b\"]"sv, {control_character}, 3, 3},
      {"[\"\xff\"]", {invalid_utf8}, 2, 2},
      {"[\"\xc3\x28\"]", {invalid_utf8}, 2, 3},
      {"[\"\xed\xa0\x80\"]", {invalid_utf8}, 2, 4},
      {"[\"\\ud800\"]", {lone_surrogate}, 2, 8},
      {"[\"\\udc00\"]", {lone_surrogate}, 2, 8},
      {"[\"\\ud800\\u0041\"]", {lone_surrogate}, 2, 14},
      {"[1,2", {unclosed}, 4, 4},
      {"{\"a\":", {unclosed}, 5, 5},
      {"\"abc", {unclosed}, 4, 4},
      {"[\"a\\", {unclosed}, 3, 4},
      {"[tr", {unclosed, bad_literal}, 1, 3},
      {"{\n\n\"a\":1,\n\"b\":?}", {unexpected_byte}, 14, 14},
  };
}

TEST(Strict, refuses_everything_else_with_kind_and_place) {
  for (const Refusal& row : refusals()) {
    SCOPED_TRACE(printable(row.text));
    Outcome got = read_whole(row.text, strict());
    EXPECT_EQ(name(got.reading.verdict.word()), "broken");
    const json::Error& error = got.reading.error;
    EXPECT_NE(std::find(row.kinds.begin(), row.kinds.end(), error.kind), row.kinds.end())
        << "kind " << name(error.kind) << ", wanted " << name(row.kinds.front());
    EXPECT_GE(error.position.offset, row.from);
    EXPECT_LE(error.position.offset, row.to);
    EXPECT_EQ(incoherence(got, row.text), "");
    EXPECT_EQ(cut_difference(row.text, strict(), json::Ending::complete), "");
  }
}

TEST(Strict, says_truncated_when_the_stream_was_cut) {
  for (std::string_view text : {"[1,2", "{\"a\":\"b", "\"x", "[tr", "{\"a\":1"}) {
    Outcome got = read_whole(text, strict(), json::Ending::cut);
    EXPECT_EQ(name(got.reading.verdict.word()), "truncated") << text;
  }
  EXPECT_EQ(name(read_whole("[1]", strict(), json::Ending::cut).reading.verdict.word()), "valid");
}

TEST(Strict, ignores_what_follows_the_first_deviation) {
  json::Reader reader(strict());
  reader.push("[1,]");
  EXPECT_TRUE(reader.failed());
  reader.push("{\"a\":1}");
  json::Reading reading = reader.finish();
  EXPECT_EQ(name(reading.verdict.word()), "broken");
  EXPECT_EQ(reading.error.position.offset, 3u);
}

TEST(Strict, stops_at_the_depth_limit) {
  json::ReaderOptions options = strict();
  options.limits.depth = 2;
  EXPECT_EQ(name(read_whole("[[1]]", options).reading.verdict.word()), "valid");
  Outcome got = read_whole("[[[1]]]", options);
  EXPECT_EQ(got.reading.error.kind, ErrorKind::limit);
  EXPECT_EQ(got.reading.error.position.offset, 2u);
}

}  // namespace
}  // namespace belay::check
