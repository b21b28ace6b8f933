#include "schema_suite.h"

#include <belay/json.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

namespace belay::check {
namespace {

using Path = std::filesystem::path;

json::Document load(const Path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  json::ReaderOptions options;
  options.mode = json::Mode::strict;
  json::Reading reading = json::read(text, options);
  if (reading.verdict.word() != json::Word::valid) throw std::runtime_error(file.string() + " is not JSON");
  return std::move(reading.document);
}

/// The documents of remotes/, each read once.
class Remotes {
 public:
  explicit Remotes(Path folder) : folder_(std::move(folder)) {}
  std::optional<json::Value> find(std::string_view uri) {
    constexpr std::string_view kFront = "http://localhost:1234/";
    if (!uri.starts_with(kFront)) return std::nullopt;
    const Path file = folder_ / uri.substr(kFront.size());
    if (!std::filesystem::is_regular_file(file)) return std::nullopt;
    auto found = documents_.find(file);
    if (found == documents_.end()) found = documents_.emplace(file, load(file)).first;
    return found->second.root();
  }

 private:
  Path folder_;
  std::map<Path, json::Document> documents_;
};

std::vector<Path> files_of(const Path& folder, SuitePart part) {
  std::vector<Path> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const Path file = std::filesystem::relative(entry.path(), folder);
    const bool optional = *file.begin() == "optional";
    if (file.extension() == ".json" && optional == (part == SuitePart::optional)) out.push_back(file);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string text_at(json::Value object, std::string_view key) {
  const std::optional<json::Value> found = object.find(key);
  return found ? std::string(found->as_string()) : std::string();
}

/// What went wrong with one test; empty when nothing did.
std::string failure(const schema::Schema& schema, json::Value value, bool wanted) {
  const schema::Report report = schema.check(value);
  if (report.valid() != schema.valid(value)) return "check() and valid() disagree";
  if (report.valid() == wanted) return {};
  if (report.valid()) return "passed, yet is wrong";
  return "refused: " + (report.violations.empty() ? "without a reason" : report.violations.front().message);
}

}  // namespace

std::vector<SuiteRow> run_schema_suite(const Path& folder, schema::Draft draft, SuitePart part,
                                       const schema::Regexes& regexes) {
  const Path tests = folder / "tests" / (draft == schema::Draft::draft7 ? "draft7" : "draft2020-12");
  Remotes remotes(folder / "remotes");
  std::vector<SuiteRow> rows;
  for (const Path& file : files_of(tests, part)) {
    SuiteRow& row = rows.emplace_back();
    row.file = part == SuitePart::optional ? std::filesystem::relative(file, "optional").string() : file.string();
    const json::Document document = load(tests / file);
    for (json::Value group : document.root().items()) {
      schema::CompileOptions options;
      options.draft = draft;
      options.regexes = &regexes;
      options.formats = row.file.starts_with("format/");
      options.remotes = [&](std::string_view uri) { return remotes.find(uri); };
      auto schema = schema::Schema::compile(group.find("schema").value(), options);
      for (json::Value test : group.find("tests").value().items()) {
        ++row.total;
        std::string fault = schema ? failure(*schema, test.find("data").value(), test.find("valid").value().as_bool())
                                   : "does not compile: " + schema.error().where + ": " + schema.error().message;
        if (fault.empty())
          ++row.passed;
        else
          row.failures.push_back(text_at(group, "description") + ": " + text_at(test, "description") + ": " + fault);
      }
    }
  }
  return rows;
}

std::string suite_table(const std::vector<SuiteRow>& draft7, const std::vector<SuiteRow>& draft2020) {
  std::map<std::string, std::pair<SuiteRow, SuiteRow>> files;
  std::pair<SuiteRow, SuiteRow> all;
  for (const SuiteRow& row : draft7) {
    files[row.file].first = row;
    all.first.passed += row.passed, all.first.total += row.total;
  }
  for (const SuiteRow& row : draft2020) {
    files[row.file].second = row;
    all.second.passed += row.passed, all.second.total += row.total;
  }
  const auto cell = [](const SuiteRow& row) {
    return row.total == 0 ? "" : std::to_string(row.passed) + " of " + std::to_string(row.total);
  };
  std::string out = "| file in `optional/` | draft 7 | draft 2020-12 |\n|---|---|---|\n";
  for (const auto& [file, row] : files)
    out += "| `" + file + "` | " + cell(row.first) + " | " + cell(row.second) + " |\n";
  return out + "| all | " + cell(all.first) + " | " + cell(all.second) + " |\n";
}

}  // namespace belay::check
