// Limits: each is finite, and passing one is an error that names it and the flag that raises it. Never a silent cut.
#include "support/oracles.h"
#include "support/outcome.h"

#include <gtest/gtest.h>

namespace belay::check {
namespace {

void expect_limit(const Outcome& got, const std::string& limit) {
  EXPECT_EQ(json::name(got.reading.verdict.word()), "broken") << describe(got);
  EXPECT_EQ(json::name(got.reading.error.kind), "limit");
  EXPECT_NE(got.reading.error.message.find(limit), std::string::npos) << got.reading.error.message;
  EXPECT_NE(got.reading.error.message.find("--limit " + limit + "="), std::string::npos) << got.reading.error.message;
}

json::ReaderOptions with(std::string_view limit, std::uint64_t value) {
  json::ReaderOptions options;
  EXPECT_TRUE(options.limits.set(limit, value));
  return options;
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(Limits, have_the_defaults_that_are_documented) {
  Limits limits;
  EXPECT_EQ(limits.depth, 1024u);
  EXPECT_EQ(limits.bytes, 64u << 20);
  EXPECT_EQ(limits.edits, 10'000u);
  EXPECT_EQ(limits.values, 64u);
}

TEST(Limits, are_set_by_name) {
  Limits limits;
  EXPECT_TRUE(limits.set("depth", 1));
  EXPECT_TRUE(limits.set("bytes", 2));
  EXPECT_TRUE(limits.set("edits", 3));
  EXPECT_TRUE(limits.set("values", 4));
  EXPECT_EQ(limits, (Limits{.depth = 1, .bytes = 2, .edits = 3, .values = 4}));
  EXPECT_FALSE(limits.set("Depth", 5));
  EXPECT_FALSE(limits.set("", 5));
  EXPECT_FALSE(limits.set("width", 5));
}

TEST(Limits, depth_allows_exactly_as_many_open_containers) {
  EXPECT_EQ(json::name(read_whole(nested(1024)).reading.verdict.word()), "valid");
  expect_limit(read_whole(nested(1025)), "depth");
  EXPECT_EQ(read_whole(nested(1025)).reading.error.position.offset, 1024u);
  EXPECT_EQ(json::name(read_whole(nested(3), with("depth", 3)).reading.verdict.word()), "valid");
  expect_limit(read_whole("{\"a\":{\"b\":[{}]}}", with("depth", 3)), "depth");
}

TEST(Limits, depth_has_its_place_in_a_key_that_is_read_again) {
  const std::string one_line = "{\n \"a: [[[1,\n b\": 2}", two_lines = "{\n \"a\nb: [[[1,\n c\": 2}";
  const Outcome one = read_whole(one_line, with("depth", 3)), two = read_whole(two_lines, with("depth", 3));
  expect_limit(one, "depth");
  EXPECT_EQ(one.reading.error.position, (Position{.offset = one_line.find("[[[") + 2, .line = 2, .column = 8}));
  EXPECT_EQ(two.reading.error.position, (Position{.offset = two_lines.find("[[[") + 2, .line = 3, .column = 6}));
  EXPECT_EQ(cut_difference(one_line, with("depth", 3), json::Ending::complete), "");
  EXPECT_EQ(cut_difference(two_lines, with("depth", 3), json::Ending::complete), "");
}

TEST(Limits, depth_counts_what_is_open_at_once_not_in_all) {
  EXPECT_EQ(json::name(read_whole("[[],[],[[]],{\"a\":[]}]", with("depth", 3)).reading.verdict.word()), "valid");
}

TEST(Limits, bytes_allows_exactly_as_many) {
  EXPECT_EQ(json::name(read_whole("[1234567]", with("bytes", 9)).reading.verdict.word()), "valid");
  expect_limit(read_whole("[1234567]", with("bytes", 8)), "bytes");
  expect_limit(read_whole("[1]" + std::string(100, ' '), with("bytes", 50)), "bytes");
}

TEST(Limits, values_allows_exactly_as_many) {
  std::string four = "{\"a\":1}{\"a\":2}\n{\"a\":3}[4]";
  EXPECT_EQ(json::name(read_whole(four, with("values", 4)).reading.verdict.word()), "split");
  expect_limit(read_whole(four, with("values", 3)), "values");
  std::string many;
  for (int i = 0; i < 64; ++i) many += "{}";
  EXPECT_EQ(read_whole(many).reading.verdict.count, 64u);
  expect_limit(read_whole(many + "{}"), "values");
}

TEST(Limits, edits_are_counted_beyond_those_listed) {
  Outcome got = read_whole("[1,2,],[3,],[[4,],],", with("edits", 3));
  EXPECT_EQ(got.reading.edits.size(), 3u);
  EXPECT_GE(got.reading.edits_total, 4u);
  Outcome all = read_whole("{\"a\":{\"a\":{\"a\":{\"a\":1,},},},}", with("edits", 2));
  EXPECT_EQ(json::name(all.reading.verdict.word()), "mended");
  EXPECT_EQ(all.reading.edits.size(), 2u);
  EXPECT_EQ(all.reading.edits_total, 4u);
}

// A verdict that nothing in the receipt explains would help nobody.
TEST(Limits, the_first_guess_is_listed_beyond_the_limit) {
  Outcome got = read_whole("{a:1,b:2,\"c\":007,\"d\":008}", with("edits", 1));
  ASSERT_EQ(got.reading.edits.size(), 2u);
  EXPECT_EQ(got.reading.edits[1], (json::Edit{json::EditKind::foreign_number, json::Grade::guess, 13, 3}));
  EXPECT_EQ(got.reading.edits_total, 4u);
  EXPECT_EQ(json::name(got.reading.verdict.word()), "guessed");
  // One whose grade changes behind it.
  Outcome later = read_whole(R"({a:1,"b":"it\'s 'x'"})", with("edits", 1));
  ASSERT_EQ(later.reading.edits.size(), 2u);
  EXPECT_EQ(later.reading.edits[1], (json::Edit{json::EditKind::escaped_quote, json::Grade::guess, 12, 2}));
  EXPECT_EQ(later.reading.edits_total, 2u);
  EXPECT_TRUE(read_whole("{a:007}", with("edits", 0)).reading.edits.empty());
}

TEST(Limits, are_the_same_errors_however_the_input_is_cut) {
  struct Row {
    std::string text;
    json::ReaderOptions options;
  };
  const Row rows[] = {{nested(12), with("depth", 5)},
                      {"{\"a\":[[[1]]]}", with("depth", 3)},
                      {"[1,2,3,\"four\",5]", with("bytes", 11)},
                      {"{}{}{}{}", with("values", 2)},
                      {"{a:1,b:2,c:3,}", with("edits", 2)},
                      {"prose {\"a\":[\"it's\"]} and so on", with("bytes", 20)}};
  for (const Row& row : rows) {
    EXPECT_EQ(cut_difference(row.text, row.options, json::Ending::complete), "") << row.text;
    EXPECT_EQ(incoherence(read_whole(row.text, row.options), row.text), "") << row.text;
  }
}

TEST(Limits, end_the_reading) {
  json::Reader reader(with("depth", 2));
  reader.push("[[");
  EXPECT_FALSE(reader.failed());
  reader.push("[");
  EXPECT_TRUE(reader.failed());
  reader.push("]]]");
  json::Reading reading = reader.finish();
  EXPECT_EQ(json::name(reading.error.kind), "limit");
}

TEST(Limits, can_be_lifted) {
  json::ReaderOptions options;
  options.limits = {.depth = kUnlimited, .bytes = kUnlimited, .edits = kUnlimited, .values = kUnlimited};
  EXPECT_EQ(json::name(read_whole(nested(5000), options).reading.verdict.word()), "valid");
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "{a:1}";
  Outcome got = read_whole(many, options);
  EXPECT_EQ(got.reading.verdict.count, 1000u);
  EXPECT_EQ(got.reading.edits.size(), got.reading.edits_total);
}

}  // namespace
}  // namespace belay::check
