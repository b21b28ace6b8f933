// Runs every case of cases/schema: what check() says, and what align() does.
//
// A case is one test, named by its sentence. Beside what the case expects, everything is checked that must hold for
// any schema and value: see support/schema_oracles.h.
#include "support/outcome.h"
#include "support/schema_case_file.h"
#include "support/schema_oracles.h"
#include "support/schemas.h"

#include <belay/json.h>
#include <belay/regex.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <set>

namespace belay::check {
namespace {

struct Cases {
  std::vector<SchemaCase> check, align;
};

class SchemaCaseTest : public ::testing::Test {
 public:
  explicit SchemaCaseTest(const SchemaCase* one) : case_(*one) {}

  void TestBody() override {
    const auto regexes = regex::make_regexes();
    schema::CompileOptions options = case_.options;
    options.regexes = regexes.get();
    SCOPED_TRACE("schema: " + to_text(case_.schema) + "\nvalue: " + to_text(case_.value) + "\nwhy: " + case_.why);
    const json::Document text = document_of(case_.schema), value = document_of(case_.value);
    EXPECT_EQ(compile_fault(text.root(), options), "");
    const auto schema = schema::Schema::compile(text.root(), options);
    ASSERT_TRUE(schema.has_value()) << schema.error().where << ": " << schema.error().message;
    EXPECT_EQ(check_fault(*schema, text.root(), value.root(), options.limits), "");
    EXPECT_EQ(align_fault(*schema, value.root(), options.limits), "");
    expect_answer(*schema, value.root());
  }

 protected:
  virtual void expect_answer(const schema::Schema& schema, json::Value value) const = 0;
  const SchemaCase& case_;
};

class CheckCaseTest final : public SchemaCaseTest {
 public:
  using SchemaCaseTest::SchemaCaseTest;

 private:
  void expect_answer(const schema::Schema& schema, json::Value value) const override {
    schema::Report report = schema.check(value);
    std::string all;
    for (const schema::Violation& v : report.violations) all += "\n  " + describe(v);
    SCOPED_TRACE("got:" + all);
    std::vector<SchemaCase::Wanted> wanted = case_.violations;
    if (case_.unordered) {
      std::sort(wanted.begin(), wanted.end(), [](const auto& a, const auto& b) { return a.keyword < b.keyword; });
      std::stable_sort(report.violations.begin(), report.violations.end(),
                       [](const auto& a, const auto& b) { return a.keyword < b.keyword; });
    }
    EXPECT_EQ(report.total, case_.total.value_or(wanted.size()));
    ASSERT_EQ(report.violations.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_EQ(report.violations[i].path, wanted[i].path);
      EXPECT_EQ(report.violations[i].keyword, wanted[i].keyword);
      if (wanted[i].message) {
        EXPECT_EQ(report.violations[i].message, *wanted[i].message);
      }
    }
  }
};

class AlignCaseTest final : public SchemaCaseTest {
 public:
  using SchemaCaseTest::SchemaCaseTest;

 private:
  static bool fits(const AlignAnswer& answer, const schema::Aligned& got) {
    if (answer.kind == AlignAnswer::Kind::unchanged) return !got.valid && got.edits.empty();
    if (answer.kind == AlignAnswer::Kind::valid) return got.valid && got.edits.empty();
    std::vector<std::string> edits;
    for (const schema::AlignEdit& edit : got.edits) edits.push_back(describe(edit));
    // As text: the same members in the same order, the same digits.
    return edits == answer.edits && json::to_string(got.value.root()) == to_text(answer.value);
  }

  static std::string describe_answer(const AlignAnswer& answer) {
    if (answer.kind != AlignAnswer::Kind::aligned)
      return answer.kind == AlignAnswer::Kind::valid ? "\n  valid" : "\n  unchanged";
    std::string out = "\n  " + to_text(answer.value);
    for (const std::string& edit : answer.edits) out += "\n    " + edit;
    return out;
  }

  void expect_answer(const schema::Schema& schema, json::Value value) const override {
    const schema::Aligned got = schema.align(value);
    for (const AlignAnswer& answer : case_.answers)
      if (fits(answer, got)) return;
    AlignAnswer was;
    was.kind = got.edits.empty() ? got.valid ? AlignAnswer::Kind::valid : AlignAnswer::Kind::unchanged
                                 : AlignAnswer::Kind::aligned;
    if (!got.edits.empty()) was.value = to_tree(got.value.root());
    for (const schema::AlignEdit& edit : got.edits) was.edits.push_back(describe(edit));
    std::string wanted;
    for (const AlignAnswer& answer : case_.answers) wanted += describe_answer(answer);
    ADD_FAILURE() << "wanted:" << wanted << "\ngot:" << describe_answer(was);
  }
};

/// The cases are of use only if they are about everything.
class CoverageTest final : public ::testing::Test {
 public:
  explicit CoverageTest(const Cases* cases) : cases_(*cases) {}
  void TestBody() override {
    std::set<std::string> kinds, keywords;
    for (const SchemaCase& one : cases_.align)
      for (const AlignAnswer& answer : one.answers)
        for (const std::string& edit : answer.edits) kinds.insert(edit.substr(0, edit.find(' ')));
    for (std::size_t i = 0; i < schema::kAlignKinds; ++i)
      EXPECT_TRUE(kinds.contains(std::string(schema::name(static_cast<schema::AlignKind>(i)))))
          << schema::name(static_cast<schema::AlignKind>(i));
    for (const SchemaCase& one : cases_.check)
      for (const SchemaCase::Wanted& violation : one.violations) keywords.insert(violation.keyword);
    for (const char* keyword : {"type",
                                "const",
                                "enum",
                                "minimum",
                                "maximum",
                                "exclusiveMinimum",
                                "exclusiveMaximum",
                                "multipleOf",
                                "minLength",
                                "maxLength",
                                "pattern",
                                "format",
                                "minItems",
                                "maxItems",
                                "uniqueItems",
                                "minProperties",
                                "maxProperties",
                                "required",
                                "dependentRequired",
                                "dependencies",
                                "properties",
                                "additionalProperties",
                                "propertyNames",
                                "items",
                                "additionalItems",
                                "contains",
                                "anyOf",
                                "oneOf",
                                "not",
                                "unevaluatedItems",
                                "unevaluatedProperties",
                                "false"})
      EXPECT_TRUE(keywords.contains(keyword)) << keyword;
  }

 private:
  const Cases& cases_;
};

template <class Test, class Subject>
void add(const char* suite, const std::string& name, const Subject* subject) {
  ::testing::RegisterTest(suite, name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [subject]() -> ::testing::Test* { return new Test(subject); });
}

}  // namespace
}  // namespace belay::check

int main(int argc, char** argv) {
  using namespace belay::check;
  ::testing::InitGoogleTest(&argc, argv);
  try {
    static const Cases cases{load_check_cases(BELAY_CASES_DIR "/schema/check.json"),
                             load_align_cases(BELAY_CASES_DIR "/schema/align.json")};
    for (const SchemaCase& one : cases.check) add<CheckCaseTest>("check", one.name, &one);
    for (const SchemaCase& one : cases.align) add<AlignCaseTest>("align", one.name, &one);
    add<CoverageTest>("cases", "there is one for every kind of edit and every keyword", &cases);
    return RUN_ALL_TESTS();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
