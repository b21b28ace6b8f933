// Servers in this process: many threads, calls that wait for their end, clients that go away. Made for the sanitizers.
#include <belay/mcp/serve.h>

#include "mcp/call_pool.h"
#include "mcp/http_client_session.h"
#include "support/net_serving.h"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

using namespace belay;
using namespace belay::mcp;

namespace {

// As the program does: a reader that went away is an error of the write, not the end of the process.
const auto kIgnored = std::signal(SIGPIPE, SIG_IGN);

constexpr std::string_view kHello =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";

// A tool that says its arguments, and one that waits until it is asked to stop.
struct Work {
  std::atomic<int> waiting = 0, stopped = 0;
  ServeOptions options() {
    ServeOptions out;
    std::vector<OfferedTool> tools(2);
    tools[0].name = "echo";
    tools[1].name = "wait";
    for (OfferedTool& tool : tools) tool.input_schema = R"({"type":"object"})";
    out.session.tools = std::make_shared<const std::vector<OfferedTool>>(std::move(tools));
    out.limits.progress_ms = 1;
    out.carry = [this](const ServedCall& call) {
      call.log(LogLevel::info, "begun");
      if (call.tool == "echo") return CallOutcome{tool::text_result(call.arguments)};
      ++waiting;
      if (call.output) call.output("some\nlines\n");
      std::atomic<bool> asked = false;
      const std::stop_callback wakes(call.stop, [&] {
        asked = true;
        asked.notify_all();
      });
      asked.wait(false);
      ++stopped;
      return CallOutcome{tool::error_result("stopped")};
    };
    return out;
  }
};

std::string call(int id, std::string_view tool, std::string_view meta = "") {
  const std::string n = std::to_string(id);
  return R"({"jsonrpc":"2.0","id":)" + n + R"(,"method":"tools/call","params":{"name":")" + std::string(tool) +
         R"(","arguments":{"n":)" + n + "}" + std::string(meta) + "}}";
}

// The two ends of a server over pipes.
class Pipes {
 public:
  explicit Pipes(const ServeOptions& options) : options_(options) {
    if (::pipe(in_) != 0 || ::pipe(out_) != 0) throw std::runtime_error("no pipe");
    server_ = std::jthread([this](const std::stop_token& stop) {
      good_ = serve_stdio(options_, in_[0], out_[1], stop).has_value();
      ::close(out_[1]);
    });
  }
  void send(std::string text) const {
    text += '\n';
    ASSERT_EQ(::write(in_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  std::string line() {
    std::size_t end = 0;
    while ((end = kept_.find('\n')) == kept_.npos) {
      char buffer[4096];
      const ssize_t got = ::read(out_[0], buffer, sizeof buffer);
      if (got <= 0) return "";
      kept_.append(buffer, static_cast<std::size_t>(got));
    }
    std::string out = kept_.substr(0, end);
    kept_.erase(0, end + 1);
    return out;
  }
  void end_input() { ::close(std::exchange(in_[1], -1)); }
  void stop() { server_.request_stop(); }
  bool join() {
    server_.join();
    return good_;
  }
  ~Pipes() {
    server_.request_stop();
    if (server_.joinable()) server_.join();
    for (int fd : {in_[0], in_[1], out_[0]})
      if (fd >= 0) ::close(fd);
  }

 private:
  ServeOptions options_;
  int in_[2] = {-1, -1}, out_[2] = {-1, -1};
  std::string kept_;
  std::atomic<bool> good_ = false;
  std::jthread server_;
};

TEST(McpServeStdio, AnswersManyCallsAndEndsWithItsInput) {
  Work work;
  Pipes pipes(work.options());
  pipes.send(std::string(kHello));
  EXPECT_NE(pipes.line(), "");
  for (int i = 1; i <= 300; ++i) pipes.send(call(i, "echo"));
  pipes.end_input();
  std::vector<bool> seen(301);
  for (int i = 1; i <= 300; ++i) {
    const std::string line = pipes.line();
    const int id = std::stoi(line.substr(line.find("\"id\":") + 5));
    EXPECT_FALSE(seen.at(static_cast<std::size_t>(id)));
    seen[static_cast<std::size_t>(id)] = true;
    EXPECT_NE(line.find(R"({\"n\":)" + std::to_string(id) + "}"), line.npos) << line;
  }
  EXPECT_EQ(pipes.line(), "");
  EXPECT_TRUE(pipes.join());
}

TEST(McpServeStdio, StopsWhatIsCancelledAndWhatIsLeftAtTheEnd) {
  Work work;
  ServeOptions options = work.options();
  options.limits.grace_ms = 1;
  Pipes pipes(options);
  pipes.send(std::string(kHello));
  pipes.line();
  pipes.send(call(1, "wait", R"(,"_meta":{"progressToken":1})"));
  EXPECT_NE(pipes.line().find("notifications/progress"), std::string::npos);
  pipes.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  pipes.send(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  for (std::string line = pipes.line(); line.find("\"id\":2") == line.npos; line = pipes.line())
    ASSERT_NE(line.find("notifications/progress"), line.npos) << line;
  pipes.send(call(3, "wait"));
  pipes.end_input();
  EXPECT_NE(pipes.line().find(R"("id":3,"result")"), std::string::npos) << "what was stopped is still answered";
  EXPECT_TRUE(pipes.join());
  EXPECT_EQ(work.stopped, 2);
}

// Some clients give one end of a socket pair for both: when they are gone, it hangs up.
TEST(McpServeStdio, EndsAtOnceWhenASocketHasHungUp) {
  Work work;
  ServeOptions options = work.options();
  options.limits.grace_ms = 600'000;
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  std::jthread server([&](const std::stop_token& stop) {
    EXPECT_TRUE(serve_stdio(options, ends[0], ends[0], stop));
    ::close(ends[0]);
  });
  const std::string text = std::string(kHello) + "\n" + call(1, "wait") + "\n";
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  while (work.waiting < 1) std::this_thread::yield();
  ::close(ends[1]);
  server.join();  // otherwise after its grace
  EXPECT_EQ(work.stopped, 1);
}

TEST(McpServeStdio, EndsAtOnceWhenItIsAskedTo) {
  Work work;
  Pipes pipes(work.options());
  pipes.send(std::string(kHello));
  pipes.line();
  for (int i = 1; i <= 20; ++i) pipes.send(call(i, "wait"));
  while (work.waiting < 8) std::this_thread::yield();
  pipes.stop();
  EXPECT_TRUE(pipes.join());
  EXPECT_EQ(work.stopped, work.waiting) << "those that waited for their turn never began";
}

TEST(McpServeStdio, RefusesCallsThatWaitWithMoreThanThereIsRoomFor) {
  Work work;
  ServeOptions options = work.options();
  options.limits.workers = 1;
  options.limits.waiting_bytes = 20;
  Pipes pipes(options);
  pipes.send(std::string(kHello));
  pipes.line();
  pipes.send(call(1, "wait"));
  while (work.waiting < 1) std::this_thread::yield();
  for (int i = 11; i <= 15; ++i) pipes.send(call(i, "echo"));
  for (int i = 13; i <= 15; ++i) {
    const std::string refused = pipes.line();
    EXPECT_NE(refused.find("--limit waiting_bytes=N"), std::string::npos) << refused;
  }
  pipes.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  for (int i = 11; i <= 12; ++i) EXPECT_NE(pipes.line().find(R"("result")"), std::string::npos);
}

std::string post(std::string_view session, const std::string& body, std::string_view more = "") {
  std::string out =
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n"
      "Content-Type: application/json\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n";
  if (!session.empty()) out += "Mcp-Session-Id: " + std::string(session) + "\r\n";
  out += more;
  return out + "\r\n" + body;
}

std::string begin_session(check::Wire& wire) {
  wire.send(post("", std::string(kHello)));
  const std::string head = wire.until("\r\n\r\n");
  wire.until("}}");
  const std::size_t at = head.find("Mcp-Session-Id: ");
  return at == head.npos ? "" : head.substr(at + 16, 32);
}

TEST(McpServeHttp, ServesManyClientsAtOnceAndForgetsThoseThatGo) {
  Work work;
  auto serving = HttpServing::make(work.options(), {.token = "secret"});
  ASSERT_TRUE(serving) << serving.error();
  std::vector<std::jthread> clients;
  std::atomic<int> good = 0;
  for (int c = 0; c < 8; ++c)
    clients.emplace_back([&, c] {
      check::Wire wire = check::Wire::to((*serving)->port());
      const std::string session = begin_session(wire);
      for (int i = 1; i <= 20; ++i) {
        wire.send(post(session, call(100 * c + i, "echo")));
        good += wire.until("0\r\n\r\n").find(R"({\"n\":)" + std::to_string(100 * c + i) + "}") != std::string::npos;
      }
      wire.send(post(session, call(1, "wait")));  // and away
      while (work.waiting <= 0) std::this_thread::yield();
    });
  clients.clear();
  EXPECT_EQ(good, 160);
  while (work.stopped < work.waiting) std::this_thread::yield();
  serving->reset();
  EXPECT_EQ(work.stopped, work.waiting);
}

TEST(McpServeHttp, KeepsNoMoreResultsForWhoDoesNotReadThem) {
  Work work;
  ServeOptions options = work.options();
  options.limits.queue_bytes = 20u << 20;
  options.carry = [](const ServedCall&) { return CallOutcome{tool::text_result(std::string(16u << 20, 'x'))}; };
  auto serving = HttpServing::make(options, {.token = "secret"});
  ASSERT_TRUE(serving) << serving.error();
  check::Wire first = check::Wire::to((*serving)->port());
  const std::string session = begin_session(first);
  // Each takes the head of its answer, and no more: the sockets' buffers hold only some of the rest.
  std::vector<check::Wire> deaf;
  std::string said;
  for (int i = 1; said.find("queue_bytes") == said.npos; ++i) {
    ASSERT_LT(i, 20);
    deaf.push_back(check::Wire::to((*serving)->port()));
    deaf.back().send(post(session, call(i, "echo"), "Accept: application/json\r\n"));
    if (deaf.back().until("\r\n\r\n").find("Content-Length: 1677") == std::string::npos) said = deaf.back().until("}");
  }
}

TEST(McpServeHttp, EndsWithCallsUnderWay) {
  Work work;
  auto serving = HttpServing::make(work.options(), {.token = "secret"});
  ASSERT_TRUE(serving) << serving.error();
  check::Wire wire = check::Wire::to((*serving)->port());
  const std::string session = begin_session(wire);
  wire.send(post(session, call(1, "wait")));
  while (work.waiting < 1) std::this_thread::yield();
  serving->reset();
  EXPECT_EQ(work.stopped, 1);
}

TEST(McpServeHttp, ListensOnThisMachineOnlyAndNeverWithoutAToken) {
  Work work;
  EXPECT_FALSE(HttpServing::make(work.options(), {.token = ""}));
  for (const char* address : {"0.0.0.0", "::", "192.0.2.1", "example.com", "127.evil"})
    EXPECT_FALSE(HttpServing::make(work.options(), {.address = address, .token = "secret"})) << address;
}

// Keeps what is said to it.
struct Heard final : net::Responder {
  void head(int code, std::vector<net::Header>) override { status = code; }
  void write(std::string bytes) override { body += bytes; }
  void end() override { ended = true; }
  void reset() override { ended = true; }
  [[nodiscard]] std::size_t waiting() const override { return 0; }
  [[nodiscard]] bool closed() const override { return false; }
  void on_closed(std::function<void()>) override {}
  int status = 0;
  bool ended = false;
  std::string body;
};

// A request that has found its session, which is then ended by another one.
TEST(McpServeHttp, ASessionThatWasClosedBeginsNothing) {
  Work work;
  const ServeOptions options = work.options();
  CallPool pool(options.carry, options.limits);
  const auto session = std::make_shared<HttpClientSession>(options.session, pool, "id", 1u << 20);
  Visit visit;
  visit.json = visit.events = true;
  const auto post = [&](const std::string& text) {
    auto heard = std::make_shared<Heard>();
    session->post(decode(text), visit, heard);
    return heard;
  };
  EXPECT_EQ(post(std::string(kHello))->status, 200);
  session->close();
  EXPECT_EQ(post(call(1, "wait"))->status, 404);
  const auto stream = std::make_shared<Heard>();
  EXPECT_TRUE(session->open_stream(stream, 4));
  EXPECT_EQ(stream->status, 404);
  EXPECT_TRUE(stream->ended);
  EXPECT_EQ(work.waiting, 0);
}

}  // namespace
