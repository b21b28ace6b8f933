#include <belay/base.h>

namespace belay {

bool Limits::set(std::string_view name, std::uint64_t value) {
  if (value > kUnlimited) value = kUnlimited;
  if (name == "depth") return depth = value, true;
  if (name == "bytes") return bytes = value, true;
  if (name == "edits") return edits = value, true;
  if (name == "values") return values = value, true;
  return false;
}

}  // namespace belay
