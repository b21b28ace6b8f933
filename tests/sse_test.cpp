// Framing, as tables. Every stream is heard whole, byte by byte and cut in two at every place, and an event stream by a
// second decoder too.
#include "sse_oracle.h"
#include "support/outcome.h"

#include <gtest/gtest.h>

namespace belay::check {
namespace {

using namespace std::string_literals;
using sse::Ended;
using sse::Framing;

const std::string kMark = "\xEF\xBB\xBF";  // the byte order mark

struct Row {
  std::string why;
  std::string input;
  std::vector<Said> said;
  std::uint64_t left_over = 0;
};

void expect_rows(const std::vector<Row>& rows, Framing framing, Ended ended = Ended::eof) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.why + ": " + printable(row.input));
    const Heard whole = hear({row.input}, framing, ended);
    EXPECT_EQ(whole.said, row.said);
    EXPECT_EQ(whole.left_over, row.left_over);
    EXPECT_EQ(whole.message, "");
    EXPECT_EQ(whole.beginning, row.input.substr(0, 256));
    EXPECT_EQ(cut_difference(whole, row.input, framing, ended), "");
    EXPECT_EQ(naive_difference(whole, row.input, framing, ended), "");
  }
}

Said retry(std::uint64_t time) { return {{}, 0, {}, {}, time}; }

TEST(Events, end_at_a_blank_line) {
  expect_rows({{"an empty stream", "", {}},
               {"one event", "data: x\n\n", {{"x", 0}}},
               {"two", "data: x\n\ndata: y\n\n", {{"x", 0}, {"y", 9}}},
               {"more blank lines", "\n\n\ndata: x\n\n\n\ndata: y\n\n\n", {{"x", 3}, {"y", 14}}},
               {"the blank line is missing", "data: x\n\ndata: y\n", {{"x", 0}}, 8},
               {"a space is no blank line", "data: x\n \ndata: y\n\n", {{"x\ny", 0}}}},
              Framing::sse);
}

TEST(Events, have_lines_that_end_with_cr_lf_or_both) {
  expect_rows({{"CR", "data: x\r\rdata: y\r\r", {{"x", 0}, {"y", 9}}},
               {"CRLF", "data: x\r\n\r\ndata: y\r\n\r\n", {{"x", 0}, {"y", 11}}},
               {"CRLF is one line end", "data: x\r\ndata: y\r\n\r\n", {{"x\ny", 0}}},
               {"LF CR is two", "data: x\n\rdata: y\n\r", {{"x", 0}, {"y", 9}}},
               {"all in one stream", "data: a\rdata: b\ndata: c\r\n\r\ndata: d\n\r\n", {{"a\nb\nc", 0}, {"d", 27}}},
               {"CR, then an event that begins with LF", "data: a\r\r\n\ndata: b\r\r", {{"a", 0}, {"b", 11}}}},
              Framing::sse);
}

TEST(Events, have_data_lines_that_are_joined) {
  expect_rows({{"two lines", "data: a\ndata: b\n\n", {{"a\nb", 0}}},
               {"an empty one between them", "data:a\ndata:\ndata\ndata:b\n\n", {{"a\n\n\nb", 0}}},
               {"a line without a colon is data", "data\n\n", {{"", 0}}},
               {"two of them are a line end", "data\ndata\n\n", {{"\n", 0}}},
               {"empty data counts", "data:\n\ndata: \n\n", {{"", 0}, {"", 7}}},
               {"other fields between them", "data: a\nevent: e\ndata: b\n\n", {{"a\nb", 0, "e"}}}},
              Framing::sse);
}

TEST(Events, have_fields_with_one_space_after_the_colon_that_does_not_count) {
  expect_rows({{"no space", "data:x\n\n", {{"x", 0}}},
               {"two", "data:  x\n\n", {{" x", 0}}},
               {"a tab is not left out", "data:\tx\n\n", {{"\tx", 0}}},
               {"colons in the value", "data::: x\n\n", {{":: x", 0}}},
               {"a space before the name makes another name", " data: x\n\ndata: y\n\n", {{"y", 10}}},
               {"and one after it", "data : x\n\n", {}},
               {"names have small letters", "Data: x\n\nDATA: y\n\n", {}},
               {"a longer name", "dataset: x\nevents: y\nidx: 1\n\n", {}},
               {"a shorter name", "dat: x\nd\nda\ne\n\n", {}}},
              Framing::sse);
}

TEST(Events, have_names_that_are_forgotten_at_a_blank_line) {
  expect_rows({{"a name", "event: ping\ndata: x\n\ndata: y\n\n", {{"x", 0, "ping"}, {"y", 21}}},
               {"the last counts", "event: a\nevent: b\ndata: x\n\n", {{"x", 0, "b"}}},
               {"an empty one takes it back", "event: a\nevent\ndata: x\n\n", {{"x", 0}}},
               {"behind the data", "data: x\nevent: a\n\n", {{"x", 0, "a"}}},
               {"without data nothing is sent, and it is forgotten", "event: a\n\ndata: x\n\n", {{"x", 10}}}},
              Framing::sse);
}

TEST(Events, have_the_last_id_of_the_stream) {
  expect_rows({{"until the next",
                "id: 1\ndata: x\n\ndata: y\n\nid: 2\ndata: z\n\n",
                {{"x", 0, "", "1"}, {"y", 15, "", "1"}, {"z", 24, "", "2"}}},
               {"an event without data has one too", "id: 1\n\ndata: x\n\n", {{"x", 7, "", "1"}}},
               {"an empty one is one", "id: 1\n\nid\ndata: x\n\n", {{"x", 7}}},
               {"one with NUL is none", "id: 1\nid: a\0b\ndata: x\n\n"s, {{"x", 0, "", "1"}}},
               {"NUL elsewhere is nothing special", ": \0\ndata: \0\n\n"s, {{"\0"s, 4}}}},
              Framing::sse);
}

TEST(Events, tell_a_retry_at_its_line) {
  expect_rows({{"a number", "retry: 3000\ndata: x\n\n", {retry(3000), {"x", 0}}},
               {"behind data", "data: x\nretry: 0\n\nretry:1\n", {retry(0), {"x", 0}, retry(1)}, 8},
               {"none", "retry\nretry:\nretry: \nretry:  1\nretry: 1s\nretry: -1\nretry: 1.5\n\n", {}},
               {"too large",
                "retry: 9223372036854775806\nretry: 9223372036854775808\nretry: 99999999999999999999999\n\n",
                {retry(9223372036854775806u), retry(kUnlimited), retry(kUnlimited)}},
               {"zeros", "retry: 00000000000000000000000000000012\n\n", {retry(12)}}},
              Framing::sse);
  expect_rows({{"a number that was cut", "retry: 30", {}, 9}}, Framing::sse, Ended::reset);
}

TEST(Events, are_found_between_comments_and_unknown_fields) {
  expect_rows({{"comments", ": ping\n\n:\n: PROCESSING\ndata: x\n:\ndata: y\n\n: data: z\n\n", {{"x\ny", 23}}},
               {"unknown fields", "foo: bar\nfoo\ndata: x\n<html>\n\n", {{"x", 13}}},
               {"a page", "<!DOCTYPE html>\n<p>data: x\n\n</p>\n", {}}},
              Framing::sse);
}

TEST(Events, may_follow_one_byte_order_mark) {
  expect_rows({{"one", kMark + "data: x\n\n", {{"x", 3}}},
               {"two: the second is a part of the name", kMark + kMark + "data: x\n\ndata: y\n\n", {{"y", 15}}},
               {"half of one", "\xEF\xBB"s + "data: x\n\ndata: y\n\n", {{"y", 11}}},
               {"half of one alone", "\xEF\xBB", {}},
               {"one alone", kMark, {}},
               {"not at the start", "\n" + kMark + "data: x\n\n", {}}},
              Framing::sse);
}

TEST(Events, are_found_in_long_pieces_with_line_ends_of_every_kind_far_apart) {
  std::string input;
  std::size_t events = 0;
  for (std::size_t size = 1; input.size() < 400'000; size = size * 7 % 40'009, ++events) {
    const std::string end = size % 5 == 0 ? "\r" : size % 3 == 0 ? "\r\n" : "\n";
    input += "data: " + std::string(size, 'x') + end + "data: y" + end + end;
  }
  const Heard whole = hear({input}, Framing::sse, Ended::eof);
  EXPECT_EQ(whole.said.size(), events);
  EXPECT_EQ(naive_difference(whole, input, Framing::sse, Ended::eof), "");
  for (std::size_t size : {1'000u, 16'384u, 16'385u, 60'000u})
    EXPECT_EQ(difference(whole, hear(chop(input, size), Framing::sse, Ended::eof)), "") << size;
}

const std::vector<Row> kOpenEnds = {
    {"an object", "data: {\"a\":[1,\"}\\\"\"]}\n", {{"{\"a\":[1,\"}\\\"\"]}", 0}}},
    {"without a line end", "event: e\ndata: {}", {{"{}", 0, "e"}}},
    {"with CR", "data: {}\r", {{"{}", 0}}},
    {"over two lines", "data: {\ndata: }", {{"{\n}", 0}}},
    {"white space around it", "data:  [] \ndata:", {{" [] \n", 0}}},
    {"a string", "data: \"a\\\\\"", {{"\"a\\\\\"", 0}}},
    {"a number", "data: -1.5e+3", {{"-1.5e+3", 0}}},
    {"a word", "data: true\n", {{"true", 0}}},
    {"the end marker", "data: {}\n\ndata: [DONE]", {{"{}", 0}, {"[DONE]", 10}}},
    {"a cut name behind it is a field that nobody knows", "data: {}\nda", {{"{}", 0}}},
};

TEST(Events, without_their_blank_line_count_at_a_clean_end_when_the_data_is_whole_json) {
  expect_rows(kOpenEnds, Framing::sse);
  expect_rows({{"an object that is open", "data: {}\n\ndata: {\"a\":1\n", {{"{}", 0}}, 13},
               {"a string that is open", "data: {\"}", {}, 9},
               {"an escape that is open", "data: \"\\\"", {}, 9},
               {"two values", "data: {}{}", {}, 10},
               {"a value and more", "data: {} x", {}, 10},
               {"words", "data: truely", {}, 12},
               {"numbers that are none", "data: 1.", {}, 8},
               {"a leading zero", "data: 01", {}, 8},
               {"no data", "data:\n", {}, 6},
               {"only a name", "event: e\n", {}, 9},
               {"a name alone is no field", "dat", {}},
               {"nor a comment", ": dat", {}}},
              Framing::sse);
}

TEST(Events, without_their_blank_line_never_count_when_the_connection_broke) {
  for (const Row& row : kOpenEnds) {
    SCOPED_TRACE(row.why);
    const Heard heard = hear({row.input}, Framing::sse, Ended::reset);
    EXPECT_EQ(heard.said.size(), row.said.size() - 1);
    EXPECT_EQ(heard.left_over, row.input.size() - row.said.back().offset);
    EXPECT_EQ(cut_difference(heard, row.input, Framing::sse, Ended::reset), "");
    EXPECT_EQ(naive_difference(heard, row.input, Framing::sse, Ended::reset), "");
  }
  expect_rows({{"whole events count", "data: x\n\n", {{"x", 0}}},
               {"what may be a field is left over", "data: x\n\ndat", {{"x", 0}}, 3},
               {"what is none is not", "data: x\n\nfoo: 1", {{"x", 0}}},
               {"nor is a comment", "data: x\n\n: dat", {{"x", 0}}}},
              Framing::sse, Ended::reset);
}

TEST(Json, values_stand_one_a_line_glued_or_over_many_lines) {
  expect_rows(
      {{"an empty stream", "", {}},
       {"white space", " \n\t\r\n", {}},
       {"lines", "{\"a\":1}\n{\"b\":2}\r\n", {{"{\"a\":1}", 0}, {"{\"b\":2}", 8}}},
       {"glued", "{}{\"a\":{}}{}", {{"{}", 0}, {"{\"a\":{}}", 2}, {"{}", 10}}},
       {"over many lines", "{\n  \"a\": [\n    1\n  ]\n}\n{}", {{"{\n  \"a\": [\n    1\n  ]\n}", 0}, {"{}", 23}}},
       {"commas", "{},{} , {},", {{"{}", 0}, {"{}", 3}, {"{}", 8}}},
       {"brackets in strings", R"({"a":"}]\"}\\"}{"b":"\\\""})", {{R"({"a":"}]\"}\\"})", 0}, {R"({"b":"\\\""})", 15}}},
       {"a byte order mark", kMark + "{}", {{"{}", 3}}},
       {"brackets are counted, not paired", "{]{}", {{"{]", 0}, {"{}", 2}}}},
      Framing::json);
}

TEST(Json, values_are_the_items_of_an_array_too) {
  expect_rows({{"an empty array", "[]", {}},
               {"objects", "[{\"a\":1},\n{\"b\":[2]}]\n", {{"{\"a\":1}", 1}, {"{\"b\":[2]}", 10}}},
               {"as Gemini sends it", "[{\n\"a\": 1\n}\n,\r\n{}\n]\n", {{"{\n\"a\": 1\n}", 1}, {"{}", 15}}},
               {"an array in it is a value", "[[1,[2]],[]]", {{"[1,[2]]", 1}, {"[]", 9}}},
               {"two arrays", "[{}][1]\n{}", {{"{}", 1}, {"1", 5}, {"{}", 8}}},
               {"one that stays open", "[{},", {{"{}", 1}}}},
              Framing::json);
}

TEST(Json, scalars_are_values) {
  expect_rows({{"one a line",
                "1\ntrue\n\"a b\"\nnull\n-2.5e3\n",
                {{"1", 0}, {"true", 2}, {"\"a b\"", 7}, {"null", 13}, {"-2.5e3", 18}}},
               {"in an array", "[1, false,\"\"]", {{"1", 1}, {"false", 4}, {"\"\"", 10}}},
               {"glued", "1{}2\"a\"\"b\"", {{"1", 0}, {"{}", 1}, {"2", 3}, {"\"a\"", 4}, {"\"b\"", 7}}},
               {"at the end", "{}12", {{"{}", 0}, {"12", 2}}}},
              Framing::json);
  expect_rows({{"a number may have been cut", "{}12", {{"{}", 0}}, 2},
               {"a word too", "true", {}, 4},
               {"a string was not", "\"a\"", {{"\"a\"", 0}}}},
              Framing::json, Ended::reset);
}

TEST(Json, what_is_no_value_is_an_event_up_to_the_end_of_its_line) {
  expect_rows(
      {{"words", "{}\nInternal error: {\"a\":1}\n{}\n", {{"{}", 0}, {"Internal error: {\"a\":1}", 3}, {"{}", 27}}},
       {"with CR", "oops\r\n{}", {{"oops", 0}, {"{}", 6}}},
       {"without a line end", "{}oops", {{"{}", 0}, {"oops", 2}}},
       {"a number with a tail", "12:30 \n1", {{"12:30 ", 0}, {"1", 7}}},
       {"closers", "]\n}{}\n{}", {{"]", 0}, {"}{}", 2}, {"{}", 6}}},
       {"in an array", "[{},\noops]\n]", {{"{}", 1}, {"oops]", 5}}},
       {"a colon", "\"a\":1\n", {{"\"a\"", 0}, {":1", 3}}},
       {"an event", "data: {}\n\n", {{"data: {}", 0}}},
       {"NUL", "\0 {}\n{}"s, {{"\0 {}"s, 0}, {"{}", 5}}}},
      Framing::json);
  expect_rows({{"it may have been cut", "{}oops", {{"{}", 0}}, 4}}, Framing::json, Ended::reset);
}

TEST(Events, that_are_not_complete_show_what_came_of_them) {
  struct Unfinished {
    std::string input;
    Ended ended;
    std::string data;
  };
  for (const Unfinished& row : std::vector<Unfinished>{{"data: {}\n\ndata: {\"a", Ended::eof, "{\"a"},
                                                       {"data: {\"a", Ended::reset, "{\"a"},
                                                       {"data: {}\n", Ended::reset, "{}"},
                                                       {"data: {}\n", Ended::eof, ""},
                                                       {"data: {\ndata: 1", Ended::eof, "{\n1"},
                                                       {"event: x\ndat", Ended::eof, ""},
                                                       {"data: {}\n\n", Ended::reset, ""},
                                                       {"{\"a\":1}\n{\"b", Ended::eof, "{\"b"},
                                                       {"[{\"a\":1},{\"b", Ended::reset, "{\"b"}}) {
    SCOPED_TRACE(printable(row.input));
    const Heard whole = hear({row.input}, Framing::automatic, row.ended);
    EXPECT_EQ(whole.unfinished, row.data);
    EXPECT_EQ(cut_difference(whole, row.input, Framing::automatic, row.ended), "");
  }
}

TEST(Events, can_be_missing_where_there_are_only_comments) {
  const std::pair<std::string, bool> rows[] = {{"", false},
                                               {"\n\n", false},
                                               {":", true},
                                               {": a\n\n: b", true},
                                               {":\r\n\r\n", true},
                                               {": a\nx\n", false},
                                               {"x\n: a\n", false},
                                               {": a\ndata", false},
                                               {": a\ndata:\n\n", false},
                                               {": a\n\nid: 1\n", false},
                                               {"{}", false},
                                               {" : a\n", false}};
  for (const auto& [input, only] : rows) {
    SCOPED_TRACE(printable(input));
    const Heard whole = hear({input}, Framing::automatic, Ended::eof);
    EXPECT_EQ(whole.comments_only, only);
    EXPECT_EQ(cut_difference(whole, input, Framing::automatic, Ended::eof), "");
    EXPECT_EQ(hear({input}, Framing::automatic, Ended::reset).comments_only, only);
  }
}

TEST(Json, a_value_that_is_open_is_left_over) {
  for (Ended ended : {Ended::eof, Ended::reset})
    expect_rows({{"an object", "{}\n{\"a\":", {{"{}", 0}}, 5},
                 {"a string", "\"a\\\"", {}, 4},
                 {"an item", "[{},[", {{"{}", 1}}, 1}},
                Framing::json, ended);
}

TEST(Framing, is_found_by_the_first_byte_that_is_not_white_space) {
  expect_rows({{"nothing", "", {}},
               {"white space", " \r\n\t", {}},
               {"an event", "data: x\n\n", {{"x", 0}}},
               {"blank lines before it", "\n\r\n\rdata: x\n\n", {{"x", 4}}},
               {"a comment before it", ": {}\n\ndata: x\n\n", {{"x", 6}}},
               {"a space before it makes another name", "\n \tdata: x\ndata: y\n\n", {{"y", 11}}},
               {"a space before a blank line does not", " \ndata: x\n\n", {{"x", 2}}},
               {"nor before a CR", " \r\ndata: x\n\n", {{"x", 3}}},
               {"an object", " \n{\"a\":1}{}", {{"{\"a\":1}", 2}, {"{}", 9}}},
               {"an array", "[{\"data\":1}]", {{"{\"data\":1}", 1}}},
               {"a byte order mark", kMark + "\n {}", {{"{}", 5}}},
               {"and an event", kMark + "data: {}\n\n", {{"{}", 3}}},
               {"a page", "<html>{}</html>", {}}},
              Framing::automatic);
}

TEST(Encoding, writes_an_event_in_as_many_lines_as_it_needs) {
  auto event = [](std::string_view data, std::string_view name = {}) {
    std::string out = "|";
    sse::append_event(out, data, name);
    return out;
  };
  EXPECT_EQ(event("{}"), "|data: {}\n\n");
  EXPECT_EQ(event("{}", "ping"), "|event: ping\ndata: {}\n\n");
  EXPECT_EQ(event(""), "|data:\n\n");
  EXPECT_EQ(event(" a"), "|data:  a\n\n");
  EXPECT_EQ(event("a\nb\rc\r\nd\n"), "|data: a\ndata: b\ndata: c\ndata: d\ndata:\n\n");
  EXPECT_EQ(event("x", "a\ndata: b"), "|event: a data: b\ndata: x\n\n");
}

TEST(Encoding, writes_a_comment_that_nobody_hears) {
  std::string out;
  sse::append_comment(out, "keep alive");
  EXPECT_EQ(out, ": keep alive\n");
  sse::append_comment(out, "");
  EXPECT_EQ(out, ": keep alive\n:\n");
  sse::append_comment(out, "a\ndata: b\n\n");
  EXPECT_EQ(hear({out}, Framing::sse, Ended::eof).said, std::vector<Said>{});
}

// Whoever goes on with a stream from its last id needs those of events that are dropped, and none of half an event.
TEST(Events, without_data_tell_their_id_at_their_end) {
  struct Ids final : sse::Sink {
    std::string all;
    void on_event(const sse::Event& e) override { all += "event " + std::string(e.id) + "\n"; }
    void on_id(std::string_view id) override { all += "id " + std::string(id) + "\n"; }
  };
  const std::string input = ": c\n\nid: 1\nretry: 5\n\ndata: x\n\nevent: e\n\nid: 2\n\nid: 3\ndata: y\n";
  for (std::size_t cut = 0; cut <= input.size(); ++cut) {
    Ids ids;
    sse::Decoder decoder(ids, Framing::sse);
    decoder.push(input.substr(0, cut));
    decoder.push(input.substr(cut));
    decoder.finish(Ended::reset);
    EXPECT_EQ(ids.all, "id 1\nevent 1\nid 1\nid 2\n") << cut;
  }
}

}  // namespace
}  // namespace belay::check
