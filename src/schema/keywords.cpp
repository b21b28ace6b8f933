#include "schema/keywords.h"

#include <algorithm>
#include <cstddef>

namespace BELAY_NAMESPACE::schema {
namespace {

enum Editions : std::uint8_t { k7 = 1, k2019 = 2, k2020 = 4, kNew = k2019 | k2020, kOld = k7 | k2019, kAll = 7 };

struct Entry {
  std::string_view name;
  Keyword keyword;
  Shape shape;
  std::uint8_t editions;
  std::uint16_t vocabulary;
};

// In the order of the enum.
constexpr Entry kTable[] = {
    {"$schema", Keyword::schema, Shape::none, kAll, kCore},
    {"$id", Keyword::id, Shape::none, kAll, kCore},
    {"$ref", Keyword::ref, Shape::none, kAll, kCore},
    {"$anchor", Keyword::anchor, Shape::none, kNew, kCore},
    {"$dynamicRef", Keyword::dynamic_ref, Shape::none, k2020, kCore},
    {"$dynamicAnchor", Keyword::dynamic_anchor, Shape::none, k2020, kCore},
    {"$recursiveRef", Keyword::recursive_ref, Shape::none, k2019, kCore},
    {"$vocabulary", Keyword::vocabulary, Shape::none, kNew, kCore},
    {"$defs", Keyword::defs, Shape::map, kNew, kCore},
    // The older name still holds schemas in many documents of the newer drafts; nothing else can stand there.
    {"definitions", Keyword::definitions, Shape::map, kAll, kCore},
    {"type", Keyword::type, Shape::none, kAll, kValidation},
    {"const", Keyword::constant, Shape::none, kAll, kValidation},
    {"enum", Keyword::enumeration, Shape::none, kAll, kValidation},
    {"minimum", Keyword::minimum, Shape::none, kAll, kValidation},
    {"maximum", Keyword::maximum, Shape::none, kAll, kValidation},
    {"exclusiveMinimum", Keyword::exclusive_minimum, Shape::none, kAll, kValidation},
    {"exclusiveMaximum", Keyword::exclusive_maximum, Shape::none, kAll, kValidation},
    {"multipleOf", Keyword::multiple_of, Shape::none, kAll, kValidation},
    {"minLength", Keyword::min_length, Shape::none, kAll, kValidation},
    {"maxLength", Keyword::max_length, Shape::none, kAll, kValidation},
    {"pattern", Keyword::pattern, Shape::none, kAll, kValidation},
    {"format", Keyword::format, Shape::none, kAll, kFormatAnnotation | kFormatAssertion},
    {"minItems", Keyword::min_items, Shape::none, kAll, kValidation},
    {"maxItems", Keyword::max_items, Shape::none, kAll, kValidation},
    {"uniqueItems", Keyword::unique_items, Shape::none, kAll, kValidation},
    {"minContains", Keyword::min_contains, Shape::none, kNew, kValidation},
    {"maxContains", Keyword::max_contains, Shape::none, kNew, kValidation},
    {"minProperties", Keyword::min_properties, Shape::none, kAll, kValidation},
    {"maxProperties", Keyword::max_properties, Shape::none, kAll, kValidation},
    {"required", Keyword::required, Shape::none, kAll, kValidation},
    {"dependentRequired", Keyword::dependent_required, Shape::none, kNew, kValidation},
    {"properties", Keyword::properties, Shape::map, kAll, kApplicator},
    {"patternProperties", Keyword::pattern_properties, Shape::map, kAll, kApplicator},
    {"additionalProperties", Keyword::additional_properties, Shape::schema, kAll, kApplicator},
    {"propertyNames", Keyword::property_names, Shape::schema, kAll, kApplicator},
    {"prefixItems", Keyword::prefix_items, Shape::list, k2020, kApplicator},
    {"items", Keyword::items, Shape::either, kAll, kApplicator},
    {"additionalItems", Keyword::additional_items, Shape::schema, kOld, kApplicator},
    {"contains", Keyword::contains, Shape::schema, kAll, kApplicator},
    {"allOf", Keyword::all_of, Shape::list, kAll, kApplicator},
    {"anyOf", Keyword::any_of, Shape::list, kAll, kApplicator},
    {"oneOf", Keyword::one_of, Shape::list, kAll, kApplicator},
    {"not", Keyword::negation, Shape::schema, kAll, kApplicator},
    {"if", Keyword::condition, Shape::schema, kAll, kApplicator},
    {"then", Keyword::then, Shape::schema, kAll, kApplicator},
    {"else", Keyword::otherwise, Shape::schema, kAll, kApplicator},
    {"dependentSchemas", Keyword::dependent_schemas, Shape::map, kNew, kApplicator},
    {"dependencies", Keyword::dependencies, Shape::dependencies, kAll, kApplicator},
    {"unevaluatedItems", Keyword::unevaluated_items, Shape::schema, kNew, kUnevaluated},
    {"unevaluatedProperties", Keyword::unevaluated_properties, Shape::schema, kNew, kUnevaluated},
};
static_assert(std::size(kTable) == kKeywords);

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kTable); ++i)
    if (static_cast<std::size_t>(kTable[i].keyword) != i) return false;
  return true;
}
static_assert(in_order());

// Length and first letters tell nearly all of them apart.
constexpr std::size_t slot_of(std::string_view s) {
  auto c = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(s[i])); };
  return (s.size() * 37 + c(0) * 5 + c(s.size() / 2) * 11 + c(s.size() - 1) * 3) & 255;
}

constexpr auto kSlots = [] {
  std::array<std::uint8_t, 256> slots{};
  slots.fill(0xff);
  for (std::size_t i = 0; i < std::size(kTable); ++i) {
    std::size_t s = slot_of(kTable[i].name);
    while (slots[s] != 0xff) s = (s + 1) & 255;
    slots[s] = static_cast<std::uint8_t>(i);
  }
  return slots;
}();

std::uint8_t bit_of(Edition edition) { return static_cast<std::uint8_t>(1u << static_cast<unsigned>(edition)); }

}  // namespace

std::optional<Keyword> keyword_named(std::string_view name, const Dialect& dialect) {
  if (name.empty()) return std::nullopt;
  for (std::size_t s = slot_of(name); kSlots[s] != 0xff; s = (s + 1) & 255) {
    const Entry& e = kTable[kSlots[s]];
    if (e.name != name) continue;
    if ((e.editions & bit_of(dialect.edition)) == 0 || (e.vocabulary & dialect.vocabularies) == 0) return std::nullopt;
    return e.keyword;
  }
  return std::nullopt;
}

std::string_view name(Keyword keyword) { return kTable[static_cast<std::size_t>(keyword)].name; }

Shape shape_of(Keyword keyword, const Dialect& dialect) {
  if (keyword == Keyword::items && dialect.edition == Edition::draft2020_12) return Shape::schema;
  return kTable[static_cast<std::size_t>(keyword)].shape;
}

std::optional<Dialect> dialect_named(std::string_view uri) {
  if (uri.ends_with('#')) uri.remove_suffix(1);
  for (std::string_view scheme : {"https://", "http://"})
    if (uri.starts_with(scheme)) {
      uri.remove_prefix(scheme.size());
      break;
    }
  if (uri == "json-schema.org/draft/2020-12/schema") return Dialect{};
  if (uri == "json-schema.org/draft/2019-09/schema") return Dialect{.edition = Edition::draft2019_09};
  // Draft 6 lacks some of draft 7's keywords and contradicts none.
  if (uri == "json-schema.org/draft-07/schema" || uri == "json-schema.org/draft-06/schema")
    return Dialect{.edition = Edition::draft7};
  return std::nullopt;
}

std::optional<std::uint16_t> vocabulary_named(std::string_view uri) {
  constexpr std::pair<std::string_view, std::uint16_t> names[] = {
      {"core", kCore},
      {"applicator", kApplicator},
      {"unevaluated", kUnevaluated},
      {"validation", kValidation},
      {"format-annotation", kFormatAnnotation},
      {"format", kFormatAnnotation},
      {"format-assertion", kFormatAssertion},
      {"content", kContent},
      {"meta-data", kMetaData},
  };
  constexpr std::string_view front = "https://json-schema.org/draft/";
  if (!uri.starts_with(front)) return std::nullopt;
  uri.remove_prefix(front.size());
  if (!uri.starts_with("2020-12/vocab/") && !uri.starts_with("2019-09/vocab/")) return std::nullopt;
  uri.remove_prefix(std::string_view("2020-12/vocab/").size());
  for (auto [name, bit] : names)
    if (uri == name) return bit;
  return std::nullopt;
}

}  // namespace BELAY_NAMESPACE::schema
