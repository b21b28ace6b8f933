// The manuals of `belay mcp` and `belay mcp serve`.
#pragma once

#include <string_view>

namespace belay::cli {

extern const std::string_view kMcpHelp;
extern const std::string_view kMcpServeHelp;

}  // namespace belay::cli
