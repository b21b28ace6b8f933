// What a schema says about how raw text is to be read.
#include "support/outcome.h"

#include <belay/text/shape.h>

#include <gtest/gtest.h>

namespace belay::check {
namespace {

using namespace text;

Shape shape(std::string_view schema) { return shape_of(root_of(document_of(schema))); }

TEST(Shape, types_of_every_spelling) {
  const std::pair<std::string_view, int> cases[] = {
      {R"({})", kAnyType},
      {R"({"type":"string"})", kString},
      {R"({"type":"number"})", kInteger | kNumber},
      {R"({"type":"integer"})", kInteger},
      {R"({"type":["string","null"]})", kString | kNull},
      {R"({"type":"STRING"})", kString},
      {R"({"type":"string","nullable":true})", kString | kNull},
      {R"({"enum":["a",1]})", kString | kInteger | kNumber},
      {R"({"const":true})", kBoolean},
      {R"({"type":"integer","enum":[1,2]})", kInteger},
      {R"({"anyOf":[{"type":"string"},{"type":"null"}]})", kString | kNull},
      {R"({"oneOf":[{"type":"array"},{"type":"object"}]})", kArray | kObject},
      {R"({"allOf":[{"type":["string","number"]},{"type":["string","null"]}]})", kString},
      {R"({"anyOf":[{"type":"string"},{}]})", kAnyType},
      {R"({"$ref":"#/$defs/a~1b","$defs":{"a/b":{"type":"string"}}})", kString},
      {R"({"$ref":"#/definitions/a%20b","definitions":{"a b":{"type":"array"}}})", kArray},
      {R"({"$ref":"#/list/1","list":[true,{"type":"object"}]})", kObject},
      {R"({"$ref":"#/nowhere"})", kAnyType},
      {R"({"$ref":"https://example.org/x"})", kAnyType},
      {R"({"$ref":"#"})", kAnyType},
      {R"({"type":"thing"})", kAnyType},
      {R"({"type":7})", kAnyType},
      {R"(true)", kAnyType},
      {R"(false)", kNoType},
      {R"([1])", kAnyType},
  };
  for (const auto& [schema, types] : cases) EXPECT_EQ(shape(schema).types, types) << schema;
}

TEST(Shape, says_whether_anything_is_known) {
  EXPECT_FALSE(shape(R"({})").declared);
  EXPECT_FALSE(shape(R"({"description":"x"})").declared);
  EXPECT_TRUE(shape(R"({"type":"string"})").declared);
  EXPECT_TRUE(shape(R"({"properties":{}})").declared);
  EXPECT_FALSE(shape(R"({"anyOf":[{"type":"string"},{}]})").declared);
}

TEST(Shape, members_keep_their_order) {
  const Shape s = shape(R"({"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"}}})");
  ASSERT_EQ(s.properties.size(), 2u);
  EXPECT_EQ(s.properties[0].name, "b");
  EXPECT_TRUE(s.has("a"));
  EXPECT_FALSE(s.has("c"));
  EXPECT_EQ(s.at("a").types, kInteger);
  EXPECT_EQ(s.at("c").types, kAnyType);
  EXPECT_FALSE(s.at("c").declared);
}

TEST(Shape, items_and_members_inside_alternatives) {
  const Shape s = shape(R"({"anyOf":[{"type":"null"},{"type":"array","items":{"type":"string"}}]})");
  ASSERT_TRUE(s.items);
  EXPECT_EQ(s.items->types, kString);
  const Shape two = shape(R"({"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"array"}]})");
  EXPECT_FALSE(two.items);
  const Shape members = shape(
      R"({"anyOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"a":{"type":"null"},"b":{"type":"array"}}}]})");
  EXPECT_EQ(members.at("a").types, kString | kNull);
  EXPECT_EQ(members.at("b").types, kArray);
  EXPECT_FALSE(shape(R"({"prefixItems":[{}],"items":{"type":"string"}})").items);
}

TEST(Shape, what_refers_to_itself_is_of_any_type_inside) {
  const Shape s = shape(
      R"({"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"},"n":{"type":"integer"}}}}})");
  EXPECT_EQ(s.types, kObject);
  EXPECT_EQ(s.at("n").types, kInteger);
  EXPECT_EQ(s.at("next").types, kAnyType);
}

TEST(Shape, hostile_schemas_end) {
  // Each definition refers to the next one twice: 2^60 paths.
  std::string doubling = R"({"$ref":"#/$defs/d0","$defs":{)";
  for (int i = 0; i < 60; ++i) {
    const std::string next = R"({"$ref":"#/$defs/d)" + std::to_string(i + 1) + R"("})";
    doubling += "\"d" + std::to_string(i) + R"(":{"properties":{"a":)" + next + R"(,"b":)" + next + "}},";
  }
  doubling += R"("d60":{}}})";
  EXPECT_TRUE(shape(doubling).declared);
  std::string deep;
  for (int i = 0; i < 500; ++i) deep += R"({"items":)";
  deep += "{}";
  for (int i = 0; i < 500; ++i) deep += "}";
  EXPECT_TRUE(shape(deep).declared);
}

}  // namespace
}  // namespace belay::check
