// What no program can be started with, and no address can be.
#pragma once

#include <belay/mcp/config.h>

#include <string>

namespace BELAY_NAMESPACE::mcp {

/// Empty, or why a server cannot be used as it is defined: a NUL byte, which would cut a word short without a word, or
/// a name of a variable that is empty or has a `=`.
std::string unusable(const ServerConfig& config);

}  // namespace BELAY_NAMESPACE::mcp
