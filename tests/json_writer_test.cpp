// Writer: compact JSON that every parser accepts.
#include "support/independent.h"
#include "support/outcome.h"
#include "support/prefix.h"

#include <gtest/gtest.h>

namespace belay::check {
namespace {

std::string rewritten(std::string_view text) { return json::to_string(root_of(document_of(text))); }
std::string string(std::string_view content) {
  std::string out;
  json::write_string(content, out);
  return out;
}

TEST(Writer, leaves_out_white_space) {
  EXPECT_EQ(rewritten(" { \"a\" : [ 1 , 2 , { } ] ,\n\t\"b\" : null } "), R"({"a":[1,2,{}],"b":null})");
}

TEST(Writer, keeps_the_order_of_members_and_the_spelling_of_numbers) {
  EXPECT_EQ(rewritten(R"({"z":1.50,"a":1E+5,"m":-0,"b":123456789012345678901234567890})"),
            R"({"z":1.50,"a":1E+5,"m":-0,"b":123456789012345678901234567890})");
}

TEST(Writer, writes_scalars_at_the_top) {
  for (std::string_view text : {"true", "false", "null", "12", "\"x\"", "[]", "{}"}) EXPECT_EQ(rewritten(text), text);
}

TEST(Writer, escapes_only_what_JSON_demands) {
  EXPECT_EQ(string("a\"b\\c/d'e\x7f"), "\"a\\\"b\\\\c/d'e\x7f\"");
  EXPECT_EQ(string("é😀\xe2\x80\xa8"), "\"é😀\xe2\x80\xa8\"");
  EXPECT_EQ(string("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(string(""), "\"\"");
}

TEST(Writer, escapes_every_control_character_so_that_it_reads_back) {
  for (int c = 0; c < 0x20; ++c) {
    const std::string content = {'x', static_cast<char>(c), 'y'};
    const std::string written = string(content);
    EXPECT_EQ(written.find(static_cast<char>(c)), written.npos) << c;
    Independent other = parse_independently(written);
    ASSERT_EQ(other.opinion, Opinion::accepted) << written;
    EXPECT_EQ(other.tree.text, content);
  }
}

TEST(Writer, appends) {
  std::string out = "value: ";
  json::Document d = document_of("[1]");
  json::write(d.root(), out);
  json::write_string("s", out);
  EXPECT_EQ(out, "value: [1]\"s\"");
}

TEST(Writer, turns_bytes_that_are_not_UTF_8_into_replacement_characters) {
  const std::string_view bad[] = {"\xff",      "a\xe9z",  "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                  "x\xe2\x82", "\x80\x80"};
  for (std::string_view bytes : bad) {
    const std::string written = string(bytes);
    EXPECT_TRUE(is_utf8(written)) << printable(written);
    EXPECT_NE(written.find("\xef\xbf\xbd"), written.npos) << printable(written);
  }
  EXPECT_EQ(string("a\xe9z"), "\"a\xef\xbf\xbdz\"");
}

TEST(Writer, writes_long_strings_with_an_escape_at_every_place) {
  // Whatever is scanned in blocks must see the one byte that matters wherever it stands.
  for (std::size_t at = 0; at < 130; ++at) {
    std::string content(130, 'x');
    content[at] = at % 2 == 0 ? '"' : '\n';
    EXPECT_EQ(string(content), json_string(content)) << at;
  }
}

TEST(Writer, writes_parts_of_a_document) {
  json::Document d = document_of(R"({"a":[1,{"b":"c"}],"d":2})");
  EXPECT_EQ(json::to_string(*d.root().find("a")), R"([1,{"b":"c"}])");
  EXPECT_EQ(json::to_string(*d.root().find("a")->at(1)), R"({"b":"c"})");
  EXPECT_EQ(json::to_string(*d.root().find("d")), "2");
}

}  // namespace
}  // namespace belay::check
