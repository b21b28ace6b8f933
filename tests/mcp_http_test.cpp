// Servers over HTTP: good ones of every age, and bad ones.
#include <belay/mcp.h>

#include "mcp/url.h"
#include "support/mcp_http_peer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>

namespace belay::mcp {
namespace {

using check::HttpPeer;
using check::started;
using check::text_argument;

std::size_t count(const std::vector<HttpPeer::Seen>& seen, std::string_view rpc) {
  return static_cast<std::size_t>(std::ranges::count(seen, rpc, &HttpPeer::Seen::rpc));
}

TEST(McpHttp, AServerIsInitializedAskedAndLeftInOrder) {
  const HttpPeer peer("good");
  auto servers = started({peer.config()});
  ASSERT_EQ(servers->status("s")->state, State::ready) << servers->status("s")->reason;
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", text_argument("hello"))), "hello");
  servers.reset();
  const auto seen = peer.seen();
  ASSERT_GE(seen.size(), 5u);
  EXPECT_EQ(seen[0].rpc, "initialize");
  EXPECT_EQ(seen[0].header("mcp-protocol-version"), "");
  EXPECT_EQ(seen[0].header("mcp-session-id"), "");
  for (const auto& s : seen) {
    EXPECT_EQ(s.header("x-key"), "secret");
    if (s.http == "POST") {
      EXPECT_NE(s.header("accept").find("application/json"), std::string::npos);
      EXPECT_NE(s.header("accept").find("text/event-stream"), std::string::npos);
    }
    if (&s == &seen[0]) continue;
    EXPECT_EQ(s.header("mcp-session-id"), "session-1") << s.http << " " << s.rpc;
    EXPECT_EQ(s.header("mcp-protocol-version"), "2025-11-25") << s.http << " " << s.rpc;
  }
  EXPECT_EQ(std::ranges::count(seen, "GET", &HttpPeer::Seen::http), 1);
  EXPECT_EQ(seen.back().http, "DELETE");
}

TEST(McpHttp, AThousandCallsAtOnceGetTheirOwnAnswers) {
  const HttpPeer peer("good");
  const auto servers = started({peer.config()});
  constexpr int kCalls = 1000;
  std::vector<std::string> got(kCalls);
  std::latch all(kCalls);
  for (int i = 0; i < kCalls; ++i)
    servers->request("s", "tools/call", call_params("echo", text_argument(std::to_string(i))), [&, i](Answer answer) {
      got[static_cast<std::size_t>(i)] =
          answer ? tool::text_of(to_result(*call_result(*answer))) : answer.error().message;
      all.count_down();
    });
  all.wait();
  for (int i = 0; i < kCalls; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], std::to_string(i));
}

TEST(McpHttp, AnswersMayComeAsAStreamWithProgressBefore) {
  const HttpPeer peer("streams");
  const auto servers = started({peer.config()});
  std::string news;
  const auto r = servers->call("s", "echo", text_argument("a"), {}, [&](std::string_view n) { news = n; });
  EXPECT_EQ(tool::text_of(r), "a");
}

TEST(McpHttp, AServerOfTheOldTransportIsFoundOut) {
  for (const auto type : {ServerConfig::Type::http, ServerConfig::Type::sse}) {
    const HttpPeer peer("old");
    const auto servers = started({peer.config(type)});
    ASSERT_EQ(servers->status("s")->state, State::ready) << servers->status("s")->reason;
    EXPECT_EQ(servers->status("s")->version, Version::v2024_11_05);
    EXPECT_EQ(tool::text_of(servers->call("s", "echo", text_argument("old"))), "old");
    EXPECT_EQ(count(peer.seen(), "initialize"), type == ServerConfig::Type::http ? 2u : 1u);
  }
}

TEST(McpHttp, TheOldTransportSendsNothingToAnotherPlace) {
  const HttpPeer peer("old-elsewhere");
  ServerConfig config = peer.config(ServerConfig::Type::sse);
  config.restarts = 0;
  const auto servers = started({config});
  EXPECT_EQ(servers->status("s")->state, State::failed);
  EXPECT_NE(servers->status("s")->reason.find("not followed"), std::string::npos) << servers->status("s")->reason;
}

TEST(McpHttp, AServerThatKnowsOnlyTheStatelessVersionIsAskedInItsWay) {
  const HttpPeer peer("modern");
  auto servers = started({peer.config()});
  ASSERT_EQ(servers->status("s")->state, State::ready) << servers->status("s")->reason;
  EXPECT_EQ(servers->status("s")->version, Version::v2026_07_28);
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", text_argument("new"))), "new");
  servers.reset();
  for (const auto& s : peer.seen()) EXPECT_EQ(s.http, "POST");
}

TEST(McpHttp, AnAnswerThatBreaksOffFailsItsCallOnly) {
  const HttpPeer peer("broken");
  const auto servers = started({peer.config()});
  const tool::Result r = servers->call("s", "echo", text_argument("a"));
  EXPECT_TRUE(r.is_error);
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", text_argument("b"))), "b");
}

TEST(McpHttp, ACallThatWasTakenAndNotAnsweredIsSentOnceAndNobodyIsToldToRepeatIt) {
  const HttpPeer peer("hung-up");
  const auto servers = started({peer.config()});
  const std::string r = tool::text_of(servers->call("s", "echo", text_argument("a")));
  EXPECT_TRUE(r.starts_with("unknown outcome")) << r;
  EXPECT_EQ(r.find("again"), std::string::npos) << r;
  EXPECT_EQ(count(peer.seen(), "tools/call"), 1u);
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", text_argument("b"))), "b");
}

TEST(McpHttp, AnAnswerBeyondTheLimitFailsItsCallOnly) {
  const HttpPeer peer("huge");
  ServerConfig config = peer.config();
  config.transport.line_bytes = 1 << 20;
  const auto servers = started({config});
  const tool::Result r = servers->call("s", "echo", text_argument("a"));
  EXPECT_NE(tool::text_of(r).find("line_bytes"), std::string::npos) << tool::text_of(r);
  EXPECT_TRUE(tool::text_of(r).starts_with("unknown outcome")) << tool::text_of(r);
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", text_argument("b"))), "b");
}

TEST(McpHttp, AServerThatNobodyIsAtFailsAfterItsRestarts) {
  ServerConfig config;
  config.name = "s";
  config.type = ServerConfig::Type::http;
  config.url = "http://127.0.0.1:9/mcp";
  config.restarts = 2;
  const auto servers = started({config});
  ASSERT_TRUE(check::eventually([&] { return servers->status("s")->state == State::failed; }));
  EXPECT_EQ(servers->status("s")->restarts, 2u);
  config.url = "file:///etc/passwd";
  EXPECT_EQ(started({config})->status("s")->state, State::failed);
}

TEST(McpBadHttp, MC021RedirectsAreNotFollowed) {
  for (const char* id : {"MC021", "MC021-metadata"}) {
    const HttpPeer peer(id);
    const auto servers = started({peer.config()});
    const Status status = servers->status("s").value();
    EXPECT_EQ(status.state, State::failed);
    EXPECT_NE(status.reason.find("redirects to"), std::string::npos) << status.reason;
    EXPECT_EQ(shown(status.reason).find('\x1b'), std::string::npos);
    EXPECT_EQ(peer.seen().size(), 1u);
  }
}

TEST(McpBadHttp, MC022AStreamThatEndsEarlyIsResumedAfterItsPause) {
  for (const char* id : {"MC022", "MC022-plain"}) {
    const HttpPeer peer(id);
    const auto servers = started({peer.config()});
    EXPECT_EQ(tool::text_of(servers->call("s", "echo", text_argument("later"))), "later");
    double call = 0, resume = 0;
    std::string last;
    for (const auto& s : peer.seen()) {
      if (s.rpc == "tools/call") call = s.at;
      if (!s.header("last-event-id").empty()) resume = s.at, last = s.header("last-event-id");
    }
    EXPECT_GE(resume - call, 500);
    EXPECT_TRUE(last.starts_with("e")) << last;
    EXPECT_EQ(count(peer.seen(), "tools/call"), 1u);
  }
}

TEST(McpBadHttp, MC022AStreamThatNeverGoesOnIsGivenUp) {
  const HttpPeer peer("MC022-never");
  const auto servers = started({peer.config()});
  const tool::Result r = servers->call("s", "echo", text_argument("x"));
  EXPECT_TRUE(r.is_error);
  EXPECT_NE(tool::text_of(r).find("ended before"), std::string::npos) << tool::text_of(r);
}

// The call was taken when its stream began. That the rest of it cannot be had says nothing of what became of it.
TEST(McpBadHttp, MC022ACallWhoseStreamCannotBeResumedHasAnUnknownOutcome) {
  for (const auto& [id, words] : {std::pair("MC022-refused", "HTTP 404"), std::pair("MC022-dead", "cannot connect"),
                                  std::pair("MC022-never", "ended before")}) {
    const HttpPeer peer(id);
    const auto servers = started({peer.config()});
    const std::string r = tool::text_of(servers->call("s", "echo", text_argument("x")));
    EXPECT_TRUE(r.starts_with("unknown outcome")) << id << ": " << r;
    EXPECT_NE(r.find(words), std::string::npos) << id << ": " << r;
    if (std::string_view(id) != "MC022-dead") continue;
    const std::string next = tool::text_of(servers->call("s", "echo", text_argument("x")));
    EXPECT_TRUE(next.starts_with("unavailable: the server s: cannot connect")) << next;
  }
}

TEST(McpBadHttp, MC022AServerThatNamesNoPauseIsNotAskedWithoutOne) {
  const HttpPeer peer("MC022-eager");
  const auto servers = started({peer.config()});
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", text_argument("later"))), "later");
  std::vector<double> asked;
  for (const auto& s : peer.seen())
    if (s.rpc == "tools/call" || !s.header("last-event-id").empty()) asked.push_back(s.at);
  ASSERT_EQ(asked.size(), 5u);
  EXPECT_GE(asked.back() - asked.front(), 400);  // a pause before each of the four
}

TEST(McpHttp, AServerThatIsDownBehindAGatewayIsTriedAgain) {
  const HttpPeer peer("gateway");
  const auto servers = started({peer.config()});
  ASSERT_TRUE(check::eventually([&] { return servers->status("s")->state == State::ready; }))
      << servers->status("s")->reason;
  EXPECT_EQ(servers->status("s")->restarts, 2u);
}

TEST(McpBadHttp, MC023AServerThatWantsAKeyIsAskedOnce) {
  const HttpPeer peer("MC023");
  const auto servers = started({peer.config()});
  EXPECT_EQ(servers->status("s")->state, State::failed);
  EXPECT_NE(servers->status("s")->reason.find("HTTP 401"), std::string::npos) << servers->status("s")->reason;
  EXPECT_NE(servers->status("s")->reason.find("\"headers\""), std::string::npos);
  EXPECT_EQ(peer.seen().size(), 1u);
}

TEST(McpBadHttp, MC024AWrongContentTypeAndAnEmptyAnswerAreErrorsAndTheNextCallWorks) {
  for (const auto& [id, words] : {std::pair("MC024-html", "text/html"), std::pair("MC024-empty", "HTTP 202")}) {
    const HttpPeer peer(id);
    const auto servers = started({peer.config()});
    const tool::Result r = servers->call("s", "echo", text_argument("a"));
    EXPECT_TRUE(r.is_error);
    EXPECT_NE(tool::text_of(r).find(words), std::string::npos) << tool::text_of(r);
    EXPECT_EQ(tool::text_of(servers->call("s", "echo", text_argument("b"))), "b");
  }
}

TEST(McpBadHttp, MC024AForgottenSessionIsBegunAgainOnce) {
  const HttpPeer peer("MC024-lost");
  const auto servers = started({peer.config()});
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", text_argument("a"))), "a");
  EXPECT_EQ(count(peer.seen(), "initialize"), 2u);
  EXPECT_EQ(count(peer.seen(), "tools/call"), 2u);
  EXPECT_EQ(servers->status("s")->restarts, 0u);

  // Those that were on their way when it was forgotten come back, too.
  const HttpPeer busy("MC024-lost");
  const auto many = started({busy.config()});
  constexpr int kCalls = 40;
  std::latch all(kCalls);
  std::atomic<int> fine = 0;
  for (int i = 0; i < kCalls; ++i)
    many->request("s", "tools/call", call_params("echo", text_argument("x")), [&](const Answer& answer) {
      fine += answer.has_value();
      all.count_down();
    });
  all.wait();
  EXPECT_EQ(fine, kCalls);
  EXPECT_EQ(count(busy.seen(), "initialize"), 2u);

  const HttpPeer gone("MC024-gone");
  const auto others = started({gone.config()});
  const tool::Result r = others->call("s", "echo", text_argument("a"));
  EXPECT_TRUE(r.is_error);
  EXPECT_NE(tool::text_of(r).find("forgot the session"), std::string::npos) << tool::text_of(r);
  EXPECT_EQ(count(gone.seen(), "initialize"), 2u);
  ASSERT_TRUE(check::eventually([&] { return others->status("s")->state == State::failed; }));
}

TEST(McpUrl, TellsPlacesApart) {
  EXPECT_EQ(origin_of("HTTPS://Example.com:443/a"), "https://example.com");
  EXPECT_EQ(origin_of("http://u:p@h:8/x"), "http://h:8");
  EXPECT_EQ(origin_of("file:///etc"), "");
  EXPECT_EQ(resolved("http://h/a/b?c", "/m?s=1"), "http://h/m?s=1");
  EXPECT_EQ(resolved("http://h/a/b?c", "m"), "http://h/a/m");
  EXPECT_EQ(resolved("http://h/a", "//evil/m"), "http://evil/m");
  EXPECT_EQ(resolved("http://h/a", "https://evil/m"), "https://evil/m");
  EXPECT_EQ(resolved("http://h", "m"), "http://h/m");
  EXPECT_EQ(resolved("http://h/a?x", "?s=2"), "http://h/a?s=2");
}

TEST(McpUrl, WritesHeadersThatCannotBreakOut) {
  EXPECT_EQ(header_value("us-west1"), "us-west1");
  EXPECT_EQ(header_value("line1\nline2"), "=?base64?bGluZTEKbGluZTI=?=");
  EXPECT_EQ(header_value(" padded "), "=?base64?IHBhZGRlZCA=?=");
  EXPECT_EQ(header_value("Hello, 世界"), "=?base64?SGVsbG8sIOS4lueVjA==?=");
  EXPECT_EQ(header_value("=?base64?literal?="), "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
}

}  // namespace
}  // namespace belay::mcp
