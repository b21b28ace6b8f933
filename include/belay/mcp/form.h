// The form of an elicitation: what a server wants to know of a person, field by field. Pure.
#pragma once

#include <belay/json/value.h>
#include <belay/schema/regex.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// What can be chosen. `title` is for the person; the value's own words where the server gives none.
struct FormOption {
  std::string value, title;
  bool operator==(const FormOption&) const = default;
};

struct FormField {
  enum class Kind : std::uint8_t {
    text,
    number,
    integer,
    boolean,
    one,      ///< of `options`
    several,  ///< of `options`
  };
  std::string name, title, description;
  Kind kind = Kind::text;
  bool required = false;
  std::vector<FormOption> options{};
  std::string standard{};  ///< the default, as JSON text; empty for none
  std::string schema{};    ///< of the value, as JSON text
  bool operator==(const FormField&) const = default;
};
std::string_view name(FormField::Kind) noexcept;

/// Beyond these a form is refused: nobody reads it.
struct FormLimits {
  std::size_t fields = 32;
  std::size_t options = 100;         ///< of one field
  std::size_t bytes = 64ull << 10;   ///< of the schema
  std::size_t answer = 16ull << 10;  ///< bytes of one answer
};

/// The fields of a `requestedSchema`, in its order: strings, numbers, integers, booleans, and choices in every spelling
/// that MCP has had (`enum` with `enumNames`, `oneOf` of `const` and `title`, lists of either). The error is one
/// sentence: the form is none, is not flat, or is too large.
std::expected<std::vector<FormField>, std::string> form_of(json::Value schema, const FormLimits& limits = {});

/// What a person typed for a field, as JSON text of the value: a choice by its number (from 1), title or value;
/// several of them with commas between; yes or no. Checked against the field's schema, formats included. The error is
/// one sentence for the person.
std::expected<std::string, std::string> field_value(const FormField& field, std::string_view typed,
                                                    const schema::Regexes* regexes = nullptr,
                                                    const FormLimits& limits = {});
/// The value, JSON text, if the field's schema allows it. The error is one sentence for the person.
std::expected<std::string, std::string> checked_value(const FormField& field, std::string value,
                                                      const schema::Regexes* regexes = nullptr);
/// A value of a field as a person reads it: the title of a choice, yes, a text without quotes.
std::string shown_value(const FormField& field, std::string_view json);

/// The content of an accepted form: values as JSON text, by name.
std::string form_content(const std::map<std::string, std::string>& values);

}  // namespace BELAY_NAMESPACE::mcp
