// What `belay repair` writes to standard output.
#pragma once

#include "io.h"

#include <belay/json/reader.h>

#include <vector>

namespace belay::cli {

/// The values as compact JSON, one a line.
void write_values(Output& out, const json::Document& document);

/// The edits as a JSON array of {"kind","offset","length","grade"}.
void write_edits(Output& out, const std::vector<json::Edit>& edits);

/// One line: {"verdict","values","edits","edits_total","error"}.
void write_report(Output& out, const json::Reading& reading);

}  // namespace belay::cli
