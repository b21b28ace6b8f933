// What is wrong with a command line, in words.
#pragma once

#include "terminal.h"

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace belay::cli {

inline std::unexpected<std::string> wrong(std::string message) { return std::unexpected(std::move(message)); }

/// What somebody typed, within a sentence.
inline std::string cited(std::string_view text) { return "'" + clipped(text, 60) + "'"; }

}  // namespace belay::cli
