// Runs every case of a folder, cases/streams or cases/text: in one piece, byte by byte, and at every two-way split.
//
// A case is one test, named by its sentence. Beside what the case expects, everything is checked that must hold for
// any bytes: see support/turn.cpp.
#include "support/stream_case_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <string>

namespace belay::check {
namespace {

class StreamCaseTest final : public ::testing::Test {
 public:
  explicit StreamCaseTest(const StreamCase* one) : case_(*one) {}

  void TestBody() override {
    const Turn whole = read_turn(case_.body, case_.options);
    SCOPED_TRACE("body: " + printable(case_.body).substr(0, 4000) + "\nwhy: " + case_.why + "\ngot:" + describe(whole));
    EXPECT_EQ(surprises(case_, whole), "");
    EXPECT_EQ(whole.fault, "");
    const std::size_t shift = std::hash<std::string>{}(case_.name);
    EXPECT_EQ(turn_cut_difference(case_.body, case_.options, whole, splits(), shift), "");
  }

 private:
  // All of them, but for the few bodies that are large. Where a sanitizer makes each ten times as slow it is a few: the
  // release build runs all, and as they are elsewhere in each of thousands of cases, every kind of place is cut.
  [[nodiscard]] std::size_t splits() const {
    const std::size_t size = case_.body.size();
#ifdef __SANITIZE_ADDRESS__
    return size > 20'000 ? 4 : 20;
#else
    return size > 20'000 ? 8 : size > 4'000 ? 400 : 4'000;
#endif
  }

  const StreamCase& case_;
};

void register_tests(const std::vector<StreamCase>& cases) {
  for (const StreamCase& one : cases)
    ::testing::RegisterTest(one.kind.c_str(), one.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [p = &one]() -> ::testing::Test* { return new StreamCaseTest(p); });
}

}  // namespace
}  // namespace belay::check

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  try {
    const char* folder = argc > 1 ? argv[1] : BELAY_CASES_DIR "/streams";
    static const std::vector<belay::check::StreamCase> cases = belay::check::load_stream_cases(folder);
    belay::check::register_tests(cases);
    return RUN_ALL_TESTS();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
