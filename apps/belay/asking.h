// A question to the person at the terminal.
#pragma once

#include "io.h"

#include <optional>
#include <stop_token>
#include <string_view>

namespace belay::cli {

/// Writes the question to standard error and reads the answer from the terminal: true for y, false for anything else.
/// Nothing, and nothing written, when nobody is there. A stop is no answer: false.
std::optional<bool> ask_person(std::string_view question, Output& err, const std::stop_token& stop = {});
/// The same for one of several letters, in lower case: asks again until it is one of them. '\0' for an empty line, and
/// for the end of the input. What was typed before the question stood there does not count.
std::optional<char> ask_letter(std::string_view question, std::string_view letters, Output& err,
                               const std::stop_token& stop = {});

}  // namespace belay::cli
