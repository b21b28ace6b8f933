#include <belay/base.h>

namespace BELAY_NAMESPACE {

bool Limits::set(std::string_view name, std::uint64_t value) {
  if (value > kUnlimited) value = kUnlimited;
  if (name == "depth") return depth = value, true;
  if (name == "bytes") return bytes = value, true;
  if (name == "edits") return edits = value, true;
  if (name == "values") return values = value, true;
  if (name == "subschemas") return subschemas = value, true;
  if (name == "schema_steps") return schema_steps = value, true;
  if (name == "violations") return violations = value, true;
  if (name == "event_bytes") return event_bytes = value, true;
  if (name == "calls") return calls = value, true;
  if (name == "name_bytes") return name_bytes = value, true;
  return false;
}

}  // namespace BELAY_NAMESPACE
