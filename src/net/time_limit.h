// Times that somebody chose, as such that can be waited for.
#pragma once

#include <belay/version.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace BELAY_NAMESPACE::net {

/// At least a millisecond, and at most a year, so that no sum of times runs over.
inline std::chrono::milliseconds time_limit(std::int64_t milliseconds) {
  constexpr std::int64_t kYear = 365ll * 24 * 3600 * 1000;
  return std::chrono::milliseconds(std::clamp<std::int64_t>(milliseconds, 1, kYear));
}

}  // namespace BELAY_NAMESPACE::net
