// `belay repair --lines`: one record a line in, one report a line out.
#pragma once

#include "exit_code.h"
#include "io.h"
#include "options.h"

namespace belay::cli {

Exit repair_lines(const RepairOptions& options, Output& out, Output& err);

}  // namespace belay::cli
