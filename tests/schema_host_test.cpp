// Formats that name a host: addresses, names (with and without characters beyond ASCII), e-mail.
#include "schema/idna.h"
#include "schema_format_expect.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace belay::schema {
namespace {

using namespace std::string_view_literals;

TEST(HostFormat, email) {
  const Texts both = {"ada@example.com",
                      "ada.lovelace+tag@sub.example.co",
                      "a@b",
                      "!#$%&'*+-/=?^_`{|}~@example.com",
                      "\"\"@example.com",
                      "\"~\"@example.com",
                      "\"a b@c\"@example.com",
                      "\"a\\\"\\\\\"@example.com",
                      "ada@[192.0.2.1]",
                      "ada@[IPv6:2001:db8::1]",
                      "ada@[ipv6:::ffff:192.0.2.1]",
                      "ada@xn--bcher-kva.example"};
  const Texts neither = {"",
                         "ada",
                         "@example.com",
                         "ada@",
                         "ada@@example.com",
                         "ada@example@com",
                         ".ada@b.c",
                         "ada.@b.c",
                         "a..b@b.c",
                         "a b@b.c",
                         "a(b)@b.c",
                         "Ada <ada@b.c>",
                         "ada@b_c.d",
                         "ada@-b.c",
                         "ada@b..c",
                         "ada@b.c.",
                         "ada@.b",
                         "\"ada@b.c",
                         "\"a\"b\"@c.d",
                         "\"a\\\"@c.d",
                         "\"a\nb\"@c.d",
                         "\"a\"b@c.d",
                         "ada@[192.0.2.256]",
                         "ada@[192.0.2.1",
                         "ada@[]",
                         "ada@[",
                         "ada@192.0.2.1]",
                         "ada@[2001:db8::1]",
                         "ada@[IPv6:192.0.2.1]",
                         "ada@[x:y]",
                         "ada@[xpv6:::1]",
                         "\"\\\n\"@c.d",
                         "ada@b.c\n",
                         "a@b, c@d",
                         "\"a\\",
                         "ada@xn--0.c"};
  expect_format(Format::email, both, neither);
  expect_format(Format::idn_email, both, neither);
  const Texts wide = {"J\u00f6rg@example.com", "ada@b\u00fccher.example", "\"\u540d \u524d\"@example.com",
                      "\u7528\u6237@\u4f8b\u5b50.\u4e2d\u56fd"};
  expect_format(Format::email, {}, wide);
  expect_format(Format::idn_email, wide,
                {"ada\uff20example.com", "ada@\u2603.example", "\xff@example.com", "\"\xc3\"@example.com",
                 "\"\\\u00e9\"@example.com"});
}

TEST(HostFormat, hostname) {
  const std::string label(63, 'a'), longer(64, 'a');
  const std::string longest = label + "." + label + "." + label + "." + label.substr(2), too_long = longest + "a";
  const Texts taken = {"localhost",      "example.com", "EXAMPLE.Com", "a",     "1",   "3com.example", "a-b.c--d",
                       "ab--cd.example", "xna-b",       "xb--c",       "an--b", label, longest};
  const Texts refused = {"",    ".",   "a.",   ".a",  "a..b", "-a",     "a-",  "a.-b.c", "a_b",
                         "a b", "a/b", "a:80", "a,b", "*.a",  "a\0b"sv, "a\n", longer,   too_long};
  expect_format(Format::hostname, taken, refused);
  expect_format(Format::idn_hostname, taken, refused);
  expect_format(Format::hostname, {}, {"b\u00fccher.example", "a\u3002b", "\xff"});
}

/// A label beyond ASCII, and how it is written in ASCII.
struct Pair {
  std::string_view unicode, ascii;
};

TEST(HostFormat, hostname_with_characters_beyond_ASCII) {
  const Pair taken[] = {
      {"b\u00fccher", "xn--bcher-kva"},
      {"b\u00fccher", "XN--Bcher-KVA"},
      {"fa\u00df", "xn--fa-hia"},
      {"x\u0302y", "xn--xy-cub"},
      {"\u043f\u0440\u0438\u043c\u0435\u0440", "xn--e1afmkfd"},
      {"\u4f8b\u3048", "xn--r8jz45g"},
      {"abc-\u00e9", "xn--abc--epa"},
      {"\u043f\u043e\u0447\u0435\u043c\u0443\u0436\u0435\u043e\u043d\u0438\u043d\u0435\u0433\u043e\u0432\u043e\u0440"
       "\u044f\u0442\u043f\u043e\u0440\u0443\u0441\u0441\u043a\u0438",
       "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"},
      {"col\u00b7lapse", "xn--collapse-ioa"},
      {"\u03b1\u0375\u03b1", "xn--wva3jb"},
      {"\u05e9\u05d1\u05f3\u05d2", "xn--5dbc1ewb"},
      {"\u30ab\u30fb\u30ca", "xn--lck2c6g"},
      {"\u0dc1\u0dca\u200d\u0dbb\u0dd3", "xn--10cl1a0b660p"},
      {"\u0643\u200c\u0645", "xn--fhbe019q"},
      {"\u0643\u064e\u200c\u064f\u0645", "xn--fhbe0ae8504a"},
      {"\u05d2\u05f3", "xn--6db0e"},
      {"\u0646\u0627\u0645\u0647\u200c\u0627\u06cc", "xn--mgba3gch31f060k"},
      {"\u05d0\u05dc\u05e3", "xn--4dbyv"},
      {"\u05e9\u05b8\u05c1", "xn--gdbs2j"},
      {"\u05d23", "xn--3-3hc"},
      {"\u05d2-3", "xn---3-0ld"},
      {"\u0628\u0663", "xn--ngb2j"},
      {"\u0628\u06f3", "xn--ngb02b"},
      {"\u0628\u0669\u06fa", "xn--ngb4k9q"},
      {"x\u0302.\u05d0", "xn--x-zbb.xn--4db"},
  };
  for (const Pair& pair : taken) expect_format(Format::idn_hostname, {pair.unicode, pair.ascii}, {});
  for (const Pair& pair : taken) expect_format(Format::hostname, {pair.ascii}, {pair.unicode});

  const Pair refused[] = {
      {"\u2603", "xn--n3h"},     // a symbol
      {"\u00dc", "xn--wca"},     // a capital
      {"\u00aab", "xn--b-oca"},  // a compatibility form
      {"\u0302y", "xn--y-ybb"},  // a mark in front
      {"-\u00e9", "xn----bga"},  // hyphens at the ends and in places 3 and 4
      {"\u00e9-", "xn----9fa"},
      {"ab--\u00e9", "xn--ab---epa"},
      {"a\u00b7b", "xn--ab-0ea"},  // contexts that are not there
      {"col\u00b7apse", "xn--colapse-xma"},
      {"a\u0375b", "xn--ab-63b"},
      {"a\u30fbb", "xn--ab-3n4a"},
      {"\u0dc1\u200d\u0dbb", "xn--10cl661l"},
      {"\u0627\u200c\u0645", "xn--mgb4dr55h"},
      {"x\u200cy", "xn--xy-j1t"},
      {"\u0628\u0663\u06f3", "xn--ngb2j6q"},
      {"3\u05d2", "xn--3-4hc"},  // directions that do not go together
      {"\u05d23a", "xn--3a-0ld"},
      {"\u06281\u0663", "xn--1-0mc2p"},
      {"\u0663\u0628", "xn--ngb1j"},
      {"\u05d0.1a", "xn--4db.1a"},
      {"\u30ab\u30fb.\u05d0", "xn--lckyi.xn--4db"},
      {"\u30ab\u30fb\u3099.\u05d0", "xn--2bk9a4p.xn--4db"},
  };
  for (const Pair& pair : refused) {
    expect_format(Format::idn_hostname, {}, {pair.unicode, pair.ascii});
    expect_format(Format::hostname, {}, {pair.unicode, pair.ascii});
  }

  // No Punycode, or not the one way to write it.
  const Texts broken = {"xn--",
                        "xn--a",
                        "xn---a",
                        "xn--bcher-kv",
                        "xn--bcher-kva-",
                        "xn--abc-",
                        "xn--99999999999999",
                        "xn--zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
                        "xn--bcher-kv\u00e1"};
  expect_format(Format::hostname, {}, broken);
  expect_format(Format::idn_hostname, {}, broken);
  expect_format(Format::idn_hostname, {"a.b\u3002c\uff0e\u00e9\uff61e"},
                {"a\u3002\u3002b", "\u00e9\uff0e", "\xc3", "\xed\xa0\x80", "\u00e9_"});
}

TEST(HostFormat, hostname_lengths_are_those_in_ASCII) {
  std::string label;  // 57 times é takes 63 bytes in ASCII
  for (int i = 0; i < 57; ++i) label += "\u00e9";
  const std::string longer = label + "\u00e9";
  const std::string longest = label + "." + label + "." + label + "." + std::string(61, 'a'), too_long = longest + "a";
  expect_format(Format::idn_hostname, {label, longest}, {longer, too_long});
}

TEST(HostFormat, ipv4) {
  expect_format(Format::ipv4, {"192.0.2.1", "0.0.0.0", "255.255.255.255", "1.20.100.249"},
                {"192.0.2", "192.0.2.1.1", "192.0.2.256", "192.0.2.300", "192.0.2.1000", "192.0.2.01", "192.0.2.00",
                 "192.0.2.", ".192.0.2.1", "192..2.1", "192.0.2.1 ", "192.0.2.-1", "192.0.2.0x1", "192,0,2,1",
                 "192.0.2.1/8", "a.b.c.d", "3221225985", ""});
}

TEST(HostFormat, ipv6) {
  expect_format(
      Format::ipv6,
      {"::", "::1", "1::", "2001:db8::1", "2001:DB8:0:0:8:800:200C:417A", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::8",
       "::192.0.2.1", "::ffff:192.0.2.1", "1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5::192.0.2.1", "0000:0000::0000"},
      {"",
       ":",
       ":::",
       "1",
       "1:2:3:4:5:6:7",
       "1:2:3:4:5:6:7:8:9",
       "1:2:3:4:5:6:7:8::",
       "::1:2:3:4:5:6:7:8",
       "1::2::3",
       "1:::2",
       ":1::2",
       "1::2:",
       "1:2:3:4:5:6:7:",
       "12345::",
       "g::",
       "1::2g",
       "1;2::",
       "1:2:3:4:5:6:7:192.0.2.1",
       "::192.0.2",
       "::192.0.2.01",
       "192.0.2.1",
       "192.0.2.1::",
       "::192.0.2.1:1",
       "fe80::1%eth0",
       "[::1]",
       "::1/64",
       " ::1"});
}

Label some_label() {
  Label label;
  for (auto n = *rc::gen::inRange(1, 12); n > 0; --n)
    label.push_back(*rc::gen::element<std::uint32_t>('a', 'l', 'z', '0', '-', 0xB7, 0xDF, 0xE9, 0x302, 0x3B1, 0x375,
                                                     0x5D0, 0x5F3, 0x628, 0x660, 0x6F0, 0x915, 0x94D, 0x200C, 0x200D,
                                                     0x2603, 0x30A2, 0x30FB, 0x4E00, 0xAC00, 0x10348, 0x1F4A9));
  return label;
}

RC_GTEST_PROP(HostFormatProperty, Punycode_leads_back_and_changes_no_verdict, ()) {
  Label label = some_label();
  label.insert(*rc::gen::inRange<std::size_t>(0, label.size() + 1), 0xE8);  // at least one beyond ASCII
  const std::optional<Label> encoded = to_a_label(label);
  RC_ASSERT(encoded.has_value());
  RC_ASSERT(from_a_label(*encoded) == label);
  const LabelVerdict in_unicode = judge_label(label), in_ascii = judge_label(*encoded);
  RC_CLASSIFY(in_unicode.valid);
  RC_ASSERT(in_unicode.valid == in_ascii.valid);
  RC_ASSERT(in_unicode.ascii_length == in_ascii.ascii_length);
  RC_ASSERT(in_unicode.right_to_left == in_ascii.right_to_left);
  RC_ASSERT(in_unicode.keeps_direction == in_ascii.keeps_direction);
}

}  // namespace
}  // namespace belay::schema
