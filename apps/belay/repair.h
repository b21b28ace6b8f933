// `belay repair`: a filter from damaged JSON to JSON.
#pragma once

#include "exit_code.h"
#include "io.h"
#include "options.h"

namespace belay::cli {

Exit repair(const RepairOptions& options, Output& out, Output& err);

}  // namespace belay::cli
