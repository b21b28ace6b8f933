// Parameters that a server of 2026-07-28 wants to see in HTTP headers, too (`x-mcp-header`). Pure.
#pragma once

#include <belay/json.h>

#include <expected>
#include <string>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

struct ParamHeader {
  std::string name;               ///< behind `Mcp-Param-`
  std::vector<std::string> path;  ///< of the parameter, from the arguments on
  bool operator==(const ParamHeader&) const = default;
};
/// Those of a tool's schema. The error says what makes the tool unusable over HTTP. Linear, iterative.
std::expected<std::vector<ParamHeader>, std::string> param_headers(json::Value schema);
/// Header names and plain values for a call with these arguments; what is absent or null is left out.
std::vector<std::pair<std::string, std::string>> header_values(const std::vector<ParamHeader>& headers,
                                                               json::Value arguments);

}  // namespace BELAY_NAMESPACE::mcp
