// The version that `belay --version` prints.
#pragma once

#include <belay/version.h>

#include <string_view>

namespace belay::cli {

inline constexpr std::string_view kVersion = BELAY_VERSION;

}  // namespace belay::cli
