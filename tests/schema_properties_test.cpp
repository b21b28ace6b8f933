// The properties of schemas, on random schemas with every keyword and values that are nearly what they want.
//
// RC_PARAMS sets the seed and the number of runs, as RapidCheck documents; the build gives both.
#include "support/decisions.h"
#include "support/outcome.h"
#include "support/schema_oracles.h"
#include "support/schemas.h"

#include <belay/json.h>
#include <belay/regex.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace belay::check {
namespace {

schema::Draft make_draft(Choices& choices) {
  return choices.once_in(3) ? schema::Draft::draft7 : schema::Draft::draft2020_12;
}

/// A schema, compiled, and what it was compiled from.
struct Subject {
  Tree tree;
  json::Document document;
  schema::Schema schema;
  [[nodiscard]] std::string text() const { return to_text(tree); }
};

const schema::Regexes& regexes() {
  static const std::unique_ptr<const schema::Regexes> made = regex::make_regexes();
  return *made;
}

schema::CompileOptions options_for(schema::Draft draft, bool formats) {
  schema::CompileOptions options;
  options.draft = draft;
  options.regexes = &regexes();
  options.formats = formats;
  return options;
}

Subject compiled(Tree tree, const schema::CompileOptions& options) {
  json::Document document = document_of(tree);
  auto schema = schema::Schema::compile(document.root(), options);
  if (!schema)
    throw std::runtime_error(to_text(tree) + " does not compile: " + schema.error().where + ": " +
                             schema.error().message);
  return {std::move(tree), std::move(document), *schema};
}

Subject make_subject(Choices& choices) {
  const schema::Draft draft = make_draft(choices);
  const bool formats = choices.flip();
  return compiled(make_schema(choices, draft), options_for(draft, formats));
}

void require_none(const std::string& fault, const Subject& subject, const Tree& value) {
  if (!fault.empty()) RC_FAIL(fault + "\nschema: " + subject.text() + "\nvalue: " + to_text(value));
}

/// What is wrong and where, in no order. Messages may list names in the order of the schema.
std::vector<std::string> places(const schema::Report& report) {
  std::vector<std::string> out;
  for (const schema::Violation& v : report.violations) out.push_back(v.path + " " + v.keyword);
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> edits_of(const schema::Aligned& aligned) {
  std::vector<std::string> out;
  for (const schema::AlignEdit& edit : aligned.edits) out.push_back(describe(edit));
  std::sort(out.begin(), out.end());
  return out;
}

std::string join(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += "\n  " + line;
  return out;
}

/// What two schemas say about two values that are the same but for the order of members.
std::string difference(const schema::Schema& a, json::Value x, const schema::Schema& b, json::Value y) {
  const schema::Report one = a.check(x), other = b.check(y);
  if (one.total != other.total || (one.total <= Limits().violations && places(one) != places(other)))
    return "another order gives other violations:" + join(places(one)) + "\nand" + join(places(other));
  const schema::Aligned left = a.align(x), right = b.align(y);
  if (edits_of(left) != edits_of(right))
    return "another order gives other edits:" + join(edits_of(left)) + "\nand" + join(edits_of(right));
  if (!left.value.empty() && !(left.value.root() == right.value.root())) return "another order gives another value";
  return {};
}

RC_GTEST_PROP(SchemaProperty, compiling_is_deterministic_and_a_schema_outlives_its_document, ()) {
  const std::string bytes = *decisions(6.0);
  Choices choices(bytes);
  const schema::Draft draft = make_draft(choices);
  const Tree tree = make_schema(choices, draft);
  const json::Document document = document_of(tree);
  const std::string fault = compile_fault(document.root(), options_for(draft, choices.flip()));
  if (!fault.empty()) RC_FAIL(fault + "\nschema: " + to_text(tree));
}

RC_GTEST_PROP(SchemaProperty, check_and_valid_agree_and_violations_are_coherent, ()) {
  const std::string bytes = *decisions(6.0);
  Choices choices(bytes);
  const Subject subject = make_subject(choices);
  for (int i = 0; i < 3; ++i) {
    const Tree value = make_value_for(subject.tree, choices);
    const json::Document document = document_of(value);
    require_none(check_fault(subject.schema, subject.document.root(), document.root()), subject, value);
  }
}

RC_GTEST_PROP(SchemaProperty, aligning_is_idempotent_listed_and_made_of_what_was_there, ()) {
  const std::string bytes = *decisions(6.0);
  Choices choices(bytes);
  const Subject subject = make_subject(choices);
  for (int i = 0; i < 3; ++i) {
    const Tree value = make_value_for(subject.tree, choices);
    const json::Document document = document_of(value);
    require_none(align_fault(subject.schema, document.root()), subject, value);
  }
}

RC_GTEST_PROP(SchemaProperty, the_order_of_members_does_not_matter, ()) {
  const std::string bytes = *decisions(6.0);
  Choices choices(bytes);
  const schema::Draft draft = make_draft(choices);
  const schema::CompileOptions options = options_for(draft, choices.flip());
  const Subject subject = compiled(make_schema(choices, draft), options);
  const Tree value = make_value_for(subject.tree, choices);
  const Subject other = compiled(shuffled(subject.tree, choices), options);
  const Tree moved = shuffled(value, choices);
  const json::Document a = document_of(value), b = document_of(moved);
  const std::string fault = difference(subject.schema, a.root(), other.schema, b.root());
  if (!fault.empty())
    RC_FAIL(fault + "\nschema: " + subject.text() + "\nvalue: " + to_text(value) + "\nschema: " + other.text() +
            "\nvalue: " + to_text(moved));
}

// The properties above say something only if the random pairs reach everything: all kinds of edits, all keywords.
TEST(SchemaProperty, random_pairs_reach_every_kind_of_edit_and_most_keywords) {
  std::mt19937 random(1);
  std::array<std::size_t, schema::kAlignKinds> kinds{};
  std::set<std::string> keywords;
  std::size_t valid = 0, aligned = 0, refused = 0;
  for (int i = 0; i < 6000; ++i) {
    std::string bytes(64 + random() % 400, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    Choices choices(bytes);
    const Subject subject = make_subject(choices);
    const json::Document value = document_of(make_value_for(subject.tree, choices));
    const schema::Aligned got = subject.schema.align(value.root());
    ++(!got.valid ? refused : got.edits.empty() ? valid : aligned);
    for (const schema::AlignEdit& edit : got.edits) ++kinds[static_cast<std::size_t>(edit.kind)];
    for (const schema::Violation& v : subject.schema.check(value.root()).violations) keywords.insert(v.keyword);
  }
  EXPECT_GT(valid, 600u);
  EXPECT_GT(aligned, 200u);
  EXPECT_GT(refused, 600u);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    EXPECT_GT(kinds[i], 0u) << schema::name(static_cast<schema::AlignKind>(i));
  EXPECT_GE(keywords.size(), 26u) << join({keywords.begin(), keywords.end()});
}

}  // namespace
}  // namespace belay::check
