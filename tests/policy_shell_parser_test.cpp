// How shell text is read: words, redirections, nesting, and what ends the reading.
#include <policy/shell_parser.h>

#include <gtest/gtest.h>

namespace belay::policy {
namespace {

// Commands as "word|word;word|word", with marks for what is not literal.
std::string read(std::string_view text) {
  const auto script = parse_shell(text, {});
  if (!script) return "! " + script.error().reason;
  std::string out;
  for (const SimpleCommand& command : script->commands) {
    if (!out.empty()) out += ';';
    out += std::string(command.depth, '(');
    bool first = true;
    for (const Word& word : command.words) {
      if (!first) out += '|';
      first = false;
      out += word.text;
      if (word.glob()) out += "<glob>";
      if (word.tilde) out += "<tilde>";
      if (word.brace) out += "<brace>";
      if (word.status) out += "<status>";
    }
    for (const Redirect& redirect : command.redirects)
      out += "<" + std::to_string(static_cast<int>(redirect.kind)) + " " + std::to_string(redirect.fd) + " " +
             redirect.target.text + ">";
    if (command.input) out += "<input>";
  }
  return out;
}

TEST(ShellWords, lose_their_quotes) {
  EXPECT_EQ(read("a b"), "a|b");
  EXPECT_EQ(read("'a b' c"), "a b|c");
  EXPECT_EQ(read("a'b'\"c\"d"), "abcd");
  EXPECT_EQ(read(R"("a\"b\\c\$d\`e\f")"), R"(a"b\c$d`e\f)");
  EXPECT_EQ(read(R"('a\b"c')"), R"(a\b"c)");
  EXPECT_EQ(read(R"(\a\ \;b)"), "a ;b");
  EXPECT_EQ(read("a\\\nb"), "ab");
  EXPECT_EQ(read("\"a\\\nb\""), "ab");
  EXPECT_EQ(read("'' \"\""), "|");
  EXPECT_EQ(read(R"($'a\tb\x41\102\\')"), "a\tbAB\\");
  EXPECT_EQ(read("a$ $ \"b$\" c$/"), "a$|$|b$|c$/");
}

TEST(ShellWords, say_what_a_shell_would_still_do) {
  EXPECT_EQ(read("a* '*' \\* [a-z] ?"), "a*<glob>|*|*|[a-z]<glob>|?<glob>");
  EXPECT_EQ(read("[ a ]"), "[|a|]");
  EXPECT_EQ(read("~ ~/x a=~ a:~ a~ '~' \\~"), "~<tilde>|~/x<tilde>|a=~<tilde>|a:~<tilde>|a~|~|~");
  EXPECT_EQ(read("{a,b} {1..2} {} {a} '{a,b}' x@{1}"), "{a,b}<brace>|{1..2}<brace>|{}|{a}|{a,b}|x@{1}");
  EXPECT_EQ(read("a$? \"$?\""), "a0<status>|0<status>");
}

TEST(ShellWords, end_before_comments_and_operators) {
  EXPECT_EQ(read("a #b c"), "a");
  EXPECT_EQ(read("a#b"), "a#b");
  EXPECT_EQ(read("a '#b'"), "a|#b");
  EXPECT_EQ(read("a#;b"), "a#;b");
  EXPECT_EQ(read("a;b&&c||d|e\nf"), "a;b;c;d;e<input>;f");
  EXPECT_EQ(read("a>b"), "a<1 -1 b>");
}

TEST(ShellRedirections, have_numbers_and_targets) {
  EXPECT_EQ(read("a 2>&1"), "a<6 2 1>");
  EXPECT_EQ(read("a 2 >x"), "a|2<1 -1 x>");
  EXPECT_EQ(read("a2>x"), "a2<1 -1 x>");
  EXPECT_EQ(read("a '2'>x"), "a|2<1 -1 x>");
  EXPECT_EQ(read("a $?>x"), "a|0<status><1 -1 x>");
  EXPECT_EQ(read("a <x"), "a<0 -1 x><input>");
  EXPECT_EQ(read("a >>x >|y <>z"), "a<1 -1 x><2 -1 y><4 -1 z>");
  EXPECT_EQ(read("a <<< 'b c'"), "a<7 -1 b c><input>");
  EXPECT_EQ(read(">x a"), "a<1 -1 x>");
  EXPECT_TRUE(read("a >").starts_with('!'));
  EXPECT_TRUE(read("a > ;").starts_with('!'));
  EXPECT_TRUE(read("a &>w").starts_with('!')) << "sh and bash disagree";
  EXPECT_TRUE(read("a &>>w").starts_with('!'));
  EXPECT_TRUE(read("a 12>x").starts_with('!'));
  EXPECT_TRUE(read("a {b}>x").starts_with('!'));
}

TEST(ShellHereDocuments, are_skipped_when_nothing_expands) {
  EXPECT_EQ(read("a <<'E'\n$x `y`\nE\nb"), "a<7 -1 E><input>;b");
  EXPECT_EQ(read("a <<E\nx;y\nE\nb"), "a<7 -1 E><input>;b");
  EXPECT_EQ(read("a <<-E\n\tx\n\t\tE\nb"), "a<7 -1 E><input>;b");
  EXPECT_EQ(read("a <<A <<B\n1\nA\n2\nB\nb"), "a<7 -1 A><7 -1 B><input>;b");
  EXPECT_EQ(read("a <<E; b\nx\nE"), "a<7 -1 E><input>;b");
  EXPECT_EQ(read("a <<E # c\nx\nE"), "a<7 -1 E><input>");
  for (std::string_view bad : {"a <<E", "a <<E\nx", "a <<E\n$x\nE", "a <<E\n\\\nE", "a <<E 'x\ny'\nE", "a <<E \\\nb\nE",
                               "a <<E \"x\ny\"\nE", "a <<$x\n", "a <<'a b'\na b", "a <<*\n*", "a <<''\n\n", "a <<\n"})
    EXPECT_TRUE(read(bad).starts_with('!')) << bad;
}

TEST(ShellNesting, is_counted) {
  EXPECT_EQ(read("(a; b)"), "(a;(b");
  EXPECT_EQ(read("{ a; }"), "(a");
  EXPECT_EQ(read("{ (a) }"), "! two commands stand without a separator");
  EXPECT_EQ(read("a | (b; { c; })"), "a;(b<input>;((c<input>");
  EXPECT_EQ(read("if a; then b; elif c; then d; else e; fi | f"), "(a;(b;(c;(d;(e;f<input>");
  EXPECT_EQ(read("! a && ! b"), "a;b");
  EXPECT_EQ(read("a if then fi { }"), "a|if|then|fi|{|}");
  EXPECT_EQ(read("'if' a"), "if|a");
}

TEST(ShellGrammar, ends_the_reading_at_what_it_does_not_have) {
  for (std::string_view bad : {"",
                               " ",
                               "#",
                               ";",
                               "a;;b",
                               "|a",
                               "a|",
                               "a&&",
                               "a||",
                               "a&",
                               "a&b",
                               "(a",
                               "a)",
                               "()",
                               "{ }",
                               "{ a",
                               "}",
                               "(a))",
                               "a(b)",
                               "a()",
                               "f() { a; }",
                               "((a))",
                               "a=(b)",
                               "if a; fi",
                               "if a; then b",
                               "then",
                               "else",
                               "fi",
                               "do",
                               "done",
                               "if; then a; fi",
                               "for i in a; do b; done",
                               "while a; do b; done",
                               "case a in b) c;; esac",
                               "[[ a ]]",
                               "time a",
                               "function f { a; }",
                               "coproc a",
                               "select a in b; do c; done",
                               "'a",
                               "\"a",
                               "a\\",
                               "`a`",
                               "$(a)",
                               "$((1))",
                               "${a}",
                               "$a",
                               "\"$a\"",
                               "$1",
                               "$@",
                               "$[1]",
                               "$$",
                               "$!",
                               "$-",
                               "$#",
                               "$*",
                               "<(a)",
                               "a <(b)",
                               "a >(b)",
                               "$\"a\"",
                               "$'\\''",
                               "$'\\e'",
                               "$'\\0'",
                               "$'\\u0041'",
                               "$'a",
                               "a !(b)",
                               "{ a; } b",
                               "(a) b",
                               "a ;& b"})
    EXPECT_TRUE(read(bad).starts_with('!')) << bad << " is read as " << read(bad);
}

}  // namespace
}  // namespace belay::policy
