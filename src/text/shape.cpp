#include <belay/text/shape.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace BELAY_NAMESPACE::text {
namespace {

const Shape& unknown() {
  static const Shape kUnknown;
  return kUnknown;
}

std::uint8_t types_named(std::string_view name) {
  // Some providers write types in capitals.
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  if (lower == "null") return kNull;
  if (lower == "boolean") return kBoolean;
  if (lower == "integer") return kInteger;
  if (lower == "number") return kInteger | kNumber;
  if (lower == "string") return kString;
  if (lower == "array") return kArray;
  if (lower == "object") return kObject;
  return kAnyType;
}

std::uint8_t types_of(json::Value value) {
  switch (value.kind()) {
    case json::Kind::null: return kNull;
    case json::Kind::boolean: return kBoolean;
    case json::Kind::number: return kInteger | kNumber;
    case json::Kind::string: return kString;
    case json::Kind::array: return kArray;
    case json::Kind::object: return kObject;
  }
  return kAnyType;
}

// Reads a schema. What is deeper, larger or rounder than a tool's parameters ever are is of any type.
class Shaper {
 public:
  explicit Shaper(json::Value root) : root_(root) {}

  Shape read(json::Value schema) {
    Shape shape;
    if (schema.is_bool()) {
      if (!schema.as_bool()) shape.types = kNoType, shape.declared = true;
      return shape;
    }
    if (!schema.is_object() || depth_ >= kDepth || ++steps_ > kSteps) return shape;
    ++depth_;
    read_types(schema, shape);
    if (auto properties = schema.find("properties"); properties && properties->is_object()) {
      shape.declared = true;
      for (const auto& [name, value] : properties->members()) {
        if (++steps_ > kSteps) break;
        shape.properties.push_back({std::string(name), read(value)});
      }
    }
    if (auto required = schema.find("required"); required && required->is_array())
      for (json::Value name : required->items()) {
        if (++steps_ > kSteps) break;
        if (name.is_string()) shape.required.emplace_back(name.as_string());
      }
    if (auto items = schema.find("items"); items && items->is_object() && !schema.find("prefixItems")) {
      shape.declared = true;
      shape.items = std::make_shared<const Shape>(read(*items));
    }
    if (auto ref = schema.find("$ref"); ref && ref->is_string()) both(shape, follow(ref->as_string()));
    if (auto all = schema.find("allOf"); all && all->is_array())
      for (json::Value part : all->items()) both(shape, read(part));
    for (std::string_view word : {"anyOf", "oneOf"})
      if (auto any = schema.find(word); any && any->is_array() && any->size() > 0) both(shape, read_any(*any));
    if (auto nullable = schema.find("nullable"); nullable && nullable->as_bool()) shape.types |= kNull;
    --depth_;
    return shape;
  }

 private:
  static constexpr std::size_t kDepth = 64;
  static constexpr std::size_t kSteps = 10'000;

  static void read_types(json::Value schema, Shape& shape) {
    if (auto type = schema.find("type")) {
      std::uint8_t types = kNoType;
      if (type->is_string()) types = types_named(type->as_string());
      for (json::Value one : type->items())
        if (one.is_string()) types |= types_named(one.as_string());
      if (types != kNoType) shape.types = types, shape.declared = true;
    }
    std::uint8_t listed = kNoType;
    if (auto values = schema.find("enum"); values && values->is_array())
      for (json::Value one : values->items()) listed |= types_of(one);
    if (auto only = schema.find("const")) listed = types_of(*only);
    if (listed != kNoType) shape.types &= listed, shape.declared = true;
  }

  Shape read_any(json::Value schemas) {
    std::optional<Shape> shape;
    for (json::Value one : schemas.items()) {
      Shape next = read(one);
      if (!shape)
        shape = std::move(next);
      else
        either(*shape, next);
    }
    return std::move(*shape);
  }

  // What fits one or the other.
  static void either(Shape& a, const Shape& b) {
    const bool lists = a.types & kArray;
    a.types |= b.types;
    a.declared &= b.declared;
    std::erase_if(a.required, [&](const std::string& name) {
      return std::find(b.required.begin(), b.required.end(), name) == b.required.end();
    });
    for (const auto& [name, shape] : b.properties) {
      auto mine = find(a, name);
      if (mine)
        either(*mine, shape);
      else
        a.properties.push_back({name, shape});
    }
    if (a.items && b.items) {
      Shape items = *a.items;
      either(items, *b.items);
      a.items = std::make_shared<const Shape>(std::move(items));
    } else if (lists ? !!(b.types & kArray) : true) {
      a.items = lists ? nullptr : b.items;
    }
  }

  // What fits both.
  static void both(Shape& a, const Shape& b) {
    if (!b.declared) return;
    a.types &= b.types;
    a.declared = true;
    a.required.insert(a.required.end(), b.required.begin(), b.required.end());
    for (const auto& [name, shape] : b.properties) {
      auto mine = find(a, name);
      if (mine)
        both(*mine, shape);
      else
        a.properties.push_back({name, shape});
    }
    if (!a.items) a.items = b.items;
  }

  static Shape* find(Shape& shape, std::string_view name) {
    auto it = std::find_if(shape.properties.begin(), shape.properties.end(),
                           [&](const auto& property) { return property.name == name; });
    return it == shape.properties.end() ? nullptr : &it->shape;
  }

  Shape follow(std::string_view ref) {
    const auto target = resolve(ref);
    if (!target) return {};
    if (std::find(following_.begin(), following_.end(), target->index()) != following_.end()) return {};
    following_.push_back(target->index());
    Shape shape = read(*target);
    following_.pop_back();
    return shape;
  }

  // "#", "#/$defs/name": a JSON Pointer in the same document.
  [[nodiscard]] std::optional<json::Value> resolve(std::string_view ref) const {
    if (ref.empty() || ref[0] != '#') return std::nullopt;
    ref.remove_prefix(1);
    std::optional<json::Value> at = root_;
    while (at && !ref.empty()) {
      if (ref[0] != '/') return std::nullopt;
      ref.remove_prefix(1);
      const std::string_view part = ref.substr(0, ref.find('/'));
      ref.remove_prefix(part.size());
      if (at->is_array()) {
        std::size_t index = 0;
        if (part.empty() || part.size() > 6) return std::nullopt;
        for (char c : part) {
          if (c < '0' || c > '9') return std::nullopt;
          index = index * 10 + static_cast<std::size_t>(c - '0');
        }
        at = at->at(index);
      } else {
        at = at->find(unescaped(part));
      }
    }
    return at;
  }

  static std::string unescaped(std::string_view part) {
    std::string percent;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto digit = [&](std::size_t k) {
        const std::size_t d = std::string_view("0123456789abcdef").find(static_cast<char>(part[k] | 0x20));
        return part[k] >= '0' ? d : std::string_view::npos;
      };
      if (part[i] == '%' && i + 2 < part.size() && digit(i + 1) < 16 && digit(i + 2) < 16) {
        percent += static_cast<char>(digit(i + 1) * 16 + digit(i + 2));
        i += 2;
      } else {
        percent += part[i];
      }
    }
    std::string out;
    for (std::size_t i = 0; i < percent.size(); ++i) {
      const bool tilde =
          percent[i] == '~' && i + 1 < percent.size() && (percent[i + 1] == '0' || percent[i + 1] == '1');
      out += tilde ? (percent[++i] == '0' ? '~' : '/') : percent[i];
    }
    return out;
  }

  json::Value root_;
  std::size_t depth_ = 0;
  std::size_t steps_ = 0;
  std::vector<std::size_t> following_;
};

}  // namespace

const Shape& Shape::at(std::string_view name) const {
  for (const auto& [key, shape] : properties)
    if (key == name) return shape;
  return unknown();
}

bool Shape::has(std::string_view name) const {
  return std::any_of(properties.begin(), properties.end(), [&](const auto& property) { return property.name == name; });
}

Shape shape_of(json::Value schema) { return Shaper(schema).read(schema); }

}  // namespace BELAY_NAMESPACE::text
