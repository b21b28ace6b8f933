// What the file tools are made of: diffs, globs, .gitignore, file patterns, lines.
#include "builtin/file_pattern.h"
#include "builtin/glob.h"
#include "builtin/ignore.h"
#include "builtin/line_diff.h"
#include "builtin/line_search.h"
#include "builtin/text_lines.h"
#include "builtin/unified_diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace belay::builtin {
namespace {

bool glob(std::string_view pattern, std::string_view path) {
  auto compiled = Glob::compile(pattern);
  return compiled && compiled->matches(path);
}

TEST(Glob, StarsStayWithinAPartAndTwoDoNot) {
  for (auto [pattern, path] : std::vector<std::pair<const char*, const char*>>{{"a", "a"},
                                                                               {"*", "a"},
                                                                               {"*", ""},
                                                                               {"a*c", "abbc"},
                                                                               {"a*b*c", "aXbXbXc"},
                                                                               {"?", "ü"},
                                                                               {"a?c", "abc"},
                                                                               {"*.c", "x.c"},
                                                                               {"src/*", "src/a"},
                                                                               {"**/a", "a"},
                                                                               {"**/a", "x/y/a"},
                                                                               {"a/**", "a/b"},
                                                                               {"a/**", "a/b/c"},
                                                                               {"a/**/b", "a/b"},
                                                                               {"a/**/b", "a/x/y/b"},
                                                                               {"**", "a/b/c"},
                                                                               {"a**b", "axxb"},
                                                                               {"**/*.c", "a/b/x.c"},
                                                                               {"**/x/**/y", "a/x/b/x/c/y"},
                                                                               {"**/**/a", "a"},
                                                                               {"*/b", "a/b"},
                                                                               {"**/a*/b", "x/ac/ad/b"},
                                                                               {"[abc]x", "bx"},
                                                                               {"[a-c]x", "bx"},
                                                                               {"[!a-c]x", "dx"},
                                                                               {"[^a]", "b"},
                                                                               {"[]]", "]"},
                                                                               {"[!]]", "a"},
                                                                               {"[a-]", "-"},
                                                                               {"[[:digit:]]*", "7x"},
                                                                               {"[\\]]", "]"},
                                                                               {"[ä-ü]", "ö"},
                                                                               {"\\*", "*"},
                                                                               {"\\a", "a"},
                                                                               {"a\\[b", "a[b"},
                                                                               {"?", "\xff"},
                                                                               {"[[:alpha:]_]", "_"}})
    EXPECT_TRUE(glob(pattern, path)) << pattern << " " << path;
  for (auto [pattern, path] : std::vector<std::pair<const char*, const char*>>{
           {"a", "b"},     {"a", "A"},     {"*", "a/b"},     {"a*c", "a/c"},       {"?", ""},
           {"?", "/"},     {"?", "ab"},    {"*.c", "x.cc"},  {"src/*", "src/a/b"}, {"**/a", "ba"},
           {"a/**", "a"},  {"a/**", "a/"}, {"a/**/b", "ab"}, {"a/**/b", "a/xb"},   {"a**b", "a/b"},
           {"[a-c]", "d"}, {"[!a]", "a"},  {"[!a]", "/"},    {"[a", "a"},          {"a\\", "a"},
           {"[", "["},     {"[]", "]"},    {"\\*", "a"},     {"[[:digit:]]", "a"}, {"[a-", "a"},
           {"", "a"}})
    EXPECT_FALSE(glob(pattern, path)) << pattern << " " << path;
}

TEST(Glob, HostilePatternsEnd) {
  std::string pattern, path(4000, 'a');
  for (int i = 0; i < 500; ++i) pattern += "*a";
  EXPECT_FALSE(glob(pattern + "b", path));
  pattern.clear();
  path.clear();
  for (int i = 0; i < 500; ++i) pattern += "**/a*/", path += "aaa/";
  EXPECT_FALSE(glob(pattern + "b", path + "c"));
}

bool ignored(std::string_view rules, std::string_view path, bool folder = false) {
  return IgnoreRules::read(rules).ignored(path, folder).value_or(false);
}

TEST(Ignore, TheRulesOfGit) {
  EXPECT_TRUE(ignored("*.o", "a.o"));
  EXPECT_TRUE(ignored("*.o", "x/y/a.o"));
  EXPECT_TRUE(ignored("/a.o", "a.o"));
  EXPECT_FALSE(ignored("/a.o", "x/a.o"));
  EXPECT_TRUE(ignored("x/a.o", "x/a.o"));
  EXPECT_FALSE(ignored("x/a.o", "y/x/a.o")) << "a slash in the middle anchors";
  EXPECT_TRUE(ignored("build/", "build", true));
  EXPECT_TRUE(ignored("build/", "x/build", true)) << "a slash at the end does not anchor";
  EXPECT_FALSE(ignored("build/", "build", false));
  EXPECT_TRUE(ignored("**/logs", "a/b/logs", true));
  EXPECT_TRUE(ignored("a/**/b", "a/x/y/b"));
  EXPECT_TRUE(ignored("a/**", "a/x"));
  EXPECT_FALSE(ignored("a/**", "a", true));
  EXPECT_FALSE(ignored("*.o\n!keep.o", "keep.o"));
  EXPECT_TRUE(ignored("!keep.o\n*.o", "keep.o")) << "the last rule decides";
  EXPECT_FALSE(ignored("# x", "# x"));
  EXPECT_TRUE(ignored("\\# x", "# x"));
  EXPECT_TRUE(ignored("\\!x", "!x"));
  EXPECT_TRUE(ignored("x   ", "x"));
  EXPECT_TRUE(ignored("x\\ ", "x "));
  EXPECT_FALSE(ignored("x\\ ", "x"));
  EXPECT_TRUE(ignored("x\r\ny\r\n", "y"));
  EXPECT_TRUE(ignored("\xEF\xBB\xBFx", "x"));
  EXPECT_TRUE(ignored("[ab].txt", "b.txt"));
  EXPECT_FALSE(ignored("", "x"));
  EXPECT_FALSE(ignored("/", "x", true));
  EXPECT_FALSE(ignored("!", "x"));
  EXPECT_FALSE(ignored("[a\nb", "a"));
  EXPECT_TRUE(ignored("[a\nb", "b")) << "a rule that cannot be read does not take the others with it";
  EXPECT_TRUE(ignored("doc/*.txt", "doc/a.txt"));
  EXPECT_FALSE(ignored("doc/*.txt", "doc/x/a.txt"));
}

TEST(Ignore, TheNearestFileDecides) {
  IgnoreStack stack;
  stack.push("", IgnoreRules::read("*.log\n/top"));
  stack.push("sub", IgnoreRules::read("!keep.log\n/x"));
  EXPECT_TRUE(stack.ignored("sub/a.log", false));
  EXPECT_FALSE(stack.ignored("sub/keep.log", false));
  EXPECT_TRUE(stack.ignored("sub/x", false));
  EXPECT_FALSE(stack.ignored("sub/top", false));
  EXPECT_FALSE(stack.ignored("sub/y/x", false));
  stack.pop();
  EXPECT_TRUE(stack.ignored("keep.log", false));
}

TEST(FilePatterns, KnowBracesAndRefuseWhatGoesUp) {
  const auto matches = [](std::string_view pattern, std::string_view path) {
    auto compiled = FilePattern::compile(pattern);
    return compiled && compiled->matches(path);
  };
  EXPECT_TRUE(matches("*.ts", "a/b.ts"));
  EXPECT_TRUE(matches("*.{ts,tsx}", "a/b.tsx"));
  EXPECT_TRUE(matches("{a,b{c,d}}.x", "bd.x"));
  EXPECT_FALSE(matches("*.{ts,tsx}", "a/b.js"));
  EXPECT_TRUE(matches("src/**/*.c", "src/a.c"));
  EXPECT_FALSE(matches("src/*.c", "x/src/a.c"));
  EXPECT_TRUE(matches("./src/*.c", "src/a.c"));
  EXPECT_TRUE(matches("", "anything"));
  EXPECT_TRUE(matches("{", "{"));
  for (const char* pattern : {"../**/*", "/etc/*", "a/../b", "..", "{..,a}/x", "{/etc,a}/x", "[a", "{a,../b}"})
    EXPECT_FALSE(FilePattern::compile(pattern)) << pattern;
  std::string many;
  for (int i = 0; i < 30; ++i) many += "{a,b}";
  EXPECT_FALSE(FilePattern::compile(many));
}

TEST(UnifiedDiff, ShowsWhatChangedAsPatchReadsIt) {
  EXPECT_EQ(unified_diff("f", "a\n", "a\n"), "");
  EXPECT_EQ(unified_diff("f", "a\nb\nc\n", "a\nx\nc\n"), "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
  EXPECT_EQ(unified_diff("f", "", "a\n"), "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
  EXPECT_EQ(unified_diff("f", "a\n", ""), "--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a\n");
  EXPECT_EQ(unified_diff("f", "a", "a\n"), "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
  EXPECT_NE(unified_diff("f", "a\r\n", "a\n").find("-a\u240d\n+a\n"), std::string::npos);
  std::string before, after;
  for (int i = 0; i < 40; ++i) {
    before += std::to_string(i) + "\n";
    after += i == 5 ? "five\n" : i == 30 ? "" : std::to_string(i) + "\n";
  }
  EXPECT_EQ(
      unified_diff("f", before, after),
      "--- a/f\n+++ b/f\n@@ -3,7 +3,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -28,7 +28,6 @@\n 27\n 28\n 29\n-30\n"
      " 31\n 32\n 33\n");
}

TEST(UnifiedDiff, IsBoundedAndSaysSo) {
  std::string before, after;
  for (int i = 0; i < 100'000; ++i) {
    before += "old " + std::to_string(i * 7919LL % 100'003) + "\n";
    after += "new " + std::to_string(i * 104'729LL % 100'003) + "\n";
  }
  const std::string diff = unified_diff("f", before, after);
  EXPECT_LT(diff.size(), 20'000U);
  EXPECT_NE(diff.find("not shown]"), std::string::npos);
  EXPECT_LT(unified_diff("f", std::string(1'000'000, 'a'), std::string(1'000'000, 'b')).size(), 1500U);
}

// What the changes make of the old lines.
std::vector<std::uint32_t> patched(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                                   const std::vector<Change>& changes) {
  std::vector<std::uint32_t> out;
  std::size_t at = 0;
  for (const Change& c : changes) {
    for (; at < c.old_from; ++at) out.push_back(a[at]);
    EXPECT_EQ(out.size(), c.new_from);
    for (std::size_t i = c.new_from; i < c.new_to; ++i) out.push_back(b[i]);
    at = c.old_to;
  }
  for (; at < a.size(); ++at) out.push_back(a[at]);
  return out;
}

TEST(LineDiff, ChangesMakeTheNewTextOfTheOld) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t letters = 1 + random() % 8;
    std::vector<std::uint32_t> a(random() % 30), b(random() % 30);
    for (auto& x : a) x = static_cast<std::uint32_t>(random() % letters);
    for (auto& x : b) x = static_cast<std::uint32_t>(random() % letters);
    ASSERT_EQ(patched(a, b, diff_lines(a, b)), b);
  }
}

TEST(LineDiff, SmallChangesGiveTheShortestList) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint32_t> a(12), b(12);
    for (auto& x : a) x = static_cast<std::uint32_t>(random() % 4);
    for (auto& x : b) x = static_cast<std::uint32_t>(random() % 4);
    std::size_t longest[13][13] = {};
    for (std::size_t i = 0; i < 12; ++i)
      for (std::size_t j = 0; j < 12; ++j)
        longest[i + 1][j + 1] = a[i] == b[j] ? longest[i][j] + 1 : std::max(longest[i][j + 1], longest[i + 1][j]);
    std::size_t touched = 0;
    for (const Change& c : diff_lines(a, b)) touched += c.old_to - c.old_from + c.new_to - c.new_from;
    ASSERT_EQ(touched, 24 - 2 * longest[12][12]);
  }
}

TEST(LineDiff, LargeTextsThatDifferMuchTakeTheirFixedPoints) {
  std::mt19937 random(3);
  std::vector<std::uint32_t> a, b;
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    // Every third line is in both, once; the others are noise.
    a.push_back(i % 3 == 0 ? i : 1'000'000 + static_cast<std::uint32_t>(random() % 50));
    b.push_back(i % 3 == 0 ? i : 2'000'000 + static_cast<std::uint32_t>(random() % 50));
  }
  const auto changes = diff_lines(a, b);
  EXPECT_EQ(patched(a, b, changes), b);
  EXPECT_GT(changes.size(), 60'000U);
  std::ranges::shuffle(b, random);
  EXPECT_EQ(patched(a, b, diff_lines(a, b)), b);
}

TEST(LineSearch, ShowsLinesAroundMatchesOnce) {
  const auto search = regex::Search::compile("x");
  ASSERT_TRUE(search);
  const auto found = [&](std::string_view text, LineSearchOptions options = {}) {
    return search_lines(text, *search, options, [] { return true; });
  };
  EXPECT_EQ(found("a\nb\nx1\nc\nd\n").text, "2- b\n3: x1\n4- c\n");
  EXPECT_EQ(found("x\nx\na\nx\n").text, "1: x\n2: x\n3- a\n4: x\n");
  EXPECT_EQ(found("x\na\nb\nc\nx").text, "1: x\n2- a\n--\n4- c\n5: x\n");
  EXPECT_EQ(found("x\na\nb\nx").text, "1: x\n2- a\n3- b\n4: x\n");
  EXPECT_EQ(found("\nx\r\n\n").text, "1- \n2: x\n3- \n");
  EXPECT_EQ(found("a\nb\n").text, "");
  LineSearchOptions two;
  two.matches = 2;
  const auto full = found("x\nx\nx\n", two);
  EXPECT_TRUE(full.full);
  EXPECT_EQ(full.matches, 2U);
  EXPECT_FALSE(found("x\nx\n", two).full);
  EXPECT_EQ(clipped_around(std::string(100, 'a') + "NEEDLE" + std::string(100, 'b'), 100, 106, 10), "...aaNEEDLEbb...");
  EXPECT_EQ(clipped_around("ääää", 4, 6, 5).find('\xc3', 3) != std::string::npos, true);
  EXPECT_EQ(clipped_around(std::string(50, 'x'), 0, 50, 10), "xxxxxxxxxx...");
}

TEST(Lines, AreCountedWithAndWithoutTheLastEnd) {
  EXPECT_EQ(lines_of("").size(), 0U);
  EXPECT_EQ(lines_of("a").size(), 1U);
  EXPECT_EQ(lines_of("a\n").size(), 1U);
  EXPECT_EQ(lines_of("\n\n").size(), 2U);
  EXPECT_EQ(lines_of("a\nb"), (std::vector<std::string_view>{"a\n", "b"}));
  EXPECT_EQ(line_count("a\n\nb"), 3U);
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace belay::builtin
