// What patterns find: ECMA-262 with the u flag, through RE2.
#include "support/outcome.h"

#include <belay/regex.h>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace belay::check {
namespace {

using namespace std::string_view_literals;
using Texts = std::vector<std::string_view>;

struct Row {
  std::string_view pattern;
  Texts found, not_found;
};

void expect_found(const std::vector<Row>& rows) {
  const auto regexes = regex::make_regexes();
  for (const Row& row : rows) {
    SCOPED_TRACE(printable(row.pattern));
    const auto pattern = regexes->compile(row.pattern);
    ASSERT_TRUE(pattern) << pattern.error();
    for (std::string_view text : row.found) EXPECT_TRUE((*pattern)->found_in(text)) << printable(text);
    for (std::string_view text : row.not_found) EXPECT_FALSE((*pattern)->found_in(text)) << printable(text);
    EXPECT_TRUE(regex::is_regex(row.pattern));
  }
}

TEST(Regex, is_found_anywhere_unless_anchored) {
  expect_found({
      {"", {"", "a", "\n"}, {}},
      {"a", {"a", "xax", "\na"}, {"", "A", "b"}},
      {"a+b", {"xaab", "ab"}, {"b", "a b"}},
      {"^a", {"a", "ab"}, {"ba", "b\na"}},
      {"a$", {"a", "ba"}, {"ab", "a\n", "a\nb", "a\r", "a\xE2\x80\xA8"}},
      {"^abc$", {"abc"}, {"abc\\n", "abc\n", "\nabc", " abc"}},
      {"^$", {""}, {"\n", "a"}},
      {"$^", {""}, {"\n", "a"}},
      {"a^b", {}, {"ab", "a\nb", "a^b"}},
      {"^|a$", {"", "b", "ba"}, {}},
      {"(^a|b$)", {"ax", "xb"}, {"xa", "bx"}},
  });
}

TEST(Regex, classes_of_ASCII_are_of_ASCII_only) {
  expect_found({
      {R"(^\d$)", {"0", "9"}, {"a", "߀", "৪", "٣", ""}},
      {R"(^\D$)", {"a", "߀", "\n", "🐲"}, {"0", "9", "aa"}},
      {R"(^\w$)", {"a", "Z", "0", "_"}, {"é", "-", "ſ", "\u212A", " "}},
      {R"(^\W$)", {"é", "-", "🐲", "\n"}, {"a", "_", "5"}},
      {R"(^[\d_]+$)", {"1_2"}, {"1a", "৪"}},
      {R"(^[^\d]$)", {"a", "৪"}, {"4"}},
      {R"(^[\D]$)", {"a", "৪"}, {"4"}},
      {R"(^[\W\d]+$)", {"4-é"}, {"a", "_"}},
      {R"(^[\w-]+$)", {"a-b"}, {"a.b", "é"}},
      {R"(\wcole)", {"l'ecole"}, {"l'école"}},
      {"[a-z]cole", {"ecole"}, {"école", "Ecole"}},
  });
}

TEST(Regex, white_space_is_that_of_Unicode) {
  const Texts spaces = {" ",      "\t",     "\v",     "\f",     "\r",     "\n",     "\u00A0", "\u1680", "\u2000",
                        "\u2003", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000", "\uFEFF"};
  const Texts others = {"a", "\x01", "\u0085", "\u180E", "\u200B", "\u2013", "\u2060", "\x1F", "", "🐲"};
  expect_found({
      {R"(^\s$)", spaces, others},
      {R"(^[\s]$)", spaces, others},
      {R"(^[^\S]$)", spaces, others},
      {R"(\S)", {"a", "\x01", "\u0085", "\u200B"}, spaces},
      {R"([^\s])", {"a", "\x01", "\u0085"}, spaces},
      {R"(^[^\S\n]$)", {" ", "\t", "\u3000"}, {"\n", "a"}},
      {R"(^[\s\S]$)", {" ", "a", "\n", "🐲"}, {"", "ab"}},
      {R"(^[^\s\S]$)", {}, {" ", "a", "\n", ""}},
      {R"(^[\S\n]+$)", {"a\nb"}, {"a b"}},
      {R"(^\S(|(.|\n)*\S)$)", {"a", "a b", "a\nb"}, {" a", "a ", "\n"}},
  });
}

TEST(Regex, the_dot_is_one_code_point_and_no_line_end) {
  expect_found({
      {"^.$", {"a", "é", "中", "🐲", "\u0085", "\v", "\f", "\0"sv}, {"", "ab", "\n", "\r", "\u2028", "\u2029"}},
      {"^..$", {"🐲é"}, {"🐲", "é"}},
      {"^.*$", {"", "abc"}, {"a\nb", "\n", "abc\r"}},
      {"a.c", {"abc", "a🐲c"}, {"a\nc", "ac"}},
      {"^[.]$", {"."}, {"a"}},
  });
}

TEST(Regex, word_boundaries_are_between_ASCII_words_and_the_rest) {
  expect_found({
      {R"(\bfoo\b)", {"foo", "a foo.", "éfooé", "-foo-"}, {"foobar", "_foo", "foo1"}},
      {R"(\b)", {"a", "-a", "éa"}, {"", "-", "é", "🐲"}},
      {R"(\B)", {"", "-", "aa", "é", "éé"}, {"a", "aéa", "a🐲a", "a-a"}},
      {R"(a\Bb)", {"ab"}, {"a b", "a"}},
      {R"(\Boo)", {"foo"}, {"oo", "f oo"}},
      {R"(^\B)", {"", "-a"}, {"a"}},
      {R"(x|\B$)", {"x", "-", ""}, {"a"}},
      {R"((?:\B)+)", {"-"}, {"aéa"}},
      {R"(é\B)", {"é", "éé"}, {"éa"}},
      {R"(^[\b]$)", {"\b"}, {"b", ""}},
  });
}

TEST(Regex, escapes_name_one_character) {
  expect_found({
      {R"(^\t\n\v\f\r$)", {"\t\n\v\f\r"}, {"tnvfr"}},
      {R"(^\t$)", {"\t"}, {"\\t", "t"}},
      {R"(^\cC$)", {"\x03"}, {"\\cC", "C"}},
      {R"(^\cc\cZ\cz$)", {"\x03\x1A\x1A"}, {}},
      {R"(^\0$)", {"\0"sv}, {"0", ""}},
      {R"(^\0a[\0]$)", {"\0a\0"sv}, {"a"}},
      {R"(^\x41\xe9\x00$)", {"Aé\0"sv}, {"A\xC3\xA9"}},
      {R"(^\u0041\u00E9\u4e2d$)", {"Aé中"}, {}},
      {R"(^\u{41}\u{1F432}\u{10FFFF}\u{000061}$)", {"A🐲\U0010FFFFa"}, {}},
      {R"(^\uD83D\uDC32$)", {"🐲"}, {"🐉", ""}},
      {R"(^\ud83d\udc32+$)", {"🐲🐲"}, {"🐲🐉"}},
      {R"(^[\uD83D\uDC32]$)", {"🐲"}, {"🐉"}},
      {R"(^[\uD83D\uDC00-\uD83D\uDFFF]$)", {"🐲", "🐉"}, {"a", "🤖"}},
      {R"(\uD83D)", {}, {"🐲", "\uFFFD", "?"}},
      {R"(\uDC32\uD83D)", {}, {"🐲", "\uFFFD"}},
      {R"(\u{D83D}\u{DC32})", {}, {"🐲"}},
      {R"(^[\uD83D]*$)", {""}, {"🐲", "\uFFFD"}},
      {R"(^[^\uD83D]$)", {"🐲", "a", "\uFFFD"}, {""}},
      {R"(^\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/$)", {R"(^$\.*+?()[]{}|/)"}, {}},
      {R"(^[\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/\-]+$)", {R"(-^$\.*+?()[]{}|/)"}, {"a"}},
      {R"(^a/b$)", {"a/b"}, {}},
  });
}

TEST(Regex, literals_are_only_themselves) {
  expect_found({
      {"^🐲*$", {"", "🐲", "🐲🐲"}, {"🐉", "🐉🐉", "D", "DD"}},
      {"^é$", {"é"}, {"e", "e\u0301", "É"}},
      {"^\u212A$", {"\u212A"}, {"K", "k"}},
      {"a\nb", {"a\nb"}, {"a b", "anb"}},
      {"a#b c", {"a#b c"}, {"ab", "a"}},
      {"^-~!@%&=:;'\"<>,`$", {"-~!@%&=:;'\"<>,`"}, {}},
      {R"(^\\Q$)", {R"(\Q)"}, {"Q"}},
      {"^\0$"sv, {"\0"sv}, {""}},
      {"\x7f", {"\x7f"}, {""}},
      {"^\uFEFFa$", {"\uFEFFa"}, {"a"}},
  });
}

TEST(Regex, repetition_counts_and_lazy_is_the_same) {
  expect_found({
      {"^a*$", {"", "aaa"}, {"b"}},
      {"^a+?b??c*?$", {"a", "abc", "aacc"}, {"", "bc"}},
      {"^a{3}$", {"aaa"}, {"aa", "aaaa"}},
      {"^a{0}$", {""}, {"a"}},
      {"^a{0}b$", {"b"}, {"ab"}},
      {"^a{0,0}$", {""}, {"a"}},
      {"^a{2,}$", {"aa", "aaaaa"}, {"a"}},
      {"^a{0,}$", {"", "aa"}, {"b"}},
      {"^a{1,}$", {"a"}, {""}},
      {"^a{2,4}?$", {"aa", "aaa", "aaaa"}, {"a", "aaaaa"}},
      {"^a{003,0004}$", {"aaa", "aaaa"}, {"aa"}},
      {"^🐲{2}$", {"🐲🐲"}, {"🐲"}},
      {"^(ab){2}$", {"abab"}, {"abb", "ab"}},
      {"^(?:a|bc){2,3}$", {"abc", "bcbcbc", "aa"}, {"a", "bcb"}},
      {"^[ab]{2}c$", {"abc", "bbc"}, {"ac"}},
      {"^(a*)*$", {"", "aaa"}, {"b"}},
      {"^(a*)+b$", {"b", "aab"}, {"aaa"}},
      {"^(|a)+$", {"", "aa"}, {"b"}},
      {"^(?:a?){3}$", {"", "aaa"}, {"aaaa"}},
      {"^(?:){5}()*$", {""}, {"a"}},
      {"^(?:^){3}a$", {"a"}, {"aa"}},
  });
}

TEST(Regex, groups_and_alternatives_may_be_empty) {
  expect_found({
      {"^(?:a|b)c$", {"ac", "bc"}, {"abc"}},
      {"^(a|)b$", {"ab", "b"}, {"aab"}},
      {"^(|a)$", {"", "a"}, {"b"}},
      {"^()$", {""}, {"a"}},
      {"^(?:)a$", {"a"}, {""}},
      {"|", {"", "a"}, {}},
      {"^(?:a||b)$", {"", "a", "b"}, {"c"}},
      {"a|b|", {"", "c"}, {}},
      {"^(?<year>\\d{4})-(?<month>\\d\\d)$", {"2024-12"}, {"24-12"}},
      {"^(?<größe>x)(?<$_1>y)(?<\\u0061\\u{62}>z)$", {"xyz"}, {"xy"}},
      {"(?<a>x)|(?<a>y)", {"x", "y"}, {"z"}},
      {"^((((a))))$", {"a"}, {""}},
      {"ab|cd", {"ab", "xcd"}, {"ac", "bd"}},
  });
}

TEST(Regex, classes_know_no_syntax_but_ECMAs) {
  expect_found({
      {"[]", {}, {"", "a", "[]"}},
      {"a|[]", {"a"}, {"b"}},
      {"^[]*$", {""}, {"a"}},
      {"^[^]$", {"a", "\n", "🐲", "\0"sv}, {"", "ab"}},
      {"^[^]*$", {"", "a\nb"}, {}},
      {"^[a-]$", {"a", "-"}, {"b"}},
      {"^[-a]$", {"a", "-"}, {"b"}},
      {"^[a-c-e]$", {"a", "b", "c", "-", "e"}, {"d"}},
      {"^[+--]$", {"+", ",", "-"}, {"."}},
      {"^[--0]$", {"-", ".", "/", "0"}, {"+"}},
      {"^[^-a]$", {"b"}, {"-", "a"}},
      {"^[a^]$", {"a", "^"}, {"b"}},
      {"^[\\^a]$", {"a", "^"}, {"b"}},
      {"^[[:alpha:]]$", {"a]", ":]", "[]", "l]"}, {"b", "z", "a", "b]"}},
      {"^[[=a=][.-.]]$", {}, {"a"}},
      {"^[a&&b]$", {"a", "&", "b"}, {"c"}},
      {"^[a||b~~c]+$", {"a|b~c"}, {"d"}},
      {"^[(){}*+?.|$/]+$", {"(){}*+?.|$/"}, {"a"}},
      {"^[ #]$", {" ", "#"}, {"a"}},
      {"^[é-ü🐀-🐿]$", {"é", "ñ", "🐲"}, {"e", "🤖"}},
      {R"(^[\x00-\x1f\u{7f}]$)", {"\0"sv, "\n", "\x7f"}, {" ", "a"}},
      {R"(^[\ud000-\ue010]$)", {"\ud000", "\ue000", "\ue010"}, {"\ue011", "\ucfff"}},
      {R"(^[\cA-\cZ]$)", {"\x01", "\x1a"}, {"a"}},
      {R"(^[^\W_]+$)", {"aZ9"}, {"_", "é"}},
      {R"(^[^\D5]+$)", {"1234"}, {"5", "a"}},
  });
}

TEST(Regex, properties_are_those_of_Unicode) {
  expect_found({
      {R"(^\p{Letter}$)", {"a", "é", "中", "ß"}, {"1", "_", "🐲"}},
      {R"(\p{Letter}cole)", {"l'ecole", "l'école"}, {"L'ÉCOLE"}},
      {R"(^\p{digit}+$)", {"42", "৪২"}, {"-%#", "²"}},
      {R"(^\p{L}\p{Lu}\p{Ll}\p{Uppercase_Letter}\p{Lowercase_Letter}$)", {"aÉéXx"}, {"aeEXx"}},
      {R"(^\P{L}$)", {"1", "🐲"}, {"a", "é"}},
      {R"(^\p{gc=Nd}\p{General_Category=Decimal_Number}$)", {"4৪"}, {"4²"}},
      {R"(^\p{LC}$)", {"a", "A", "ǅ"}, {"中", "1"}},
      {R"(^\p{punct}\p{P}\p{Punctuation}$)", {"!-\""}, {"!-+"}},
      {R"(^\p{cntrl}$)", {"\x01", "\x7f"}, {"a"}},
      {R"(^\p{Combining_Mark}$)", {"\u0301"}, {"a"}},
      {R"(^\p{Cn}$)", {"\u0378", "\U0010FFFF"}, {"a", "\x01"}},
      {R"(^\p{C}$)", {"\x01", "\u0378", "\uE000", "\u200B"}, {"a", " "}},
      {R"(^\p{Script=Greek}\p{sc=Grek}$)", {"αΩ"}, {"aα"}},
      {R"(^\p{sc=Han}$)", {"中"}, {"あ"}},
      {R"(^\p{Script_Extensions=Greek}$)", {"α", "\u0342"}, {"a"}},
      {R"(^\p{sc=Greek}$)", {"α"}, {"\u0342"}},
      {R"(^\p{scx=Hira}\p{scx=Kana}$)", {"ーー"}, {"aー"}},
      {R"(^\p{sc=Zyyy}$)", {"1", "ー"}, {"a"}},
      {R"(^\p{scx=Zyyy}$)", {"1"}, {"ー", "a"}},
      {R"(^\p{ASCII}+$)", {"a\x7f"}, {"é"}},
      {R"(^\P{ASCII}+$)", {"é🐲"}, {"a"}},
      {R"(^\p{Any}$)", {"a", "\n", "🐲"}, {""}},
      {R"(\P{Any})", {}, {"", "a", "\n"}},
      {R"(^\p{Assigned}$)", {"a"}, {"\u0378"}},
      {R"(^\p{Alphabetic}$)", {"a", "中", "\u0345", "Ⅳ"}, {"1", "-", "\u0301"}},
      {R"(^\p{White_Space}\p{space}$)", {"\u0085 "}, {"\uFEFF "}},
      {R"(^\p{Uppercase}$)", {"A", "Ⓐ", "Ⅳ"}, {"a", "中"}},
      {R"(^\p{Lowercase}$)", {"a", "ª", "ⅳ"}, {"A", "中"}},
      {R"(^\p{ID_Start}\p{ID_Continue}*$)", {"größe", "x1", "名"}, {"1x", "a-b"}},
      {R"(^\p{Emoji}$)", {"🐲", "1"}, {"a"}},
      {R"(^\p{Extended_Pictographic}$)", {"🐲"}, {"1", "a"}},
      {R"(^[\p{L}\p{Nd} '-]+$)", {"Jean-Luc d'É 4৪"}, {"a_b"}},
      {R"(^[^\p{L}]$)", {"1"}, {"a"}},
      {R"(^[\P{L}a]$)", {"1", "a"}, {"b"}},
      {R"(^[^\P{L}a]$)", {"b"}, {"1", "a"}},
      {R"(^[^\p{C}"\\]+$)", {"abc d"}, {"a\"b", "a\nb", "\\", "\u0378"}},
      {R"(^[^\P{Alphabetic}é]+$)", {"abc"}, {"é", "1"}},
  });
}

TEST(Regex, forgives_what_can_mean_only_one_thing) {
  expect_found({
      {"^{$", {"{"}, {"a"}},
      {"^}$", {"}"}, {"a"}},
      {"^]$", {"]"}, {"a"}},
      {"^a{$", {"a{"}, {"a"}},
      {"^a{}$", {"a{}"}, {"a"}},
      {"^a{1$", {"a{1"}, {"a"}},
      {"^a{1,$", {"a{1,"}, {"a"}},
      {"^a{,}$", {"a{,}"}, {"a", "aa"}},
      {"^{a}+$", {"{a}", "{a}}"}, {"{a"}},
      {R"(^\${name}$)", {"${name}"}, {"name"}},
      {"^{{.*}}$", {"{{x}}"}, {"{x}"}},
      {"^a]*$", {"a", "a]]"}, {"a[]"}},
      {R"(^\-\_\:\,\;\=\!\@\#\%\&\"\'\`\~\<\>\ $)", {"-_:,;=!@#%&\"'`~<> "}, {""}},
      {R"(^[\_\:\ \@\&]+$)", {"_: @&"}, {"a"}},
      {R"(^\w+\@\w+\.\w+$)", {"a@b.c"}, {"a@b"}},
  });
}

TEST(Regex, patterns_of_daily_life) {
  expect_found({
      {"^.*bar$", {"foobar", "bar"}, {"barfoo"}},
      {"f.*o", {"foo", "foooooo", "xfao"}, {"bar"}},
      {"^a*$", {"", "aaa"}, {"abc"}},
      {"X_", {"aX_b"}, {"a_X"}},
      {"[0-9]{2,}", {"a12", "a31b"}, {"a1"}},
      {"([abc])+\\s+$", {"a ", "xb\n\n"}, {"a", "d "}},
      {R"(^(\([0-9]{3}\))?[0-9]{3}-[0-9]{4}$)",
       {"555-1212", "(888)555-1212"},
       {"(888)555-1212 ext. 532", "(800)FLOWERS"}},
      {R"(^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$)",
       {"f81d4fae-7dec-11d0-a765-00a0c91e6bf6"},
       {"f81d4fae-7dec-11d0-a765-00a0c91e6bf", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"}},
      {R"(^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$)", {"2024-02-31"}, {"2024-13-01", "2024-1-01"}},
      {R"(^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$)", {"10.0.255.1"}, {"10.0.256.1", "1.2.3"}},
      {R"(^(https?|ftp)://[^\s/$.?#].[^\s]*$)", {"https://a.example/x?y#z"}, {"mailto:a", "http:// a"}},
      {R"(^#(?:[0-9a-fA-F]{3}){1,2}$)", {"#fff", "#A0b1C2"}, {"#ffff", "fff"}},
      {R"(^v?(\d+)\.(\d+)\.(\d+)(?:-([\da-z-]+(?:\.[\da-z-]+)*))?$)", {"1.2.3", "v1.0.0-rc.1"}, {"1.2", "1.2.3-"}},
  });
}

}  // namespace
}  // namespace belay::check
