// What failed, and why.
#pragma once

#include <cerrno>
#include <cstring>
#include <string>

namespace belay::sandbox {

/// `what`, and errno in words behind it.
inline std::string with_errno(const std::string& what) { return what + ": " + std::strerror(errno); }

}  // namespace belay::sandbox
