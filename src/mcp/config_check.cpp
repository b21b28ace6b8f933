#include "mcp/config_check.h"

#include <algorithm>

namespace BELAY_NAMESPACE::mcp {

std::string unusable(const ServerConfig& config) {
  const auto cut = [](const std::string& text) { return text.contains('\0'); };
  constexpr const char* kNul = " holds a NUL byte, which would cut it short";
  if (cut(config.command)) return std::string("\"command\"") + kNul;
  if (cut(config.url)) return std::string("\"url\"") + kNul;
  if (std::ranges::any_of(config.args, cut)) return std::string("\"args\"") + kNul;
  for (const auto& [name, value] : config.env) {
    if (cut(name) || cut(value)) return std::string("\"env\"") + kNul;
    if (name.empty() || name.contains('='))
      return "\"env\" has a variable whose name is empty or has a = in it: NAME has to be letters, digits and _";
  }
  return {};
}

}  // namespace BELAY_NAMESPACE::mcp
