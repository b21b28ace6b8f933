// Gemini's `parameters` are a message of its own with names from OpenAPI 3.0, not JSON Schema.
#include "wire/gemini.h"

#include <belay/json/writer.h>

#include <algorithm>
#include <array>

namespace BELAY_NAMESPACE::wire::gemini {
namespace {

constexpr std::array<std::string_view, 22> kKeywords = {
    "type",     "format",     "title",     "description",   "nullable",      "enum",    "items",   "maxItems",
    "minItems", "properties", "required",  "minProperties", "maxProperties", "minimum", "maximum", "propertyOrdering",
    "default",  "minLength",  "maxLength", "pattern",       "example",       "anyOf"};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool is_count(std::string_view keyword) { return keyword.starts_with("min") || keyword.starts_with("max"); }

bool is_digits(std::string_view text) {
  return !text.empty() && text.size() < 19 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Recursive, but not deeper than the text was allowed to nest (Limits::depth).
class SchemaWriter {
 public:
  explicit SchemaWriter(JsonText& out) : out_(out) {}
  void schema(json::Value schema);

 private:
  void keyword(std::string_view name, json::Value value, bool nullable, bool typed);
  void type(std::string_view name, bool nullable);
  void any(json::Value value) {
    if (value.is_object())
      schema(value);
    else
      out_.raw(json::to_string(value));
  }
  JsonText& out_;
};

void SchemaWriter::schema(json::Value schema) {
  auto flag = schema.find("nullable");
  auto type = schema.find("type");
  out_.open('{');
  for (json::Member m : schema.members()) {
    std::string_view name = m.key;
    for (std::string_view known : kKeywords)
      if (same_name(known, m.key)) name = known;
    keyword(name, m.value, flag && flag->as_bool(), type && type->is_string());
  }
  out_.close('}');
}

void SchemaWriter::type(std::string_view name, bool nullable) {
  if (name == "type_unspecified") return;
  out_.key("type");
  if (nullable && name != "null")
    out_.open('[').string(name).string("null").close(']');
  else
    out_.string(name);
}

// null is a value like others in JSON Schema: what lists the values that are allowed has to name it.
void SchemaWriter::keyword(std::string_view name, json::Value value, bool nullable, bool typed) {
  if (name == "nullable" && value.is_bool()) return;
  if (name == "type" && value.is_string()) return type(lower(value.as_string()), nullable);
  out_.key(name);
  if (name == "items") {
    any(value);
  } else if (name == "properties" && value.is_object()) {
    out_.open('{');
    for (json::Member m : value.members()) {
      out_.key(m.key);
      any(m.value);
    }
    out_.close('}');
  } else if ((name == "anyOf" || name == "enum") && value.is_array()) {
    out_.open('[');
    for (json::Value item : value.items()) {
      if (name == "anyOf")
        any(item);
      else
        out_.raw(json::to_string(item));
    }
    if (nullable && name == "enum") out_.null();
    if (nullable && name == "anyOf" && !typed) out_.raw(R"({"type":"null"})");
    out_.close(']');
  } else if (is_count(name) && is_digits(value.as_string())) {
    out_.raw(value.as_string());  // 64-bit numbers are strings in Google's JSON
  } else {
    out_.raw(json::to_string(value));
  }
}

bool format_fits(std::string_view type, std::string_view format) {
  if (type == "string") return format == "enum" || format == "date-time";
  if (type == "integer") return format == "int32" || format == "int64";
  return type == "number" && (format == "float" || format == "double");
}

bool fits(std::string_view keyword, json::Value value, json::Value schema) {
  if (keyword == "type") return value.is_string() && value.as_string() != "null";
  // Only strings, and only for strings.
  if (keyword == "enum")
    return text_at(schema, "type") == "string" && value.is_array() &&
           std::ranges::all_of(value.items(), [](json::Value v) { return !v.as_string().empty(); });
  if (keyword == "format") return format_fits(text_at(schema, "type"), value.as_string());
  if (keyword == "items") return in_subset(value);
  if (keyword == "anyOf") return value.is_array() && std::ranges::all_of(value.items(), in_subset);
  if (keyword == "properties") {
    for (json::Member m : value.members())
      if (!in_subset(m.value)) return false;
    return value.size() > 0;  // an object without properties is refused
  }
  return std::ranges::find(kKeywords, keyword) != kKeywords.end();
}

}  // namespace

std::string json_schema(json::Value schema) {
  std::string text;
  JsonText out(text);
  SchemaWriter(out).schema(schema);
  return text;
}

bool in_subset(json::Value schema) {
  for (json::Member m : schema.members())
    if (!fits(m.key, m.value, schema)) return false;
  std::string_view type = text_at(schema, "type");
  if (type == "object") return schema.find("properties").has_value();
  if (type == "array") return schema.find("items").has_value();
  return !type.empty() || schema.find("anyOf").has_value();
}

}  // namespace BELAY_NAMESPACE::wire::gemini
