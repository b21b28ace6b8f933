// One value inside a longer text: where it ends, and where the reader stands in it.
#include "support/outcome.h"

#include <belay/json.h>

#include <gtest/gtest.h>

namespace belay::json {
namespace {

ReaderOptions one() {
  ReaderOptions options;
  options.root = Root::object;
  options.one = true;
  return options;
}

// What follows the value must not have been read, wherever the pieces were cut.
void expect_end(std::string_view value, std::string_view behind) {
  const std::string text = std::string(value) + std::string(behind);
  const Reading alone = read(value, {.root = Root::object});
  for (std::size_t size : {text.size(), std::size_t{1}, std::size_t{3}}) {
    Reader reader(one());
    for (std::string_view piece : check::chop(text, size))
      if (!reader.ended()) reader.push(piece);
    reader.over();
    SCOPED_TRACE(text);
    EXPECT_TRUE(reader.ended());
    EXPECT_EQ(reader.offset(), value.size());
    const Reading got = reader.finish();
    EXPECT_EQ(to_string(got.document.root()), to_string(alone.document.root()));
    EXPECT_EQ(got.edits, alone.edits);
    EXPECT_EQ(got.verdict.word(), alone.verdict.word());
    EXPECT_EQ(got.verdict.count, 1u);
  }
}

TEST(One, EndsWhereTheDamagedValueEnds) {
  for (std::string_view value :
       {R"({'a':1})", R"({"a":`65"`})", R"({"a":“65"”})", R"({"a":"x" /* " */})", R"({"a":"a 65" tv"})",
        R"({"a":"a 65""})", R"({"a":[1})", R"({a:{b:[1,],},})", R"({"a":"x","b":"say "hi" now"})"})
    for (std::string_view behind :
         {" Done.", "\nSay \"hi\", then {go}.", "{\"b\":2}", "; {\"b\": 2}", "</tool_call>\n\"x\""})
      expect_end(value, behind);
}

TEST(One, GoesOnWithTheNextValue) {
  Reader reader(one());
  EXPECT_EQ(reader.push_strict(R"({"a":"x"})"), 9u);
  reader.go_on();
  reader.push(" {'b':2} {\"c\":3}");
  EXPECT_TRUE(reader.ended());
  EXPECT_EQ(reader.offset(), 17u);
  const Reading got = reader.finish();
  EXPECT_EQ(got.verdict.count, 2u);
  ASSERT_EQ(got.edits.size(), 1u);
  EXPECT_EQ(got.edits[0].offset, 11u);
}

TEST(One, StrictBytesAreTakenUpToTheFirstThatIsNot) {
  for (std::string_view text :
       {R"({"a":"x" y"})", R"({"a":1,})", R"({"a":'x'})", "{\"a\":\"x\ny\"}", R"({"a":1 // x)"}) {
    const Reading whole = read(text);
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      Reader reader;
      std::size_t taken = reader.push_strict(text.substr(0, cut));
      if (taken == cut) taken += reader.push_strict(text.substr(cut));
      EXPECT_LT(taken, text.size());
      EXPECT_EQ(reader.push_strict(text.substr(taken)), 0u);
      reader.push(text.substr(taken));
      const Reading got = reader.finish();
      EXPECT_EQ(to_string(got.document.root()), to_string(whole.document.root())) << text << " at " << cut;
      EXPECT_EQ(got.edits, whole.edits) << text << " at " << cut;
    }
  }
}

TEST(One, AKeyIsUndecidedUntilItsColon) {
  const auto undecided = [](std::string_view text) {
    Reader reader(one());
    EXPECT_EQ(reader.push_strict(text), text.size());
    return reader.undecided();
  };
  EXPECT_EQ(undecided(R"({"a":"x")"), 0u);
  EXPECT_EQ(undecided(R"({"a":"x",")"), 0u);
  EXPECT_EQ(undecided(R"({"a":"x","])"), 1u);
  EXPECT_EQ(undecided(R"({"a":"x","]\)"), 2u);
  EXPECT_EQ(undecided(R"({"a":"x","]b" )"), 4u);
  EXPECT_EQ(undecided(R"({"a":"x","]b":)"), 0u);
  EXPECT_EQ(undecided(R"({"a":"x"})"), 1u);
  EXPECT_EQ(undecided(R"({"a":1})"), 0u);
  EXPECT_EQ(undecided("{\"" + std::string(4096, 'k')), 4096u);
  EXPECT_EQ(undecided("{\"" + std::string(4097, 'k')), 0u);
}

TEST(One, SaysWhereItStands) {
  const auto place = [](std::string_view text) {
    Reader reader(one());
    reader.push(text);
    return reader.place();
  };
  EXPECT_EQ(place("so: "), Place::outside);
  EXPECT_EQ(place(R"({"a)"), Place::string);
  EXPECT_EQ(place(R"({"a": )"), Place::inside);
  EXPECT_EQ(place(R"({"a": "x)"), Place::string);
  EXPECT_EQ(place(R"({"a": `x")"), Place::string);
  EXPECT_EQ(place(R"({'a': "x")"), Place::inside);
  EXPECT_EQ(place(R"({'a': "x", "b)"), Place::string);
  EXPECT_EQ(place(R"({"a": 1 /* " )"), Place::comment);
  EXPECT_EQ(place(R"({'a': 1} )"), Place::outside);
}

TEST(One, KnowsWhetherAStringHasAProperEnd) {
  Reader reader(one());
  reader.push(R"({"a": "x)");
  EXPECT_EQ(reader.string_ends_in("y", false), std::nullopt);
  EXPECT_EQ(reader.string_ends_in("y", true), false);
  EXPECT_EQ(reader.string_ends_in("y\"", false), std::nullopt);
  EXPECT_EQ(reader.string_ends_in("y\"}", false), true);
  EXPECT_EQ(reader.string_ends_in("y\\\" z", false), std::nullopt);
  EXPECT_EQ(reader.string_ends_in("y\" , \"b\"", false), true);
  EXPECT_EQ(reader.string_ends_in("y\", then", false), false);
  EXPECT_EQ(reader.string_ends_in("y\"z", false), false);
}

}  // namespace
}  // namespace belay::json
