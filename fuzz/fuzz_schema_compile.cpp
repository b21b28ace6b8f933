// Any JSON as a schema: it compiles or says where and why not, the same each time, and what was compiled needs its
// document no more. The value's text stands for another document that it may refer to, at http://h/value.
#include "schema_input.h"

using namespace belay;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::SchemaInput input = fuzz::read_schema_input(data, size);
  input.options.base = "http://h/schema";
  input.options.remotes = [&](std::string_view uri) -> std::optional<json::Value> {
    if (uri == "http://h/value") return input.value.root();
    return std::nullopt;
  };
  fuzz::require_none(check::compile_fault(input.schema.root(), input.options), input.text());
  const auto schema = schema::Schema::compile(input.schema.root(), input.options);
  if (!schema) return 0;
  for (const char* text : {"null", "5", "\"5\"", "[1,\"a\",[]]", R"({"a":{"path":"x"},"b":null})"}) {
    const json::Document value = check::document_of(text);
    fuzz::require_none(check::check_fault(*schema, input.schema.root(), value.root(), input.options.limits),
                       input.text());
  }
  for (std::string_view name : schema->property_names()) fuzz::require(name.data() != nullptr, "a name", input.text());
  return 0;
}
