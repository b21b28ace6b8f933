// Shell commands and their verdicts: the tables of cases/policy/shell.json, limits, and properties of any bytes.
#include "support/outcome.h"

#include <belay/policy/shell.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <vector>

namespace belay::policy {
namespace {

using namespace std::string_literals;

json::Document table() {
  std::ifstream file(BELAY_CASES_DIR "/policy/shell.json", std::ios::binary);
  return check::document_of(std::string(std::istreambuf_iterator<char>(file), {}));
}

void expect_all(Decision decision) {
  const json::Document document = table();
  const std::string workspace(document.root().find("workspace")->as_string());
  std::size_t count = 0;
  for (const json::Value command : document.root().find(name(decision))->items()) {
    const ShellVerdict verdict = judge_command(command.as_string(), {}, workspace);
    EXPECT_EQ(name(verdict.decision), name(decision))
        << check::printable(command.as_string()).substr(0, 300) << "\n  " << verdict.reason;
    EXPECT_FALSE(verdict.reason.empty());
    EXPECT_LT(verdict.reason.size(), 160u) << verdict.reason;
    ++count;
  }
  EXPECT_GT(count, 2u);
}

TEST(ShellCases, that_only_read_the_workspace_are_allowed) { expect_all(Decision::allow); }
TEST(ShellCases, that_only_read_but_can_be_misled_need_the_sandbox) { expect_all(Decision::sandbox); }
TEST(ShellCases, that_could_change_something_are_asked_about) { expect_all(Decision::ask); }
TEST(ShellCases, with_a_NUL_byte_are_denied) { expect_all(Decision::deny); }

TEST(ShellLimit, has_a_name_in_the_reason) {
  const auto reason = [](std::string_view command, ShellLimits limits) {
    return judge_command(command, limits).reason;
  };
  EXPECT_EQ(reason("ls abc", {.bytes = 5}), "over the limit bytes (5)");
  EXPECT_EQ(reason("ls;ls;ls", {.commands = 2}), "over the limit commands (2)");
  EXPECT_EQ(reason("ls a b c", {.words = 3}), "over the limit words (3)");
  EXPECT_EQ(reason("( ( ls ) )", {.depth = 1}), "over the limit depth (1)");
  EXPECT_EQ(judge_command("( ( ls ) )", {.depth = 2}).decision, Decision::allow);
}

TEST(ShellWorkspace, decides_about_absolute_paths) {
  const auto decide = [](std::string_view command, std::string_view workspace) {
    return name(judge_command(command, {}, workspace).decision);
  };
  EXPECT_EQ(decide("cat /home/me/w/a", "/home/me/w"), "allow");
  EXPECT_EQ(decide("cat /home/me/w/a", "/home/me/w/"), "allow");
  EXPECT_EQ(decide("cat /home/me/w2/a", "/home/me/w"), "ask");
  EXPECT_EQ(decide("cat /home/me/w/../a", "/home/me/w"), "ask");
  EXPECT_EQ(decide("cat /home/me/w/a", ""), "ask");
  EXPECT_EQ(decide("cat /home/me/w/a", "/"), "ask");
  EXPECT_EQ(decide("cat /home/me/w/.git/config", "/home/me/w"), "ask");
  EXPECT_EQ(decide("cat /home/.git/w/a", "/home/.git/w"), "allow");
}

TEST(ShellReason, is_one_sentence_that_a_person_understands) {
  const auto reason = [](std::string_view command) { return judge_command(command).reason; };
  EXPECT_EQ(reason("git diff"), "git diff can run programs that the repository's configuration names");
  EXPECT_EQ(reason("echo hi; touch x"), "touch writes files");
  EXPECT_EQ(reason("sort --outp=x a"), "the option --outp of sort is not one that is known");
  EXPECT_EQ(reason("echo a\xE2\x80\x8B"), "it has characters that cannot be seen");
  EXPECT_EQ(reason("echo \xFF"), "it has bytes that are not UTF-8");
  EXPECT_EQ(reason("sort *.txt"), "a file whose name begins with a dash would be an option of sort: write ./*.txt");
}

TEST(ShellTime, is_linear_in_the_size) {
  const auto start = std::chrono::steady_clock::now();
  constexpr std::size_t kSize = 4u << 20;
  const ShellLimits limits{.bytes = 2 * kSize, .commands = kSize, .words = kSize, .depth = kSize};
  for (const std::string& piece : {"a"s, "'"s, "\""s, "( "s, "ls;"s, "\\\n"s, "cat <<A\n"s, "*"s, "{ "s, "<"s, "if "s,
                                   "\xE4\xB8\xAD"s, "a "s, "ls|"s, "cat <<A;"s}) {
    std::string command = "echo ";
    while (command.size() < kSize / 32) command += piece;
    (void)judge_command(command, limits);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

// Bytes that mean something to a shell, in random order.
rc::Gen<std::string> shell_bytes() {
  static const std::vector<std::string> kPieces = {
      "ls",         "cat",   "echo", "grep", "git", "status",   "find",  "sed",     "-n",  "1p",
      "a.txt",      " ",     " ",    " ",    ";",   "&",        "|",     "&&",      "||",  "\n",
      "(",          ")",     "{",    "}",    "<",   ">",        "<<EOF", "\nEOF\n", "<<<", "2>&1",
      ">/dev/null", "'",     "\"",   "\\",   "$",   "$(",       "`",     "${x}",    "$?",  "$'",
      "*",          "?",     "[",    "]",    "~",   "#",        "!",     "=",       "if ", "; then ",
      "; fi",       "-exec", "--",   "-o",   "\t",  "\xC3\xA9", "\x80",  "\x1B",    "../", "/etc/passwd"};
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces)),
                      [](const std::vector<std::string>& pieces) {
                        std::string out;
                        for (const std::string& piece : pieces) out += piece;
                        return out;
                      });
}

RC_GTEST_PROP(ShellProperty, any_bytes_have_a_verdict_and_always_the_same, ()) {
  const auto bytes = *rc::gen::arbitrary<std::string>();
  RC_ASSERT(judge_command(bytes) == judge_command(bytes));
  const auto shell = *shell_bytes();
  RC_ASSERT(judge_command(shell) == judge_command(shell));
}

RC_GTEST_PROP(ShellProperty, nothing_makes_what_follows_on_a_new_line_harmless, ()) {
  // An empty line, since the first newline may be escaped; spaces, since a here-document may have just ended.
  const auto before = *shell_bytes();
  RC_ASSERT(judge_command(before + "\n\ntouch x").decision >= Decision::ask);
  RC_ASSERT(judge_command("touch x\n" + before).decision >= Decision::ask);
}

RC_GTEST_PROP(ShellProperty, quotes_around_plain_words_change_nothing, ()) {
  static const std::vector<std::string> kWords = {"-la",         "a.txt",   "-o",    "--output=x", "-exec", "src/b",
                                                  "/etc/passwd", "..",      "-n",    "5",          "-",     "--",
                                                  ".git",        "-delete", "-name", "p"};
  static const std::vector<std::string> kNames = {"ls",  "cat",  "sort", "find", "sed",
                                                  "git", "uniq", "head", "rm",   "test"};
  std::string plain = *rc::gen::elementOf(kNames);
  std::string quoted = "'" + plain + "'";
  std::string doubled = "\"" + plain + "\"";
  for (const std::string& word : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kWords))) {
    plain += " " + word;
    quoted += " '" + word + "'";
    doubled += " \"" + word + "\"";
  }
  RC_ASSERT(judge_command(plain) == judge_command(quoted));
  RC_ASSERT(judge_command(plain) == judge_command(doubled));
}

RC_GTEST_PROP(ShellProperty, a_list_is_as_good_as_its_worst_part, ()) {
  static const std::vector<std::string> kParts = {"ls", "git status", "touch x", "echo 'a'", "cat ../x", "pwd"};
  static const std::vector<std::string> kJoins = {"; ", " && ", " || ", " | ", "\n"};
  Decision worst = Decision::allow;
  std::string command;
  for (int i = *rc::gen::inRange(1, 6); i > 0; --i) {
    const std::string part = *rc::gen::elementOf(kParts);
    worst = std::max(worst, judge_command(part).decision);
    command += (command.empty() ? "" : *rc::gen::elementOf(kJoins)) + part;
  }
  RC_ASSERT(judge_command(command).decision == worst);
}

}  // namespace
}  // namespace belay::policy
