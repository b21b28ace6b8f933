// Schemas and values from people who mean harm: deep, circular, exponential, huge, and made to collide. There is always
// an answer, soon, on a small stack. Nothing here looks at the clock; what is not linear would take minutes.
#include "support/outcome.h"
#include "support/schema_oracles.h"
#include "support/small_stack.h"

#include <belay/json.h>
#include <belay/regex.h>

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <random>

namespace belay::check {
namespace {

using schema::CompileOptions;
using schema::Schema;

constexpr std::size_t kMillion = 1'000'000;
constexpr std::size_t kDeep = 100'000;  // beyond any stack as well, and quicker

const schema::Regexes& regexes() {
  static const std::unique_ptr<const schema::Regexes> made = regex::make_regexes();
  return *made;
}

CompileOptions options() {
  CompileOptions out;
  out.regexes = &regexes();
  return out;
}

/// Depth and number of schemas are no obstacle.
CompileOptions wide_open() {
  CompileOptions out = options();
  out.limits.depth = 4 * kMillion;
  out.limits.subschemas = 4 * kMillion;
  return out;
}

std::expected<Schema, schema::CompileError> compile(const std::string& text, const CompileOptions& how = options()) {
  const json::Document document = document_of(text);
  return Schema::compile(document.root(), how);
}

Schema compiled(const std::string& text, const CompileOptions& how = options()) {
  auto schema = compile(text, how);
  if (!schema) throw std::runtime_error(schema.error().message);
  return *schema;
}

std::string repeated(std::string_view text, std::size_t n) {
  std::string out;
  out.reserve(text.size() * n);
  for (std::size_t i = 0; i < n; ++i) out += text;
  return out;
}

/// A list of what `make` gives for 0 to n - 1; with braces an object.
template <class Make>
std::string joined(std::string_view open, std::size_t n, Make&& make, std::string_view close) {
  std::string out(open);
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) out += ',';
    out += make(i);
  }
  return out += close;
}
template <class Make>
std::string list_of(std::size_t n, Make&& make) {
  return joined("[", n, make, "]");
}
template <class Make>
std::string object_of(std::size_t n, Make&& make) {
  return joined("{", n, make, "}");
}
std::string quoted(std::string_view front, std::size_t i) {
  return "\"" + std::string(front) + std::to_string(i) + "\"";
}

/// The keyword and the message of the only violation.
std::string only_violation(const Schema& schema, json::Value value) {
  const schema::Report report = schema.check(value);
  if (report.violations.size() != 1 || report.total != 1) return std::to_string(report.total) + " violations";
  return report.violations[0].keyword + ": " + report.violations[0].message;
}

// --- deep ----------------------------------------------------------------------------------------------------------

TEST(SchemaHostile, a_million_nested_schemas_pass_the_default_limit_with_an_error) {
  on_a_small_stack([] {
    const std::string text = repeated("{\"allOf\":[", kMillion) + "{\"type\":\"integer\"}" + repeated("]}", kMillion);
    CompileOptions how = options();
    how.limits.depth = 4 * kMillion;
    const auto schema = compile(text, how);
    ASSERT_FALSE(schema.has_value());
    EXPECT_NE(schema.error().message.find("--limit subschemas="), std::string::npos) << schema.error().message;
    EXPECT_TRUE(schema.error().where.starts_with("/allOf/0/allOf/0"));
  });
}

TEST(SchemaHostile, a_million_nested_schemas_are_checked_when_the_limit_is_raised) {
  on_a_small_stack([] {
    for (const auto& [keyword, deep] : {std::pair{"allOf", kMillion}, {"anyOf", kDeep}, {"oneOf", kDeep}}) {
      const std::string open = std::string("{\"") + keyword + "\":[";
      const Schema schema =
          compiled(repeated(open, deep) + "{\"type\":\"integer\"}" + repeated("]}", deep), wide_open());
      const json::Document right = document_of("5"), wrong = document_of("\"five\""), near = document_of("\"5\"");
      EXPECT_TRUE(schema.valid(right.root()));
      EXPECT_FALSE(schema.valid(wrong.root()));
      EXPECT_EQ(schema.check(wrong.root()).violations.size(), 1u);
      EXPECT_TRUE(schema.align(near.root()).valid);
    }
  });
}

TEST(SchemaHostile, nested_negations_are_checked) {
  on_a_small_stack([] {
    const Schema schema =
        compiled(repeated("{\"not\":", kDeep) + "{\"type\":\"integer\"}" + repeated("}", kDeep), wide_open());
    const json::Document right = document_of("5"), wrong = document_of("\"5\"");
    EXPECT_TRUE(schema.valid(right.root()));
    EXPECT_FALSE(schema.check(wrong.root()).valid());
    EXPECT_FALSE(schema.align(wrong.root()).valid);
  });
}

TEST(SchemaHostile, a_million_nested_lists_are_checked_by_a_recursive_schema) {
  on_a_small_stack([] {
    const Schema schema = compiled(R"({"type":["array","integer"],"items":{"$ref":"#"}})");
    const std::string open(kMillion, '['), close(kMillion, ']');
    const json::Document right = document_of(open + "5" + close), wrong = document_of(open + "true" + close);
    EXPECT_TRUE(schema.valid(right.root()));
    const schema::Report report = schema.check(wrong.root());
    ASSERT_EQ(report.violations.size(), 1u);
    EXPECT_EQ(report.violations[0].path.size(), 2 * kMillion);
    EXPECT_LT(report.violations[0].message.size(), 400u);
  });
}

TEST(SchemaHostile, what_stands_deep_inside_is_aligned) {
  on_a_small_stack([] {
    const Schema schema = compiled(R"({"anyOf":[{"type":"array","items":{"$ref":"#"}},{"type":"integer"}]})");
    const std::string open(kDeep, '['), close(kDeep, ']');
    const json::Document near = document_of(open + "\"true\"" + close), null = document_of(open + "null" + close);
    EXPECT_FALSE(schema.align(near.root()).valid);
    EXPECT_FALSE(schema.align(null.root()).valid);
    const Schema words = compiled(R"({"type":["array","boolean"],"items":{"$ref":"#"}})");
    EXPECT_FALSE(words.align(near.root()).valid);  // a list may have been meant
    const Schema objects = compiled(R"({"properties":{"a":{"$ref":"#"}},"type":["object","boolean"]})");
    const json::Document deep = document_of(repeated("{\"a\":", kDeep) + "\"true\"" + repeated("}", kDeep));
    const schema::Aligned aligned = objects.align(deep.root());
    ASSERT_TRUE(aligned.valid);
    EXPECT_EQ(aligned.edits.size(), 1u);
  });
}

TEST(SchemaHostile, deep_patterns_and_names_are_checked) {
  on_a_small_stack([] {
    const Schema schema = compiled(repeated(R"({"additionalProperties":false,"patternProperties":{"^a+$":)", kDeep) +
                                       R"({"type":"integer"})" + repeated("}}", kDeep),
                                   wide_open());
    const std::string open = repeated("{\"aaa\":", kDeep), close = repeated("}", kDeep);
    const json::Document right = document_of(open + "1" + close), wrong = document_of(open + "{}" + close);
    EXPECT_TRUE(schema.valid(right.root()));
    EXPECT_EQ(schema.check(wrong.root()).violations.size(), 1u);
  });
}

TEST(SchemaHostile, a_chain_of_references_is_followed) {
  on_a_small_stack([] {
    constexpr std::size_t kLong = 90'000;
    const std::string defs = object_of(kLong, [](std::size_t i) {
      return quoted("d", i) + (i + 1 == kLong ? std::string(R"(:{"type":"integer"})")
                                              : R"(:{"$ref":"#/$defs/d)" + std::to_string(i + 1) + "\"}");
    });
    const Schema schema = compiled(R"({"$ref":"#/$defs/d0","$defs":)" + defs + "}");
    const json::Document right = document_of("5"), wrong = document_of("\"x\"");
    EXPECT_TRUE(schema.valid(right.root()));
    EXPECT_TRUE(only_violation(schema, wrong.root()).starts_with("type: "));
  });
}

// --- circular ------------------------------------------------------------------------------------------------------

TEST(SchemaHostile, a_schema_that_refers_to_itself_for_the_same_value_is_refused) {
  for (const char* text : {
           R"({"$ref":"#"})",
           R"({"allOf":[true,{"$ref":"#"}]})",
           R"({"anyOf":[true,{"$ref":"#"}]})",
           R"({"oneOf":[{"$ref":"#"}]})",
           R"({"not":{"$ref":"#"}})",
           R"({"if":{"$ref":"#"}})",
           R"({"if":true,"then":{"$ref":"#"}})",
           R"({"if":true,"else":{"$ref":"#"}})",
           R"({"dependentSchemas":{"a":{"$ref":"#"}}})",
           R"({"$dynamicAnchor":"n","$dynamicRef":"#n"})",
           R"({"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}})",
           R"({"$anchor":"top","allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"not":{"$ref":"#top"}}}})",
           R"({"properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"a":{"if":true,"then":{"$ref":"#/$defs/a"}}}})",
           R"({"$id":"http://h/a","allOf":[{"$ref":"b"}],"$defs":{"b":{"$id":"b","$ref":"a"}}})",
       }) {
    const auto schema = compile(text);
    ASSERT_FALSE(schema.has_value()) << text;
    EXPECT_NE(schema.error().message.find("refers to itself"), std::string::npos) << text << schema.error().message;
  }
  CompileOptions old = options();
  old.draft = schema::Draft::draft7;
  EXPECT_FALSE(compile(R"({"dependencies":{"a":{"$ref":"#"}}})", old).has_value());
}

TEST(SchemaHostile, a_circle_through_two_documents_is_refused) {
  const json::Document other = document_of(R"({"anyOf":[{"$ref":"http://h/one"}]})");
  CompileOptions how = options();
  how.base = "http://h/one";
  how.remotes = [&](std::string_view uri) -> std::optional<json::Value> {
    if (uri == "http://h/two") return other.root();
    return std::nullopt;
  };
  const auto schema = compile(R"({"allOf":[{"$ref":"two"}]})", how);
  ASSERT_FALSE(schema.has_value());
  EXPECT_NE(schema.error().message.find("refers to itself"), std::string::npos) << schema.error().message;
}

TEST(SchemaHostile, a_circle_through_the_values_inside_is_no_circle) {
  for (const char* text : {R"({"items":{"$ref":"#"}})", R"({"properties":{"a":{"$ref":"#"}}})",
                           R"({"contains":{"$ref":"#"}})", R"({"additionalProperties":{"allOf":[{"$ref":"#"}]}})",
                           R"({"unevaluatedItems":{"not":{"$ref":"#"}}})", R"({"propertyNames":{"$ref":"#"}})",
                           R"({"patternProperties":{"^a":{"$ref":"#"}}})", R"({"$defs":{"a":{"$ref":"#/$defs/a"}}})"}) {
    const Schema schema = compiled(text);
    for (const char* value : {"1", "[[[]]]", R"({"a":{"a":{"b":[]}}})"}) {
      const json::Document document = document_of(value);
      EXPECT_EQ(schema.valid(document.root()), schema.check(document.root()).valid()) << text << value;
    }
  }
}

TEST(SchemaHostile, a_circle_that_only_the_dynamic_scope_closes_ends_with_a_violation) {
  on_a_small_stack([] {
    // b's own target is harmless; that a was entered first makes it a again.
    const Schema schema = compiled(
        R"({"$id":"http://h/a","$dynamicAnchor":"n","$ref":"b",
            "$defs":{"b":{"$id":"b","$dynamicRef":"#n","$defs":{"n":{"$dynamicAnchor":"n"}}}}})");
    const json::Document value = document_of(R"({"a":1})");
    EXPECT_FALSE(schema.valid(value.root()));
    EXPECT_EQ(only_violation(schema, value.root()).substr(0, 7), "limit: ");
    EXPECT_FALSE(schema.align(value.root()).valid);
    // Where it would mean "not what cannot be decided", it is not valid either.
    const Schema negated = compiled(
        R"({"not":{"$ref":"http://h/a"},"$defs":{"a":{"$id":"http://h/a","$dynamicAnchor":"n","$ref":"b",
            "$defs":{"b":{"$id":"b","$dynamicRef":"#n","$defs":{"n":{"$dynamicAnchor":"n"}}}}}}})");
    EXPECT_FALSE(negated.valid(value.root()));
    EXPECT_EQ(only_violation(negated, value.root()).substr(0, 7), "limit: ");
  });
}

// --- exponential ---------------------------------------------------------------------------------------------------

/// 2^levels ways from the top to the bottom.
std::string many_ways(std::string_view keyword, std::size_t levels, std::string_view bottom) {
  const std::string defs = object_of(levels + 1, [&](std::size_t i) {
    if (i == levels) return quoted("d", i) + ":" + std::string(bottom);
    const std::string next = R"({"$ref":"#/$defs/d)" + std::to_string(i + 1) + "\"}";
    return quoted("d", i) + ":{\"" + std::string(keyword) + "\":[" + next + "," + next + "]}";
  });
  return R"({"$ref":"#/$defs/d0","$defs":)" + defs + "}";
}

TEST(SchemaHostile, exponentially_many_ways_end_with_the_limit_that_says_so) {
  on_a_small_stack([] {
    const json::Document value = document_of("{\"a\":[\"5\"]}");
    CompileOptions how = options();
    how.limits.schema_steps = 100'000;
    for (const auto& [keyword, bottom] : {std::pair{"allOf", "true"},
                                          {"allOf", R"({"unevaluatedProperties":true})"},
                                          {"anyOf", "false"},
                                          {"anyOf", R"({"properties":{"a":{"type":"integer"}}})"},
                                          {"oneOf", "false"}}) {
      const Schema schema = compiled(many_ways(keyword, 60, bottom), how);
      EXPECT_FALSE(schema.valid(value.root())) << keyword << bottom;
      const std::string said = only_violation(schema, value.root());
      EXPECT_TRUE(said.starts_with("limit: ")) << said;
      EXPECT_NE(said.find("--limit schema_steps=N"), std::string::npos) << said;
      EXPECT_NE(said.find("100000"), std::string::npos) << said;
      EXPECT_FALSE(schema.align(value.root()).valid);
    }
  });
}

TEST(SchemaHostile, giving_up_is_never_valid_inside_a_negation) {
  CompileOptions how = options();
  how.limits.schema_steps = 1000;
  const json::Document value = document_of("1");
  std::string text = many_ways("allOf", 60, "true");
  text.replace(text.find(R"("$ref":"#/$defs/d0")"), 19, R"("not":{"$ref":"#/$defs/d0"})");
  const Schema schema = compiled(text, how);
  EXPECT_FALSE(schema.valid(value.root()));
  EXPECT_TRUE(only_violation(schema, value.root()).starts_with("limit: "));
  text.replace(text.find("\"not\":"), 6, "\"if\":");
  EXPECT_FALSE(compiled(text, how).valid(value.root()));
}

TEST(SchemaHostile, the_default_limit_ends_exponentially_many_ways_too) {
  const Schema schema = compiled(many_ways("allOf", 60, "true"));
  const json::Document value = document_of("1");
  EXPECT_TRUE(only_violation(schema, value.root()).starts_with("limit: "));
}

TEST(SchemaHostile, values_of_a_reasonable_size_need_no_higher_limit) {
  CompileOptions how = options();
  how.limits.schema_steps = 0;  // what is granted for each value is enough
  const Schema schema =
      compiled(R"({"items":{"properties":{"a":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}})", how);
  const json::Document value =
      document_of(list_of(10'000, [](std::size_t i) { return "{\"a\":" + std::to_string(i) + "}"; }));
  EXPECT_TRUE(schema.valid(value.root()));
}

// --- work that one operation does must count as well ----------------------------------------------------------------

/// Many schemas that each look at all of one large value: no schema is large, no value is, the product is. What looks
/// at a thing that is not of bounded size has to count its steps, and then these do not last.
void expect_giving_up(std::string_view small, const json::Document& large) {
  CompileOptions how = options();
  how.limits.schema_steps = 100'000;
  const Schema schema =
      compiled("{\"allOf\":" + list_of(1000, [&](std::size_t) { return std::string(small); }) + "}", how);
  EXPECT_EQ(only_violation(schema, large.root()).substr(0, 7), "limit: ") << small;
}

// Where a sanitizer makes each step ten times as slow, large is less.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kLarge = 5'000;
#else
constexpr std::size_t kLarge = 20'000;
#endif

json::Document large_list() {
  return document_of(list_of(kLarge, [](std::size_t i) { return std::to_string(i); }));
}
json::Document large_object() {
  return document_of(object_of(kLarge, [](std::size_t i) { return quoted("k", i) + ":1"; }));
}
json::Document large_string() { return document_of("\"" + repeated("é", kMillion) + "\""); }

TEST(SchemaHostile, enums_and_constants_count_what_they_compare) {
  expect_giving_up(R"({"not":{"enum":[1,2,3,4,5,6,7,8,9,10]}})", large_list());
  expect_giving_up(R"({"not":{"enum":[1,2,3,4,5,6,7,8,9,"k"]}})", large_string());
}

TEST(SchemaHostile, names_count_the_members_they_are_looked_for_in) {
  const std::string last = quoted("k", kLarge - 1), before = quoted("k", kLarge - 2);
  expect_giving_up("{\"required\":[" + last + "]}", large_object());
  expect_giving_up("{\"dependentRequired\":{" + before + ":[" + last + "]}}", large_object());
  expect_giving_up("{\"dependentSchemas\":{" + before + ":true}}", large_object());
}

TEST(SchemaHostile, lengths_patterns_and_formats_count_what_they_read) {
  expect_giving_up(R"({"minLength":900000})", large_string());
  expect_giving_up(R"({"pattern":"é$"})", large_string());
  CompileOptions how = options();
  how.formats = true;
  how.limits.schema_steps = 100'000;
  const json::Document uri = document_of("\"http://h/" + std::string(kMillion, 'a') + "\"");
  const Schema schema =
      compiled("{\"allOf\":" + list_of(300, [](std::size_t) { return R"({"format":"uri"})"; }) + "}", how);
  EXPECT_EQ(only_violation(schema, uri.root()).substr(0, 7), "limit: ") << "format";
}

TEST(SchemaHostile, numbers_count_their_digits) {
  expect_giving_up(R"({"minimum":3})", document_of(std::string(200'000, '7')));
  expect_giving_up(R"({"multipleOf":7})", document_of(std::string(200'000, '7')));
}

TEST(SchemaHostile, unique_items_count_what_they_compare) { expect_giving_up(R"({"uniqueItems":true})", large_list()); }

// --- huge ----------------------------------------------------------------------------------------------------------

TEST(SchemaHostile, an_enum_of_200_000_values_is_found_by_value) {
  for (const bool strings : {true, false}) {
    const Schema schema = compiled(
        "{\"enum\":" +
        list_of(200'000, [&](std::size_t i) { return strings ? quoted("value ", i) : std::to_string(7 * i); }) + "}");
    const json::Document right = document_of(strings ? "\"value 199999\"" : "1399993.0"),
                         wrong = document_of(strings ? "\"value 200000\"" : "1");
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(schema.valid(right.root()));
    const schema::Report report = schema.check(wrong.root());
    ASSERT_EQ(report.violations.size(), 1u);
    EXPECT_LT(report.violations[0].message.size(), 600u);
    EXPECT_NE(report.violations[0].message.find("and 199988 more"), std::string::npos);
    const json::Document other_case = document_of("\"VALUE 5\"");
    EXPECT_EQ(schema.align(other_case.root()).valid, strings);
  }
}

TEST(SchemaHostile, unique_items_among_200_000) {
  const Schema schema = compiled(R"({"uniqueItems":true})");
  const auto item = [](std::size_t i) {
    return i % 3 == 0 ? std::to_string(i) : i % 3 == 1 ? quoted("s", i) : "{\"a\":" + std::to_string(i) + ",\"b\":[]}";
  };
  const std::string text = list_of(200'000, item);
  const json::Document unique = document_of(text),
                       twice = document_of(text.substr(0, text.size() - 1) + ",{\"b\":[],\"a\":5.0}]");
  EXPECT_TRUE(schema.valid(unique.root()));
  EXPECT_FALSE(schema.valid(twice.root()));
}

TEST(SchemaHostile, ten_megabytes_of_properties) {
  const std::string text =
      R"({"additionalProperties":false,"properties":)" +
      object_of(400'000, [](std::size_t i) { return quoted("property", i) + R"(:{"type":"integer"})"; }) + "}";
  ASSERT_GT(text.size(), 10 * kMillion);
  const auto refused = compile(text);
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find("--limit subschemas="), std::string::npos);
  const Schema schema = compiled(text, wide_open());
  const json::Document right = document_of(R"({"property399999":1})"), wrong = document_of(R"({"properti399999":1})");
  EXPECT_TRUE(schema.valid(right.root()));
  EXPECT_EQ(schema.check(wrong.root()).total, 1u);
  EXPECT_EQ(schema.property_names().size(), 400'000u);
}

TEST(SchemaHostile, a_hundred_thousand_references_into_one_large_list_of_definitions) {
  constexpr std::size_t kMany = 100'000;
  const std::string text =
      R"({"prefixItems":)" +
      list_of(kMany, [](std::size_t i) { return R"({"$ref":"#/$defs/d)" + std::to_string(i) + "\"}"; }) +
      R"(,"$defs":)" + object_of(kMany, [](std::size_t i) { return quoted("d", i) + R"(:{"type":"integer"})"; }) + "}";
  const Schema schema = compiled(text, wide_open());
  const json::Document right = document_of(list_of(kMany, [](std::size_t i) { return std::to_string(i); }));
  EXPECT_TRUE(schema.valid(right.root()));
}

TEST(SchemaHostile, references_by_anchor_and_by_id) {
  constexpr std::size_t kMany = 20'000;
  for (const bool anchors : {true, false}) {
    const std::string text =
        R"({"$id":"http://h/root","prefixItems":)" +
        list_of(kMany,
                [&](std::size_t i) {
                  return R"({"$ref":")" + std::string(anchors ? "#" : "") + "d" + std::to_string(i) + "\"}";
                }) +
        R"(,"$defs":)" +
        object_of(kMany,
                  [&](std::size_t i) {
                    return quoted("x", i) + ":{\"" + (anchors ? "$anchor" : "$id") + "\":" + quoted("d", i) +
                           R"(,"type":"integer"})";
                  }) +
        "}";
    const Schema schema = compiled(text);
    const json::Document right = document_of(list_of(kMany, [](std::size_t i) { return std::to_string(i); }));
    EXPECT_TRUE(schema.valid(right.root()));
  }
}

TEST(SchemaHostile, many_references_from_a_resource_with_a_long_name) {
  const std::string text = "{\"$id\":\"http://h/" + std::string(100'000, 'a') + R"(","prefixItems":)" +
                           list_of(3'000, [](std::size_t) { return R"({"$ref":"#/$defs/a"})"; }) +
                           R"(,"$defs":{"a":{"type":"integer"}}})";
  const json::Document value = document_of("[1,2]");
  EXPECT_TRUE(compiled(text).valid(value.root()));
}

TEST(SchemaHostile, ten_thousand_names_are_required) {
  const Schema schema =
      compiled("{\"required\":" + list_of(10'000, [](std::size_t i) { return quoted("name", i); }) + "}");
  const auto member = [](std::size_t i) { return quoted("name", i) + ":1"; };
  const json::Document all = document_of(object_of(10'000, member)), none = document_of("{}"),
                       half = document_of(object_of(5'000, member));
  EXPECT_TRUE(schema.valid(all.root()));
  EXPECT_EQ(schema.check(none.root()).total, 10'000u);
  EXPECT_EQ(schema.check(half.root()).total, 5'000u);
  EXPECT_EQ(schema.check(none.root()).violations.size(), Limits().violations);
}

TEST(SchemaHostile, violations_beyond_those_listed_are_counted) {
  const Schema schema = compiled(R"({"items":{"type":"integer"}})");
  const json::Document value = document_of(list_of(100'000, [](std::size_t) { return "true"; }));
  const schema::Report report = schema.check(value.root());
  EXPECT_EQ(report.total, 100'000u);
  EXPECT_EQ(report.violations.size(), Limits().violations);
}

TEST(SchemaHostile, the_nearest_of_two_alternatives_is_found_among_many_faults) {
  const Schema schema =
      compiled(R"({"anyOf":[{"items":{"type":["integer","boolean"]}},{"items":{"type":"integer"}}]})");
  // The first alternative has 3,000 faults, the second 6,000.
  const json::Document value = document_of(list_of(6'000, [](std::size_t i) { return i % 2 == 0 ? "true" : "\"x\""; }));
  const schema::Report report = schema.check(value.root());
  EXPECT_EQ(report.total, 3'000u);
  EXPECT_TRUE(report.violations[0].schema_path.starts_with("/anyOf/0/")) << report.violations[0].schema_path;
}

// --- aligning ------------------------------------------------------------------------------------------------------

TEST(SchemaHostile, thousands_of_unknown_members_are_dropped_or_left) {
  const Schema schema = compiled(R"({"additionalProperties":false,"properties":)" +
                                 object_of(500, [](std::size_t i) { return quoted("property", i) + ":true"; }) + "}");
  const json::Document value = document_of(object_of(2'000, [](std::size_t i) { return quoted("unknown", i) + ":1"; }));
  EXPECT_EQ(align_fault(schema, value.root()), "");
}

TEST(SchemaHostile, thousands_of_missing_members_among_thousands_of_others) {
  const Schema schema =
      compiled("{\"required\":" + list_of(2'000, [](std::size_t i) { return quoted("required", i); }) + "}");
  const json::Document value =
      document_of(object_of(2'000, [](std::size_t i) { return quoted("different", i) + ":1"; }));
  EXPECT_EQ(align_fault(schema, value.root()), "");
}

TEST(SchemaHostile, as_many_edits_as_the_limit_allows) {
  const Schema schema = compiled(R"({"items":{"type":"integer"}})");
  const auto item = [](std::size_t i) { return quoted("", i); };
  const json::Document most = document_of(list_of(Limits().edits, item)),
                       more = document_of(list_of(Limits().edits + 1, item));
  EXPECT_EQ(schema.align(most.root()).edits.size(), Limits().edits);
  EXPECT_FALSE(schema.align(more.root()).valid);
}

TEST(SchemaHostile, json_in_strings_in_strings) {
  const Schema schema = compiled(R"({"type":"array","items":{"$ref":"#"}})");
  std::string text = "[]";
  for (int i = 0; i < 20; ++i) text = "[" + json_string(text) + "]";  // twice as long with each level
  const json::Document value = document_of(text);
  EXPECT_EQ(align_fault(schema, value.root()), "");
}

// --- made to collide -----------------------------------------------------------------------------------------------

TEST(SchemaHostile, names_that_share_one_hash) {
  // hash_text() multiplies; a factor that is zero makes all that follows it the same. These 24 characters do that, if
  // nothing that differs from run to run goes into the hash.
  const auto name = [](std::size_t i) {
    const std::string digits = std::to_string(i);
    return "\"pgutdqpzvwiledblOB|$uc#k" + std::string(8 - digits.size(), '0') + digits + "\"";
  };
  constexpr std::size_t kMany = 10'000;
  const Schema schema = compiled(R"({"additionalProperties":false,"properties":)" +
                                 object_of(kMany, [&](std::size_t i) { return name(i) + ":true"; }) + "}");
  const json::Document value = document_of(object_of(kMany, [&](std::size_t i) { return name(i) + ":1"; }));
  EXPECT_TRUE(schema.valid(value.root()));
  const Schema listed = compiled("{\"items\":{\"enum\":" + list_of(kMany, name) + "}}");
  const json::Document items = document_of(list_of(kMany, name));
  EXPECT_TRUE(listed.valid(items.root()));
  EXPECT_TRUE(compiled(R"({"uniqueItems":true})").valid(items.root()));
}

// --- any bytes -----------------------------------------------------------------------------------------------------

TEST(SchemaHostile, numbers_without_measure_are_compared_and_divided) {
  for (const char* number : {"1e999999999", "-1e999999999", "1e-999999999", "1e9223372036854775807",
                             "1e99999999999999999999", "-1e-99999999999999999999", "0e99999999999999999999"}) {
    const std::string n = number;
    for (const std::string& text : {"{\"minimum\":" + n + "}", "{\"maximum\":" + n + "}",
                                    "{\"exclusiveMinimum\":" + n + "}", "{\"enum\":[" + n + ",1,2,3,4,5,6,7,8,9]}",
                                    "{\"const\":" + n + "}", "{\"multipleOf\":" + n + "}", "{\"minLength\":" + n + "}",
                                    "{\"maxItems\":" + n + "}", std::string(R"({"type":"integer","multipleOf":3})")}) {
      const json::Document document = document_of(text);
      EXPECT_EQ(compile_fault(document.root(), options()), "") << text;
      const auto schema = Schema::compile(document.root(), options());
      if (!schema) continue;
      for (const std::string& value :
           {n, std::string("1"), "[" + n + "," + n + "]", "\"" + n + "\"", std::string("-0")}) {
        const json::Document v = document_of(value);
        EXPECT_EQ(check_fault(*schema, document.root(), v.root()), "") << text << " " << value;
        EXPECT_EQ(align_fault(*schema, v.root()), "") << text << " " << value;
      }
    }
  }
}

TEST(SchemaHostile, any_bytes_as_a_schema_have_an_answer) {
  static constexpr std::array kPieces = {"{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "\"$ref\"",
                                         "\"#\"",
                                         "\"$id\"",
                                         "\"a\"",
                                         "\"type\"",
                                         "\"items\"",
                                         "\"properties\"",
                                         "\"$defs\"",
                                         "\"#/$defs/a\"",
                                         "\"enum\"",
                                         "\"allOf\"",
                                         "true",
                                         "false",
                                         "null",
                                         "1",
                                         "-1",
                                         "\"$schema\"",
                                         "\"\"",
                                         "\"object\"",
                                         "\"$anchor\"",
                                         "\"not\"",
                                         "\"required\"",
                                         "\"http://json-schema.org/draft-07/schema#\"",
                                         "\"pattern\"",
                                         "\"(\"",
                                         "\"$dynamicRef\"",
                                         "\"minimum\"",
                                         "\xff"};
  std::mt19937 random(1);
  std::size_t compiled_ones = 0, refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::size_t n = random() % 30; n > 0; --n) text += kPieces[random() % kPieces.size()];
    // The tolerant reader makes something of nearly anything.
    const json::Reading reading = json::read(text);
    if (reading.document.empty()) continue;
    CompileOptions how = options();
    if (i % 3 == 0) how.draft = schema::Draft::draft7;
    ASSERT_EQ(compile_fault(reading.document.root(), how), "") << printable(text);
    const auto schema = Schema::compile(reading.document.root(), how);
    ++(schema ? compiled_ones : refused);
    if (!schema) continue;
    ASSERT_EQ(check_fault(*schema, reading.document.root(), reading.document.root()), "") << printable(text);
  }
  EXPECT_GT(compiled_ones, 500u);
  EXPECT_GT(refused, 500u);
}

}  // namespace
}  // namespace belay::check
