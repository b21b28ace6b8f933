#include <belay/turn/names.h>

namespace BELAY_NAMESPACE::turn {

ToolName split_name(std::string_view name) {
  std::size_t at = name.find("__");
  // `mcp__server__tool`, as some clients write it.
  if (name.starts_with("mcp__")) {
    name.remove_prefix(5);
    at = name.find("__");
  }
  if (at == name.npos || at == 0 || at + 2 >= name.size()) return {{}, name};
  return {name.substr(0, at), name.substr(at + 2)};
}

std::string_view without_namespace(std::string_view name) {
  for (std::string_view space : {"functions.", "default_api.", "tools."})
    if (name.starts_with(space) && name.size() > space.size()) return name.substr(space.size());
  return name;
}

std::optional<std::size_t> resolve_name(std::string_view name, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return i;
  const ToolName wanted = split_name(name);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < names.size() && !wanted.server.empty(); ++i) {
    if (split_name(names[i]) != wanted) continue;
    if (found) return std::nullopt;
    found = i;
  }
  if (found) return found;
  const std::string_view bare = without_namespace(name);
  for (std::size_t i = 0; i < names.size() && bare.size() < name.size(); ++i)
    if (names[i] == bare) return i;
  return std::nullopt;
}

}  // namespace BELAY_NAMESPACE::turn
