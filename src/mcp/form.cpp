#include <belay/mcp/form.h>
#include <belay/schema.h>

#include "mcp/fields.h"
#include "mcp/lower.h"
#include "mcp/object.h"

#include <algorithm>
#include <set>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

using Kind = FormField::Kind;
using Wrong = std::unexpected<std::string>;

std::string as_json(std::string_view text) {
  std::string out;
  json::write_string(text, out);
  return out;
}

std::string trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n");
  if (from == text.npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(" \t\r\n") + 1 - from));
}

// `enum`, with the titles of an older draft beside it, or a list of `const` and `title`.
std::vector<FormOption> options_of(json::Value schema) {
  std::vector<FormOption> out;
  if (const auto values = schema.find("enum"); values && values->is_array()) {
    const auto names = schema.find("enumNames");
    std::vector<std::string> titles;
    if (names && names->is_array())
      for (json::Value n : names->items()) titles.emplace_back(n.as_string());
    for (json::Value v : values->items())
      if (v.is_string()) {
        const std::string value(v.as_string());
        out.push_back({value, out.size() < titles.size() && !titles[out.size()].empty() ? titles[out.size()] : value});
      }
    return out;
  }
  for (const std::string_view key : {"oneOf", "anyOf"}) {
    const auto list = schema.find(key);
    if (!list || !list->is_array()) continue;
    for (json::Value v : list->items()) {
      const auto value = v.find("const");
      if (!value || !value->is_string()) continue;
      const std::string title = text_in(v, "title");
      out.push_back({std::string(value->as_string()), title.empty() ? std::string(value->as_string()) : title});
    }
    if (!out.empty()) return out;
  }
  return out;
}

bool has_choices(json::Value schema) {
  return schema.find("enum").has_value() || schema.find("oneOf").has_value() || schema.find("anyOf").has_value();
}

std::expected<FormField, std::string> field_of(std::string_view name, json::Value schema, const FormLimits& limits) {
  const std::string who = "its field " + std::string(name.substr(0, 80));
  FormField out;
  out.name = name;
  out.title = text_in(schema, "title");
  out.description = text_in(schema, "description");
  out.standard = json_in(schema, "default");
  out.schema = json::to_string(schema);
  const std::string type = text_in(schema, "type");
  if (type == "array") {
    const auto items = object_in(schema, "items");
    if (items) out.options = options_of(*items);
    if (out.options.empty()) return Wrong(who + " is a list, and not one of choices");
    out.kind = Kind::several;
  } else if (type == "string" || (type.empty() && has_choices(schema))) {
    out.kind = has_choices(schema) ? Kind::one : Kind::text;
    out.options = options_of(schema);
    if (out.kind == Kind::one && out.options.empty()) return Wrong(who + " has nothing to choose from");
  } else if (type == "number") {
    out.kind = Kind::number;
  } else if (type == "integer") {
    out.kind = Kind::integer;
  } else if (type == "boolean") {
    out.kind = Kind::boolean;
  } else {
    return Wrong(who + " is neither a text nor a number nor a choice");
  }
  if (out.options.size() > limits.options)
    return Wrong(who + " has more than " + std::to_string(limits.options) + " choices");
  return out;
}

std::expected<std::string, std::string> choice_of(const FormField& field, std::string_view typed) {
  const std::string word = trimmed(typed);
  std::size_t n = 0;
  for (const char c : word) n = c >= '0' && c <= '9' && n < 1000 ? n * 10 + static_cast<std::size_t>(c - '0') : 100'000;
  for (const FormOption& option : field.options)
    if (word == option.value || word == option.title) return as_json(option.value);
  if (!word.empty() && n >= 1 && n <= field.options.size()) return as_json(field.options[n - 1].value);
  // In other letters, where that is only one.
  std::set<std::string> alike;
  for (const FormOption& option : field.options)
    if (lower(word) == lower(option.value) || lower(word) == lower(option.title)) alike.insert(option.value);
  if (alike.size() == 1) return as_json(*alike.begin());
  return Wrong("it is none of the choices; 1 to " + std::to_string(field.options.size()) + " names one");
}

std::expected<std::string, std::string> written(const FormField& field, std::string_view typed) {
  const std::string word = lower(trimmed(typed));
  switch (field.kind) {
    case Kind::text: return as_json(typed);
    case Kind::number:
    case Kind::integer: {
      json::ReaderOptions strict;
      strict.mode = json::Mode::strict;
      const json::Reading reading = json::read(word, strict);
      if (reading.verdict.word() != json::Word::valid || !reading.document.root().is_number())
        return Wrong(field.kind == Kind::number ? "that is no number" : "that is no whole number");
      return json::to_string(reading.document.root());
    }
    case Kind::boolean:
      if (word == "yes" || word == "y" || word == "true" || word == "1") return "true";
      if (word == "no" || word == "n" || word == "false" || word == "2") return "false";
      return Wrong("yes or no");
    case Kind::one: return choice_of(field, typed);
    case Kind::several: break;
  }
  std::string out;
  std::set<std::string> seen;
  // A title may have a comma in it: all of it is tried first.
  if (auto whole = choice_of(field, typed)) return "[" + *whole + "]";
  for (std::string_view rest = typed; !trimmed(rest).empty();) {
    const std::size_t comma = rest.find(',');
    auto one = choice_of(field, rest.substr(0, comma));
    if (!one) return one;
    if (seen.insert(*one).second) out += (out.empty() ? "" : ",") + *one;
    rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
  }
  return "[" + out + "]";
}

}  // namespace

std::string_view name(FormField::Kind kind) noexcept {
  constexpr std::string_view names[] = {"text", "number", "whole number", "yes or no", "choice", "choices"};
  return names[static_cast<std::size_t>(kind)];
}

std::expected<std::vector<FormField>, std::string> form_of(json::Value schema, const FormLimits& limits) {
  const auto properties = schema.is_object() ? object_in(schema, "properties") : std::nullopt;
  if (!properties) return Wrong("its form is no object with properties");
  if (json::to_string(schema).size() > limits.bytes)
    return Wrong("its form is larger than " + std::to_string(limits.bytes) + " bytes");
  std::set<std::string, std::less<>> required, seen;
  if (const auto list = schema.find("required"))
    for (json::Value v : list->items()) required.emplace(v.as_string());
  std::vector<FormField> out;
  for (const json::Member& member : properties->members()) {
    if (!seen.emplace(member.key).second) continue;
    if (out.size() >= limits.fields)
      return Wrong("its form has more than " + std::to_string(limits.fields) + " fields");
    if (!member.value.is_object()) return Wrong("its field " + std::string(member.key.substr(0, 80)) + " is no schema");
    auto field = field_of(member.key, member.value, limits);
    if (!field) return std::unexpected(std::move(field.error()));
    field->required = required.contains(member.key);
    out.push_back(std::move(*field));
  }
  return out;
}

std::expected<std::string, std::string> field_value(const FormField& field, std::string_view typed,
                                                    const schema::Regexes* regexes, const FormLimits& limits) {
  if (typed.size() > limits.answer) return Wrong("it is longer than " + std::to_string(limits.answer) + " bytes");
  auto value = written(field, typed);
  if (!value) return value;
  return checked_value(field, std::move(*value), regexes);
}

std::expected<std::string, std::string> checked_value(const FormField& field, std::string value,
                                                      const schema::Regexes* regexes) {
  const json::Reading reading = json::read(value);
  const json::Reading own = json::read(field.schema);
  if (reading.document.empty() || own.document.empty()) return value;
  schema::CompileOptions options;
  options.formats = true;
  options.regexes = regexes;
  const auto compiled = schema::Schema::compile(own.document.root(), options);
  // A schema that cannot be compiled says nothing that could be checked; the server checks what it gets in any case.
  if (!compiled) return value;
  const schema::Report report = compiled->check(reading.document.root());
  if (report.valid()) return value;
  return Wrong(report.violations.empty() ? "it cannot be checked" : report.violations[0].message);
}

std::string shown_value(const FormField& field, std::string_view json) {
  const json::Reading reading = json::read(json);
  if (reading.document.empty()) return std::string(json);
  const json::Value v = reading.document.root();
  const auto titled = [&](std::string_view value) {
    const auto found = std::ranges::find(field.options, value, &FormOption::value);
    return found == field.options.end() ? std::string(value) : found->title;
  };
  if (v.is_string()) return titled(v.as_string());
  if (v.is_bool()) return v.as_bool() ? "yes" : "no";
  if (!v.is_array()) return std::string(json);
  std::string out;
  for (json::Value item : v.items())
    out += (out.empty() ? "" : ", ") + (item.is_string() ? titled(item.as_string()) : json::to_string(item));
  return out;
}

std::string form_content(const std::map<std::string, std::string>& values) {
  Object out;
  for (const auto& [name, value] : values) out.raw(name, value);
  return out.done();
}

}  // namespace BELAY_NAMESPACE::mcp
