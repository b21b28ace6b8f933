// What is another in a tool's definition, part by part. Pure.
#pragma once

#include <belay/mcp/types.h>

#include <optional>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// Words of the server are in all three: show them with shown().
struct ToolChange {
  std::string part;                     ///< "description", or "input schema, properties.path.type"
  std::optional<std::string> was, now;  ///< text, or JSON text; none where there is nothing
  bool operator==(const ToolChange&) const = default;
};

/// Title, description, each changed member of the schemas and of the annotations. Empty only for equal definitions. A
/// part with more than 50 changes is one change. Time and memory grow with the size of both.
std::vector<ToolChange> changes_between(const ToolDefinition& before, const ToolDefinition& now);
/// All parts of a definition as they are, for where nobody knows what they were.
std::vector<ToolChange> parts_of(const ToolDefinition& now);

}  // namespace BELAY_NAMESPACE::mcp
