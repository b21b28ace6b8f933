// Requests with tools, as requests without.
#include "text_dialect_calls.h"

#include <gtest/gtest.h>

namespace belay::text {
namespace {

using chat::Block;
using chat::Message;
using chat::Role;
using testing::kFiles;

chat::Request request() {
  chat::Request r;
  r.model = "m";
  r.tools = kFiles;
  r.tool_choice = {chat::ToolChoice::Kind::required, ""};
  r.parallel_calls = true;
  r.messages = {{Role::system, {chat::text_block("You are careful.")}, {}},
                {Role::user, {chat::text_block("Look at a and b.")}, {}},
                {Role::assistant,
                 {chat::text_block("I look."), chat::call_block("1", "read_file", R"({"path":"a"})"),
                  chat::call_block("2", "read_file", R"({"path":"b"})")},
                 {}},
                {Role::tool, {chat::result_block("1", "AAA")}, {}},
                {Role::tool, {chat::result_block("2", "no b", true)}, {}},
                {Role::user, {chat::text_block("Go on.")}, {}}};
  r.opaque = {{"openai-chat", "tool_choice", "{}"}, {"openai-chat", "seed", "1"}};
  return r;
}

TEST(DialectRewrite, ToolsCallsAndResultsBecomeText) {
  chat::Request r = Dialect::rewrite("xml", request());
  EXPECT_TRUE(r.tools.empty());
  EXPECT_FALSE(r.tool_choice);
  EXPECT_FALSE(r.parallel_calls);
  ASSERT_EQ(r.opaque.size(), 1u);
  EXPECT_EQ(r.opaque[0].key, "seed");
  ASSERT_EQ(r.messages.size(), 4u);
  EXPECT_TRUE(r.messages[0].blocks[0].text.starts_with("You are careful.\n\n# Tools\n\n"));
  EXPECT_NE(r.messages[0].blocks[0].text.find("must use a tool"), std::string::npos);
  ASSERT_EQ(r.messages[2].blocks.size(), 1u);
  EXPECT_EQ(r.messages[2].blocks[0].text,
            "I look.\n\n<read_file>\n<path>a</path>\n</read_file>\n\n<read_file>\n<path>b</path>\n</read_file>");
  EXPECT_EQ(r.messages[3].role, Role::user);
  ASSERT_EQ(r.messages[3].blocks.size(), 1u);
  EXPECT_EQ(r.messages[3].blocks[0].text,
            "[read_file for 'a'] Result:\nAAA\n\n[read_file for 'b'] Result:\n<error>\nno b\n</error>\n\nGo on.");
}

TEST(DialectRewrite, NoFormatLeavesToolsBehindAndItsCallsAreReadAgain) {
  for (std::string_view format : formats()) {
    chat::Request r = Dialect::rewrite(format, request());
    EXPECT_TRUE(r.tools.empty());
    for (const Message& m : r.messages)
      for (const Block& b : m.blocks) EXPECT_EQ(b.kind, Block::Kind::text) << format;
    ASSERT_EQ(r.messages.size(), 4u) << format;
    if (testing::unread(format)) continue;
    EXPECT_EQ(testing::read_again(format, kFiles, r.messages[2].blocks[0].text),
              "I look.; read_file {\"path\":\"a\"}; read_file {\"path\":\"b\"}")
        << format;
  }
}

TEST(DialectRewrite, AnIdIsTheSameInCallAndResult) {
  chat::Request r = Dialect::rewrite("kimi_k2", request());
  EXPECT_NE(r.messages[2].blocks[0].text.find("functions.read_file:1"), std::string::npos);
  EXPECT_NE(r.messages[3].blocks[0].text.find("## Return of functions.read_file:1\n"), std::string::npos);
}

TEST(DialectRewrite, ImagesOfResultsFollowThem) {
  chat::Request r = request();
  Block image;
  image.kind = Block::Kind::image;
  image.media_type = "image/png";
  image.data = "AAAA";
  r.messages[3].blocks[0].content.push_back(image);
  r = Dialect::rewrite("xml", std::move(r));
  ASSERT_EQ(r.messages[3].blocks.size(), 3u);
  EXPECT_EQ(r.messages[3].blocks[1], image);
}

TEST(DialectRewrite, HistoryNeverFails) {
  chat::Request r = request();
  r.messages[2].blocks[1].arguments = "{\"path\": ";
  r.messages[2].blocks[2].arguments = R"({"path": 5})";
  r.messages[3].blocks[0].id = "unknown";
  r = Dialect::rewrite("xml", std::move(r));
  const std::string& text = r.messages[2].blocks[0].text;
  EXPECT_NE(text.find("[read_file was called with arguments that are no JSON object: {\"path\": ]"), std::string::npos);
  EXPECT_NE(text.find("<path>5</path>"), std::string::npos);
  EXPECT_NE(r.messages[3].blocks[0].text.find("[tool] Result:\nAAA"), std::string::npos);
}

TEST(DialectRewrite, WithoutASystemMessageThereIsOneAndWithoutToolsNone) {
  chat::Request r = request();
  r.messages.erase(r.messages.begin());
  EXPECT_EQ(Dialect::rewrite("xml", r).messages[0].role, Role::system);
  r.tool_choice->kind = chat::ToolChoice::Kind::none;
  EXPECT_EQ(Dialect::rewrite("xml", r).messages[0].role, Role::user);
  r.tool_choice.reset();
  r.tools.clear();
  EXPECT_EQ(Dialect::rewrite("xml", r).messages[0].role, Role::user);
}

}  // namespace
}  // namespace belay::text
