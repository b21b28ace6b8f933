// What `belay repair` writes to standard output.
#pragma once

#include "io.h"

#include <belay/json/reader.h>

namespace belay::cli {

/// The values as compact JSON, one a line.
void write_values(Output& out, const json::Document& document);

/// One line: {"verdict","values","edits","edits_total","error"}.
void write_report(Output& out, const json::Reading& reading);

}  // namespace belay::cli
