// `belay demo`: the reader at work on damaged calls, piece by piece.
#pragma once

#include "exit_code.h"
#include "io.h"

namespace belay::cli {

/// Shows every call of demo_calls(). On a terminal it is coloured and takes a few seconds; otherwise it is at once.
Exit demo(Output& out);

}  // namespace belay::cli
