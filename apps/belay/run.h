// `belay run`: the agent. `belay replay`: the same, with a cassette for the model.
#pragma once

#include "exit_code.h"
#include "io.h"
#include "run_options.h"

namespace belay::cli {

Exit run_task(const RunOptions& options, Output& out, Output& err);
Exit replay(const RunOptions& options, Output& out, Output& err);

}  // namespace belay::cli
