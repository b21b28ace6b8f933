// HTTP out: time, pauses, many at once, and ends that come from here.
#include "support/net_serving.h"

#include <gtest/gtest.h>

#include <fcntl.h>

#include <atomic>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace belay::net {
namespace {

using check::echo;
using check::exchange;
using check::kPatience;
using check::Later;
using check::Peer;
using check::Recorder;
using check::Reply;
using check::serve;
using check::Wire;
using Kind = Error::Kind;

/// Listens, and lets nobody in: its line is full, and connections to it stay half open.
class FullLine {
 public:
  FullLine() {
    fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(fd_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(fd_, 0) != 0 ||
        ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      std::abort();
    port_ = ntohs(address.sin_port);
    for (int& waiting : waiting_) {
      waiting = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      (void)::connect(waiting, reinterpret_cast<sockaddr*>(&address), size);
    }
  }
  FullLine(const FullLine&) = delete;
  FullLine& operator=(const FullLine&) = delete;
  ~FullLine() {
    for (int waiting : waiting_) ::close(waiting);
    ::close(fd_);
  }
  [[nodiscard]] std::string url(std::string_view scheme = "http") const {
    return std::string(scheme) + "://127.0.0.1:" + std::to_string(port_) + "/";
  }

 private:
  int fd_ = -1;
  int waiting_[4] = {};
  std::uint16_t port_ = 0;
};

void expect_cancelled(Client& client, Client::Id id, Recorder& r) {
  client.cancel(id);
  client.cancel(id);
  ASSERT_TRUE(r.wait_end());
  ASSERT_TRUE(r.error());
  EXPECT_EQ(r.error()->kind, Kind::cancelled) << r.trouble();
  EXPECT_EQ(r.ends(), 1);
}

TEST(NetClientHard, ACancellationEndsEveryPhase) {
  Client client;
  {
    auto r = std::make_shared<Recorder>();
    SCOPED_TRACE("connecting");
    FullLine line;
    expect_cancelled(client, client.start({.url = line.url()}, r), *r);
  }
  struct Phase {
    const char* name;
    const char* scheme;
    std::string answer;
    std::size_t body;
    std::size_t expected;
  };
  const std::vector<Phase> phases{
      {"TLS handshake", "https", "", 2, 0},
      {"the request goes out", "http", "", 50'000'000, 0},
      {"waiting for a head", "http", "", 2, 0},
      {"within the head", "http", "HTTP/1.1 200 OK\r\nContent-", 2, 0},
      {"within the body", "http", "HTTP/1.1 200 OK\r\n\r\nabc", 2, 3},
  };
  for (const Phase& phase : phases) {
    SCOPED_TRACE(phase.name);
    Later<bool> reached, over;
    Peer peer([&](Wire& wire) {
      wire.some();
      wire.send(phase.answer);
      reached.set(true);
      over.get();
    });
    auto r = std::make_shared<Recorder>();
    const auto id = client.start({.url = std::string(phase.scheme) + "://127.0.0.1:" + std::to_string(peer.port()),
                                  .body = std::string(phase.body, 'x')},
                                 r);
    reached.get();
    if (phase.expected > 0) {
      EXPECT_TRUE(r->wait_body(phase.expected));
    }
    expect_cancelled(client, id, *r);
    over.set(true);
  }
}

TEST(NetClientHard, OneThatIsPausedOrWaitsInLineIsCancelledToo) {
  Client client({.connections_a_host = 1});
  Peer peer([](Wire& wire) {
    wire.request();
    wire.send("HTTP/1.1 200 OK\r\n\r\n");
    while (wire.send(std::string(100'000, 'x'))) {
    }
  });
  auto first = std::make_shared<Recorder>(), second = std::make_shared<Recorder>();
  first->pauses = true;
  const auto one = client.start({.url = peer.url()}, first), two = client.start({.url = peer.url()}, second);
  ASSERT_TRUE(first->wait_body(1));
  expect_cancelled(client, two, *second);
  expect_cancelled(client, one, *first);
  EXPECT_EQ(first->pieces(), 1);
  EXPECT_EQ(peer.connections(), 1);
}

TEST(NetClientHard, ACancellationAfterTheEndOrOfNothingDoesNothing) {
  auto server = serve(echo);
  Client client;
  client.cancel(77);
  client.resume(77);
  auto r = std::make_shared<Recorder>();
  const auto id = client.start({.url = server->url()}, r);
  ASSERT_TRUE(r->wait_end());
  client.cancel(id);
  client.resume(id);
  EXPECT_EQ(exchange(client, {.url = server->url()})->trouble(), "none");
  EXPECT_EQ(r->ends(), 1);
  EXPECT_EQ(r->trouble(), "none");
}

/// Does something with the client as soon as bytes come.
class Meddler final : public Receiver {
 public:
  std::function<void()> at_bytes, at_end;
  void on_head(const Head&) override {}
  bool on_bytes(std::string_view) override {
    if (at_bytes) at_bytes();
    return true;
  }
  void on_end(const std::optional<Error>& error) override {
    if (at_end) at_end();
    ended.set(error ? std::string(name(error->kind)) : "none");
  }
  Later<std::string> ended;
};

TEST(NetClientHard, AReceiverMayGiveOrdersItself) {
  Peer peer([](Wire& wire) {
    wire.request();
    wire.send("HTTP/1.1 200 OK\r\n\r\nabc");
    wire.rest();
  });
  Client client;
  auto meddler = std::make_shared<Meddler>();
  auto second = std::make_shared<Meddler>();
  Client::Id id = 0, second_id = 0;
  std::mutex order;  // on_bytes must not come before the id is known
  meddler->at_bytes = [&] {
    const std::lock_guard guard(order);
    client.cancel(id);
  };
  second->at_bytes = [&] {
    const std::lock_guard guard(order);
    client.cancel(second_id);
  };
  meddler->at_end = [&] {
    const std::lock_guard guard(order);
    second_id = client.start({.url = peer.url()}, second);
  };
  {
    const std::lock_guard guard(order);
    id = client.start({.url = peer.url()}, meddler);
  }
  EXPECT_EQ(meddler->ended.get(), "cancelled");
  EXPECT_EQ(second->ended.get(), "cancelled");
}

TEST(NetClientHard, TheDestructorEndsWhatIsUnderWay) {
  std::vector<std::shared_ptr<Recorder>> recorders;
  auto restarts = std::make_shared<Meddler>();
  auto last = std::make_shared<Recorder>();
  FullLine line;
  Peer silent([](Wire& wire) { wire.rest(); });
  Peer streams([](Wire& wire) {
    wire.request();
    wire.send("HTTP/1.1 200 OK\r\n\r\nabc");
    wire.rest();
  });
  {
    Client client({.connections_a_host = 5});
    restarts->at_end = [&] { client.start({.url = silent.url()}, last); };
    for (int i = 0; i < 10; ++i)
      for (const std::string& url : {line.url(), silent.url(), streams.url(), line.url("https")}) {
        recorders.push_back(std::make_shared<Recorder>());
        recorders.back()->pauses = i % 2 == 0;
        client.start({.url = url}, recorders.back());
      }
    client.start({.url = silent.url()}, restarts);
    EXPECT_TRUE(recorders[2]->wait_body(3));
  }
  for (const auto& r : recorders) {
    EXPECT_EQ(r->ends(), 1);
    ASSERT_TRUE(r->error());
    EXPECT_EQ(r->error()->kind, Kind::cancelled) << r->trouble();
  }
  EXPECT_EQ(restarts->ended.get(), "cancelled");
  EXPECT_EQ(last->ends(), 1);
}

TEST(NetClientHard, EachClockHasItsOwnMessage) {
  Client client;
  FullLine line;
  auto connect = exchange(client, {.url = line.url(), .timeouts = {.connect = 50}});
  EXPECT_EQ(connect->error()->kind, Kind::timeout);
  EXPECT_TRUE(connect->error()->message.starts_with("no connection to 127.0.0.1:")) << connect->trouble();
  EXPECT_NE(connect->error()->message.find("within 50 ms"), std::string::npos) << connect->trouble();

  Peer silent([](Wire& wire) { wire.rest(); });
  auto shake =
      exchange(client, {.url = "https://127.0.0.1:" + std::to_string(silent.port()), .timeouts = {.connect = 50}});
  EXPECT_EQ(shake->error()->kind, Kind::timeout);
  EXPECT_TRUE(shake->error()->message.starts_with("no connection to 127.0.0.1:")) << shake->trouble();

  auto idle = exchange(client, {.url = silent.url(), .timeouts = {.idle = 50}});
  EXPECT_EQ(idle->error()->kind, Kind::timeout);
  EXPECT_NE(idle->error()->message.find("sent nothing for 50 ms"), std::string::npos) << idle->trouble();

  auto stuck = exchange(client, {.url = silent.url(), .body = std::string(1'000, 'x'), .timeouts = {.idle = 50}});
  EXPECT_NE(stuck->error()->message.find("sent nothing for 50 ms"), std::string::npos) << stuck->trouble();

  Peer half([](Wire& wire) {
    wire.request();
    wire.send("HTTP/1.1 200 OK\r\n\r\nabc");
    wire.rest();
  });
  auto later = exchange(client, {.url = half.url(), .timeouts = {.idle = 1'000}});
  EXPECT_EQ(later->body(), "abc");
  EXPECT_NE(later->error()->message.find("sent nothing for 1 s"), std::string::npos) << later->trouble();

  Peer endless([](Wire& wire) {
    wire.request();
    wire.send("HTTP/1.1 200 OK\r\n\r\n");
    while (wire.send("x")) {
    }
  });
  auto total = exchange(client, {.url = endless.url(), .timeouts = {.total = 200}});
  EXPECT_EQ(total->error()->kind, Kind::timeout);
  EXPECT_NE(total->error()->message.find("within 200 ms"), std::string::npos) << total->trouble();

  auto in_line = std::make_shared<Recorder>(), before = std::make_shared<Recorder>();
  Client narrow({.connections_a_host = 1});
  narrow.start({.url = silent.url()}, before);
  narrow.start({.url = silent.url(), .timeouts = {.connect = 1, .idle = 1, .total = 50}}, in_line);
  ASSERT_TRUE(in_line->wait_end());
  EXPECT_NE(in_line->error()->message.find("within 50 ms"), std::string::npos) << in_line->trouble();
}

TEST(NetClientHard, APausedAnswerIsNotIdle) {
  Peer silent([](Wire& wire) { wire.rest(); });
  Later<bool> go, gone;
  Peer peer([&](Wire& wire) {
    wire.request();
    wire.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc");
    go.get();
    wire.send("def");
    gone.set(true);
    wire.rest();
  });
  Client client;
  auto paused = std::make_shared<Recorder>();
  paused->pauses = true;
  const auto id = client.start({.url = peer.url(), .timeouts = {.idle = 500}}, paused);
  ASSERT_TRUE(paused->wait_body(3));
  // Others of the same client run out of time meanwhile; together they take twice as long.
  for (int i = 0; i < 5; ++i) {
    auto other = exchange(client, {.url = silent.url(), .timeouts = {.idle = 200}});
    ASSERT_TRUE(other->error());
    EXPECT_EQ(other->error()->kind, Kind::timeout) << other->trouble();
  }
  EXPECT_EQ(paused->ends(), 0);
  go.set(true);
  gone.get();
  client.resume(id);
  ASSERT_TRUE(paused->wait_end());
  EXPECT_EQ(paused->trouble(), "none");
  EXPECT_EQ(paused->body(), "abcdef");
}

/// Bytes that this process has in memory.
std::size_t resident() {
  std::ifstream in("/proc/self/statm");
  std::size_t all = 0, here = 0;
  in >> all >> here;
  return here * 4096;
}

#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kBound = 1'000'000'000;  // what is freed stays for a while
#else
constexpr std::size_t kBound = 32'000'000;
#endif

/// Stops after each piece, and adds up what came.
class Sipper final : public Receiver {
 public:
  void on_head(const Head&) override {}
  bool on_bytes(std::string_view bytes) override {
    const std::lock_guard guard(lock_);
    for (char c : bytes) right_ = right_ && c == static_cast<char>('a' + size_++ % 23);
    ++pieces_;
    changed_.notify_all();
    return false;
  }
  void on_end(const std::optional<Error>& error) override {
    const std::lock_guard guard(lock_);
    trouble_ = error ? error->message : "none";
    ended_ = true;
    changed_.notify_all();
  }
  /// The next piece, beyond this many; false: the end.
  bool wait(std::size_t pieces) {
    std::unique_lock guard(lock_);
    changed_.wait_for(guard, kPatience, [&] { return pieces_ > pieces || ended_; });
    return pieces_ > pieces;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool right() const { return right_; }
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  std::size_t size_ = 0, pieces_ = 0;
  std::string trouble_ = "no end";
  bool right_ = true, ended_ = false;
};

TEST(NetClientHard, AHundredMegabytesWithPausesStayWithinBounds) {
  constexpr std::size_t kBlock = 23 * 4096, kBlocks = 1'100;
  std::string block(kBlock, ' ');
  for (std::size_t i = 0; i < kBlock; ++i) block[i] = static_cast<char>('a' + i % 23);
  Later<std::size_t> stuck;
  Peer peer([&](Wire& wire) {
    wire.request();
    wire.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(kBlock * kBlocks) + "\r\n\r\n");
    bool told = false;
    for (std::size_t sent = 0; sent < kBlock * kBlocks;) {
      pollfd can{.fd = wire.fd(), .events = POLLOUT, .revents = 0};
      if (::poll(&can, 1, told ? -1 : 300) == 0) {
        stuck.set(sent);
        told = true;
        continue;
      }
      const std::size_t at = sent % kBlock;
      const ssize_t went = ::send(wire.fd(), block.data() + at, kBlock - at, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (went < 0 && errno != EAGAIN) break;
      if (went > 0) sent += static_cast<std::size_t>(went);
    }
    if (!told) stuck.set(kBlock * kBlocks);
  });
  Client client;
  auto sipper = std::make_shared<Sipper>();
  const std::size_t before = resident();
  const auto id = client.start({.url = peer.url()}, sipper);
  ASSERT_TRUE(sipper->wait(0));
  EXPECT_LT(stuck.get(), 40'000'000u);  // what the system's buffers take, and not all
  EXPECT_LT(resident(), before + kBound);
  std::size_t pieces = 1;
  do client.resume(id);
  while (sipper->wait(pieces++));
  EXPECT_EQ(sipper->trouble(), "none");
  EXPECT_EQ(sipper->size(), kBlock * kBlocks);
  EXPECT_TRUE(sipper->right());
  EXPECT_LT(resident(), before + kBound);
}

TEST(NetClientHard, TwoHundredAtOnceAreAtOnce) {
  constexpr std::size_t kAll = 200;
  std::mutex lock;
  std::vector<std::pair<ServerRequest, Reply>> held;
  auto server = serve([&](ServerRequest request, Reply reply) {
    const std::lock_guard guard(lock);
    held.emplace_back(std::move(request), std::move(reply));
    if (held.size() < kAll) return;  // nobody is answered before all are here
    for (auto& [asked, to] : held) echo(asked, to);
    held.clear();
  });
  Client client({.connections_a_host = kAll});
  std::vector<std::shared_ptr<Recorder>> all;
  for (std::size_t i = 0; i < kAll; ++i) {
    all.push_back(std::make_shared<Recorder>());
    client.start({.url = server->url() + "/" + std::to_string(i)}, all.back());
  }
  for (std::size_t i = 0; i < kAll; ++i) {
    ASSERT_TRUE(all[i]->wait_end());
    EXPECT_EQ(all[i]->body(), "POST /" + std::to_string(i) + " ") << all[i]->trouble();
  }
}

TEST(NetClientHard, MoreThanAHostMayHaveWaitForTheirTurn) {
  std::mutex lock;
  std::vector<std::pair<ServerRequest, Reply>> held;
  std::size_t most = 0, answered = 0;
  auto server = serve([&](ServerRequest request, Reply reply) {
    const std::lock_guard guard(lock);
    held.emplace_back(std::move(request), std::move(reply));
    most = std::max(most, held.size());
    if (held.size() < 8) return;
    for (auto& [asked, to] : held) echo(asked, to);
    answered += held.size();
    held.clear();
  });
  Client client({.connections_a_host = 8});
  std::vector<std::shared_ptr<Recorder>> all;
  for (std::size_t i = 0; i < 200; ++i) {
    all.push_back(std::make_shared<Recorder>());
    client.start({.url = server->url()}, all.back());
  }
  for (const auto& r : all) {
    ASSERT_TRUE(r->wait_end());
    EXPECT_EQ(r->trouble(), "none");
  }
  EXPECT_EQ(most, 8u);
  EXPECT_EQ(answered, 200u);
}

TEST(NetClientHard, AConnectionIsUsedAgain) {
  Peer peer([](Wire& wire) {
    while (!wire.request().empty()) wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  });
  Client client;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(exchange(client, {.url = peer.url(), .body = "x"})->body(), "ok");
  EXPECT_EQ(peer.connections(), 1);
}

TEST(NetClientHard, WhatMayNotBeDoneTwiceGoesOutOnce) {
  for (const auto& [method, repeatable] :
       {std::pair<std::string, bool>{"POST", false}, {"POST", true}, {"GET", false}}) {
    std::atomic<int> seen = 0;
    Peer peer([&](Wire& wire) {
      for (bool first = true; !wire.request().empty(); first = false) {
        const int number = ++seen;
        if (!first && number == 2) return;  // taken, and the connection closed without a word
        wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      }
    });
    Client client;
    const std::string body = method == "POST" ? "sk-secret" : "";
    EXPECT_EQ(exchange(client, {.method = method, .url = peer.url(), .body = body})->body(), "ok");
    auto r = exchange(client, {.method = method, .url = peer.url(), .body = body, .repeatable = repeatable});
    if (method == "GET" || repeatable) {
      EXPECT_EQ(r->body(), "ok") << r->trouble();
      EXPECT_EQ(seen, 3);
    } else {
      ASSERT_TRUE(r->error());
      EXPECT_EQ(r->error()->kind, Kind::connection);
      EXPECT_NE(r->error()->message.find("is not known"), std::string::npos) << r->trouble();
      EXPECT_EQ(seen, 2);
    }
  }
}

/// A variable for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(NetClientHard, ProxiesAreTakenFromTheEnvironment) {
  std::mutex lock;
  std::vector<std::string> asked;
  Peer proxy([&](Wire& wire) {
    const std::string request = wire.request();
    {
      const std::lock_guard guard(lock);
      asked.push_back(request.substr(0, request.find('\r')));
    }
    const bool tunnel = request.starts_with("CONNECT ");
    wire.send(tunnel ? "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
                     : "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nby proxy");
  });
  const std::string where = "http://user:sk-secret@127.0.0.1:" + std::to_string(proxy.port());
  auto server = serve(echo);
  {
    Variable http("http_proxy", where), https("HTTPS_PROXY", where), none("NO_PROXY", "127.0.0.1");
    Client client;
    EXPECT_EQ(exchange(client, {.url = "http://somewhere.invalid/a"})->body(), "by proxy");
    EXPECT_EQ(exchange(client, {.url = server->url()})->body(), "POST / ");
    auto tunnel = exchange(client, {.url = "https://somewhere.invalid/a", .headers = {{"Authorization", "sk-secret"}}});
    EXPECT_EQ(tunnel->trouble(),
              "connection: the proxy answered 407 when asked for somewhere.invalid:443: give its user and password in "
              "HTTPS_PROXY");
  }
  {
    Variable upper("HTTP_PROXY", where);  // could be the header Proxy: of a CGI request
    Client client;
    EXPECT_EQ(exchange(client, {.url = server->url()})->body(), "POST / ");
  }
  {
    Variable all("ALL_PROXY", "http://127.0.0.1:1");
    Client client;
    auto r = exchange(client, {.url = "http://somewhere.invalid/a"});
    EXPECT_EQ(
        r->trouble(),
        "connection: cannot connect to somewhere.invalid:80 through the proxy 127.0.0.1:1 (Connection refused): is "
        "the server running, and are host and port right?");
  }
  EXPECT_EQ(asked, (std::vector<std::string>{"POST http://somewhere.invalid/a HTTP/1.1",
                                             "CONNECT somewhere.invalid:443 HTTP/1.1"}));
}

TEST(NetClientHard, ACompressedStreamCanBePaused) {
  const std::string packed = check::command(
      "python3 -c 'import gzip,sys; sys.stdout.buffer.write(gzip.compress((b\"abcdefghijklmnopqrstuvw\"*200000)))'");
  Peer peer("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + packed);
  Client client;
  auto sipper = std::make_shared<Sipper>();
  const auto id = client.start({.url = peer.url()}, sipper);
  for (std::size_t pieces = 0; sipper->wait(pieces); ++pieces) client.resume(id);
  EXPECT_EQ(sipper->trouble(), "none");
  EXPECT_EQ(sipper->size(), 23u * 200'000);
  EXPECT_TRUE(sipper->right());
}

}  // namespace
}  // namespace belay::net
