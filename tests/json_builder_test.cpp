// Builder: documents made step by step, by grammars that are not JSON.
#include "support/outcome.h"
#include "support/watch.h"

#include <gtest/gtest.h>

namespace belay::check {
namespace {

using json::Builder;

std::string taken(Builder& b) { return json::to_string(root_of(b.take())); }

TEST(Builder, builds_every_kind_of_value) {
  Builder b;
  ASSERT_TRUE(b.open_object());
  EXPECT_TRUE(b.key("a"));
  ASSERT_TRUE(b.open_array());
  b.null();
  b.boolean(true);
  b.boolean(false);
  b.number("-12.5e3");
  b.number("123456789012345678901234567890");
  b.string("text");
  b.close();
  EXPECT_TRUE(b.key("b"));
  ASSERT_TRUE(b.open_object());
  b.close();
  b.close();
  EXPECT_EQ(b.depth(), 0u);
  EXPECT_EQ(taken(b), R"({"a":[null,true,false,-12.5e3,123456789012345678901234567890,"text"],"b":{}})");
}

TEST(Builder, gives_the_same_value_as_reading) {
  Builder b;
  b.open_object();
  b.key("n");
  b.number("1.0");
  b.key("s");
  b.string("x\n");
  b.close();
  json::Document built = b.take();
  EXPECT_TRUE(built.root() == root_of(document_of(R"({"s":"x\n","n":1})")));
}

TEST(Builder, builds_a_string_in_pieces) {
  Builder b;
  b.open_array();
  b.open_string();
  b.append("one ");
  ASSERT_TRUE(b.value().has_value());
  EXPECT_EQ(to_text(copy(*b.value())), "[\"one \"…]…");
  for (int i = 0; i < 1000; ++i) b.append("and more ");
  b.close_string();
  EXPECT_TRUE(b.value()->last()->closed());
  b.string("two");
  b.close();
  std::string want = "one ";
  for (int i = 0; i < 1000; ++i) want += "and more ";
  json::Document d = b.take();
  EXPECT_EQ(d.root().at(0)->as_string(), want);
  EXPECT_EQ(d.root().at(1)->as_string(), "two");
}

TEST(Builder, drops_the_member_of_a_repeated_key_whole) {
  Builder b;
  b.open_object();
  EXPECT_TRUE(b.key("a"));
  b.number("1");
  EXPECT_FALSE(b.key("a"));
  b.open_object();
  EXPECT_TRUE(b.key("a"));
  b.open_array();
  b.string("dropped");
  b.close();
  b.close();
  EXPECT_TRUE(b.key("b"));
  b.number("2");
  EXPECT_FALSE(b.key("b"));
  b.open_string();
  b.append("dropped");
  b.close_string();
  EXPECT_TRUE(b.key("c"));
  b.string("kept");
  b.close();
  EXPECT_EQ(taken(b), R"({"a":1,"b":2,"c":"kept"})");
}

TEST(Builder, finds_repeated_keys_among_many) {
  Builder b;
  b.open_object();
  for (int i = 0; i < 5000; ++i) {
    EXPECT_TRUE(b.key("key" + std::to_string(i)));
    b.null();
  }
  for (int i = 0; i < 5000; i += 7) {
    EXPECT_FALSE(b.key("key" + std::to_string(i)));
    b.null();
  }
  EXPECT_TRUE(b.key("another"));
  b.null();
  b.close();
  EXPECT_EQ(root_of(b.take()).size(), 5001u);
}

TEST(Builder, keeps_the_keys_of_nested_objects_apart) {
  Builder b;
  b.open_object();
  EXPECT_TRUE(b.key("a"));
  b.open_object();
  EXPECT_TRUE(b.key("a"));
  b.null();
  b.close();
  EXPECT_TRUE(b.key("b"));
  b.open_object();
  EXPECT_TRUE(b.key("a"));
  b.null();
  EXPECT_TRUE(b.key("b"));
  b.null();
  b.close();
  EXPECT_FALSE(b.key("a"));
  b.null();
  b.close();
  EXPECT_EQ(taken(b), R"({"a":{"a":null},"b":{"a":null,"b":null}})");
}

TEST(Builder, refuses_to_open_beyond_the_limit_of_depth) {
  Limits limits;
  limits.depth = 3;
  Builder b(limits);
  EXPECT_TRUE(b.open_array());
  EXPECT_TRUE(b.open_object());
  EXPECT_TRUE(b.key("a"));
  EXPECT_TRUE(b.open_array());
  EXPECT_FALSE(b.open_array());
  EXPECT_FALSE(b.open_object());
  EXPECT_EQ(b.depth(), 3u);
  b.null();
  b.close();
  b.close();
  b.close();
  EXPECT_EQ(taken(b), R"([{"a":[null]}])");
}

TEST(Builder, shows_the_value_while_it_is_built) {
  Builder b;
  EXPECT_FALSE(b.value().has_value());
  b.open_object();
  EXPECT_EQ(to_text(copy(*b.value())), "{}…");
  b.key("a");
  EXPECT_EQ(to_text(copy(*b.value())), "{}…") << "a key without a value is not shown";
  b.open_array();
  b.number("1");
  EXPECT_EQ(to_text(copy(*b.value())), "{\"a\":[1]…}…");
  b.close();
  EXPECT_EQ(to_text(copy(*b.value())), "{\"a\":[1]}…");
  b.close();
  EXPECT_EQ(to_text(copy(*b.value())), "{\"a\":[1]}");
}

TEST(Builder, begins_anew_after_clear) {
  Builder b;
  b.open_object();
  b.key("a");
  b.clear();
  EXPECT_EQ(b.depth(), 0u);
  EXPECT_FALSE(b.value().has_value());
  b.open_object();
  EXPECT_TRUE(b.key("a")) << "keys of the last document are forgotten";
  b.null();
  b.close();
  EXPECT_EQ(taken(b), R"({"a":null})");
}

}  // namespace
}  // namespace belay::check
