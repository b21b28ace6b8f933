// The formats, by tables of what each takes and what it does not, and what holds for any bytes. Hosts and e-mail
// addresses are in schema_host_test.cpp.
#include "schema_format_expect.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace belay::schema {
namespace {

using namespace std::string_view_literals;

Format format_at(int i) { return static_cast<Format>(i); }

TEST(Format, has_one_name_and_one_phrase_each) {
  std::set<std::string_view> names;
  for (int i = 0; i < kFormats; ++i) {
    EXPECT_EQ(format_named(name(format_at(i))), format_at(i));
    EXPECT_TRUE(describe(format_at(i)).starts_with("a")) << describe(format_at(i));
    names.insert(name(format_at(i)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kFormats));
  EXPECT_EQ(name(Format::relative_json_pointer), "relative-json-pointer");
  EXPECT_EQ(describe(Format::date), "a date such as 2026-05-17");
  EXPECT_EQ(format_named("Date"), std::nullopt);
  EXPECT_EQ(format_named("date_time"), std::nullopt);
  EXPECT_EQ(format_named(""), std::nullopt);
}

TEST(Format, takes_the_examples_of_its_own_descriptions) {
  int examples = 0;
  for (int i = 0; i < kFormats; ++i) {
    const std::string_view phrase = describe(format_at(i));
    const std::size_t such_as = phrase.find(" such as ");
    if (such_as == phrase.npos) continue;
    ++examples;
    EXPECT_TRUE(has_format(phrase.substr(such_as + 9), format_at(i))) << phrase;
  }
  EXPECT_GE(examples, 14);
}

TEST(Format, date) {
  expect_format(
      Format::date, {"2026-05-17", "2024-02-29", "2000-02-29", "0000-02-29", "9999-12-31"},
      {"2026-5-17",  "2026-05-17T", "26-05-17",    "2026-05-32",  "2026-04-31",      "2026-02-29", "1900-02-29",
       "2026-00-10", "2026-13-01",  "2026-01-00",  "2026/05/17",  "2026-05-1",       "2026-05-",   "20260517",
       "-026-05-17", "+026-05-17",  " 2026-05-17", "2026-05-17 ", "2026-05-1\u0667", "",           "2026-05-17\0"sv,
       "2026-o5-17"});
}

TEST(Format, date_knows_the_lengths_of_months) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (int month = 1; month <= 12; ++month)
    for (int day = 28; day <= 32; ++day) {
      const std::string text = "2026-" + std::to_string(100 + month).substr(1) + "-" + std::to_string(day);
      EXPECT_EQ(has_format(text, Format::date), day <= kDays[month - 1]) << text;
    }
}

TEST(Format, time) {
  expect_format(
      Format::time,
      {"08:30:00Z", "08:30:00z", "00:00:00+00:00", "23:59:59-23:59", "08:30:00.1Z", "08:30:00.123456789123456789+01:00",
       "23:59:60Z", "23:59:60.5Z", "00:59:60+01:00", "18:29:60-05:30", "12:14:60+12:15"},
      {"08:30:00",
       "08:30Z",
       "8:30:00Z",
       "24:00:00Z",
       "23:60:00Z",
       "23:59:61Z",
       "08:30:00.Z",
       "08:30:00.",
       "08:30:61",
       "08:30:00,5Z",
       "08:30:00+1:00",
       "08:30:00+24:00",
       "08:30:00+01:60",
       "08:30:00+0100",
       "08:30:00+01",
       "08:30:00ZZ",
       "08:30:00 Z",
       "22:59:60Z",
       "23:59:60+01:00",
       "00:59:60-01:00",
       "12:00:60+12:15",
       "08:30:00\u00b101:00",
       "",
       "Z"});
}

TEST(Format, date_time) {
  expect_format(
      Format::date_time,
      {"2026-05-17T08:30:00Z", "2026-05-17t08:30:00z", "2026-05-17T08:30:00.25+02:00", "2016-12-31T23:59:60Z",
       "2017-01-01T08:59:60+09:00"},
      {"2026-05-17 08:30:00Z", "2026-05-17T08:30:00", "2026-05-17", "T08:30:00Z", "2026-05-17TT08:30:00Z",
       "2026-02-30T08:30:00Z", "2026-05-17T25:30:00Z", "2016-12-31T23:59:60+09:00", "2026-05-17T08:30:00Z\n", ""});
}

TEST(Format, duration) {
  expect_format(Format::duration,
                {"P1Y", "P1M", "P1D", "P1W", "PT1H", "PT1M", "PT1S", "P1Y2M3DT4H5M6S", "P3DT4H", "P1YT1S", "P0D",
                 "P007D", "P123456789012345678901234567890Y", "P1Y2M", "P2M3D", "PT4H5M", "PT5M6S"},
                {"P",      "PT",    "P1",    "1D",    "P1DT",      "P1S",   "PT1D",   "P1Y3D", "PT4H6S", "P1D1M",
                 "PT1S1M", "P1M1M", "P1W1D", "P1D1W", "P1WT1H",    "P1.5D", "PT1,5S", "-P1D",  "P-1D",   "P+1D",
                 "p1d",    "P1d",   "P D",   "PYMD",  "P1DT1HT1M", " P1D",  "P1D\n",  ""});
}

TEST(Format, uri) {
  const Texts absolute = {"https://example.com",
                          "http://user:pass@example.com:8080/a/b;c=1?d=e&f#g/h?i",
                          "mailto:ada@example.com",
                          "urn:isbn:0451450523",
                          "file:///etc/hosts",
                          "a:",
                          "a+b-c.1:d",
                          "x://",
                          "x://:80",
                          "x://@",
                          "x://h:",
                          "http://[2001:db8::1]:80/",
                          "http://[v7.a:b]/",
                          "http://[v10.a]/",
                          "http://%41b/%20",
                          "tag:a,2026:b",
                          "http://192.0.2.999/",
                          "a:b:c@d",
                          "a:/b//c",
                          "http://a?b?/:@",
                          "x:?#"};
  const Texts relative = {"", "a", "/a/b", "//h/a", "../a", "./a:b", "?q", "#f", "a/b:c", "//", "//[::1]", "*", "%41"};
  const Texts neither = {"http://a b/",
                         "http://a/b c",
                         "http://a/\"",
                         "http://a/<b>",
                         "http://a/{b}",
                         "http://a/b\\c",
                         "http://a/b^c",
                         "http://a/b|c",
                         "http://a/`",
                         "http://a/%",
                         "http://a/%4",
                         "http://a/%4g",
                         "http://a/%%41",
                         "http://a#b#c",
                         "http://a:b/",
                         "http://a:1:2/",
                         "http://a@b@c/",
                         "http://[::1/",
                         "http://[::1g]/",
                         "http://[::1]a",
                         "http://[::1]:x",
                         "http://::1/",
                         "http://[1.2.3.4]/",
                         "http://[v.a]/",
                         "http://[v1.]/",
                         "http://[v1]/",
                         "http://[v1.a%41]/",
                         "http://[]",
                         "http://a/[b]",
                         "http://a?[",
                         "http://[fe80::1%25en0]",
                         "1a:b",
                         ":a",
                         "a_b:c",
                         "http://a/\n",
                         "a\0:"sv,
                         "\xff"};
  expect_format(Format::uri, absolute, relative);
  expect_format(Format::uri, {}, neither);
  expect_format(Format::uri_reference, absolute, neither);
  expect_format(Format::uri_reference, relative, {});
  expect_format(Format::iri, absolute, relative);
  expect_format(Format::iri, {}, neither);
  expect_format(Format::iri_reference, absolute, neither);
  expect_format(Format::iri_reference, relative, {});
}

TEST(Format, iri) {
  const Texts absolute = {"http://b\u00fccher.example/\u00e9?\u00e9#\u00e9",
                          "http://\u540d@h/",
                          "a:\u00a0",
                          "a:\uf900\ufdcf\ufdf0\uffef",
                          "a:\U00010000\U000efffd",
                          "a:?\ue000\U000f0000\U0010fffd"};
  const Texts relative = {"\u00e9", "/\u00e9", "//\u00e9", "?\u00e9", "#\u00e9", "\u00e9/b:c"};
  const Texts neither = {"a:\u0080",     "a:\u009f",       "a:\ue000",     "a:#\ue000",        "a:\ufdd0",
                         "a:\ufff0",     "a:\uffff",       "a:\U0001fffe", "a:\U0001ffff",     "a:\U000e0000",
                         "a:\U000e0fff", "\u00e9:b",       "a\u00e9:b",    "http://a:\u0661/", "a:\xff",
                         "a:\xc3",       "a:\xed\xa0\x80", "a:?\U0010ffff"};
  expect_format(Format::iri, absolute, relative);
  expect_format(Format::iri, {}, neither);
  expect_format(Format::iri_reference, absolute, neither);
  expect_format(Format::iri_reference, relative, {});
  expect_format(Format::uri_reference, {}, absolute);
  expect_format(Format::uri_reference, {}, relative);
}

TEST(Format, uri_template) {
  expect_format(Format::uri_template,
                {"", "/a/b?c#d", "/users/{id}", "{a}{b}", "{+a}", "{#a,b}", "{.a}", "{/a*}", "{;a,b:3}", "{?a,b*}",
                 "{&a}", "{a:1}", "{a:9999}", "{a_1.b.c}", "{%20a}", "%7B", "'", "\u00e9{a}\ue000", "[]@!$&()*+,;=:~"},
                {"{",     "}",     "{a",    "a}",     "{}",   "{+}",   "{a b}",  "{a-b}",     "{.}",    "{a.}",
                 "{..a}", "{a,}",  "{,a}",  "{a,,b}", "{a:}", "{a:0}", "{a:01}", "{a:10000}", "{a:1*}", "{a*:1}",
                 "{a**}", "{a:x}", "{{a}}", "{=a}",   "{!a}", "{|a}",  "{@a}",   "{\u00e9}",  "{%2}",   "%",
                 "%2",    "%zz",   "a b",   "<",      ">",    "\"",    "\\",     "^",         "`",      "|",
                 "\n",    "\x7f",  "\0"sv,  "\u0085", "\xff", "{a}{"});
}

TEST(Format, uuid) {
  expect_format(Format::uuid,
                {"123e4567-e89b-12d3-a456-426614174000", "FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF",
                 "00000000-0000-0000-0000-000000000000"},
                {"", "123e4567-e89b-12d3-a456-42661417400", "123e4567-e89b-12d3-a456-4266141740000",
                 "123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456_426614174000",
                 "g23e4567-e89b-12d3-a456-426614174000", "123e456-7e89b-12d3-a456-426614174000",
                 "{123e4567-e89b-12d3-a456-426614174000}", "123e4567-e89b-12d3-a456-42661417400\n",
                 "123e4567-e89b-12d3-a4-56426614174000"});
}

TEST(Format, json_pointer) {
  expect_format(Format::json_pointer, {"", "/", "//", "/a/0/-", "/~0~1", "/ \"\\%^|", "/\u00e9", "/\0"sv, "/#"},
                {"a", "a/b", "#/a", "/~", "/~a", "/~2", "/a~/b", "~0", "/~~0", " /a"});
}

TEST(Format, relative_json_pointer) {
  expect_format(Format::relative_json_pointer,
                {"0", "1", "10", "0#", "2/a/b", "0/", "0/~0~1", "0+1", "2-1/a", "1+10#", "0-0"},
                {"", "/a", "a", "-1", "+1", "01", "00", "0a", "0#a", "0##", "#", "0/~", "0+", "0-", "0+01", "0+1+1",
                 "1.5", " 1", "\u0661"});
}

TEST(Format, regex_is_decided_elsewhere) { expect_format(Format::regex, {"a*", "(", ""}, {}); }

RC_GTEST_PROP(FormatProperty, any_bytes_do_no_harm_and_only_pointers_take_a_line_break, ()) {
  std::string text;
  for (auto n = *rc::gen::inRange(0, 30); n > 0; --n)
    text +=
        *rc::gen::element<std::string>("0", "2", "a", "f", "-", "--", ":", "::", ".", "/", "@", "[", "]", "{", "}", "%",
                                       "%4", "~", "#", "T", "Z", "P", "\"", "\\", "xn--", "\u00e9", "\u05d0", "\u0628",
                                       "\u200c", "\u3002", "\xc3", "\xff", "2026-05-17", "08:30:00", "1.2.3.4");
  for (int i = 0; i < kFormats; ++i) {
    const Format format = format_at(i);
    const bool before = has_format(text, format), after = has_format(text + "\n", format);
    const bool takes_any =
        format == Format::json_pointer || format == Format::relative_json_pointer || format == Format::regex;
    RC_ASSERT(!after || (takes_any && before));
  }
}

RC_GTEST_PROP(FormatProperty, URIs_are_IRIs_and_references, ()) {
  std::string text;
  for (auto n = *rc::gen::inRange(0, 8); n > 0; --n)
    text += *rc::gen::element<std::string>("a", "a:", "/", "//", "[::1]", "?", "#", "%41", "1", ":", "@", ".", "\u00e9",
                                           " ");
  const bool uri = has_format(text, Format::uri), iri = has_format(text, Format::iri);
  const bool uri_reference = has_format(text, Format::uri_reference),
             iri_reference = has_format(text, Format::iri_reference);
  RC_CLASSIFY(uri);
  if ((uri && !(iri && uri_reference)) || ((iri || uri_reference) && !iri_reference)) RC_FAIL(text);
  if (text.find("\u00e9") == text.npos && (uri != iri || uri_reference != iri_reference)) RC_FAIL(text);
}

}  // namespace
}  // namespace belay::schema
