// TextSoFar: what each piece adds to the text of a growing value. That all of it is a prefix of the final text, for any
// input, is watched in support/watch.h.
#include <belay/json.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace belay::json {
namespace {

/// What became certain with each piece, and with the end.
std::vector<std::string> pieces_of(std::vector<std::string_view> pieces) {
  Reader reader;
  TextSoFar text;
  std::vector<std::string> out;
  for (std::string_view piece : pieces) {
    reader.push(piece);
    text.take(reader.value(), out.emplace_back());
  }
  const Reading reading = reader.finish();
  text.finish(reading.document.root(), out.emplace_back());
  return out;
}

using Strings = std::vector<std::string>;

TEST(TextSoFar, GrowsWithEachPiece) {
  EXPECT_EQ(pieces_of({R"({"path": "a/)", R"(b", )", R"("n": 1)", R"(2, "x": [tr)", "ue]}"}),
            (Strings{R"({"path":"a/)", "b", "\"", R"(,"n":12,"x":[)", "true]}", ""}));
}

TEST(TextSoFar, WritesEscapesOnce) {
  EXPECT_EQ(pieces_of({"{\"a\": \"x\\", "n\\u00", "e9\\\\\"", "}"}),
            (Strings{R"({"a":"x)", R"(\n)", R"(é\\)", "", R"("})"}));
}

TEST(TextSoFar, WritesDamageAsItIsMended) {
  EXPECT_EQ(pieces_of({"{'a': True,", " b: 'x',}"}), (Strings{R"({"a":true)", R"(,"b":"x"})", ""}));
}

TEST(TextSoFar, ShowsNothingOfAnEmptyText) {
  Reader reader;
  TextSoFar text;
  std::string out;
  text.take(reader.value(), out);
  EXPECT_EQ(out, "");
}

TEST(TextSoFar, FollowsABuilder) {
  Builder b;
  TextSoFar text;
  std::string out;
  b.open_object();
  b.key("a");
  text.take(b.value(), out);
  EXPECT_EQ(out, "{");
  b.open_string();
  b.append("x\"");
  text.take(b.value(), out);
  EXPECT_EQ(out, R"({"a":"x\")");
  b.close_string();
  b.key("b");
  b.open_array();
  text.take(b.value(), out);
  EXPECT_EQ(out, R"({"a":"x\"","b":[)");
  b.close_all();
  const Document document = b.take();
  text.finish(document.root(), out);
  EXPECT_EQ(out, R"({"a":"x\"","b":[]})");
}

}  // namespace
}  // namespace belay::json
