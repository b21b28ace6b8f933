// Partial: the value while its text arrives. A closed value never changes, an open string only grows, numbers and
// literals appear when they are delimited, nothing speculative is ever visible.
#include "support/watch.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace belay::check {
namespace {

// Nothing that takes final arguments accepts a partial value.
static_assert(!std::is_convertible_v<json::Partial, json::Value>);
static_assert(!std::is_constructible_v<json::Value, json::Partial>);
static_assert(!std::is_convertible_v<json::Value, json::Partial>);

/// What is shown after these pieces; "nothing" while there is no value. `…` marks what is still open.
std::string shown(std::initializer_list<std::string_view> pieces) {
  json::Reader reader;
  for (std::string_view piece : pieces) reader.push(piece);
  auto partial = reader.value();
  return partial ? to_text(copy(*partial)) : "nothing";
}

struct PartialRow {
  std::string_view input, shows;
};

TEST(Partial, shows_what_is_certain_after_each_prefix) {
  const PartialRow rows[] = {
      {"", "nothing"},
      {"  ", "nothing"},
      {"{\"path\"", "{}…"},
      {"{\"path\":", "{}…"},
      {"{\"path\": \"", "{\"path\":\"\"…}…"},
      {"{\"path\": \"hel", "{\"path\":\"hel\"…}…"},
      {"{\"path\":\"hello\",\"n\":1,", "{\"path\":\"hello\",\"n\":1}…"},
      {"{\"a\":\"x\",\"b\":", "{\"a\":\"x\"}…"},
      {"{\"a\":1", "{}…"},
      {"{\"a\":12,", "{\"a\":12}…"},
      {"{\"a\":12 ", "{\"a\":12}…"},
      {"{\"a\":tru", "{}…"},
      {"{\"a\":true", "{}…"},
      {"{\"a\":true}", "{\"a\":true}"},
      {"{\"a\":[", "{\"a\":[]…}…"},
      {"{\"a\":[1,2", "{\"a\":[1]…}…"},
      {"{\"a\":[1,2],", "{\"a\":[1,2]}…"},
      {"[[[\"x", "[[[\"x\"…]…]…]…"},
      {"[{\"a\":{\"b\":null,", "[{\"a\":{\"b\":null}…}…]…"},
      {"{\"a\":1}", "{\"a\":1}"},
  };
  for (const PartialRow& row : rows) EXPECT_EQ(shown({row.input}), row.shows) << row.input;
}

TEST(Partial, holds_half_characters_and_half_escapes_back) {
  const PartialRow rows[] = {
      {"[\"a\\", "[\"a\"…]…"},
      {"[\"a\\n", "[\"a\\n\"…]…"},
      {"[\"a\\u00e", "[\"a\"…]…"},
      {"[\"a\\u00e9", "[\"aé\"…]…"},
      {"[\"a\\ud83d", "[\"a\"…]…"},
      {"[\"a\\ud83d\\", "[\"a\"…]…"},
      {"[\"a\\ud83d\\ude0", "[\"a\"…]…"},
      {"[\"a\\ud83d\\ude00", "[\"a😀\"…]…"},
      {"[\"a\xc3", "[\"a\"…]…"},
      {"[\"a\xc3\xa9", "[\"aé\"…]…"},
      {"[\"a\xf0\x9f\x98", "[\"a\"…]…"},
      {"[\"a\xf0\x9f\x98\x80", "[\"a😀\"…]…"},
  };
  for (const PartialRow& row : rows) EXPECT_EQ(shown({row.input}), row.shows) << row.input;
}

TEST(Partial, shows_the_same_however_the_prefix_was_cut) {
  const std::string_view inputs[] = {
      R"({"path":"src/a.c","n":[1,2.5,true],"t":"say \"hi\" \u00e9\n"})", "Sure: {'a': 'it', b: None, \"c\": [1,],}",
      "```json\n{\"a\":{\"b\":\"x y z\"}}\n```", R"({"a":"say "hi" now","b":2})", R"({"a":1 "b":[2 3]})"};
  for (std::string_view input : inputs)
    for (std::size_t end = 0; end <= input.size(); ++end) {
      std::string_view prefix = input.substr(0, end);
      json::Reader bytes;
      for (char c : prefix) bytes.push({&c, 1});
      auto partial = bytes.value();
      EXPECT_EQ(partial ? to_text(copy(*partial)) : "nothing", shown({prefix})) << prefix;
    }
}

TEST(Partial, shows_nothing_speculative) {
  // Each of these has a reading in which the last thing is not what it seems.
  EXPECT_EQ(shown({"[\"x\" "}), "[\"x\"…]…") << "the quote may stand inside the string";
  EXPECT_EQ(shown({"{\"a\":\"x\""}), "{\"a\":\"x\"…}…") << "the quote may stand inside the string";
  EXPECT_EQ(shown({"\"file"}), "nothing") << "a root string may turn out to be a key";
  EXPECT_EQ(shown({"12"}), "nothing") << "a number at the top may be prose";
  EXPECT_EQ(shown({"{\"a\":1,\"fi"}), "{\"a\":1}…") << "half a key";
  EXPECT_EQ(shown({"{\"a\":1,\"a\":\"x"}), "{\"a\":1}…") << "the first of a repeated key stands";
}

TEST(Partial, answers_questions_in_place) {
  json::Reader reader;
  reader.push(R"({"path":"a.txt","items":[1,{"x":"y"},"op)");
  auto root = reader.value();
  ASSERT_TRUE(root.has_value());
  EXPECT_EQ(root->kind(), json::Kind::object);
  EXPECT_EQ(root->size(), 2u);
  EXPECT_FALSE(root->closed());
  EXPECT_EQ(root->find("path")->as_string(), "a.txt");
  EXPECT_TRUE(root->find("path")->closed());
  EXPECT_FALSE(root->find("content").has_value());
  auto items = root->find("items");
  ASSERT_TRUE(items.has_value());
  EXPECT_EQ(items->size(), 3u);
  EXPECT_EQ(items->at(0)->number_text(), "1");
  EXPECT_TRUE(items->at(1)->closed());
  EXPECT_EQ(items->at(1)->find("x")->as_string(), "y");
  EXPECT_EQ(items->at(2)->as_string(), "op");
  EXPECT_FALSE(items->at(2)->closed());
  EXPECT_FALSE(items->at(3).has_value());
  EXPECT_EQ(items->last()->as_string(), "op");
  EXPECT_EQ(root->last()->size(), 3u);
  std::string keys;
  root->each_member([&](std::string_view key, json::Partial) { keys += key; });
  EXPECT_EQ(keys, "pathitems");
}

// Values lie in blocks of some thousand nodes.
TEST(Partial, finds_members_in_values_of_any_size) {
  for (std::size_t before : {0u, 1u, 500u, 1021u, 1022u, 1023u, 1024u, 1025u})
    for (std::size_t items : {0u, 1u, 1000u, 2042u, 2043u, 2044u, 2045u, 2046u, 2047u, 2048u, 5000u}) {
      std::string text = "{";
      for (std::size_t i = 0; i < before; ++i) text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",";
      text += "\"list\":[";
      for (std::size_t i = 0; i < items; ++i) text += "1,";
      text += "2],\"path\":\"a\",\"open\":{\"in\":3,\"path\":4,";
      json::Reader reader;
      reader.push(text);
      const json::MaybePartial value = reader.value();
      ASSERT_TRUE(value);
      std::size_t members = 0;
      value->each_member([&](std::string_view key, json::Partial member) {
        if (++members % 64 != 0 && members + 8 < before) return;
        const json::MaybePartial found = value->find(key);
        ASSERT_TRUE(found) << key;
        ASSERT_EQ(to_text(copy(*found)), to_text(copy(member))) << key;
      });
      ASSERT_EQ(members, before + 3);
      EXPECT_EQ(value->find("list")->size(), items + 1);
      EXPECT_EQ(value->find("path")->as_string(), "a");
      EXPECT_EQ(value->find("open")->find("in")->as_int64(), 3);
      EXPECT_FALSE(value->find("in"));
      EXPECT_FALSE(value->find("k"));
    }
}

/// Each value in this one gives as its last child what going through all of them gives, however often it is asked.
void expect_last(json::Partial value) {
  for (int again = 0; again < 2; ++again) {
    json::MaybePartial last;
    value.each_item([&](json::Partial item) { last = item; });
    value.each_member([&](std::string_view, json::Partial member) { last = member; });
    const json::MaybePartial got = value.last();
    ASSERT_EQ(got.has_value(), last.has_value());
    if (got) {
      ASSERT_EQ(to_text(copy(*got)), to_text(copy(*last)));
    }
  }
  value.each_item([](json::Partial item) { expect_last(item); });
  value.each_member([](std::string_view, json::Partial member) { expect_last(member); });
}

TEST(Partial, gives_the_last_child_while_values_grow_close_and_open_again) {
  const std::string_view texts[] = {
      R"({"a":[1,[2,[]],{"b":{"c":"d"},"e":[]}],"f":{"g":[{"h":1},{"i":[2]}]},"j":[[[]],[[1]]]})",
      R"({"a":["x"],"b":["y","z"],"c":1})",
      R"({"a":[{"b":"say "x"]}],"c":"d"}]},"e":["f"]})",
      R"([["a"b"],["c"]],["d"]]])",
      R"({"a":[1,2],"a":[3,[4]],"b":[[5],6]})",
      R"({'a': [1, {'b': (2, 3,)},], 'c': [[], {}],})",
      R"({"a":[["x"]],"b":"y","a":[["z"]]} {"a":[1]})",
  };
  for (std::string_view text : texts) {
    json::Reader reader;
    for (char c : text) {
      reader.push({&c, 1});
      if (auto value = reader.value()) expect_last(*value);
    }
    json::Reader again;  // asked for only now and then
    for (std::size_t i = 0; i < text.size(); ++i) {
      again.push(text.substr(i, 1));
      if (auto value = again.value(); value && i % 7 == 0) expect_last(*value);
    }
  }
}

TEST(Partial, gives_the_empty_answer_when_asked_for_the_wrong_kind) {
  json::Reader reader;
  reader.push("[1,true,\"s\",[],{}]");
  auto root = reader.value();
  ASSERT_TRUE(root.has_value());
  root->each_item([](json::Partial item) {
    if (item.kind() != json::Kind::string) {
      EXPECT_EQ(item.as_string(), "");
    }
    if (item.kind() != json::Kind::number) {
      EXPECT_EQ(item.number_text(), "");
    }
    EXPECT_FALSE(item.find("a").has_value());
    EXPECT_FALSE(item.last().has_value());
    EXPECT_FALSE(item.at(0).has_value());
  });
}

TEST(Partial, lets_a_long_string_grow_piece_by_piece) {
  json::Reader reader;
  reader.push("{\"content\":\"");
  std::string want;
  for (int i = 0; i < 5000; ++i) {
    reader.push("line of text\\n");
    want += "line of text\n";
    ASSERT_EQ(reader.value()->find("content")->as_string().size(), want.size());
  }
  EXPECT_EQ(reader.value()->find("content")->as_string(), want);
  reader.push("\"}");
  EXPECT_EQ(root_of(reader.finish().document).find("content")->as_string(), want);
}

TEST(Partial, decides_a_held_quote_after_4_KiB_at_the_latest) {
  json::Reader reader;
  reader.push("{\"a\":\"x\"");
  reader.push(std::string(8192, ' '));
  ASSERT_TRUE(reader.value()->find("a").has_value());
  EXPECT_TRUE(reader.value()->find("a")->closed()) << "beyond the bound the strict reading stands";
  reader.push("}");
  EXPECT_EQ(json::name(reader.finish().verdict.word()), "valid");
}

TEST(Partial, gives_numbers_as_soon_as_they_are_whole) {
  json::Reader reader;
  reader.push("{\"a\":[-12,1e2,0.5,18446744073709551615,\"7\",true,1");
  const json::Partial items = *reader.value()->find("a");
  ASSERT_EQ(items.size(), 6u) << "the last number may have more digits";
  EXPECT_EQ(items.at(0)->as_int64(), -12);
  EXPECT_EQ(items.at(0)->as_uint64(), std::nullopt);
  EXPECT_EQ(items.at(1)->as_int64(), 100);
  EXPECT_EQ(items.at(2)->as_int64(), std::nullopt);
  EXPECT_EQ(items.at(2)->as_double(), 0.5);
  EXPECT_EQ(items.at(3)->as_int64(), std::nullopt);
  EXPECT_EQ(items.at(3)->as_uint64(), 18446744073709551615u);
  EXPECT_EQ(items.at(4)->as_int64(), std::nullopt) << "a string is no number";
  EXPECT_EQ(items.at(5)->as_double(), root_of(json::read("true").document).as_double()) << "as for Value";
  reader.push("3]");
  EXPECT_EQ(reader.value()->find("a")->at(6)->as_int64(), 13);
}

TEST(Partial, is_the_first_value_when_there_are_several) {
  EXPECT_EQ(shown({"{\"a\":1}", "{\"b\":2}"}), "{\"a\":1}");
  EXPECT_EQ(shown({"{\"a\":1}\n[2", ",3]"}), "{\"a\":1}");
}

}  // namespace
}  // namespace belay::check
