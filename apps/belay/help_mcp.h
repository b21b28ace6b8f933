// The manual of `belay mcp`.
#pragma once

#include <string_view>

namespace belay::cli {

extern const std::string_view kMcpHelp;

}  // namespace belay::cli
