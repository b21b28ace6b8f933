// Runs every case of cases/json: as given, in one piece, byte by byte, and at every two-way split.
//
// A case is one test, named by its sentence. Beside what the case expects, everything is checked that must hold for
// any input: see support/oracles.h and support/watch.h.
#include "support/case_file.h"
#include "support/oracles.h"
#include "support/outcome.h"
#include "support/watch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <set>

namespace belay::check {
namespace {

std::vector<std::string> distinct_edits(const json::Reading& reading) {
  std::set<std::string> out;
  for (const json::Edit& edit : reading.edits)
    out.insert(std::string(json::name(edit.kind)) + " " + std::string(json::name(edit.grade)));
  return {out.begin(), out.end()};
}

std::string list(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) (out += out.empty() ? "" : " or ") += word;
  return out;
}

class CaseTest final : public ::testing::Test {
 public:
  explicit CaseTest(const Case* one) : case_(*one) {}

  void TestBody() override {
    const std::string input = case_.input();
    json::ReaderOptions options;
    options.root = case_.root;
    SCOPED_TRACE("input: " + printable(input) + "\nwhy: " + case_.why);

    const Outcome whole = read_whole(input, options, case_.ending);
    SCOPED_TRACE("got: " + describe(whole));
    expect_answer(whole);
    EXPECT_EQ(fault(whole, input), "");

    Pieces given(case_.pieces.begin(), case_.pieces.end());
    EXPECT_EQ(difference(whole, read_pieces(given, options, case_.ending)), "") << "as given";
    EXPECT_EQ(cut_difference(input, options, case_.ending), "");
    for (std::size_t size : {1u, 3u}) EXPECT_EQ(watch_fault(input, size, options, case_.ending), "");
  }

 private:
  void expect_answer(const Outcome& got) const {
    const std::string word(json::name(got.reading.verdict.word()));
    const bool expected = std::find(case_.verdicts.begin(), case_.verdicts.end(), word) != case_.verdicts.end();
    EXPECT_TRUE(expected) << "verdict " << word << ", wanted " << list(case_.verdicts);
    const std::vector<Tree> values = to_trees(got.reading.document);
    // A broken text gives no values to anyone, whatever was understood of it.
    if (!case_.values.empty() && word != "broken") {
      bool fits = std::find(case_.values.begin(), case_.values.end(), values) != case_.values.end();
      EXPECT_TRUE(fits) << "values " << to_text(values) << ", wanted " << to_text(case_.values.front())
                        << (case_.values.size() > 1 ? " or another" : "");
    }
    if (case_.edits) {
      EXPECT_EQ(distinct_edits(got.reading), *case_.edits);
    }
  }

  const Case& case_;
};

void register_tests(const std::vector<Case>& cases) {
  for (const Case& one : cases)
    ::testing::RegisterTest(one.kind.c_str(), one.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [p = &one]() -> ::testing::Test* { return new CaseTest(p); });
}

}  // namespace
}  // namespace belay::check

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  try {
    static const std::vector<belay::check::Case> cases = belay::check::load_all_cases(BELAY_CASES_DIR "/json");
    belay::check::register_tests(cases);
    return RUN_ALL_TESTS();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
