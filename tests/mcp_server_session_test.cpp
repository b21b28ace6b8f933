// The server's side of a session: what is answered, to whom, in which version's words. No process, no socket.
#include <belay/mcp/server_session.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace belay;
using namespace belay::mcp;

namespace {

struct Stage {
  explicit Stage(std::size_t calls = 4096) : session(options(calls)) {}
  static ServerSessionOptions options(std::size_t calls) {
    ServerSessionOptions out;
    OfferedTool tool;
    tool.name = "echo";
    tool.description = "says it";
    tool.input_schema = R"({"type":"object"})";
    tool.output_schema = R"({"type":"object"})";
    tool.hints.read_only = true;
    tool.aliases = {"parrot"};
    out.tools = std::make_shared<const std::vector<OfferedTool>>(std::vector{tool});
    out.limits.calls = calls;
    return out;
  }
  void look() {
    for (ServerOutput& output : session.take()) {
      if (auto* say = std::get_if<Say>(&output)) said.push_back(std::move(*say));
      if (auto* begin = std::get_if<BeginCall>(&output)) begun.push_back(std::move(*begin));
      if (auto* end = std::get_if<EndCall>(&output)) stopped.push_back(end->call);
      if (auto* done = std::get_if<Over>(&output)) over.push_back(done->exchange);
    }
  }
  /// What was answered to this, all in one line.
  std::string ask(std::string_view text, Exchange exchange = 0) {
    said.clear();
    session.on_text(text, exchange);
    look();
    std::string out;
    for (const Say& one : said) out += one.text;
    return out;
  }
  std::string initialize(std::string_view version = "2025-11-25") {
    return ask(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" + std::string(version) +
               "\"}}");
  }
  std::string call(std::string_view id, std::string_view more = "", Exchange exchange = 0) {
    return ask(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"tools/call","params":{"name":"echo")" +
                   std::string(more) + "}}",
               exchange);
  }
  std::string done(CallNumber number, std::string text, std::string structured = {}) {
    said.clear();
    session.on_done(number, {tool::text_result(std::move(text)), std::move(structured)});
    look();
    std::string out;
    for (const Say& one : said) out += one.text;
    return out;
  }

  ServerSession session;
  std::vector<Say> said;
  std::vector<BeginCall> begun;
  std::vector<CallNumber> stopped;
  std::vector<Exchange> over;
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

TEST(McpServer, AgreesOnEachVersionThatItKnowsAndOffersTheNewestForOthers) {
  for (const char* version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    EXPECT_TRUE(has(Stage().initialize(version), "\"protocolVersion\":\"" + std::string(version))) << version;
  for (const char* version : {"1999-01-01", "2026-07-28", ""})
    EXPECT_TRUE(has(Stage().initialize(version), "\"protocolVersion\":\"2025-11-25\"")) << version;
  Stage s;
  EXPECT_TRUE(has(s.ask(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})"), "-32602"));
  EXPECT_FALSE(s.session.version());
}

TEST(McpServer, AnswersNothingButPingBeforeItIsInitializedAndInitializesOnce) {
  Stage s;
  EXPECT_EQ(s.ask(R"({"jsonrpc":"2.0","id":"p","method":"ping"})"), R"({"jsonrpc":"2.0","id":"p","result":{}})");
  EXPECT_TRUE(has(s.ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"), "-32600"));
  EXPECT_TRUE(has(s.call("2"), "-32600"));
  EXPECT_TRUE(s.begun.empty());
  s.initialize();
  EXPECT_TRUE(has(s.initialize(), "-32600"));
}

TEST(McpServer, WritesWhatAVersionKnows) {
  const auto list = [](std::string_view version) {
    Stage s;
    s.initialize(version);
    return s.ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  };
  EXPECT_FALSE(has(list("2024-11-05"), "annotations"));
  EXPECT_TRUE(has(list("2025-03-26"), R"("annotations":{"readOnlyHint":true})"));
  EXPECT_FALSE(has(list("2025-03-26"), "outputSchema"));
  EXPECT_TRUE(has(list("2025-06-18"), "outputSchema"));
  Stage old, fresh;
  old.initialize("2025-03-26");
  fresh.initialize("2025-06-18");
  old.call("1");
  fresh.call("1");
  EXPECT_EQ(old.done(old.begun[0].call, "x", R"({"a":1})"),
            R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"x"}],"isError":false}})");
  EXPECT_TRUE(has(fresh.done(fresh.begun[0].call, "x", R"({"a":1})"), R"("structuredContent":{"a":1})"));
}

TEST(McpServer, AnswersEachCallUnderItsOwnIdWhateverTheOrder) {
  Stage s;
  s.initialize();
  s.call("1");
  s.call("\"1\"");
  s.call("9007199254740993");
  ASSERT_EQ(s.begun.size(), 3u);
  EXPECT_TRUE(has(s.done(s.begun[2].call, "c"), R"("id":9007199254740993,)"));
  EXPECT_TRUE(has(s.done(s.begun[1].call, "b"), R"("id":"1",)"));
  EXPECT_TRUE(has(s.done(s.begun[0].call, "a"), R"("id":1,)"));
  EXPECT_EQ(s.done(s.begun[0].call, "again"), "") << "an answer comes once";
}

TEST(McpServer, RefusesAnIdThatStillRunsAndKeepsTheFirst) {
  Stage s;
  s.initialize();
  s.call("1");
  EXPECT_TRUE(has(s.call("1"), R"("id":null,"error":{"code":-32600)"));
  EXPECT_EQ(s.begun.size(), 1u);
  EXPECT_TRUE(has(s.done(s.begun[0].call, "a"), R"("id":1,"result")"));
  s.call("1");
  EXPECT_EQ(s.begun.size(), 2u) << "afterwards it is free";
}

TEST(McpServer, HandsArgumentsOnAsTheyWereWritten) {
  Stage s;
  s.initialize();
  s.call("1", R"(,"arguments":{"a":[1,2]})");
  s.call("2");
  s.call("3", R"(,"arguments":null)");
  s.call("4", R"(,"arguments":"{'a': 1,}")");
  ASSERT_EQ(s.begun.size(), 4u);
  EXPECT_EQ(s.begun[0].arguments, R"({"a":[1,2]})");
  EXPECT_EQ(s.begun[1].arguments, "{}");
  EXPECT_EQ(s.begun[2].arguments, "{}");
  EXPECT_EQ(s.begun[3].arguments, "{'a': 1,}");
  EXPECT_TRUE(has(s.call("5", R"(,"arguments":[1])"), "-32602"));
  EXPECT_TRUE(has(s.ask(R"({"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"none"}})"), "-32602"));
  EXPECT_TRUE(has(s.ask(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]})"), "-32602"));
  EXPECT_TRUE(has(s.ask(R"({"jsonrpc":"2.0","id":8,"method":"tools/call"})"), "-32602"));
  s.ask(R"({"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"parrot"}})");
  EXPECT_EQ(s.begun.back().tool, "echo") << "an alias means the tool";
}

TEST(McpServer, CancelsACallAndSaysNothingMoreOfIt) {
  Stage s;
  s.initialize();
  s.call("\"x\"", "", 7);
  s.ask(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"y"}})", 8);
  EXPECT_TRUE(s.stopped.empty());
  s.over.clear();
  s.ask(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x","reason":"no"}})", 9);
  EXPECT_EQ(s.stopped, std::vector{s.begun[0].call});
  EXPECT_EQ(s.over, (std::vector<Exchange>{7, 9})) << "who waited for it need not wait any more";
  EXPECT_EQ(s.done(s.begun[0].call, "late"), "");
  for (const char* odd : {R"({"jsonrpc":"2.0","method":"notifications/cancelled"})",
                          R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{}})",
                          R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}})"})
    EXPECT_EQ(s.ask(odd), "");
}

TEST(McpServer, SaysHowFarACallIsToWhoWantsToKnow) {
  Stage s;
  s.initialize();
  s.call("1");
  s.call("2", R"(,"_meta":{"progressToken":"t"})");
  EXPECT_FALSE(s.begun[0].progress);
  EXPECT_TRUE(s.begun[1].progress);
  // What would be said again and again has a limit.
  s.call("3", R"(,"_meta":{"progressToken":")" + std::string(5000, 't') + "\"}");
  EXPECT_FALSE(s.begun[2].progress);
  s.said.clear();
  s.session.on_progress(s.begun[0].call, 1, "a");
  s.session.on_progress(s.begun[1].call, 1.5, "line");
  s.look();
  ASSERT_EQ(s.said.size(), 1u);
  EXPECT_EQ(s.said[0].text,
            R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1.5,)"
            R"("message":"line"}})");
  EXPECT_FALSE(s.said[0].answer);
  s.done(s.begun[1].call, "x");
  s.said.clear();
  s.session.on_progress(s.begun[1].call, 2, "late");
  s.look();
  EXPECT_TRUE(s.said.empty());
}

TEST(McpServer, LogsFromTheLevelThatWasAskedForOn) {
  Stage s;
  s.initialize();
  s.call("1");
  const auto logged = [&](LogLevel level) {
    s.said.clear();
    s.session.on_log(s.begun[0].call, level, "x");
    s.look();
    return s.said.size();
  };
  EXPECT_EQ(logged(LogLevel::emergency), 0u) << "nobody has asked yet";
  EXPECT_TRUE(
      has(s.ask(R"({"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"loud"}})"), "-32602"));
  s.ask(R"({"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"warning"}})");
  EXPECT_EQ(logged(LogLevel::notice), 0u);
  EXPECT_EQ(logged(LogLevel::warning), 1u);
}

TEST(McpServer, AnswersABatchAsOneWhereTheVersionHasBatches) {
  const std::string batch = R"([{"jsonrpc":"2.0","id":1,"method":"ping"},)"
                            R"({"jsonrpc":"2.0","method":"notifications/initialized"},)"
                            R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}},5,)"
                            R"({"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"x"}}])";
  Stage s;
  EXPECT_TRUE(has(s.ask(batch), "-32600")) << "not before initialize";
  s.initialize("2025-03-26");
  s.over.clear();
  EXPECT_EQ(s.ask(batch, 4), "") << "all at once, when the last is there";
  EXPECT_TRUE(s.over.empty());
  const std::string all = s.done(s.begun.at(0).call, "x");
  EXPECT_TRUE(all.starts_with(R"([{"jsonrpc":"2.0","id":1,"result":{}},)")) << all;
  EXPECT_TRUE(all.ends_with("]"));
  EXPECT_TRUE(has(all, R"("id":2,"result")"));
  EXPECT_TRUE(has(all, R"("id":3,"error")"));
  EXPECT_EQ(s.over, std::vector<Exchange>{4});
  EXPECT_TRUE(has(s.ask("[]"), "-32600"));
  EXPECT_EQ(s.ask(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])"), "");
  Stage fresh;
  fresh.initialize("2025-06-18");
  EXPECT_TRUE(has(fresh.ask(batch), "-32600"));
  EXPECT_TRUE(fresh.begun.empty());
}

TEST(McpServer, AnswersAnythingThatIsNoMessage) {
  Stage s;
  s.initialize();
  const std::pair<const char*, const char*> cases[] = {
      {"nonsense", R"("id":null,"error":{"code":-32700)"},
      {"{\"jsonrpc\":", R"("id":null,"error":{"code":-32700)"},
      {"{}", R"("id":null,"error":{"code":-32600)"},
      {"null", R"("id":null,"error":{"code":-32600)"},
      {"1", R"("id":null,"error":{"code":-32600)"},
      {R"("x")", R"("id":null,"error":{"code":-32600)"},
      {"1 2", R"("id":null,"error":{"code":-32700)"},
      // Both would come back as the same id.
      {"{\"jsonrpc\":\"2.0\",\"id\":\"a\xFF\",\"method\":\"ping\"}", R"("id":null,"error":{"code":-32600)"},
      {R"({"jsonrpc":"2.0","id":"a\ud800","method":"ping"})", R"("id":null,"error":{"code":-32600)"},
      {"{\"jsonrpc\":\"2.0\",\"id\":\"a\xEF\xBF\xBD\",\"method\":\"ping\"}", R"("result":{})"},
      {R"({"id":5,"method":"ping"})", R"("id":5,"error":{"code":-32600)"},
      {R"({"jsonrpc":"2.0","id":5,"method":5})", R"("id":5,"error":{"code":-32600)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"ping","params":5})", R"("id":5,"error":{"code":-32600)"},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", R"("id":null,"error":{"code":-32600)"},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", R"("id":null,"error":{"code":-32600)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"resources/list"})", R"("id":5,"error":{"code":-32601)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"cursor":"x"}})",
       R"("id":5,"error":{"code":-32602)"}};
  for (const auto& [text, wanted] : cases) EXPECT_TRUE(has(s.ask(text), wanted)) << text << "\n" << s.ask(text);
  EXPECT_TRUE(has(s.ask(R"({"jsonrpc":"2.0","id":1,"method":)" + std::string(100'000, '[')), "-32700"));
  for (const char* quiet :
       {"", "  \t", R"({"jsonrpc":"2.0","method":"notifications/anything"})", R"({"jsonrpc":"2.0","id":9,"result":{}})",
        R"({"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"x"}})"})
    EXPECT_EQ(s.ask(quiet), "") << quiet;
}

TEST(McpServer, KeepsToItsLimitAndSaysHowToRaiseIt) {
  Stage s(2);
  s.initialize();
  s.call("1");
  s.call("2");
  const std::string refused = s.call("3");
  EXPECT_TRUE(has(refused, "--limit calls=N"));
  EXPECT_EQ(s.begun.size(), 2u);
  s.said.clear();
  s.session.on_refused(s.begun[1].call, "no room");
  s.look();
  EXPECT_TRUE(has(s.said.at(0).text, R"("id":2,"error":{"code":-32000,"message":"no room"})"));
  s.call("4");
  EXPECT_EQ(s.begun.size(), 3u);
}

TEST(McpServer, EndsTheCallsOfAnExchangeThatHasGoneAndAllAtTheEnd) {
  Stage s;
  s.initialize();
  s.call("1", "", 1);
  s.call("2", "", 2);
  s.session.on_gone(1);
  s.look();
  EXPECT_EQ(s.stopped, std::vector{s.begun[0].call});
  s.session.close();
  s.look();
  EXPECT_EQ(s.stopped.size(), 2u);
  EXPECT_EQ(s.session.calls(), 0u);
}

TEST(McpServer, AnswersRequestsOf20260728WithoutAnIntroduction) {
  Stage s;
  const std::string meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})";
  EXPECT_TRUE(has(s.ask(R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{)" + meta + "}}"),
                  R"("supportedVersions":["2026-07-28","2025-11-25")"));
  EXPECT_TRUE(has(s.ask(R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{)" + meta + "}}"),
                  R"("result":{"resultType":"complete","tools":[)"));
  s.call("3", "," + meta);
  EXPECT_TRUE(has(s.done(s.begun.at(0).call, "x"), R"("resultType":"complete")"));
  EXPECT_TRUE(has(s.ask(R"({"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":)"
                        R"({"io.modelcontextprotocol/protocolVersion":"2030-01-01"}}})"),
                  R"("error":{"code":-32022)"));
}

}  // namespace
