// A client's session with a server, as facts and outputs.
#include <belay/mcp/servers.h>
#include <belay/mcp/session.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace belay::mcp {
namespace {

constexpr std::string_view kHello =
    R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"}})";

// A session and the server's part of it, played by the test.
class Stage {
 public:
  explicit Stage(SessionOptions options = {}) : session(std::move(options)) {}

  /// Everything that came out since the last time; sends are kept in `sent`, answers in `done`.
  void look() {
    for (Output& output : session.take()) {
      if (auto* send = std::get_if<Send>(&output)) sent.push_back(std::move(*send));
      if (auto* d = std::get_if<Done>(&output)) done.push_back(std::move(*d));
      if (auto* a = std::get_if<Ask>(&output)) asks.push_back(std::move(*a));
      if (std::get_if<AskDropped>(&output)) ++dropped;
      if (std::get_if<Abandon>(&output)) ++abandoned;
      if (std::get_if<Progressed>(&output)) ++progressed;
      if (auto* l = std::get_if<Listed>(&output)) listed.push_back(l->changed);
    }
  }
  void say(const std::string& text) {
    session.on_text(text, now);
    look();
  }
  void result(std::uint64_t request, std::string_view json) { say(encode_result(number_id(request), json)); }
  void error(std::uint64_t request, std::int64_t code, std::string_view data = {}) {
    say(encode_error(number_id(request), code, "no", data));
  }
  [[nodiscard]] const Send& last() const { return sent.back(); }
  [[nodiscard]] std::uint64_t last_request() const {
    for (auto s = sent.rbegin(); s != sent.rend(); ++s)
      if (s->request != 0) return s->request;
    return 0;
  }
  void begin() {
    session.start(now);
    look();
  }
  void make_ready(std::string_view tools = "[]") {
    begin();
    result(last_request(), kHello);
    result(last_request(), "{\"tools\":" + std::string(tools) + "}");
    ASSERT_EQ(session.phase(), Session::Phase::ready);
  }
  Ticket call(std::string_view tool, RequestOptions options = {}) {
    const Ticket t = session.request("tools/call", call_params(tool, "{}"), options, now);
    look();
    return t;
  }
  void pass(std::int64_t ms) {
    now += ms;
    session.on_time(now);
    look();
  }

  Session session;
  Session::Time now = 1000;
  std::vector<Send> sent;
  std::vector<Done> done;
  std::vector<Ask> asks;
  std::vector<bool> listed;
  int dropped = 0, abandoned = 0, progressed = 0;
};

TEST(McpSession, InitializesListsAndIsReady) {
  Stage s;
  s.begin();
  EXPECT_EQ(s.last().method, "initialize");
  EXPECT_EQ(s.last().version, std::nullopt);
  s.result(s.last_request(), kHello);
  ASSERT_GE(s.sent.size(), 3u);
  EXPECT_EQ(s.sent[1].method, "notifications/initialized");
  EXPECT_EQ(s.sent[2].method, "tools/list");
  EXPECT_EQ(s.sent[2].version, Version::v2025_11_25);
  s.result(s.last_request(), R"({"tools":[{"name":"a","inputSchema":{}}]})");
  EXPECT_EQ(s.session.phase(), Session::Phase::ready);
  EXPECT_EQ(s.session.tools().size(), 1u);
  EXPECT_EQ(s.listed, std::vector<bool>{true});
}

TEST(McpSession, TakesAnOlderVersionAndRefusesAnUnknownOne) {
  Stage old;
  old.begin();
  old.result(old.last_request(), R"({"protocolVersion":"2024-11-05","capabilities":{}})");
  EXPECT_EQ(old.session.phase(), Session::Phase::ready);
  EXPECT_EQ(old.session.version(), Version::v2024_11_05);
  Stage odd;
  odd.begin();
  odd.result(odd.last_request(), R"({"protocolVersion":"1999-01-01","capabilities":{}})");
  EXPECT_EQ(odd.session.phase(), Session::Phase::failed);
  EXPECT_NE(odd.session.failure().message.find("1999-01-01"), std::string::npos);
}

TEST(McpSession, AsksAServerThatRefusesInitializeInTheNewerWay) {
  Stage s;
  s.begin();
  s.error(s.last_request(), kMethodNotFound);
  EXPECT_EQ(s.last().method, "server/discover");
  EXPECT_NE(s.last().text.find("io.modelcontextprotocol/protocolVersion\":\"2026-07-28"), std::string::npos);
  s.result(
      s.last_request(),
      R"({"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}}})");
  EXPECT_EQ(s.last().method, "tools/list");
  s.result(s.last_request(), R"({"resultType":"complete","tools":[]})");
  EXPECT_EQ(s.session.phase(), Session::Phase::ready);
  EXPECT_EQ(s.session.version(), Version::v2026_07_28);
  EXPECT_EQ(s.last().method, "subscriptions/listen");
  s.pass(10'000'000);
  EXPECT_EQ(s.session.phase(), Session::Phase::ready);
}

TEST(McpSession, TakesAServerThatAnswersInitializeWithTheNewerVersionAtItsWord) {
  const std::string_view hello = R"({"protocolVersion":"2026-07-28","capabilities":{"tools":{}}})";
  Stage s;
  s.begin();
  s.result(s.last_request(), hello);
  EXPECT_EQ(s.last().method, "server/discover");
  s.result(s.last_request(), R"({"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}})");
  EXPECT_EQ(s.session.version(), Version::v2026_07_28);
  Stage odd;
  odd.begin();
  odd.result(odd.last_request(), hello);
  odd.error(odd.last_request(), kMethodNotFound);
  EXPECT_EQ(odd.session.phase(), Session::Phase::failed);
  EXPECT_NE(odd.session.failure().message.find("does not answer server/discover"), std::string::npos)
      << odd.session.failure().message;
}

TEST(McpSession, UsesTheVersionsThatAnErrorNamesOnce) {
  Stage s;
  s.begin();
  s.error(s.last_request(), kInvalidParams, R"({"supported":["2025-03-26"]})");
  EXPECT_EQ(s.last().method, "initialize");
  EXPECT_NE(s.last().text.find("2025-03-26"), std::string::npos);
  s.error(s.last_request(), kInvalidParams, R"({"supported":["2025-03-26"]})");
  s.error(s.last_request(), kMethodNotFound);
  EXPECT_EQ(s.session.phase(), Session::Phase::failed);
}

TEST(McpSession, FailsWhenItsIntroductionTakesTooLong) {
  Stage s;
  s.begin();
  EXPECT_EQ(s.session.deadline(), s.now + 30'000);
  s.pass(30'000);
  EXPECT_EQ(s.session.phase(), Session::Phase::failed);
  EXPECT_NE(s.session.failure().message.find("startup_timeout"), std::string::npos);
  // One that speaks in another way is known by what it wrote.
  Stage other;
  other.begin();
  other.say("Content-Length: 52");
  other.say("");
  other.pass(30'000);
  EXPECT_NE(other.session.failure().message.find("Content-Length: 52"), std::string::npos)
      << other.session.failure().message;
}

TEST(McpSession, GivesEveryAnswerToTheRequestOfItsIdWhateverTheOrder) {
  Stage s;
  s.make_ready();
  std::vector<std::pair<Ticket, std::uint64_t>> calls;
  for (int i = 0; i < 50; ++i) {
    const Ticket t = s.call("t");
    calls.emplace_back(t, s.last_request());
  }
  for (auto c = calls.rbegin(); c != calls.rend(); ++c) s.result(c->second, std::to_string(c->second));
  ASSERT_EQ(s.done.size(), 50u);
  for (std::size_t i = 0; i < 50; ++i) {
    const auto& c = calls[49 - i];
    EXPECT_EQ(s.done[i].ticket, c.first);
    EXPECT_EQ((*s.done[i].answer)->as_uint64(), c.second);
  }
}

TEST(McpSession, CountsAnswersToNobodyAndKeepsWaiting) {
  Stage s;
  s.make_ready();
  s.call("t");
  const std::uint64_t request = s.last_request();
  s.result(999, "{}");
  s.say(encode_result({Id::Kind::string, std::to_string(request)}, "{}"));
  EXPECT_TRUE(s.done.empty());
  EXPECT_EQ(s.session.oddities().unknown_ids, 2u);
  s.result(request, "1");
  s.result(request, "2");
  ASSERT_EQ(s.done.size(), 1u);
  EXPECT_EQ((*s.done[0].answer)->as_int64(), 1);
  EXPECT_EQ(s.session.oddities().duplicates, 1u);
}

TEST(McpSession, FailsACallWhoseAnswerIsBrokenAtOnceAndGoesOn) {
  Stage s;
  s.make_ready();
  s.call("t");
  s.say("{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(s.last_request()) + ",\"result\":{");
  ASSERT_EQ(s.done.size(), 1u);
  EXPECT_EQ(s.done[0].answer.error().kind, Failure::Kind::garbage);
  s.call("t");
  s.say("{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(s.last_request()) + "}");
  ASSERT_EQ(s.done.size(), 2u);
  EXPECT_EQ(s.done[1].answer.error().kind, Failure::Kind::garbage);
  s.call("t");
  s.result(s.last_request(), "{}");
  EXPECT_TRUE(s.done[2].answer);
}

// Many servers write the id of an answer last, where it is lost when the line is cut.
TEST(McpSession, FailsTheOnlyCallThatAnAnswerWithoutItsIdCanBelongTo) {
  const std::string half = R"({"result":{"content":[{"type":"text","text":"\"id\":)";
  Stage s;
  s.make_ready();
  const Ticket first = s.call("a");
  s.say(half);
  ASSERT_EQ(s.done.size(), 1u);
  EXPECT_EQ(s.done[0].ticket, first);
  EXPECT_EQ(s.done[0].answer.error().kind, Failure::Kind::garbage);
  EXPECT_TRUE(s.done[0].answer.error().unknown);
  // What is no answer, and what may be one to somebody else, ends nothing.
  s.call("b");
  s.say(R"({"level":"info","result":"half a line of a lo)");
  s.say(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"result":)");
  EXPECT_EQ(s.done.size(), 1u);
  s.call("c");
  s.say(half);
  EXPECT_EQ(s.done.size(), 1u);
  // Nor where one that was given up could still be answered.
  s.result(s.last_request(), "{}");
  s.session.cancel(s.call("d"), "enough", s.now);
  s.look();
  const std::uint64_t late = s.last_request();
  ASSERT_EQ(s.done.size(), 3u);
  s.say(half);
  EXPECT_EQ(s.done.size(), 3u);
  s.result(late, "{}");
  EXPECT_EQ(s.session.oddities().late, 1u);
  s.say(R"({"jsonrpc":"2.0","result":{)");
  EXPECT_EQ(s.done.size(), 4u);
}

TEST(McpSession, EndsACallInItsTimeAndTellsTheServer) {
  Stage s;
  s.make_ready();
  RequestOptions options;
  options.timeout_ms = 100;
  options.total_ms = 250;
  options.progress = true;
  s.call("t", options);
  const std::uint64_t request = s.last_request();
  const std::string progress = encode_notification("notifications/progress",
                                                   R"({"progress":1,"progressToken":)" + std::to_string(request) + "}");
  s.pass(90);
  s.say(progress);
  s.pass(90);
  EXPECT_TRUE(s.done.empty());
  s.say(progress);
  s.pass(80);  // 260 altogether
  ASSERT_EQ(s.done.size(), 1u);
  EXPECT_EQ(s.done[0].answer.error().kind, Failure::Kind::timeout);
  EXPECT_EQ(s.last().method, "notifications/cancelled");
  EXPECT_EQ(s.progressed, 2);
  s.result(request, "{}");
  EXPECT_EQ(s.session.oddities().late, 1u);
  EXPECT_EQ(s.done.size(), 1u);
}

TEST(McpSession, CancelsByANotificationOrByClosingTheExchange) {
  Stage s;
  s.make_ready();
  s.session.cancel(s.call("t"), "enough", s.now);
  s.look();
  EXPECT_EQ(s.last().method, "notifications/cancelled");
  EXPECT_EQ(s.abandoned, 1);
  ASSERT_EQ(s.done.size(), 1u);
  EXPECT_EQ(s.done[0].answer.error().kind, Failure::Kind::cancelled);
  s.session.cancel(s.done[0].ticket, "again", s.now);
  s.look();
  EXPECT_EQ(s.done.size(), 1u);
}

TEST(McpSession, ListsAgainWhenToldButNotForEveryMessageOfAFlood) {
  Stage s;
  s.make_ready();
  s.pass(1000);
  const std::size_t before = s.sent.size();
  for (int i = 0; i < 10'000; ++i) s.say(encode_notification("notifications/tools/list_changed", ""));
  EXPECT_EQ(s.sent.size(), before + 1);
  s.result(s.last_request(), R"({"tools":[{"name":"b"}]})");
  EXPECT_EQ(s.session.tools().at(0).name, "b");
  EXPECT_EQ(s.listed, (std::vector<bool>{true, true}));
  s.pass(250);  // those that came while it was listed
  s.result(s.last_request(), R"({"tools":[{"name":"b"}]})");
  EXPECT_EQ(s.listed, (std::vector<bool>{true, true, false}));
  EXPECT_EQ(s.sent.size(), before + 2);
}

TEST(McpSession, CutsAnEndlessListAndSaysSo) {
  SessionOptions options;
  options.limits.pages = 5;
  Stage s(options);
  s.begin();
  s.result(s.last_request(), kHello);
  int pages = 0;
  for (; s.session.phase() == Session::Phase::listing && pages < 100; ++pages)
    s.result(s.last_request(), R"({"tools":[{"name":"t)" + std::to_string(pages) + R"("}],"nextCursor":"c)" +
                                   std::to_string(pages) + "\"}");
  EXPECT_EQ(pages, 5);
  EXPECT_EQ(s.session.tools().size(), 5u);
  ASSERT_EQ(s.session.notes().size(), 1u);
  EXPECT_NE(s.session.notes()[0].find("limit pages"), std::string::npos);
}

TEST(McpSession, CountsTitlesAndCursorsToTheBytesOfAList) {
  for (const bool title : {true, false}) {
    SessionOptions options;
    options.limits.list_bytes = 1000;
    Stage s(options);
    s.begin();
    s.result(s.last_request(), kHello);
    int pages = 0;
    for (; s.session.phase() == Session::Phase::listing && pages < 100; ++pages) {
      const std::string number = std::to_string(pages), much = std::string(300, 'x') + number;
      s.result(s.last_request(), R"({"tools":[{"name":"t)" + number + R"(","title":")" + (title ? much : "") +
                                     R"("}],"nextCursor":")" + (title ? number : much) + "\"}");
    }
    EXPECT_EQ(pages, 4);
    EXPECT_NE(s.session.notes().at(0).find("limit list_bytes"), std::string::npos);
  }
}

TEST(McpSession, CutsAListOfTooManyToolsAndOneThatGoesInCircles) {
  SessionOptions options;
  options.limits.tools = 3;
  Stage many(options);
  many.make_ready(R"([{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}])");
  EXPECT_EQ(many.session.tools().size(), 3u);
  EXPECT_NE(many.session.notes().at(0).find("limit tools"), std::string::npos);
  Stage circle;
  circle.begin();
  circle.result(circle.last_request(), kHello);
  circle.result(circle.last_request(), R"({"tools":[{"name":"a"}],"nextCursor":"x"})");
  circle.result(circle.last_request(), R"({"tools":[{"name":"a"}],"nextCursor":"x"})");
  EXPECT_EQ(circle.session.phase(), Session::Phase::ready);
  EXPECT_EQ(circle.session.tools().size(), 1u);
  EXPECT_EQ(circle.session.notes().size(), 2u);
}

TEST(McpSession, AnswersPingAndRefusesWhatWasNotOffered) {
  Stage s;
  s.make_ready();
  s.say(R"({"jsonrpc":"2.0","id":"p","method":"ping"})");
  EXPECT_EQ(s.last().text, R"({"jsonrpc":"2.0","id":"p","result":{}})");
  for (std::string_view method : {"sampling/createMessage", "elicitation/create", "roots/list", "odd"}) {
    s.say(encode_request(number_id(5), method, "{}"));
    EXPECT_NE(s.last().text.find("-32601"), std::string::npos) << method;
  }
  EXPECT_TRUE(s.asks.empty());
  EXPECT_EQ(s.session.oddities().refused, 4u);
}

TEST(McpSession, HandsOnWhatWasOfferedAndSendsTheAnswer) {
  SessionOptions options;
  options.facts.elicitation = options.facts.roots = true;
  options.roots = {{"file:///w", "w"}};
  options.limits.asks = 2;
  Stage s(options);
  s.make_ready();
  EXPECT_NE(s.sent[0].text.find(R"("elicitation":{"form":{},"url":{}})"), std::string::npos);
  s.say(R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})");
  EXPECT_NE(s.last().text.find("file:///w"), std::string::npos);
  for (int i = 0; i < 3; ++i)
    s.say(R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"elicitation/create"})");
  ASSERT_EQ(s.asks.size(), 2u);
  s.session.answer(s.asks[0].number, elicitation_result(Choice::accept, R"({"a":1})"), s.now);
  s.look();
  EXPECT_EQ(s.last().text, R"({"jsonrpc":"2.0","id":0,"result":{"action":"accept","content":{"a":1}}})");
  s.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_EQ(s.dropped, 1);
}

TEST(McpSession, IsAskedSoOftenAndNoMore) {
  SessionOptions options;
  options.facts.sampling = true;
  options.limits.questions = 3;
  Stage s(options);
  s.make_ready();
  for (std::size_t i = 0; i < 5; ++i) {
    s.say(R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"sampling/createMessage","params":{}})");
    if (i >= 3) continue;
    s.session.answer(s.asks.at(i).number, "{}", s.now);
    s.look();
  }
  EXPECT_EQ(s.asks.size(), 3u);
  EXPECT_NE(s.last().text.find("limit questions"), std::string::npos) << s.last().text;
}

TEST(McpSession, SendsARequestAgainWithTheInputThatItsResultAsksFor) {
  SessionOptions options;
  options.facts.roots = options.facts.elicitation = true;
  options.discover_first = true;
  options.limits.rounds = 2;
  Stage s(options);
  s.begin();
  s.result(s.last_request(), R"({"supportedVersions":["2026-07-28"],"capabilities":{}})");
  const Ticket ticket = s.call("t");
  const std::uint64_t first = s.last_request();
  s.result(
      first,
      R"({"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"},"e":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{}}}},"requestState":"z"})");
  ASSERT_EQ(s.asks.size(), 1u);
  s.session.answer(s.asks[0].number, std::unexpected("no"), s.now);
  s.look();
  EXPECT_NE(s.last_request(), first);
  EXPECT_NE(s.last().text.find(R"("inputResponses":{"e":{"action":"decline"},"r":{"roots":[]}},"requestState":"z")"),
            std::string::npos)
      << s.last().text;
  s.result(s.last_request(), R"({"resultType":"input_required","requestState":"y"})");
  EXPECT_EQ(s.last().text.find("inputResponses"), std::string::npos);
  s.result(s.last_request(), R"({"resultType":"input_required","requestState":"y"})");
  ASSERT_EQ(s.done.size(), 1u);
  EXPECT_EQ(s.done[0].ticket, ticket);
  EXPECT_NE(s.done[0].answer.error().message.find("limit rounds"), std::string::npos);
}

TEST(McpSession, SendsARequestAgainWhenTheNamedPagesWereVisited) {
  const std::string error =
      R"("error":{"code":-32042,"message":"sign in","data":{"elicitations":[{"mode":"url","url":"https://a/","message":"m"},)"
      R"({"mode":"url","url":"https://b/"},{"mode":"form","requestedSchema":{}},7]}}})";
  SessionOptions options;
  options.facts.elicitation = true;
  options.limits.rounds = 2;
  for (const bool goes : {true, false}) {
    Stage s(options);
    s.make_ready();
    s.call("t");
    const std::uint64_t first = s.last_request();
    s.say(R"({"jsonrpc":"2.0","id":)" + std::to_string(first) + "," + error);
    ASSERT_EQ(s.asks.size(), 2u);
    EXPECT_TRUE(s.asks[0].first);
    EXPECT_TRUE(s.done.empty());
    s.session.answer(s.asks[0].number, elicitation_result(goes ? Choice::accept : Choice::decline), s.now);
    s.look();
    EXPECT_EQ(s.dropped, goes ? 0 : 1);
    if (!goes) {
      ASSERT_EQ(s.done.size(), 1u);
      EXPECT_EQ(s.done[0].answer.error().code, kUrlRequired);
      continue;
    }
    s.session.answer(s.asks[1].number, elicitation_result(Choice::accept), s.now);
    s.look();
    EXPECT_NE(s.last_request(), first);
    EXPECT_NE(s.last().text.find("tools/call"), std::string::npos);
    // Not for ever.
    s.say(R"({"jsonrpc":"2.0","id":)" + std::to_string(s.last_request()) + "," + error);
    ASSERT_EQ(s.asks.size(), 4u);
    for (const std::size_t i : {2u, 3u}) s.session.answer(s.asks[i].number, elicitation_result(Choice::accept), s.now);
    s.look();
    s.say(R"({"jsonrpc":"2.0","id":)" + std::to_string(s.last_request()) + "," + error);
    EXPECT_EQ(s.asks.size(), 4u);
    ASSERT_EQ(s.done.size(), 1u);
    EXPECT_EQ(s.done[0].answer.error().code, kUrlRequired);
  }
}

TEST(McpSession, MirrorsParametersInHeadersWhereTheServerWantsThat) {
  SessionOptions options;
  options.discover_first = options.http = true;
  Stage s(options);
  s.begin();
  s.result(s.last_request(), R"({"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}})");
  s.result(s.last_request(), R"({"tools":[
      {"name":"good","inputSchema":{"properties":{"x-mcp-header":{"type":"string"},
        "region":{"type":"string","x-mcp-header":"Region"},"n":{"type":"integer","x-mcp-header":"N"},
        "in":{"properties":{"b":{"type":"boolean","x-mcp-header":"B"}}},"none":{"type":"string","x-mcp-header":"No"}}}},
      {"name":"twice","inputSchema":{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}},
      {"name":"number","inputSchema":{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}},
      {"name":"breaks","inputSchema":{"properties":{"a":{"type":"string","x-mcp-header":"A\r\nX"}}}},
      {"name":"items","inputSchema":{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}},
      {"name":"choice","inputSchema":{"oneOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}}]})");
  ASSERT_EQ(s.session.phase(), Session::Phase::ready);
  ASSERT_EQ(s.session.tools().size(), 1u);
  EXPECT_EQ(s.session.notes().size(), 5u);
  s.session.request("tools/call", call_params("good", R"({"region":"r\n","n":7,"in":{"b":true},"none":null})"), {},
                    s.now);
  s.look();
  auto headers = s.last().headers;
  std::ranges::sort(headers);
  EXPECT_EQ(headers, (std::vector<std::pair<std::string, std::string>>{
                         {"mcp-param-b", "true"}, {"mcp-param-n", "7"}, {"mcp-param-region", "r\n"}}));
  EXPECT_EQ(s.last().name, "good");
}

// Whatever happens in whatever order: each request is answered exactly once, and nothing grows without bound.
TEST(McpSession, AnswersEveryRequestOnceInAnyWorld) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::int32_t>(random() % n); };
    SessionOptions options;
    options.discover_first = seed % 3 == 0;
    options.http = seed % 2 == 0;
    options.facts.elicitation = options.facts.roots = seed % 5 < 3;
    options.limits.requests = 20;
    options.limits.asks = 3;
    Stage s(options);
    s.begin();
    std::map<Ticket, int> asked;
    for (int step = 0; step < 120; ++step) {
      const auto some = static_cast<std::uint64_t>(1 + below(static_cast<std::uint32_t>(s.last_request()) + 3));
      switch (below(12)) {
        case 0:
        case 1: asked[s.call("t")] = 0; break;
        case 2:
          s.result(s.last_request(),
                   seed % 3 == 0 ? R"({"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}})" : kHello);
          break;
        case 3: s.result(some, R"({"tools":[{"name":"a"}],"nextCursor":"c)" + std::to_string(below(5)) + "\"}"); break;
        case 4:
          s.result(
              some,
              R"({"resultType":"input_required","requestState":"x","inputRequests":{"e":{"method":"elicitation/create"},"r":{"method":"roots/list"}}})");
          break;
        case 5:
          s.error(some, below(2) != 0 ? kMethodNotFound : kUnsupportedVersion,
                  R"({"supported":["2025-06-18","2026-07-28"]})");
          break;
        case 6:
          if (!asked.empty())
            s.session.cancel(std::next(asked.begin(), below(static_cast<std::uint32_t>(asked.size())))->first, "no",
                             s.now);
          break;
        case 7: s.pass(below(40) == 0 ? 70'000 : 300); break;
        case 8:
          s.say("{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(some) + (below(2) != 0 ? ",\"result\":{" : "}"));
          break;
        case 9:
          s.say(below(2) != 0 ? R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"
                              : R"({"jsonrpc":"2.0","id":5,"method":"elicitation/create","params":{}})");
          break;
        case 10:
          if (!s.asks.empty())
            s.session.answer(s.asks[static_cast<std::size_t>(below(static_cast<std::uint32_t>(s.asks.size())))].number,
                             "{}", s.now);
          break;
        case 11:
          if (below(4) == 0)
            s.session.on_session_lost(some, s.now);
          else
            s.session.on_exchange_failed(some, {Failure::Kind::transport, "x", 0}, s.now);
          break;
      }
      s.look();
      ASSERT_LE(s.session.waiting(), options.limits.requests + 4) << seed;
      if (const auto deadline = s.session.deadline()) {
        ASSERT_GT(*deadline, 0) << seed;
      }
    }
    s.session.on_closed("over", s.now);
    s.look();
    for (const Done& done : s.done) {
      ASSERT_TRUE(asked.contains(done.ticket)) << seed;
      ASSERT_EQ(++asked[done.ticket], 1) << seed;
    }
    for (const auto& [ticket, count] : asked) ASSERT_EQ(count, 1) << seed << " " << ticket;
    ASSERT_EQ(s.session.waiting(), 0u);
  }
}

TEST(McpSession, BeginsAgainOnceWhenTheServerForgotIt) {
  Stage s;
  s.make_ready();
  s.call("t");
  s.session.on_session_lost(s.last_request(), s.now);
  s.look();
  EXPECT_EQ(s.last().method, "initialize");
  s.result(s.last_request(), kHello);
  EXPECT_EQ(s.last().method, "tools/call");
  s.result(s.last_request(), "{}");
  ASSERT_EQ(s.done.size(), 1u);
  EXPECT_TRUE(s.done[0].answer);

  s.call("t");
  s.session.on_session_lost(s.last_request(), s.now);
  s.look();
  s.result(s.last_request(), kHello);
  s.session.on_session_lost(s.last_request(), s.now);
  s.look();
  EXPECT_EQ(s.session.phase(), Session::Phase::failed);
  ASSERT_EQ(s.done.size(), 2u);
  EXPECT_FALSE(s.done[1].answer);
}

TEST(McpSession, FailsEverythingThatWaitsWhenTheServerGoes) {
  Stage s;
  s.begin();
  s.call("held");
  s.result(s.last_request(), kHello);
  s.call("sent");
  s.session.on_closed("it ended", s.now);
  s.look();
  ASSERT_EQ(s.done.size(), 2u);
  EXPECT_EQ(s.done[0].answer.error().message, "it ended");
  EXPECT_TRUE(s.done[0].answer.error().unknown);
  EXPECT_TRUE(s.done[1].answer.error().unknown);
  s.call("late");
  ASSERT_EQ(s.done.size(), 3u);
  EXPECT_EQ(s.session.deadline(), std::nullopt);
}

TEST(McpSession, OnlyACallThatWasSentHasAnUnknownOutcome) {
  Stage s;
  s.begin();
  s.call("held");
  s.session.on_closed("it ended", s.now);
  s.look();
  s.call("late");
  ASSERT_EQ(s.done.size(), 2u);
  for (const Done& done : s.done) EXPECT_FALSE(done.answer.error().unknown);
  const auto text = [](const Failure& f) { return tool::text_of(failure_result("s", f)); };
  EXPECT_NE(text(s.done[0].answer.error()).find("Try it again later"), std::string::npos);
  Failure sent = s.done[0].answer.error();
  sent.unknown = true;
  EXPECT_EQ(text(sent).find("later"), std::string::npos);
  EXPECT_NE(text(sent).find("look at what is there before you repeat it"), std::string::npos) << text(sent);
}

TEST(McpSession, KeepsABoundedPartOfAFloodOfNotifications) {
  Stage s;
  s.make_ready();
  RequestOptions options;
  options.progress = true;
  s.call("t", options);
  const std::string id = std::to_string(s.last_request());
  for (int i = 0; i < 20'000; ++i) {
    s.session.on_text(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + id +
                          R"(,"progress":)" + std::to_string(i) + "}}",
                      s.now);
    s.session.on_text(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}})",
                      s.now);
  }
  const auto outputs = s.session.take();
  EXPECT_EQ(outputs.size(), 1u);
  EXPECT_EQ(std::get<Progressed>(outputs[0]).progress.progress, 19'999);
  EXPECT_EQ(s.session.take_log().size(), 100u);
  EXPECT_EQ(s.session.oddities().dropped_logs, 19'900u);
}

}  // namespace
}  // namespace belay::mcp
