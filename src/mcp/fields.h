// Members of JSON objects by their type: the wrong type counts as absent.
#pragma once

#include <belay/json.h>

#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::mcp {

inline std::string text_in(json::Value object, std::string_view key) {
  const auto v = object.find(key);
  return v ? std::string(v->as_string()) : std::string();
}
inline std::optional<bool> flag_in(json::Value object, std::string_view key) {
  const auto v = object.find(key);
  if (!v || !v->is_bool()) return std::nullopt;
  return v->as_bool();
}
/// JSON text of an object or (where it is allowed) anything else; empty when it is absent.
inline std::string json_in(json::Value object, std::string_view key) {
  const auto v = object.find(key);
  return v && !v->is_null() ? json::to_string(*v) : std::string();
}
inline std::optional<json::Value> object_in(json::Value object, std::string_view key) {
  const auto v = object.find(key);
  if (!v || !v->is_object()) return std::nullopt;
  return v;
}

}  // namespace BELAY_NAMESPACE::mcp
