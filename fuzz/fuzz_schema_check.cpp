// Any schema and any value: an answer, the same from valid() and check(), and violations that are coherent.
#include "schema_input.h"

using namespace belay;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::SchemaInput input = fuzz::read_schema_input(data, size);
  const auto schema = schema::Schema::compile(input.schema.root(), input.options);
  if (!schema) return 0;
  if (input.repeats) {
    fuzz::require(schema->check(input.value.root()).valid() == schema->valid(input.value.root()),
                  "check() and valid() disagree", input.text());
    return 0;
  }
  fuzz::require_none(check::check_fault(*schema, input.schema.root(), input.value.root(), input.options.limits),
                     input.text());
  return 0;
}
