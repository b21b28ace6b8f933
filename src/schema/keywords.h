// The keywords of both drafts: what they are called, where schemas stand in them, and who knows them.
#pragma once

#include <belay/version.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace BELAY_NAMESPACE::schema {

enum class Keyword : std::uint8_t {
  schema,
  id,
  ref,
  anchor,
  dynamic_ref,
  dynamic_anchor,
  recursive_ref,
  vocabulary,
  defs,
  definitions,
  type,
  constant,
  enumeration,
  minimum,
  maximum,
  exclusive_minimum,
  exclusive_maximum,
  multiple_of,
  min_length,
  max_length,
  pattern,
  format,
  min_items,
  max_items,
  unique_items,
  min_contains,
  max_contains,
  min_properties,
  max_properties,
  required,
  dependent_required,
  properties,
  pattern_properties,
  additional_properties,
  property_names,
  prefix_items,
  items,
  additional_items,
  contains,
  all_of,
  any_of,
  one_of,
  negation,
  condition,
  then,
  otherwise,
  dependent_schemas,
  dependencies,
  unevaluated_items,
  unevaluated_properties,
};
inline constexpr std::size_t kKeywords = static_cast<std::size_t>(Keyword::unevaluated_properties) + 1;

/// Where schemas stand in a keyword's value.
enum class Shape : std::uint8_t {
  none,
  schema,        // it is one
  list,          // an array of them
  map,           // an object of them
  either,        // one, or an array of them: `items` before 2020-12
  dependencies,  // an object of schemas and arrays of names
};

/// The vocabularies of 2020-12, as bits.
enum Vocabulary : std::uint16_t {
  kCore = 1,
  kApplicator = 2,
  kUnevaluated = 4,
  kValidation = 8,
  kFormatAnnotation = 16,
  kFormatAssertion = 32,
  kContent = 64,
  kMetaData = 128,
  kAllVocabularies = 255,
};

enum class Edition : std::uint8_t { draft7, draft2019_09, draft2020_12 };

/// Which keywords count, and how.
struct Dialect {
  Edition edition = Edition::draft2020_12;
  std::uint16_t vocabularies = kAllVocabularies & ~kFormatAssertion;
  bool operator==(const Dialect&) const = default;
  /// Before 2019-09 nothing beside a `$ref` counts.
  [[nodiscard]] bool ref_alone() const { return edition == Edition::draft7; }
};

/// The keyword of that name if the dialect has it.
std::optional<Keyword> keyword_named(std::string_view name, const Dialect& dialect);
std::string_view name(Keyword);
Shape shape_of(Keyword keyword, const Dialect& dialect);

/// The dialect that a `$schema` names, if it is one of those that are built in.
std::optional<Dialect> dialect_named(std::string_view uri);
/// The bit of a vocabulary's URI; nothing for one that is not known.
std::optional<std::uint16_t> vocabulary_named(std::string_view uri);

}  // namespace BELAY_NAMESPACE::schema
