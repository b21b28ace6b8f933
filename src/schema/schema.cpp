#include <belay/schema/schema.h>

#include "schema/compiler.h"
#include "schema/machine.h"
#include "schema/violations.h"

namespace BELAY_NAMESPACE::schema {

std::expected<Schema, CompileError> Schema::compile(json::Value schema, const CompileOptions& options) {
  auto program = std::make_shared<Program>();
  Compiler compiler(*program, options);
  if (auto done = compiler.run(schema); !done) return std::unexpected(done.error());
  return Schema(std::move(program));
}

bool Schema::valid(json::Value value) const { return Machine(*program_, value, Machine::Want::answer).run(); }

Report Schema::check(json::Value value) const {
  // Nearly all values are valid: faults are looked for only where there are some.
  if (valid(value)) return {};
  constexpr std::size_t kFaults = 1'000'000;  // more than anybody counts
  Machine machine(*program_, value, Machine::Want::faults, kFaults);
  machine.run();
  return report_of(*program_, value, machine);
}

std::vector<std::string_view> Schema::property_names() const {
  std::vector<std::string_view> names;
  const Subschema& s = program_->schemas[program_->root];
  for (Index i = s.first; i < s.last; ++i)
    if (program_->ops[i].kind == OpKind::object)
      for (const Name& n : program_->objects[program_->ops[i].a].names) names.push_back(n.text);
  return names;
}

}  // namespace BELAY_NAMESPACE::schema
