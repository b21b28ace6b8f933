// What `belay schema` says: what is wrong with a value, where in its text, and what aligning did about it.
#pragma once

#include "io.h"

#include <belay/base.h>
#include <belay/schema/schema.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

struct Finding {
  schema::Violation violation;
  Position position;  ///< of the value
};

struct Findings {
  std::vector<Finding> listed;
  std::uint64_t total = 0;  ///< those beyond the limit violations included
};

/// The violations with their places in the text that was checked.
Findings find_places(schema::Report report, std::string_view text);

// For people, one line each. Nothing from the input reaches the terminal raw.

/// `args.json:3:11: days must be an integer, got "three" (type)`. `name` is that of the text.
void write_findings(Output& err, std::string_view name, const Findings& findings);
/// `/days: a numeric string is now the number (number_from_string, safe)`; a warning after guesses.
void write_edits(Output& err, const std::vector<schema::AlignEdit>& edits);

// For programs, one line of JSON.

/// What --align adds to a report.
struct AlignReport {
  std::string value;  ///< JSON text; "null" when the value is not valid
  std::vector<schema::AlignEdit> edits;
};
/// {"valid","errors","errors_total"}; with `aligned` also "value" and "edits".
void write_schema_report(Output& out, const Findings& findings, const AlignReport* aligned);
/// {"valid":null,"error":{"where","message"}}
void write_bad_schema_report(Output& out, const schema::CompileError& error);

}  // namespace belay::cli
