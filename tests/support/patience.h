// How long a test waits for what has to come.
#pragma once

#include <chrono>

namespace belay::check {

/// Longer than anything here takes; a test that runs into it has failed.
inline constexpr std::chrono::seconds kPatience{60};

}  // namespace belay::check
