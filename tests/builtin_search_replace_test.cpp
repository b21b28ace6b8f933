// Search/replace blocks: reading them, and applying all or none.
#include "builtin/search_replace.h"

#include <gtest/gtest.h>

namespace belay::builtin {
namespace {

// A diff of one block.
std::string block(std::string_view search, std::string_view replace, std::string_view head = {}) {
  return "<<<<<<< SEARCH\n" + std::string(head) + std::string(search) + "=======\n" + std::string(replace) +
         ">>>>>>> REPLACE\n";
}

// The text afterwards, or the error.
std::string applied(std::string_view text, std::string_view diff) {
  auto blocks = read_blocks(diff);
  if (!blocks) return "READ: " + blocks.error();
  auto result = apply_blocks(text, *blocks);
  return result ? result->text : "APPLY: " + result.error();
}

void expect_error(std::string_view text, std::string_view diff, std::string_view part) {
  const std::string result = applied(text, diff);
  EXPECT_TRUE(result.starts_with("READ: ") || result.starts_with("APPLY: ")) << result;
  EXPECT_NE(result.find(part), std::string::npos) << result;
}

TEST(SearchReplace, ReplacesLinesThatAreFoundOnce) {
  EXPECT_EQ(applied("a\nb\nc\n", block("b\n", "B\nBB\n")), "a\nB\nBB\nc\n");
  EXPECT_EQ(applied("a\nb\nc\n", block("a\nb\nc\n", "x\n")), "x\n");
  EXPECT_EQ(applied("a\nb\nc\n", block("b\n", "")), "a\nc\n");
  EXPECT_EQ(applied("a\nb\n", block("b\n", "b\nc\n", ":start_line:2\n-------\n")), "a\nb\nc\n");
  EXPECT_EQ(applied("a\nb\n", block("b\n", "x\n", ":start_line: 2\n:end_line: 2\n-------\n")), "a\nx\n");
  EXPECT_EQ(applied("a\nb\n", block("b\n", "x\n", "-------\n")), "a\nx\n");
  EXPECT_EQ(applied("a\n\nb\n", block("a\n\nb\n", "a\nb\n")), "a\nb\n");
  EXPECT_EQ(applied("ab\nb\n", block("b\n", "x\n")), "ab\nx\n") << "whole lines only";
}

TEST(SearchReplace, SeveralBlocksAreLookedForInTheTextAsItWas) {
  EXPECT_EQ(applied("a\nb\nc\n", block("c\n", "C\n") + "\n" + block("a\n", "c\n")), "c\nb\nC\n");
  EXPECT_EQ(applied("a\nb\n", block("a\n", "b\n") + block("b\n", "a\n")), "b\na\n");
  expect_error("a\nb\n", block("a\n", "x\n") + block("x\n", "y\n"), "block 2 of 2 (line 6 of the diff) was not found");
  expect_error("a\nb\nc\n", block("a\nb\n", "x\n") + block("b\nc\n", "y\n"), "overlap in line 2");
  expect_error("a\n", block("a\n", "x\n") + block("a\n", "y\n"), "overlap in line 1");
}

TEST(SearchReplace, OfSeveralPlacesTheNearestToTheStartLineIsMeant) {
  const std::string text = "x\n1\nx\n2\nx\n";
  expect_error(text, block("x\n", "y\n"), "was found 3 times, in lines 1, 3, 5");
  EXPECT_EQ(applied(text, block("x\n", "y\n", ":start_line:3\n")), "x\n1\ny\n2\nx\n");
  EXPECT_EQ(applied(text, block("x\n", "y\n", ":start_line:5\n")), "x\n1\nx\n2\ny\n");
  // Who names a line that is not there has another file in mind.
  expect_error(text, block("x\n", "y\n", ":start_line:6\n"),
               "3 times, in lines 1, 3, 5: its start_line 6 is behind the");
  EXPECT_EQ(applied(text, block("2\n", "y\n", ":start_line:99\n")), "x\n1\nx\ny\nx\n") << "found once";
  expect_error(text, block("x\n", "y\n", ":start_line:2\n"), "equally near");
  // Those that overlap count too.
  expect_error("a\na\na\n", block("a\na\n", "b\n"), "found 2 times, in lines 1, 2");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "x\n";
  expect_error(many, block("x\n", "y\n"), "100 times, in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more");
}

TEST(SearchReplace, WhiteSpaceAtTheEndsOfLinesCountsOnlyIfNothingElseFits) {
  EXPECT_EQ(applied("a  \nb\t\nc\n", block("a\nb\n", "x\n")), "x\nc\n");
  EXPECT_EQ(applied("a\nb\n", block("a  \nb \n", "x \n")), "x \n");
  EXPECT_EQ(applied("a \na\n", block("a\n", "x\n")), "a \nx\n") << "the exact one comes first";
  expect_error("a \na\t\n", block("a\n", "x\n"), "none of them exactly");
  EXPECT_EQ(applied("a \na\t\n", block("a\n", "x\n", ":start_line:2\n")), "a \nx\n");
  expect_error("  a\n", block("a\n", "x\n"), "was not found");
  EXPECT_FALSE(apply_blocks("a \n", *read_blocks(block("a\n", "x\n")))->places[0].exact);
}

TEST(SearchReplace, TheLineEndsOfTheFileStay) {
  EXPECT_EQ(applied("a\r\nb\r\nc\r\n", block("b\n", "x\ny\n")), "a\r\nx\r\ny\r\nc\r\n");
  EXPECT_EQ(applied("a\r\nb\r\n", "<<<<<<< SEARCH\r\nb\r\n=======\r\nx\r\n>>>>>>> REPLACE\r\n"), "a\r\nx\r\n");
  EXPECT_EQ(applied("a\nb\n", "<<<<<<< SEARCH\r\nb\r\n=======\r\nx\r\n>>>>>>> REPLACE\r\n"), "a\nx\n");
  EXPECT_EQ(applied("a\r\nb\n", block("b\n", "x\n")), "a\r\nx\n");
  // Each line has the end of the one that it replaces, and one too many that of the last.
  EXPECT_EQ(applied("a\r\nb\nc\r\nd\n", block("a\nb\nc\n", "x\ny\nz\nzz\n")), "x\r\ny\nz\r\nzz\r\nd\n");
  EXPECT_EQ(applied("a\nb\r\n", block("a\nb\n", "x\ny\n")), "x\ny\r\n");
  EXPECT_EQ(applied("a\r\nb\n", block("a\nb\n", "x\n")), "x\r\n");
  EXPECT_EQ(applied("a\r\nb ", block("a\nb\n", "x\ny\nz\n")), "x\r\ny\r\nz");
  // A last line without an end stays without one, and gets none that others lack.
  EXPECT_EQ(applied("a\nb", block("b\n", "x\ny\n")), "a\nx\ny");
  EXPECT_EQ(applied("a\nb", block("a\n", "x\n")), "x\nb");
  EXPECT_EQ(applied("a\r\nb", block("a\nb\n", "x\ny\n")), "x\r\ny");
  EXPECT_EQ(applied("a\nb", block("b\n", "")), "a\n");
  EXPECT_EQ(applied("\xEF\xBB\xBF"
                    "a\nb\n",
                    block("a\n", "x\n")),
            "\xEF\xBB\xBFx\nb\n");
  EXPECT_EQ(applied(std::string_view("a\0b\nc\n", 6), block(std::string_view("a\0b\n", 4), "x\n")), "x\nc\n");
}

TEST(SearchReplace, MarkersInTheTextHaveABackslash) {
  const std::string conflict = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n-------\n:start_line:1\n";
  const std::string escaped = "\\<<<<<<< SEARCH\na\n\\=======\nb\n\\>>>>>>> REPLACE\n\\-------\n\\:start_line:1\n";
  EXPECT_EQ(applied(conflict + "end\n", block(escaped, "x\n")), "x\nend\n");
  EXPECT_EQ(applied("x\n", block("x\n", escaped)), conflict);
  EXPECT_EQ(applied("x\n", block("x\n", "\\\\=======\n")), "\\=======\n") << "one backslash less";
  EXPECT_EQ(applied("x\n", block("x\n", "\\n\\\\\n")), "\\n\\\\\n") << "others stay";
  EXPECT_EQ(applied("<<<<<<< HEAD\n======\n", block("<<<<<<< HEAD\n======\n", "x\n")), "x\n");
}

TEST(SearchReplace, MalformedDiffsSayTheLineAndWhatWasExpected) {
  expect_error("a\n", "", "the diff is empty");
  expect_error("a\n", "\n \n", "the diff is empty");
  expect_error("a\n", "--- a\n+++ b\n", "line 1 of the diff: expected <<<<<<< SEARCH, got \"--- a\"");
  expect_error("a\n", "\n\nhello\n", "line 3 of the diff: expected <<<<<<< SEARCH");
  expect_error("a\n", "<<<<<<< SEARCH\na\n", "the diff ends after line 2: expected ======= for the block");
  expect_error("a\n", "<<<<<<< SEARCH\na\n=======\nb\n", "ends after line 4: expected >>>>>>> REPLACE");
  expect_error("a\n", "<<<<<<< SEARCH", "ends after line 1: expected =======");
  expect_error("a\n", "<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n", "line 3 of the diff: expected =======");
  expect_error("a\n", "<<<<<<< SEARCH\na\n<<<<<<< SEARCH\n", "line 3 of the diff: expected =======");
  expect_error("a\n", "<<<<<<< SEARCH\na\n=======\nb\n=======\n", "line 5 of the diff: expected >>>>>>> REPLACE");
  expect_error("a\n", "<<<<<<< SEARCH\na\n=======\n<<<<<<< SEARCH\n", "line 4 of the diff: expected >>>>>>> REPLACE");
  expect_error("a\n", block("", "x\n"), "nothing to search for");
  expect_error("a\n", block("a\n", "x\n") + "trailing\n", "line 6 of the diff: expected <<<<<<< SEARCH");
  for (const char* number : {"0", "-1", "x", "", "1x", "99999999999999999999999"})
    expect_error("a\n", block("a\n", "x\n", ":start_line:" + std::string(number) + "\n"),
                 "line 2 of the diff: expected a line number");
  std::string many;
  for (int i = 0; i < 1001; ++i) many += block("a\n", "x\n");
  expect_error("a\n", many, "more than 1000 blocks");
}

TEST(SearchReplace, AMismatchShowsWhatIsReallyThere) {
  const std::string text = "int main() {\n  int a = 1;\n  int b = 2;\n  return a + b;\n}\n";
  const std::string error = applied(text, block("  int a = 1;\n  int b = 3;\n  return a + b;\n", "x\n"));
  EXPECT_NE(error.find("block 1 of 1 (line 1 of the diff) was not found"), std::string::npos) << error;
  EXPECT_NE(error.find("begins in line 2"), std::string::npos) << error;
  EXPECT_NE(error.find("! 3 |   int b = 2;\n  4 |   return a + b;"), std::string::npos) << error;
  expect_error(text, block("  return a - b;\n", "x\n"), "! 4 |   return a + b;");
  expect_error(text, block("something else altogether\n", "x\n"),
               "Nothing in the file is similar to it; it has 5 lines");
  expect_error(text, block("zzzzzz\n", "x\n", ":start_line:2\n"), "In line 2 there is:\n! 2 |   int a = 1;");
  expect_error("", block("a\n", "x\n"), "The file is empty");
  const std::string huge = applied(std::string(100'000, 'a') + "b\n", block(std::string(100'000, 'a') + "c\n", "x\n"));
  EXPECT_LT(huge.size(), 2000U);
}

TEST(SearchReplace, HostileSizesTakeNoTime) {
  // Many equal lines: every place is similar to every other.
  std::string text, search;
  for (int i = 0; i < 200'000; ++i) text += "x\n";
  for (int i = 0; i < 50'000; ++i) search += "x\n";
  expect_error(text, block(search + "y\n", "z\n"), "was not found");
  expect_error(text, block(search, "z\n"), "was found 150001 times");
  std::string blocks;
  for (int i = 0; i < 900; ++i) blocks += block("none\n", "z\n");
  for (int i = 0; i < 400'000; ++i) text += "x\n";
  expect_error(text, blocks, "too many blocks");
}

}  // namespace
}  // namespace belay::builtin
