// What a schema is compiled to: for each subschema a short list of operations, and the tables that they name.
#pragma once

#include <belay/schema/schema.h>

#include "schema/decimal.h"
#include "schema/format.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace BELAY_NAMESPACE::schema {

using Index = std::uint32_t;
inline constexpr Index kNone = static_cast<Index>(-1);

/// The types of JSON Schema as bits. A number is `number`, and `integer` too when it is whole.
enum TypeBit : std::uint8_t {
  kNull = 1,
  kBoolean = 2,
  kInteger = 4,
  kNumber = 8,
  kString = 16,
  kArray = 32,
  kObject = 64,
};

enum class OpKind : std::uint8_t {
  // decided at once
  never,
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
  min_properties,
  max_properties,
  required,
  dependent_required,
  // applied to values inside this one
  object,
  property_names,
  array,
  contains,
  // applied to this value
  reference,
  dynamic_reference,
  all_of,
  any_of,
  one_of,
  negation,
  condition,
  dependent_schemas,
  // after all others
  unevaluated_items,
  unevaluated_properties,
};
inline constexpr bool is_leaf(OpKind kind) { return kind < OpKind::object; }

/// What `a`, `b`, `c` and `n` mean is said with each kind in machine.cpp and leaf.cpp.
struct Op {
  OpKind kind = OpKind::never;
  bool contains_marks = false;  // contains: items that match count as evaluated
  Index a = kNone, b = kNone, c = kNone;
  std::uint64_t n = 0;
  Index document = 0;
  Index keyword = 0;  // node of the keyword's value in that document
};

/// Where a schema stands: a document and a node of it.
struct Place {
  Index document = 0;
  Index node = 0;
};

struct Subschema {
  Index first = 0, last = 0;  // its operations
  Index resource = 0;
  Index alias = kNone;  // it is only a reference to this one
  bool leaf = true;     // all of its operations are decided at once
  bool unevaluated = false;
  Place place;
};

/// A name that the schema of an object mentions.
struct Name {
  std::uint64_t hash = 0;
  std::string_view text;
  Index schema = kNone;  // from `properties`
};

/// `properties`, `patternProperties` and `additionalProperties`, which share one pass over the members.
struct ObjectRule {
  std::vector<Name> names;   // in the order of the schema
  std::vector<Index> table;  // open addressing over `names`; a power of two, empty when there are none
  std::vector<std::pair<Index, Index>> patterns;  // pattern, schema
  Index additional = kNone;
  Index additional_document = 0, additional_keyword = 0;  // where that stands
  [[nodiscard]] Index find(std::string_view key, std::uint64_t hash) const {
    if (table.empty()) return kNone;
    for (std::size_t i = hash & (table.size() - 1);; i = (i + 1) & (table.size() - 1)) {
      Index n = table[i];
      if (n == kNone || (names[n].hash == hash && names[n].text == key)) return n;
    }
  }
};

struct ArrayRule {
  std::vector<Index> prefix;
  Index rest = kNone;
  Index rest_keyword = 0;
};

/// Values that an enum lists. Beyond a few they are found by hash.
struct EnumRule {
  std::vector<json::Value> values;
  std::vector<std::pair<std::uint64_t, Index>> by_hash;  // sorted; empty when there are few
};

struct DependentRule {
  std::string_view name;
  std::vector<std::string_view> names;  // that must be there then
  Index schema = kNone;                 // that must hold then
};

struct SourceDocument {
  json::Document document;
  std::string uri;
};

struct Program {
  std::vector<Op> ops;
  std::vector<Subschema> schemas;
  std::vector<Index> lists;
  std::vector<ObjectRule> objects;
  std::vector<ArrayRule> arrays;
  std::vector<EnumRule> enums;
  std::vector<std::vector<std::string_view>> name_lists;
  std::vector<std::vector<DependentRule>> dependents;
  std::vector<Decimal> numbers;
  std::vector<std::uint64_t> wide;  // numbers that do not fit into an operation
  std::vector<std::unique_ptr<const Pattern>> patterns;
  std::vector<std::string_view> pattern_texts;
  std::vector<std::unique_ptr<SourceDocument>> documents;    // everything above points into these
  std::unordered_map<std::uint64_t, Index> dynamic_anchors;  // resource << 32 | anchor: a schema
  bool dynamic = false;                                      // there are dynamic references
  Index root = 0;
  Limits limits;
};

/// For looking up names and keys.
std::uint64_t hash_text(std::string_view text);
/// The same for equal values, as JSON Schema has it: 1 and 1.0, members in any order. Iterative.
std::uint64_t hash_value(json::Value value);

/// The types of a value as bits.
std::uint8_t types_of(json::Value value);

}  // namespace BELAY_NAMESPACE::schema
