// What the schema targets read: a byte of options, then the text of a schema, a 0 byte, the text of a value. Bytes that
// are not that are decisions from which both are made.
#pragma once

#include "fuzz.h"

#include <support/independent.h>
#include <support/schema_oracles.h>
#include <support/schemas.h>

#include <belay/regex.h>

#include <optional>

namespace belay::fuzz {

struct SchemaInput {
  json::Document schema, value;
  schema::CompileOptions options;
  bool repeats = false;  ///< the value has a key twice in one object, and pointers may lead to either

  /// For messages.
  [[nodiscard]] std::string text() const {
    return json::to_string(schema.root()) + "\nVALUE: " + json::to_string(value.root());
  }
};

inline const schema::Regexes& regexes() {
  static const auto made = regex::make_regexes({.pattern_bytes = 1024, .memory = 256 << 10});
  return *made;
}

inline std::optional<json::Document> read_strictly(std::string_view text) {
  json::ReaderOptions options;
  options.mode = json::Mode::strict;
  json::Reading reading = json::read(text, options);
  if (reading.verdict.word() != json::Word::valid) return std::nullopt;
  return std::move(reading.document);
}

inline SchemaInput read_schema_input(const std::uint8_t* data, std::size_t size) {
  SchemaInput out;
  const std::uint8_t flags = size > 0 ? data[0] : 0;
  out.options.regexes = &regexes();
  if ((flags & 1) != 0) out.options.draft = schema::Draft::draft7;
  out.options.formats = (flags & 2) != 0;
  // Enough for anything honest, and soon over for anything else.
  out.options.limits.schema_steps = 20'000;
  out.options.limits.subschemas = 2'000;
  if ((flags & 4) != 0) {
    out.options.limits.schema_steps = 0;
    out.options.limits.subschemas = 8;
    out.options.limits.violations = 1;
    out.options.limits.edits = 1;
  }
  const std::string_view rest = size > 0 ? text_of(data + 1, size - 1) : std::string_view{};
  const std::size_t zero = rest.find('\0');
  auto schema = read_strictly(rest.substr(0, zero));
  auto value = schema && zero != rest.npos ? read_strictly(rest.substr(zero + 1)) : std::nullopt;
  if (schema) {
    out.repeats = check::parse_independently(value ? rest.substr(zero + 1) : rest.substr(0, zero)).repeats;
    out.schema = std::move(*schema);
    out.value = value ? std::move(*value) : check::document_of(json::to_string(out.schema.root()));
    return out;
  }
  check::Choices choices(rest);
  const check::Tree tree = check::make_schema(choices, out.options.draft.value_or(schema::Draft::draft2020_12));
  out.schema = check::document_of(tree);
  out.value = check::document_of(check::make_value_for(tree, choices));
  return out;
}

}  // namespace belay::fuzz
