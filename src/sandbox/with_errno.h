// What failed, and why.
#pragma once

#include <belay/version.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace BELAY_NAMESPACE::sandbox {

/// `what`, and errno in words behind it.
inline std::string with_errno(const std::string& what) { return what + ": " + std::strerror(errno); }

}  // namespace BELAY_NAMESPACE::sandbox
