// What a tool's parameters look like, as far as reading raw text needs to know.
#pragma once

#include <belay/json/value.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::text {
BELAY_API_BEGIN

/// The types that a value may have, as bits.
enum Types : std::uint8_t {
  kNoType = 0,
  kNull = 1,
  kBoolean = 2,
  kInteger = 4,
  kNumber = 8,
  kString = 16,
  kArray = 32,
  kObject = 64,
  kAnyType = 127,
};

/// The part of a JSON Schema that says how raw text is to be read: types, and the shapes inside objects and lists.
struct Shape {
  std::uint8_t types = kAnyType;
  bool declared = false;  ///< a schema says so; otherwise nothing is known
  struct Property;
  std::vector<Property> properties;     ///< in the order of the schema
  std::vector<std::string> required{};  ///< the members that must be there
  std::shared_ptr<const Shape> items{};

  /// The shape of a member; one of which nothing is known when there is none.
  [[nodiscard]] const Shape& at(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const;
};
struct Shape::Property {
  std::string name;
  Shape shape;
};

/// The shape that a schema describes: `type`, `properties`, `items`, `enum`, `const`, `anyOf`, `oneOf`, `allOf` and
/// `$ref` inside the same document. Bounded: what is nested too deep, or refers to itself, is of any type.
Shape shape_of(json::Value schema);

/// A tool that may be called.
struct Tool {
  std::string name{};
  Shape parameters{};
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::text
