// Servers over stdio that behave badly, one for each case of the list of attacks; and a good one.
#include <belay/mcp.h>

#include "scratch_folder.h"
#include "support/mcp_servers.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <fstream>
#include <future>
#include <latch>
#include <thread>

namespace belay::mcp {
namespace {

using check::bad;
using check::kPatience;
using check::started;
using check::text_argument;

std::size_t resident_kib() {
  std::ifstream in("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  in >> size >> resident;
  return resident * 4;
}

// The processes that a server noted in a file, and that are still there.
std::size_t alive(const std::string& file) {
  std::ifstream in(file);
  std::string word;
  std::size_t out = 0;
  for (pid_t pid = 0; in >> word >> pid;) out += ::kill(pid, 0) == 0;
  return out;
}
std::size_t starts(const std::string& file) {
  std::ifstream in(file);
  std::size_t out = 0;
  for (std::string line; std::getline(in, line);) ++out;
  return out;
}

TEST(McpStdio, AGoodServerListsItsToolsAndAnswers) {
  const auto servers = started({bad("good")});
  const Status status = servers->status("s").value();
  ASSERT_EQ(status.state, State::ready) << status.reason;
  EXPECT_EQ(status.version, Version::v2025_11_25);
  EXPECT_EQ(status.peer.name, "bad good");
  EXPECT_EQ(servers->tools("s").size(), 2u);
  const tool::Result r = servers->call("s", "echo", text_argument("hello"));
  EXPECT_FALSE(r.is_error);
  EXPECT_EQ(tool::text_of(r), "hello");
}

TEST(McpStdio, AThousandCallsAtOnceGetTheirOwnAnswers) {
  const auto servers = started({bad("good")});
  constexpr int kCalls = 1000;
  std::vector<std::string> got(kCalls);
  std::latch all(kCalls);
  for (int i = 0; i < kCalls; ++i)
    servers->request("s", "tools/call", call_params("echo", text_argument(std::to_string(i))), [&, i](Answer answer) {
      if (answer) got[static_cast<std::size_t>(i)] = tool::text_of(to_result(*call_result(*answer)));
      all.count_down();
    });
  all.wait();
  for (int i = 0; i < kCalls; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], std::to_string(i));
}

TEST(McpStdio, AStopEndsACallAndTheServerGoesOn) {
  const auto servers = started({bad("good")});
  std::stop_source stop;
  auto slow = std::async(std::launch::async,
                         [&] { return servers->call("s", "echo", text_argument("slow"), stop.get_token()); });
  stop.request_stop();
  const tool::Result r = slow.get();
  EXPECT_TRUE(r.is_error);
  EXPECT_NE(tool::text_of(r).find("stopped"), std::string::npos);
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", text_argument("on"))), "on");
}

TEST(McpStdio, AServerThatCannotBeStartedSaysWhyAndIsNotTriedAgain) {
  ServerConfig config;
  config.name = "none";
  config.command = "no-such-program-of-belay";
  ServerConfig folder = bad("good", "there");
  folder.cwd = "/no/such/folder";
  const auto servers = started({config, folder, bad("good", "fine")});
  EXPECT_EQ(servers->status("none")->state, State::failed);
  EXPECT_NE(servers->status("none")->reason.find("in PATH"), std::string::npos);
  EXPECT_EQ(servers->status("none")->restarts, 0u);
  EXPECT_EQ(servers->status("there")->state, State::failed);
  EXPECT_EQ(servers->status("fine")->state, State::ready);
  EXPECT_NE(tool::text_of(servers->call("none", "x", "{}")).find("unavailable"), std::string::npos);
}

TEST(McpStdio, TheEnvironmentHoldsWhatIsHarmlessAndWhatItsConfigSays) {
  ServerConfig config;
  config.name = "s";
  config.command = "/bin/sh";
  config.args = {"-c", "env >&2; exit 1"};
  config.env = {{"MINE", "yes"}, {"LANG", "xx"}};
  config.restarts = 0;
  ServersOptions options = check::options();
  options.environment = [](std::string_view name) -> std::optional<std::string> {
    if (name == "PATH") return "/usr/bin:/bin";
    return "value-of-" + std::string(name);
  };
  const auto servers = started({config}, options);
  const std::string env = servers->status("s")->errors;
  EXPECT_NE(env.find("MINE=yes"), std::string::npos) << env;
  EXPECT_NE(env.find("LANG=xx"), std::string::npos);
  EXPECT_NE(env.find("HOME=value-of-HOME"), std::string::npos);
  for (std::string_view secret : {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "AWS_", "HTTPS_PROXY", "SSH_AUTH_SOCK"})
    EXPECT_EQ(env.find(secret), std::string::npos) << secret;
}

TEST(McpBadServer, MC001NoiseBeforeTheProtocolIsSkippedAndCounted) {
  const auto servers = started({bad("MC001")});
  const Status status = servers->status("s").value();
  ASSERT_EQ(status.state, State::ready) << status.reason;
  EXPECT_EQ(status.oddities.noise, 2u);
  EXPECT_EQ(status.oddities.garbage, 1u);
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", text_argument("a"))), "a");
}

// A call that nobody answered would end at its time-out of 20 s, which the message would say.
TEST(McpBadServer, MC002AHalfLineFailsTheCallAtOnceAndTheNextWorks) {
  const auto servers = started({bad("MC002")});
  const tool::Result r = servers->call("s", "echo", text_argument("a"));
  EXPECT_TRUE(r.is_error);
  EXPECT_NE(tool::text_of(r).find("not JSON"), std::string::npos) << tool::text_of(r);
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", text_argument("b"))), "b");
}

TEST(McpBadServer, MC003AnAnswerWithoutResultOrErrorFailsTheCall) {
  const auto servers = started({bad("MC003")});
  const tool::Result r = servers->call("s", "echo", text_argument("a"));
  EXPECT_TRUE(r.is_error);
  EXPECT_NE(tool::text_of(r).find("neither"), std::string::npos) << tool::text_of(r);
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", text_argument("b"))), "b");
}

TEST(McpBadServer, MC004ALongLineIsTakenAndATooLongOneClosesTheServer) {
  ServerConfig config = bad("MC004");
  config.restarts = 0;
  const auto servers = started({config});
  EXPECT_FALSE(servers->call("s", "echo", text_argument("1")).is_error);
  const std::size_t before = resident_kib();
  const tool::Result r = servers->call("s", "echo", text_argument("64"));
  EXPECT_TRUE(r.is_error);
  EXPECT_NE(tool::text_of(r).find("line_bytes"), std::string::npos) << tool::text_of(r);
  EXPECT_LT(resident_kib(), before + (16 << 10) + (8 << 10));
  EXPECT_NE(servers->status("s")->state, State::ready);
}

TEST(McpBadServer, MC005ASilentServerFailsInItsTimeAndIsReaped) {
  // On a busy machine its time may be over before it has begun, and noted that: then it gets more.
  std::size_t begun = 0;
  for (const double seconds : {0.5, 5.0, 30.0}) {
    const check::ScratchFolder folder;
    ServerConfig config = bad("MC005", "s", folder.in("starts"));
    config.startup_timeout = seconds;
    config.transport.grace_ms = 200;
    auto servers = started({config, bad("good", "other")});
    EXPECT_EQ(servers->status("s")->state, State::failed);
    EXPECT_NE(servers->status("s")->reason.find("startup_timeout"), std::string::npos) << servers->status("s")->reason;
    EXPECT_EQ(tool::text_of(servers->call("other", "echo", text_argument("a"))), "a");
    servers.reset();
    EXPECT_EQ(alive(folder.in("starts")), 0u);
    begun = starts(folder.in("starts"));
    if (begun != 0) break;
  }
  EXPECT_EQ(begun, 1u);
}

TEST(McpBadServer, MC006TheEndOfAServerEndsItsCallsOnceAndItIsStartedAgain) {
  const auto servers = started({bad("MC006")});
  std::atomic<int> answers = 0;
  std::promise<Answer> first;
  servers->request("s", "tools/call", call_params("echo", "{}"), [&](Answer answer) {
    if (++answers == 1) first.set_value(std::move(answer));
  });
  const Answer answer = first.get_future().get();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, Failure::Kind::closed);
  EXPECT_TRUE(answer.error().unknown);
  EXPECT_NE(answer.error().message.find("exit code 0"), std::string::npos) << answer.error().message;
  ASSERT_TRUE(check::eventually([&] { return servers->status("s")->state == State::ready; }));
  EXPECT_EQ(servers->status("s")->restarts, 1u);
  EXPECT_EQ(servers->tools("s").size(), 2u);
  EXPECT_EQ(answers, 1);
}

TEST(McpBadServer, MC007AServerThatDiesAtEveryStartIsGivenUp) {
  const check::ScratchFolder folder;
  ServerConfig config = bad("MC007", "s", folder.in("starts"));
  config.restarts = 3;
  const auto servers = started({config});
  ASSERT_TRUE(check::eventually([&] { return servers->status("s")->state == State::failed; }));
  EXPECT_EQ(starts(folder.in("starts")), 4u);
  EXPECT_NE(servers->status("s")->reason.find("SIGSEGV"), std::string::npos) << servers->status("s")->reason;
  EXPECT_NE(servers->status("s")->reason.find("3 times"), std::string::npos);
}

// The time of a call is short here, and a busy machine may need longer for an answer: then it is called once more.
bool answers_again(Servers& servers) {
  return check::eventually([&] { return tool::text_of(servers.call("s", "echo", text_argument("b"))) == "b"; });
}

TEST(McpBadServer, MC008AnAnswerToNobodyIsCountedAndTheCallTimesOut) {
  ServerConfig config = bad("MC008");
  config.timeout = 0.5;
  const auto servers = started({config});
  const tool::Result r = servers->call("s", "echo", text_argument("a"));
  EXPECT_TRUE(r.is_error);
  EXPECT_NE(tool::text_of(r).find("no answer within"), std::string::npos);
  EXPECT_NE(tool::text_of(r).find("unknown outcome"), std::string::npos) << tool::text_of(r);
  EXPECT_TRUE(answers_again(*servers));
}

TEST(McpBadServer, MC009OfTwoAnswersTheFirstCounts) {
  const auto servers = started({bad("MC009")});
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", "{}")), "first");
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", "{}")), "first");
}

TEST(McpBadServer, MC010AnIdOfAnotherTypeIsAnother) {
  ServerConfig config = bad("MC010");
  config.timeout = 0.5;
  const auto servers = started({config});
  EXPECT_NE(tool::text_of(servers->call("s", "echo", text_argument("a"))).find("no answer within"), std::string::npos);
  EXPECT_TRUE(answers_again(*servers));
}

TEST(McpBadServer, MC011AnEndlessListIsCutAndSaysSo) {
  const auto servers = started({bad("MC011")});
  const Status status = servers->status("s").value();
  ASSERT_EQ(status.state, State::ready) << status.reason;
  EXPECT_EQ(status.tools, 1000u);
  ASSERT_FALSE(status.notes.empty());
  EXPECT_NE(status.notes[0].find("limit tools"), std::string::npos);
}

TEST(McpBadServer, MC017AHugeResultIsCutWithAMark) {
  ServerConfig config = bad("MC017");
  config.transport.line_bytes = 128ull << 20;
  const auto servers = started({config});
  const tool::Result big = servers->call("s", "echo", text_argument("100"));
  EXPECT_FALSE(big.is_error);
  EXPECT_LT(tool::text_of(big).size(), 300u << 10);
  EXPECT_NE(tool::text_of(big).find("bytes left out here"), std::string::npos);
  const tool::Result many = servers->call("s", "echo", text_argument("items"));
  EXPECT_EQ(many.content.size(), 65u);
  EXPECT_NE(many.content.back().text.find("99936 more parts"), std::string::npos) << many.content.back().text;
}

TEST(McpBadServer, MC018TextThatSteersTerminalsIsShownVisibly) {
  const auto servers = started({bad("MC018")});
  const std::string text = shown(tool::text_of(servers->call("s", "echo", "{}")));
  for (char c : text) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) << text;
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
  EXPECT_NE(text.find("\\x1b]52"), std::string::npos) << text;
}

TEST(McpBadServer, MC019WhatWasNotOfferedIsRefusedAndAPersonIsToldWhoAsks) {
  const auto servers = started({bad("MC019")});
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", "{}")), "error error error");

  ServersOptions options = check::options();
  std::string asked;
  options.person = [&](const Question& q, const Reply& reply) {
    asked = q.server + ": " + elicitation_of(*q.params)->message;
    reply(elicitation_result(Choice::decline));
  };
  const auto others = started({bad("MC019")}, options);
  EXPECT_EQ(tool::text_of(others->call("s", "echo", "{}")), "error error granted");
  EXPECT_EQ(asked, "s: Your password, please");
}

TEST(McpBadServer, MC020AFloodOfNotificationsIsBoundedAndTheCallEnds) {
  ServersOptions options = check::options();
  std::atomic<std::size_t> logs = 0;
  options.log = [&](const std::string&, const LogLine&) { ++logs; };
  const auto servers = started({bad("MC020")}, options);
  const std::size_t before = resident_kib();
  const std::thread::id here = std::this_thread::get_id();
  std::size_t news = 0;
  const tool::Result r = servers->call("s", "echo", text_argument("1000"), {}, [&](std::string_view) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    ++news;
  });
  EXPECT_EQ(tool::text_of(r), "done");
  EXPECT_GE(news, 1u);
  EXPECT_LT(resident_kib(), before + (32 << 10));
}

TEST(McpBadServer, MC025AFullStandardErrorStopsNobodyAndIsKeptToItsEnd) {
  const auto servers = started({bad("MC025")});
  EXPECT_EQ(tool::text_of(servers->call("s", "echo", "{}")), "still here");
}

TEST(McpBadServer, MC026AServerThatDoesNotReadIsClosedInTime) {
  ServerConfig config = bad("MC026");
  config.transport.write_ms = 500;
  config.transport.grace_ms = 200;
  config.restarts = 0;
  const auto servers = started({config, bad("good", "other")});
  auto call = std::async(std::launch::async,
                         [&] { return servers->call("s", "echo", text_argument(std::string(1 << 20, 'a'))); });
  EXPECT_EQ(tool::text_of(servers->call("other", "echo", text_argument("a"))), "a");
  const tool::Result r = call.get();
  EXPECT_TRUE(r.is_error);
  EXPECT_NE(tool::text_of(r).find("does not read"), std::string::npos) << tool::text_of(r);
}

TEST(McpBadServer, MC027AServerThatIgnoresItsEndIsKilledWithItsChildren) {
  const check::ScratchFolder folder;
  ServerConfig config = bad("MC027", "s", folder.in("starts"));
  config.transport.grace_ms = 200;
  auto servers = started({config});
  ASSERT_EQ(servers->status("s")->state, State::ready);
  EXPECT_EQ(starts(folder.in("starts")), 2u);
  servers.reset();
  // The child of the child is init's to reap, in its own time.
  EXPECT_TRUE(check::eventually([&] { return alive(folder.in("starts")) == 0; }));
}

}  // namespace
}  // namespace belay::mcp
