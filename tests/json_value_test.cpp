// Value: what a finished document can be asked, and what it answers when asked for the wrong thing.
#include "support/outcome.h"
#include "support/tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace belay::check {
namespace {

using json::Document;
using json::Value;

// for (Value v : read(text).document.values()) would go through what is gone.
template <class D>
concept GivesValues = requires(D&& document) { std::forward<D>(document).values(); };
static_assert(GivesValues<const Document&> && !GivesValues<Document>);

bool equal(std::string_view a, std::string_view b) {
  Document x = document_of(a), y = document_of(b);
  bool forth = x.root() == y.root(), back = y.root() == x.root();
  EXPECT_EQ(forth, back) << a << " and " << b;
  return forth;
}

TEST(Value, knows_its_kind) {
  Document d = document_of(R"([null, true, 1, "s", [], {}])");
  std::vector<json::Kind> kinds;
  for (Value v : d.root().items()) kinds.push_back(v.kind());
  using enum json::Kind;
  EXPECT_EQ(kinds, (std::vector{null, boolean, number, string, array, object}));
  EXPECT_TRUE(d.root().at(0)->is_null());
  EXPECT_TRUE(d.root().at(1)->is_bool());
  EXPECT_TRUE(d.root().at(2)->is_number());
  EXPECT_TRUE(d.root().at(3)->is_string());
  EXPECT_TRUE(d.root().at(4)->is_array());
  EXPECT_TRUE(d.root().at(5)->is_object());
}

TEST(Value, names_its_kinds) {
  using enum json::Kind;
  EXPECT_EQ(name(null), "null");
  EXPECT_EQ(name(boolean), "boolean");
  EXPECT_EQ(name(number), "number");
  EXPECT_EQ(name(string), "string");
  EXPECT_EQ(name(array), "array");
  EXPECT_EQ(name(object), "object");
}

TEST(Value, gives_the_empty_answer_when_asked_for_the_wrong_kind) {
  Document d = document_of(R"([null, true, 1, "s", [1], {"a":1}])");
  for (Value v : d.root().items()) {
    SCOPED_TRACE(json::to_string(v));
    if (!v.is_bool()) {
      EXPECT_FALSE(v.as_bool());
    }
    if (!v.is_string()) {
      EXPECT_EQ(v.as_string(), "");
    }
    if (!v.is_number()) {
      EXPECT_EQ(v.number_text(), "");
      EXPECT_EQ(v.as_int64(), std::nullopt);
      EXPECT_EQ(v.as_uint64(), std::nullopt);
    }
    if (!v.is_array()) {
      EXPECT_TRUE(v.items().empty());
      EXPECT_FALSE(v.at(0).has_value());
    }
    if (!v.is_object()) {
      EXPECT_TRUE(v.members().empty());
      EXPECT_FALSE(v.find("a").has_value());
    }
    if (!v.is_array() && !v.is_object()) {
      EXPECT_EQ(v.size(), 0u);
    }
  }
}

TEST(Value, gives_exact_integers_and_only_those) {
  struct Row {
    std::string_view text;
    std::optional<std::int64_t> i;
    std::optional<std::uint64_t> u;
  };
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  constexpr auto kTop = std::numeric_limits<std::uint64_t>::max();
  const Row rows[] = {
      {"0", 0, 0u},
      {"-0", 0, 0u},
      {"42", 42, 42u},
      {"-42", -42, {}},
      {"1.0", 1, 1u},
      {"1e2", 100, 100u},
      {"12.50e2", 1250, 1250u},
      {"100e-2", 1, 1u},
      {"-3.0e1", -30, {}},
      {"1.5", {}, {}},
      {"1e-1", {}, {}},
      {"9223372036854775807", kMax, 9223372036854775807u},
      {"9223372036854775808", {}, 9223372036854775808u},
      {"-9223372036854775808", kMin, {}},
      {"-9223372036854775809", {}, {}},
      {"18446744073709551615", {}, kTop},
      {"18446744073709551616", {}, {}},
      {"0.9223372036854775807e19", kMax, 9223372036854775807u},
      {"1e400", {}, {}},
      {"1e99999999999999999999", {}, {}},
      {"0e99999999999999999999", 0, 0u},
      {"0.0000000000000000000000000000000000000001e40", 1, 1u},
  };
  for (const Row& row : rows) {
    Document d = document_of(row.text);
    EXPECT_EQ(d.root().as_int64(), row.i) << row.text;
    EXPECT_EQ(d.root().as_uint64(), row.u) << row.text;
  }
}

TEST(Value, gives_the_nearest_double) {
  const auto number = [](std::string_view text) { return root_of(document_of(text)).as_double(); };
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number("-1.5e3"), -1500.0);
  EXPECT_EQ(number("9007199254740993"), 9007199254740992.0);
  EXPECT_EQ(number("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(number("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(number("-1e400"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(number("1e-400"), 0.0);
  EXPECT_TRUE(std::signbit(number("-0")));
}

TEST(Value, keeps_numbers_as_they_were_written) {
  for (std::string_view text :
       {"0", "-0", "1.50", "1E+5", "123456789012345678901234567890", "0.10000000000000000000001"})
    EXPECT_EQ(root_of(document_of(text)).number_text(), text);
}

TEST(Value, keeps_the_order_of_members) {
  Document d = document_of(R"({"z":1,"a":2,"m":3})");
  std::string keys;
  for (json::Member m : d.root().members()) keys += m.key;
  EXPECT_EQ(keys, "zam");
  EXPECT_EQ(d.root().size(), 3u);
}

TEST(Value, finds_members_and_items) {
  Document d = document_of(R"({"a":{"b":[10,20,30]},"":0,"é":1})");
  EXPECT_EQ(d.root().find("a")->find("b")->at(2)->as_int64(), 30);
  EXPECT_FALSE(d.root().find("a")->find("b")->at(3).has_value());
  EXPECT_FALSE(d.root().find("c").has_value());
  EXPECT_EQ(d.root().find("")->as_int64(), 0);
  EXPECT_EQ(d.root().find("é")->as_int64(), 1);
  EXPECT_EQ(d.root().find("a")->find("b")->size(), 3u);
}

TEST(Value, finds_the_last_of_members_that_strict_mode_let_through_twice) {
  Document d = document_of(R"({"a":1,"b":2,"a":3})");
  EXPECT_EQ(d.root().find("a")->as_int64(), 3);
  EXPECT_EQ(d.root().size(), 3u);
}

TEST(Value, holds_strings_with_nul) {
  Document d = document_of(R"("a\u0000b")");
  EXPECT_EQ(d.root().as_string(), std::string_view("a\0b", 3));
}

TEST(Value, is_equal_whatever_the_order_of_members) {
  EXPECT_TRUE(equal(R"({"a":1,"b":[2,{"c":3,"d":4}]})", R"({"b":[2,{"d":4,"c":3}],"a":1})"));
  EXPECT_FALSE(equal(R"({"a":1,"b":2})", R"({"a":2,"b":1})"));
  EXPECT_FALSE(equal(R"({"a":1})", R"({"a":1,"b":2})"));
  EXPECT_FALSE(equal(R"({"a":1,"b":2})", R"({"a":1,"c":2})"));
  EXPECT_FALSE(equal("[1,2]", "[2,1]"));
  EXPECT_FALSE(equal("[1]", "[1,1]"));
  EXPECT_FALSE(equal("[]", "{}"));
}

TEST(Value, compares_numbers_by_value_to_the_last_digit) {
  EXPECT_TRUE(equal("1", "1.0"));
  EXPECT_TRUE(equal("100", "1e2"));
  EXPECT_TRUE(equal("-0", "0"));
  EXPECT_TRUE(equal("0.5", "5e-1"));
  EXPECT_TRUE(equal("0.50", "0.5"));
  EXPECT_TRUE(equal("1e400", "10e399"));
  EXPECT_FALSE(equal("1", "-1"));
  EXPECT_FALSE(equal("9007199254740993", "9007199254740992"));
  EXPECT_FALSE(equal("123456789012345678901234567890", "123456789012345678901234567891"));
  EXPECT_FALSE(equal("1e400", "1e401"));
  EXPECT_FALSE(equal("1", "true"));
  EXPECT_FALSE(equal("1", "\"1\""));
}

TEST(Value, compares_strings_by_their_characters) {
  EXPECT_TRUE(equal(R"("\u0061\/")", R"("a/")"));
  EXPECT_FALSE(equal(R"("a\u0000")", R"("a")"));
  EXPECT_FALSE(equal(R"("é")", R"("e")"));
}

TEST(Value, compares_large_objects_in_any_order) {
  std::string forth = "{", back = "{";
  for (int i = 0; i < 2000; ++i) {
    forth += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":" + std::to_string(i);
    back += (i > 0 ? ",\"k" : "\"k") + std::to_string(1999 - i) + "\":" + std::to_string(1999 - i);
  }
  EXPECT_TRUE(equal(forth + "}", back + "}"));
  EXPECT_FALSE(equal(forth + "}", back + ",\"x\":0}"));
}

TEST(Document, holds_several_values_in_order) {
  json::Reading reading = json::read("{\"a\":1}[2]");
  EXPECT_EQ(to_text(to_trees(reading.document)), "{\"a\":1} [2]");
  EXPECT_FALSE(reading.document.empty());
  EXPECT_TRUE(Document().empty());
}

TEST(Document, can_be_moved_without_harm_to_its_values) {
  Document a = document_of(R"({"key":["a string that is not short at all", 123456789012345, 7]})");
  const std::string before = json::to_string(a.root());
  Document b = std::move(a);
  EXPECT_EQ(json::to_string(b.root()), before);
  a = std::move(b);
  EXPECT_EQ(json::to_string(a.root()), before);
}

}  // namespace
}  // namespace belay::check
