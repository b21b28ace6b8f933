// The table of all keys: what may stand behind each, and where it may stand.
#pragma once

#include <belay/version.h>

#include "layer.h"

#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::config {

enum class Shape : std::uint8_t { truth, whole, number, text, texts, pairs };

struct Key {
  std::string_view name;
  Shape shape = Shape::text;
  double least = 0, most = 0;                 ///< of numbers
  std::span<const std::string_view> words{};  ///< the texts that there are; empty: any
  bool in_models = false;                     ///< may stand in a model's table
  bool only_models = false;                   ///< may stand nowhere else
};
std::span<const Key> keys();
/// Nothing when there is no such key.
const Key* key_named(std::string_view name);

/// Nothing, or what was expected: `expected a whole number from 1 to 1000`.
std::string complaint(const Key& key, const Value& value);
/// Text of the command line as a value of the key's shape.
std::expected<Value, std::string> value_from(const Key& key, std::string_view text);

/// Headers that hold keys, by their names: authorization, x-api-key, cookie and the like.
bool names_a_key(std::string_view header);

/// A piece of the person's text, for a message: in quotes, cut, control characters escaped.
std::string cited(std::string_view text);

}  // namespace BELAY_NAMESPACE::config
