// `belay parse`: a recorded response body to events.
#pragma once

#include "exit_code.h"
#include "io.h"
#include "options.h"

namespace belay::cli {

/// Exit 0: events were written, 1: one of them is an error, 2: the tools or the input cannot be read.
Exit parse(const ParseOptions& options, Output& out, Output& err);

}  // namespace belay::cli
