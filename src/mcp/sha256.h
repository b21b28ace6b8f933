// SHA-256 (FIPS 180-4): what was approved is known again by it.
#pragma once

#include <belay/version.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::mcp {

/// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace BELAY_NAMESPACE::mcp
