// What `belay schema` says: what is wrong with a value, where in its text, and what aligning did about it.
#pragma once

#include "exit_code.h"
#include "io.h"

#include <belay/base.h>
#include <belay/json/reader.h>
#include <belay/schema/schema.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

struct Finding {
  schema::Violation violation;
  std::optional<Position> position;  ///< of the value; none in a text that was mended
};

struct Findings {
  std::vector<Finding> listed;
  std::uint64_t total = 0;  ///< those beyond the limit violations included
};

/// The violations with their places in the text that was checked; without a text, without places.
Findings find_places(schema::Report report, std::optional<std::string_view> text);

/// How a text is checked.
struct Checking {
  bool align = false;
  bool mend = false;  ///< the text was read in tolerant mode
};

/// What there is to say about one text.
struct Checked {
  Findings findings;
  schema::Aligned aligned;  ///< empty unless aligning was asked for
  [[nodiscard]] bool valid() const { return findings.total == 0; }
  /// The value as it is after aligning, if that changed it.
  [[nodiscard]] const json::Document& value(const json::Reading& reading) const {
    return aligned.value.empty() ? reading.document : aligned.value;
  }
  /// What mending and aligning are worth together.
  [[nodiscard]] json::Word verdict(const json::Reading& reading) const;
  [[nodiscard]] Exit exit(Checking how, const json::Reading& reading) const;
};
/// `reading`: the text's, in the mode that `how` asks for. A text that is no value is a finding.
Checked check_text(const schema::Schema& schema, Checking how, const json::Reading& reading, std::string_view text);

// For people, one line each. Nothing from the input reaches the terminal raw.

/// `args.json:3:11: days must be an integer, got "three" (type)`. `name` is that of the text.
void write_findings(Output& err, std::string_view name, const Findings& findings);
/// `/days: a numeric string is now the number (number_from_string, safe)`
void write_edits(Output& err, const std::vector<schema::AlignEdit>& edits);
/// `args.json:1:9: a comma before a closing bracket (trailing_comma, safe)`: what was mended in a text.
void write_mends(Output& err, std::string_view name, std::string_view text, const json::Reading& reading);
/// What to do about a guess.
void write_doubt(Output& err);

// For programs, one line of JSON.

/// {"valid","errors","errors_total"}; with `mend` also "verdict", "mends" and "mends_total", with `align` also "value"
/// and "edits".
void write_schema_report(TextSink& out, const Checked& checked, Checking how, const json::Reading& reading);
/// {"valid":null,"error":{"where","message"}}
void write_bad_schema_report(Output& out, const schema::CompileError& error);

}  // namespace belay::cli
