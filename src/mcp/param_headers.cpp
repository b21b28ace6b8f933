#include "mcp/param_headers.h"

#include "mcp/fields.h"
#include "mcp/lower.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace BELAY_NAMESPACE::mcp {
namespace {

constexpr std::size_t kMany = 64;
constexpr std::string_view kData[] = {"default", "enum", "const", "examples"};
constexpr std::string_view kMaps[] = {"$defs", "definitions", "patternProperties", "dependentSchemas"};

// A schema somewhere in a schema; reachable: by `properties` alone.
struct Place {
  json::Value schema;
  bool reachable;
  std::vector<std::string> path;
};

bool is_token(std::string_view s) {
  return !s.empty() && s.size() <= 100 && std::ranges::all_of(s, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// The schemas inside one.
void add_inside(const Place& place, std::vector<Place>& todo) {
  for (const json::Member& member : place.schema.members()) {
    if (std::ranges::find(kData, member.key) != std::end(kData)) continue;
    const bool properties = member.key == "properties";
    if (properties || std::ranges::find(kMaps, member.key) != std::end(kMaps)) {
      for (const json::Member& inner : member.value.members()) {
        std::vector<std::string> path;
        if (properties && place.reachable) {
          path = place.path;
          path.emplace_back(inner.key);
        }
        todo.push_back({inner.value, properties && place.reachable, std::move(path)});
      }
    } else if (member.value.is_object()) {
      todo.push_back({member.value, false, {}});
    } else {
      for (json::Value item : member.value.items())
        if (item.is_object()) todo.push_back({item, false, {}});
    }
  }
}

}  // namespace

std::expected<std::vector<ParamHeader>, std::string> param_headers(json::Value schema) {
  std::vector<ParamHeader> out;
  std::set<std::string> names;
  std::vector<Place> todo{{schema, true, {}}};
  while (!todo.empty()) {
    const Place place = std::move(todo.back());
    todo.pop_back();
    if (!place.schema.is_object()) continue;
    if (const auto annotation = place.schema.find("x-mcp-header")) {
      const std::string name(annotation->as_string());
      const std::string type = text_in(place.schema, "type");
      if (!is_token(name)) return std::unexpected("an x-mcp-header that is no name of a header");
      if (!place.reachable || place.path.empty())
        return std::unexpected("the x-mcp-header " + name + " is not at a parameter that can be reached by its name");
      if (type != "string" && type != "integer" && type != "boolean")
        return std::unexpected("the x-mcp-header " + name + " is at a parameter that is no string, integer or boolean");
      if (!names.insert(lower(name)).second) return std::unexpected("the x-mcp-header " + name + " is there twice");
      if (names.size() > kMany) return std::unexpected("more than " + std::to_string(kMany) + " x-mcp-headers");
      out.push_back({name, place.path});
    }
    add_inside(place, todo);
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> header_values(const std::vector<ParamHeader>& headers,
                                                               json::Value arguments) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const ParamHeader& header : headers) {
    std::optional<json::Value> v = arguments;
    for (const std::string& step : header.path) v = v ? v->find(step) : std::nullopt;
    if (!v) continue;
    if (v->is_string())
      out.emplace_back("mcp-param-" + lower(header.name), v->as_string());
    else if (const auto n = v->as_int64())
      out.emplace_back("mcp-param-" + lower(header.name), std::to_string(*n));
    else if (v->is_bool())
      out.emplace_back("mcp-param-" + lower(header.name), v->as_bool() ? "true" : "false");
  }
  return out;
}

}  // namespace BELAY_NAMESPACE::mcp
