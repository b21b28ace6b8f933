// The version that `belay --version` prints.
#pragma once

#include <string_view>

namespace belay::cli {

#ifdef BELAY_VERSION
inline constexpr std::string_view kVersion = BELAY_VERSION;
#else
inline constexpr std::string_view kVersion = "(unknown version)";
#endif

}  // namespace belay::cli
