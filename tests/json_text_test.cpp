// The text output: valid JSON while the input arrives, for whoever passes a mended stream on.
#include "support/oracles.h"
#include "support/outcome.h"
#include "support/prefix.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace belay::check {
namespace {

struct TextRow {
  std::string_view input, text;
};

void expect_text(std::string_view input, std::string_view text, bool stopped,
                 json::Ending ending = json::Ending::complete) {
  Outcome got = read_whole(input, {}, ending);
  EXPECT_EQ(got.text, text) << printable(input);
  EXPECT_EQ(got.text_stopped, stopped) << printable(input);
  EXPECT_EQ(text_fault(got, input), "") << printable(input);
  EXPECT_EQ(cut_difference(input, {}, ending), "") << printable(input);
}

TEST(Text, passes_strict_input_byte_for_byte) {
  for (std::string_view input : {"{}", " [ 1 , 2.50 ] \n", "{\"a\\u0062\":\"\\/\\u00e9\",\r\n\t\"n\":1E+05}",
                                 "\"root\"", "-0", " true ", "[\"\x7f\"]"})
    expect_text(input, input, false);
}

TEST(Text, says_what_safe_edits_mean) {
  const TextRow rows[] = {
      {"{\"a\":1,}", "{\"a\":1}"},
      {"{'a':'b'}", "{\"a\":\"b\"}"},
      {"{a:1}", "{\"a\":1}"},
      {"[True,None]", "[true,null]"},
      {"[+1]", "[1]"},
      {"[0x1F]", "[31]"},
      {"[1] // x", "[1]"},
      {"Sure: {\"a\":1} Done.", "{\"a\":1}"},
      {"```json\n{\"a\":1}\n```", "{\"a\":1}"},
      {"{\"a\":1}}", "{\"a\":1}"},
      {"[\"a\tb\"]", "[\"a\\tb\"]"},
      {"[\"\\d\"]", "[\"\\\\d\"]"},
      {"{\"a\"=1;\"b\"=>2}", "{\"a\":1,\"b\":2}"},
      {"\xef\xbb\xbf[1]", "[1]"},
  };
  for (const TextRow& row : rows) {
    Outcome got = read_whole(row.input);
    std::string packed;  // white space may differ; none of these strings holds any
    for (char c : got.text)
      if (c != ' ' && c != '\n') packed += c;
    EXPECT_EQ(packed, row.text) << printable(row.input);
    EXPECT_FALSE(got.text_stopped);
    EXPECT_EQ(text_fault(got, row.input), "") << printable(row.input);
    EXPECT_EQ(cut_difference(row.input, {}, json::Ending::complete), "") << printable(row.input);
  }
}

TEST(Text, puts_several_values_one_a_line) {
  Outcome got = read_whole("{\"a\":1}{\"b\":2} [3]");
  EXPECT_EQ(got.reading.verdict.word(), json::Word::split);
  EXPECT_EQ(text_fault(got, "{\"a\":1}{\"b\":2} [3]"), "");
  EXPECT_EQ(std::count(got.text.begin(), got.text.end(), '\n'), 2) << printable(got.text);
}

TEST(Text, stops_before_the_first_guess) {
  const TextRow rows[] = {
      // what comes after the guess must not be there; what comes before it may be
      {"{\"a\":1,\"b\":007,\"c\":3}", "7"}, {"{\"a\":1 \"b\":2}", "\"b\""},
      {"{\"a\":\"x\",\"b\":oops}", "oops"}, {"[1,,2]", "2"},
      {"{\"a\":1,\"a\":2}", "2"},           {"[1,NaN,2]", "null"},
      {"{\"re\":\"\\d+\\n\"}", "\\n"},      {"{\"re\":\"\\d+\\/x\"}", "/"},
      {"{\"re\":\"\\d+\\u0041\"}", "A"},    {"{\"a\":[1,2}", "}"},
      {"x {} y {} z {\"a\":1} v", "}"},     {"See [1], [2]: {\"a\":1}", "]"},
  };
  for (const TextRow& row : rows) {
    Outcome got = read_whole(row.input);
    EXPECT_TRUE(got.text_stopped) << row.input;
    EXPECT_EQ(got.text.find(row.text), got.text.npos) << row.input << " gave " << got.text;
    EXPECT_TRUE(is_json_prefix(got.text)) << got.text;
    EXPECT_EQ(cut_difference(row.input, {}, json::Ending::complete), "") << row.input;
  }
}

// A number has no bound of its own: whether it came in pieces is no reason to stop, or to read a bracket otherwise.
TEST(Text, waits_for_the_end_of_a_long_number) {
  const std::string number(4097, '3');
  for (const std::string& input : {number + ";{\"a\":1}", "  " + number + ";{\"a\":1}", "[1," + number + ";2]",
                                   "{\"a\":1,\"b\":" + number + ";\"c\":2}", "{\"a\":" + number + "x,\"b\":2}",
                                   "[" + number + "x,2]", "[" + number + "x y {\"a\":1}", "[" + number + " x]"}) {
    const Outcome whole = read_whole(input);
    for (std::size_t piece : {1u, 7u, 4000u, 4096u})
      EXPECT_EQ(difference(whole, read_pieces(chop(input, piece), {}, json::Ending::complete)), "") << piece;
  }
  EXPECT_EQ(read_whole(number + ";{\"a\":1}").text, "{\"a\":1}");
}

TEST(Text, never_closes_what_was_left_open) {
  for (json::Ending ending : {json::Ending::complete, json::Ending::cut})
    for (std::string_view input : {"{", "[", "{\"a\":[1,{\"b\":\"c", "[[[", "{\"a\":\"x\"", "{\"a\":1", "[true"}) {
      Outcome got = read_whole(input, {}, ending);
      EXPECT_EQ(got.text.find_first_of("}]"), got.text.npos) << input << " gave " << got.text;
      EXPECT_TRUE(is_json_prefix(got.text)) << got.text;
      EXPECT_TRUE(input.starts_with(got.text)) << input << " gave " << got.text;
    }
}

TEST(Text, keeps_up_with_an_open_string) {
  json::ReaderOptions options;
  options.text = true;
  json::Reader reader(options);
  reader.push("{\"path\":\"src/");
  std::string text = reader.take_text();
  EXPECT_EQ(text, "{\"path\":\"src/");
  reader.push("main.c");
  EXPECT_EQ(reader.take_text(), "main.c");
  reader.push("pp\",\"n\":1");
  text = reader.take_text();
  reader.push("}");
  text += reader.take_text();
  reader.finish();
  text += reader.take_text();
  EXPECT_EQ(text, "pp\",\"n\":1}");
}

TEST(Text, takes_nothing_back) {
  json::ReaderOptions options;
  options.text = true;
  for (std::string_view input :
       {"{\"a\":\"say \"hi\" now\"}", "{'a':'it's'}", "{\"re\":\"\\d and \\n\"}", "\"key\":1}", "[1 2]"}) {
    json::Reader reader(options);
    std::string all;
    for (char c : input) {
      reader.push({&c, 1});
      all += reader.take_text();
      EXPECT_TRUE(is_json_prefix(all)) << input << " gave " << all;
    }
    reader.finish();
    all += reader.take_text();
    EXPECT_TRUE(is_json_prefix(all)) << input << " gave " << all;
  }
}

TEST(Text, is_empty_when_it_was_not_asked_for) {
  json::Reader reader;
  reader.push("{\"a\":1}");
  EXPECT_EQ(reader.take_text(), "");
  reader.finish();
  EXPECT_EQ(reader.take_text(), "");
}

TEST(Text, is_given_once) {
  json::ReaderOptions options;
  options.text = true;
  json::Reader reader(options);
  reader.push("[1,2,3]");
  std::string first = reader.take_text();
  EXPECT_EQ(reader.take_text(), "");
  reader.finish();
  EXPECT_EQ(first + reader.take_text(), "[1,2,3]");
  EXPECT_EQ(reader.take_text(), "");
}

}  // namespace
}  // namespace belay::check
