// A value that still grows, as text for people.
#pragma once

#include <belay/json/partial.h>

#include <string>

namespace belay::cli {

/// Compact JSON of what is there, with "..." where it is still open. Not JSON then, and not for machines: that is what
/// json::Partial is for. Recursive: for values of known depth.
std::string partial_text(const json::Partial& value);

}  // namespace belay::cli
