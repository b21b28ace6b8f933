// The official suite of JSON Schema: its files, what is measured on them, and the table of that.
#pragma once

#include <belay/schema.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace belay::check {

enum class SuitePart : std::uint8_t { required, optional };

/// What came of one file.
struct SuiteRow {
  std::string file;  ///< below the draft's folder, or below its optional/
  std::size_t passed = 0, total = 0;
  std::vector<std::string> failures;  ///< a sentence for each test that was not passed
};

/// Runs one part of the suite in `folder`. Formats are asserted in optional/format/; remotes/ stands for
/// http://localhost:1234/. A schema that does not compile fails all of its tests.
std::vector<SuiteRow> run_schema_suite(const std::filesystem::path& folder, schema::Draft draft, SuitePart part,
                                       const schema::Regexes& regexes);

inline constexpr std::string_view kTableBegin = "<!-- measured: begin -->\n", kTableEnd = "<!-- measured: end -->";
/// The optional files of both drafts, one a row, as Markdown.
std::string suite_table(const std::vector<SuiteRow>& draft7, const std::vector<SuiteRow>& draft2020);

}  // namespace belay::check
