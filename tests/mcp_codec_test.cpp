// JSON-RPC and MCP's messages, without any transport.
#include <belay/mcp/types.h>

#include <gtest/gtest.h>

#include <string>

namespace belay::mcp {
namespace {

Message one(std::string_view line) {
  Incoming in = decode(line);
  EXPECT_EQ(in.messages.size(), 1u) << line;
  return in.messages.empty() ? Message{} : in.messages[0];
}
Payload payload(std::string_view json) {
  return one("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + std::string(json) + "}").payload;
}

TEST(McpCodec, TellsTheFourKindsOfMessagesApart) {
  EXPECT_EQ(one(R"({"jsonrpc":"2.0","id":1,"method":"ping"})").kind, Message::Kind::request);
  EXPECT_EQ(one(R"({"jsonrpc":"2.0","method":"notifications/x"})").kind, Message::Kind::notification);
  EXPECT_EQ(one(R"({"jsonrpc":"2.0","id":1,"result":{}})").kind, Message::Kind::result);
  const Message error = one(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no","data":[1]}})");
  EXPECT_EQ(error.kind, Message::Kind::error);
  EXPECT_EQ(error.code, kMethodNotFound);
  EXPECT_EQ(error.text, "no");
  EXPECT_EQ(json::to_string(*error.payload), "[1]");
}

TEST(McpCodec, KeepsIdsByTheirType) {
  const Id number = one(R"({"jsonrpc":"2.0","id":1,"result":{}})").id;
  const Id string = one(R"({"jsonrpc":"2.0","id":"1","result":{}})").id;
  EXPECT_NE(number, string);
  EXPECT_EQ(number, number_id(1));
  EXPECT_EQ(number_of(number), 1u);
  EXPECT_EQ(number_of(string), std::nullopt);
  EXPECT_EQ(one(R"({"jsonrpc":"2.0","id":1.0,"result":{}})").id, number);
  EXPECT_EQ(to_json(string), R"("1")");
}

TEST(McpCodec, NamesTheRequestThatABrokenAnswerBelongsTo) {
  for (std::string_view line :
       {R"({"jsonrpc":"2.0","id":7,"result":{)", R"({"jsonrpc":"2.0","id":7})", R"({"id":7,"result":{}})",
        R"({"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":""}})",
        R"({"jsonrpc":"2.0","id":7,"error":"bad"})", R"({"jsonrpc":"2.0","id":7,"result":{"a":tru}})"}) {
    const Message m = one(line);
    EXPECT_EQ(m.kind, Message::Kind::garbage) << line;
    EXPECT_EQ(m.id, number_id(7)) << line;
    EXPECT_FALSE(m.text.empty()) << line;
  }
}

TEST(McpCodec, NamesNoRequestWhereNoneIsCertain) {
  for (std::string_view line :
       {R"({"jsonrpc":"2.0","id":7,"method":"ping","params":{)", R"({"jsonrpc":"2.0","id":7)",
        R"({"jsonrpc":"2.0","result":{"id":7)", "Starting up... id:7", "\x1b[32m{\"id\":7}", "{\"id\":7"})
    EXPECT_EQ(one(line).id, Id{}) << line;
}

TEST(McpCodec, TakesLinesOfALogForNoise) {
  for (std::string_view line : {"Starting up...", "\x1b[2J", "null", "17", "\"text\""}) {
    const Message m = one(line);
    EXPECT_EQ(m.kind, Message::Kind::garbage);
    EXPECT_FALSE(m.looks_like_json) << line;
  }
  EXPECT_TRUE(decode(" \t\r\n").messages.empty());
}

TEST(McpCodec, OfAResultAndAnErrorTheOneThatIsNullIsNone) {
  const Message result = one(R"({"jsonrpc":"2.0","id":1,"error":null,"result":{"a":1}})");
  ASSERT_EQ(result.kind, Message::Kind::result);
  EXPECT_EQ(to_string(*result.payload), R"({"a":1})");
  const Message error = one(R"({"jsonrpc":"2.0","id":1,"result":null,"error":{"code":-1,"message":"no"}})");
  ASSERT_EQ(error.kind, Message::Kind::error);
  EXPECT_EQ(error.text, "no");
  EXPECT_EQ(one(R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":-1,"message":"no"}})").kind,
            Message::Kind::garbage);
}

TEST(McpCodec, ReadsBatchesAndSaysWhatIsWrongWithTheirParts) {
  const Incoming in = decode(R"([{"jsonrpc":"2.0","id":1,"result":{}},7,{"jsonrpc":"2.0","method":"m"}])");
  ASSERT_EQ(in.messages.size(), 3u);
  EXPECT_TRUE(in.batch);
  EXPECT_EQ(in.messages[0].kind, Message::Kind::result);
  EXPECT_EQ(in.messages[1].kind, Message::Kind::garbage);
  EXPECT_EQ(in.messages[2].method, "m");
  CodecLimits few;
  few.batch = 2;
  EXPECT_EQ(
      decode(R"([{"jsonrpc":"2.0","method":"m"},{"jsonrpc":"2.0","method":"m"},{"jsonrpc":"2.0","method":"m"}])", few)
          .messages.back()
          .kind,
      Message::Kind::garbage);
}

TEST(McpCodec, MendsOnlyStringsThatAreNotUnicodeAndAByteOrderMark) {
  EXPECT_EQ(one("\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}").kind, Message::Kind::result);
  const Message m = one("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\\ud800\",\"b\":\"\xff\"}}");
  ASSERT_EQ(m.kind, Message::Kind::result);
  EXPECT_EQ(m.payload->find("a")->as_string(), "\xEF\xBF\xBD");
  EXPECT_EQ(m.payload->find("b")->as_string(), "\xEF\xBF\xBD");
  EXPECT_EQ(one(R"({"jsonrpc":"2.0","id":1,"result":{},})").kind, Message::Kind::garbage);
}

TEST(McpCodec, RefusesDepthBeyondItsLimitWithoutACrash) {
  const std::string deep(100'000, '[');
  const Message m = one("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + deep);
  EXPECT_EQ(m.kind, Message::Kind::garbage);
  EXPECT_EQ(m.id, number_id(1));
  EXPECT_EQ(m.text, "not JSON: it is nested deeper than 512 levels (limit depth)");
}

TEST(McpCodec, WritesWhatItReads) {
  const std::string text = encode_request(number_id(3), "tools/call", call_params("a\n", R"({"x":1})"));
  EXPECT_EQ(text, R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a\n","arguments":{"x":1}}})");
  EXPECT_EQ(encode(one(text)), text);
  EXPECT_EQ(encode_error({}, kParseError, "x"), R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}})");
}

TEST(McpTypes, ReadsBothIntroductions) {
  const auto old = introduction_of(*payload(
      R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"}})"));
  ASSERT_TRUE(old);
  EXPECT_EQ(old->versions, std::vector<std::string>{"2025-06-18"});
  EXPECT_TRUE(old->capabilities.tools_list_changed);
  EXPECT_FALSE(old->capabilities.resources);
  const auto now = introduction_of(*payload(
      R"({"supportedVersions":["2026-07-28"],"capabilities":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"t"}}})"));
  ASSERT_TRUE(now);
  EXPECT_EQ(now->server.name, "t");
  EXPECT_FALSE(introduction_of(*payload("{}")));
  EXPECT_FALSE(introduction_of(*payload("[1]")));
}

TEST(McpTypes, ReadsEveryKindOfContent) {
  const auto r = call_result(payload(
      R"({"content":[{"type":"text","text":"t"},{"type":"image","data":"aA==","mimeType":"image/png"},)"
      R"({"type":"audio","data":"aA==","mimeType":"audio/wav"},{"type":"resource_link","uri":"u","name":"n"},)"
      R"({"type":"resource","resource":{"uri":"v","text":"w"}},{"type":"resource","resource":{"uri":"v","blob":"aA=="}},)"
      R"({"type":"hologram"},{"type":"text"},3],"structuredContent":{"a":1},"isError":true})"));
  ASSERT_TRUE(r);
  ASSERT_EQ(r->content.size(), 7u);
  EXPECT_EQ(r->unusable, 2u);
  EXPECT_TRUE(r->is_error);
  EXPECT_TRUE(r->structured);
  EXPECT_EQ(r->content[3].kind, Content::Kind::resource_link);
  EXPECT_EQ(r->content[4].text, "w");
  EXPECT_TRUE(r->content[5].binary);
  EXPECT_EQ(r->content[6].name, "hologram");
  EXPECT_FALSE(call_result(payload("{}")));
}

TEST(McpTypes, OnlyFalseSaysThatAResultIsNoError) {
  const auto is_error = [](const std::string& member) {
    const auto r = call_result(payload(R"({"content":[])" + member + "}"));
    return r && r->is_error;
  };
  for (const char* fine : {"", R"(,"isError":false)", R"(,"isError":null)"}) EXPECT_FALSE(is_error(fine)) << fine;
  for (const char* wrong : {R"("true")", R"("false")", R"("")", "1", "0", "[]", "{}", "true"})
    EXPECT_TRUE(is_error(R"(,"isError":)" + std::string(wrong))) << wrong;
}

TEST(McpTypes, CountsWhatAListLeavesOut) {
  bool more = false;
  const auto page = tools_page(
      *payload(
          R"({"tools":[{"name":"a"},{"name":""},{"name":"b","annotations":{"readOnlyHint":true}},{"name":"c"}],"nextCursor":"x"})"),
      2, more);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->items.size(), 2u);
  EXPECT_EQ(page->unusable, 1u);
  EXPECT_TRUE(more);
  EXPECT_EQ(page->next_cursor, "x");
  EXPECT_EQ(page->items[1].hints.read_only, true);
  EXPECT_EQ(page->items[1].hints.destructive, std::nullopt);
}

TEST(McpTypes, PutsTheFactsOfAStatelessRequestInFront) {
  ClientFacts facts;
  facts.peer = {"b", "", "1"};
  facts.roots = true;
  EXPECT_EQ(with_meta(R"({"name":"x"})", request_meta(facts, Version::v2025_11_25, number_id(4))),
            R"({"_meta":{"progressToken":4},"name":"x"})");
  EXPECT_EQ(with_meta("", request_meta(facts, Version::v2025_11_25, {})), "");
  EXPECT_EQ(with_meta("{}", request_meta(facts, Version::v2026_07_28, {})),
            R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
            R"("io.modelcontextprotocol/clientInfo":{"name":"b","version":"1"},)"
            R"("io.modelcontextprotocol/clientCapabilities":{"roots":{}}}})");
}

}  // namespace
}  // namespace belay::mcp
