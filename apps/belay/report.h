// What `belay repair` writes to standard output.
#pragma once

#include "io.h"

#include <belay/json/reader.h>

#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

/// The values as compact JSON, one a line.
void write_values(Output& out, const json::Document& document);

/// The edits as a JSON array of {"kind","offset","length","grade"}.
void write_edits(TextSink& out, const std::vector<json::Edit>& edits);

/// One line: {"verdict","values","edits","edits_total","error"}.
void write_report(TextSink& out, const json::Reading& reading);

/// {"kind","message","offset","line","column"}
void write_error(TextSink& out, const json::Error& error);
/// Appends what write_report() writes, for a text whose verdict is valid, with the value as it stands in the text.
void write_valid_report(std::string& out, std::string_view text);

}  // namespace belay::cli
