// A question to the person at the terminal.
#pragma once

#include "io.h"

#include <optional>
#include <string_view>

namespace belay::cli {

/// Writes the question to standard error and reads the answer from the terminal: true for y, false for anything else.
/// Nothing, and nothing written, when nobody is there.
std::optional<bool> ask_person(std::string_view question, Output& err);

}  // namespace belay::cli
