// Names of tools, as models and servers write them.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::turn {
BELAY_API_BEGIN

/// `server__tool` split at the first separator; no server when there is none.
struct ToolName {
  std::string_view server, tool;
  bool operator==(const ToolName&) const = default;
};
ToolName split_name(std::string_view name);
/// `functions.name`, `default_api.name` and `tools.name` without what stands before the dot: the namespaces that models
/// know tools under. Other names as they are.
std::string_view without_namespace(std::string_view name);
/// The tool of `names` that a call means: itself; else the only one that is the same tool of the same server, with or
/// without `mcp__` in front (split_name()); else what its name is without_namespace().
std::optional<std::size_t> resolve_name(std::string_view name, const std::vector<std::string>& names);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::turn
