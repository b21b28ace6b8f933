// Any schema and any value: what is valid stays as it is, what is aligned is valid, by the edits that are listed and by
// no others, and does not change when it is aligned again.
#include "schema_input.h"

using namespace belay;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::SchemaInput input = fuzz::read_schema_input(data, size);
  const auto schema = schema::Schema::compile(input.schema.root(), input.options);
  if (!schema) return 0;
  if (input.repeats) {
    const schema::Aligned aligned = schema->align(input.value.root());
    fuzz::require(aligned.edits.empty() || schema->valid(aligned.value.root()), "aligned, yet not valid", input.text());
    return 0;
  }
  fuzz::require_none(check::align_fault(*schema, input.value.root(), input.options.limits), input.text());
  return 0;
}
