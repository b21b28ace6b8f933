// What must hold for every reading, whatever the input. Each gives a sentence that says what does not hold, or
// nothing. Shared by the case runner, the property tests and the fuzz targets.
#pragma once

#include "outcome.h"
#include "tree.h"

namespace belay::check {

/// Verdict, edits, error and count fit together.
std::string incoherence(const Outcome& outcome, std::string_view input);

/// Every value, written, is valid UTF-8, JSON to the independent parser and to both of our modes, and the same value.
std::string read_back_difference(const Outcome& outcome);

/// The text is a prefix of valid JSON; when it was not stopped it says what the values say; strict input is unchanged.
std::string text_fault(const Outcome& outcome, std::string_view input);

/// All of the above.
std::string fault(const Outcome& outcome, std::string_view input);

}  // namespace belay::check
