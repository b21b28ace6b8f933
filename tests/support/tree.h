// A JSON value as plain nodes: the model that tests compare the engine with. Nothing here uses the engine's own
// reader, writer or equality, so that a fault there cannot hide itself.
#pragma once

#include <belay/json/value.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace belay::check {

struct Tree {
  enum class Kind : std::uint8_t { null, no, yes, number, string, array, object };

  Kind kind = Kind::null;
  std::string text;               ///< a string's characters, or a number as written
  std::vector<std::string> keys;  ///< of an object, one for each of its items
  std::vector<Tree> items;        ///< of an array, or the values of an object

  /// Order of members counts; numbers are equal when their values are, to the last digit.
  bool operator==(const Tree& other) const;

  static Tree null() { return {}; }
  static Tree boolean(bool b) { return {.kind = b ? Kind::yes : Kind::no, .text = {}, .keys = {}, .items = {}}; }
  static Tree number(std::string_view s) {
    return {.kind = Kind::number, .text = std::string(s), .keys = {}, .items = {}};
  }
  static Tree string(std::string_view s) {
    return {.kind = Kind::string, .text = std::string(s), .keys = {}, .items = {}};
  }
  static Tree array() { return {.kind = Kind::array, .text = {}, .keys = {}, .items = {}}; }
  static Tree object() { return {.kind = Kind::object, .text = {}, .keys = {}, .items = {}}; }

  [[nodiscard]] const Tree* find(std::string_view key) const;
};

/// One spelling for each exact value: sign, digits without zeros at either end, exponent. "-1.50e2" gives "-15e1".
std::string canonical_number(std::string_view text);

/// What the engine holds, through Value's public interface only. Recursive: for documents of ordinary depth.
Tree to_tree(const json::Value& value);
std::vector<Tree> to_trees(const json::Document& document);

/// Compact JSON text, for messages and for building inputs.
std::string to_text(const Tree& tree);
std::string to_text(const std::vector<Tree>& trees);
/// A JSON string, with only those escapes that JSON demands.
std::string json_string(std::string_view content);

}  // namespace belay::check
