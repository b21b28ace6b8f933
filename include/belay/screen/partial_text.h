// A value that still grows, as text for people.
#pragma once

#include <belay/json/partial.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::screen {

/// What stands where a value is still open. Not dots: text that a model writes may end in one.
inline constexpr std::string_view kOpenMark = "~";

/// Compact JSON of what is there, with kOpenMark where it is still open. Not JSON then, and not for machines: that is
/// what json::Partial is for. Recursive: for values of known depth.
std::string partial_text(const json::Partial& value);

}  // namespace BELAY_NAMESPACE::screen
