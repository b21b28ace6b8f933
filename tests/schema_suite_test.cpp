// JSON-Schema-Test-Suite, where it is: BELAY_SUITES names the folder that holds it.
//
// Every required test of both drafts must pass. The optional ones are counted, a row for each file; the table in
// docs/schema-test-suite.md is that count, and this test compares the two. BELAY_WRITE_TABLE=1 writes it instead.
#include "support/schema_suite.h"

#include <belay/regex.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace belay::check {
namespace {

constexpr std::string_view kDocument = BELAY_DOCS_DIR "/schema-test-suite.md";

class SchemaSuite : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* suites = std::getenv("BELAY_SUITES");
    if (suites == nullptr) GTEST_SKIP() << "BELAY_SUITES is not set: JSON-Schema-Test-Suite did not run";
    folder_ = std::filesystem::path(suites) / "JSON-Schema-Test-Suite";
    if (!std::filesystem::is_directory(folder_ / "tests"))
      GTEST_SKIP() << "JSON-Schema-Test-Suite is not in " << suites << ": it did not run";
  }

  [[nodiscard]] std::vector<SuiteRow> run(schema::Draft draft, SuitePart part) const {
    return run_schema_suite(folder_, draft, part, *regexes_);
  }

  static SuiteRow sum(const std::vector<SuiteRow>& rows) {
    SuiteRow out;
    for (const SuiteRow& row : rows) out.passed += row.passed, out.total += row.total;
    return out;
  }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<const schema::Regexes> regexes_ = regex::make_regexes();
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

TEST_F(SchemaSuite, passes_all_927_required_tests_of_draft_7) {
  std::vector<SuiteRow> rows = run(schema::Draft::draft7, SuitePart::required);
  for (const SuiteRow& row : rows)
    for (const std::string& failure : row.failures) ADD_FAILURE() << row.file << ": " << failure;
  EXPECT_EQ(sum(rows).total, 927u);
}

TEST_F(SchemaSuite, passes_all_1299_required_tests_of_draft_2020_12) {
  std::vector<SuiteRow> rows = run(schema::Draft::draft2020_12, SuitePart::required);
  for (const SuiteRow& row : rows)
    for (const std::string& failure : row.failures) ADD_FAILURE() << row.file << ": " << failure;
  EXPECT_EQ(sum(rows).total, 1299u);
}

TEST_F(SchemaSuite, passes_as_many_optional_tests_as_the_document_says) {
  const std::vector<SuiteRow> old_rows = run(schema::Draft::draft7, SuitePart::optional),
                              new_rows = run(schema::Draft::draft2020_12, SuitePart::optional);
  for (const auto* rows : {&old_rows, &new_rows})
    for (const SuiteRow& row : *rows)
      for (const std::string& failure : row.failures)
        std::printf("not passed, optional/%s: %s\n", row.file.c_str(), failure.c_str());
  const std::string table = suite_table(old_rows, new_rows);
  std::string document = read_file(kDocument);
  const std::size_t begin = document.find(kTableBegin), end = document.find(kTableEnd);
  ASSERT_TRUE(begin != document.npos && end != document.npos && begin < end)
      << kDocument << " lacks the marks that its table stands between";
  const std::size_t from = begin + kTableBegin.size();
  if (std::getenv("BELAY_WRITE_TABLE") != nullptr) {
    document.replace(from, end - from, table);
    std::ofstream(std::string(kDocument), std::ios::binary) << document;
    GTEST_SKIP() << "the table is written to " << kDocument;
  }
  EXPECT_EQ(document.substr(from, end - from), table) << "BELAY_WRITE_TABLE=1 writes the table anew";
}

}  // namespace
}  // namespace belay::check
