// Variables of the environment that say something.
#pragma once

#include <belay/config.h>

#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::config {

/// What a variable is set to; nothing when it is not, or is empty.
inline std::optional<std::string> set_in(const Environment& environment, std::string_view variable) {
  std::optional<std::string> value = environment(variable);
  if (value && value->empty()) value.reset();
  return value;
}

}  // namespace BELAY_NAMESPACE::config
