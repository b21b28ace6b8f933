// JSONTestSuite by Nicolas Seriot, where it is: BELAY_SUITES names the folder that holds it.
// y_ must be accepted and n_ refused; for i_ either is allowed, and what we do is what docs/json-test-suite.md says.
#include "support/independent.h"
#include "support/outcome.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

namespace belay::check {
namespace {

struct File {
  std::string name, text;
};

class TestSuite : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* suites = std::getenv("BELAY_SUITES");
    if (suites == nullptr) GTEST_SKIP() << "BELAY_SUITES is not set: JSONTestSuite did not run";
    folder_ = std::filesystem::path(suites) / "JSONTestSuite" / "test_parsing";
    if (!std::filesystem::is_directory(folder_))
      GTEST_SKIP() << "JSONTestSuite is not in " << suites << ": it did not run";
  }

  [[nodiscard]] std::vector<File> files(std::string_view prefix) const {
    std::vector<File> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      std::string name = entry.path().filename().string();
      if (!name.starts_with(prefix) || !name.ends_with(".json")) continue;
      std::ifstream stream(entry.path(), std::ios::binary);
      out.push_back({name, {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()}});
    }
    std::sort(out.begin(), out.end(), [](const File& a, const File& b) { return a.name < b.name; });
    return out;
  }

  /// Strictly, whole and in pieces of several sizes, which must not matter.
  static Outcome read_strictly(const File& file) {
    json::ReaderOptions options;
    options.mode = json::Mode::strict;
    Outcome whole = read_whole(file.text, options);
    for (std::size_t size : {1u, 7u})
      EXPECT_EQ(difference(whole, read_pieces(chop(file.text, size), options, json::Ending::complete)), "")
          << file.name;
    return whole;
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(TestSuite, accepts_all_95_that_are_JSON) {
  std::vector<File> all = files("y_");
  EXPECT_EQ(all.size(), 95u);
  for (const File& file : all) {
    Outcome got = read_strictly(file);
    EXPECT_EQ(json::name(got.reading.verdict.word()), "valid") << file.name << ": " << got.reading.error.message;
    Independent other = parse_independently(file.text);
    if (got.reading.verdict.word() != json::Word::valid || other.opinion != Opinion::accepted) continue;
    EXPECT_TRUE(to_tree(got.reading.document.root()) == other.tree) << file.name << ": " << describe(got);
    Outcome tolerant = read_whole(file.text);
    EXPECT_EQ(json::name(tolerant.reading.verdict.word()), other.repeats ? "guessed" : "valid") << file.name;
  }
}

TEST_F(TestSuite, refuses_all_188_that_are_not) {
  std::vector<File> all = files("n_");
  EXPECT_EQ(all.size(), 188u);
  for (const File& file : all) {
    Outcome got = read_strictly(file);
    EXPECT_EQ(json::name(got.reading.verdict.word()), "broken") << file.name;
    EXPECT_TRUE(got.reading.error) << file.name;
    // The tolerant mode may mend it, but never calls it valid.
    EXPECT_NE(json::name(read_whole(file.text).reading.verdict.word()), "valid") << file.name;
  }
}

/// The table of docs/json-test-suite.md: the answers of strict and of tolerant mode for a file.
std::map<std::string, std::pair<std::string, std::string>> documented_answers() {
  std::map<std::string, std::pair<std::string, std::string>> out;
  std::ifstream stream(std::string(BELAY_DOCS_DIR) + "/json-test-suite.md");
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("| `i_")) continue;
    std::vector<std::string> cells;
    std::istringstream row(line.substr(1));
    for (std::string cell; std::getline(row, cell, '|');) {
      std::erase(cell, '`');
      cells.push_back(cell.substr(1, cell.size() - 2));
    }
    if (cells.size() == 4) out[cells[0]] = {cells[1], cells[3]};
  }
  return out;
}

TEST_F(TestSuite, does_with_the_35_that_may_go_either_way_what_is_documented) {
  const auto documented = documented_answers();
  EXPECT_EQ(documented.size(), 35u);
  std::vector<File> all = files("i_");
  EXPECT_EQ(all.size(), 35u);
  for (const File& file : all) {
    const json::Reading reading = read_strictly(file).reading;
    const bool accepted = reading.verdict.word() == json::Word::valid;
    EXPECT_TRUE(accepted || reading.verdict.word() == json::Word::broken) << file.name;
    const std::string strict_answer = accepted ? "accepted"
                                               : "refused: " + std::string(json::name(reading.error.kind)) +
                                                     " at byte " + std::to_string(reading.error.position.offset);
    const std::string tolerant_answer(json::name(read_whole(file.text).reading.verdict.word()));
    ASSERT_TRUE(documented.contains(file.name)) << file.name;
    EXPECT_EQ(documented.at(file.name), std::pair(strict_answer, tolerant_answer)) << file.name;
  }
}

}  // namespace
}  // namespace belay::check
