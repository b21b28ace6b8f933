// `belay parse --lines`: one recorded body a line in, its events a line out.
#pragma once

#include "body.h"
#include "exit_code.h"
#include "io.h"
#include "options.h"

namespace belay::cli {

Exit parse_lines(const ParseOptions& options, const BodyOptions& bodies, Output& out, Output& err);

}  // namespace belay::cli
