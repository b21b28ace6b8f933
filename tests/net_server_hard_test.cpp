// HTTP in, when the other end is slow, gone, or one of very many.
#include "support/net_serving.h"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace belay::net {
namespace {

using check::echo;
using check::kPatience;
using check::Later;
using check::raw;
using check::Reply;
using check::serve;
using check::Wire;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(NetServerHard, ThatTheOtherEndHasGoneIsNoticedWhileNothingIsWritten) {
  Later<Reply> got;
  Later<bool> gone;
  auto server = serve([&](const ServerRequest&, Reply reply) {
    reply->on_closed([&] { gone.set(true); });
    reply->head(200, {});
    got.set(std::move(reply));
  });
  Wire wire = Wire::to(server->port());
  wire.send(kGet);
  Reply reply = got.get();
  wire.until("\r\n\r\n");
  EXPECT_FALSE(reply->closed());
  wire.close();
  EXPECT_TRUE(gone.get());
  EXPECT_TRUE(reply->closed());
  reply->write("nobody hears this");
  EXPECT_EQ(reply->waiting(), 0u);
  Later<bool> late;
  reply->on_closed([&] { late.set(true); });
  EXPECT_TRUE(late.get());
  reply->end();
}

TEST(NetServerHard, NobodyIsToldOfACloseAfterTheEnd) {
  std::atomic<int> told = 0;
  Later<Reply> got;
  auto server = serve([&](const ServerRequest&, Reply reply) {
    reply->on_closed([&] { ++told; });
    answer(*reply, 200, "a/b", "c");
    got.set(std::move(reply));
  });
  Wire wire = Wire::to(server->port());
  wire.send(kGet);
  wire.until("c");
  wire.close();
  got.get().reset();
  server.reset();
  EXPECT_EQ(told, 0);
}

TEST(NetServerHard, AnAnswerMayOutliveItsServer) {
  Later<Reply> got;
  Later<bool> gone;
  auto server = serve([&](const ServerRequest&, Reply reply) {
    reply->on_closed([&] { gone.set(true); });
    reply->head(200, {});
    reply->write("begun");
    got.set(std::move(reply));
  });
  auto r = std::make_shared<check::Recorder>();
  Client client;
  client.start({.url = server->url()}, r);
  Reply reply = got.get();
  ASSERT_TRUE(r->wait_body(5));
  server.reset();
  EXPECT_TRUE(gone.get());
  EXPECT_TRUE(reply->closed());
  ASSERT_TRUE(r->wait_end());
  EXPECT_EQ(r->error()->kind, Error::Kind::connection);
  reply->write("more");
  Later<bool> late;
  reply->on_closed([&] { late.set(true); });
  EXPECT_TRUE(late.get());
  reply->end();
  reply->reset();
}

TEST(NetServerHard, AnAnswerThatHasEndedIsSentBeforeTheServerGoes) {
  Later<bool> answered;
  auto server = serve([&](const ServerRequest& request, const Reply& reply) {
    echo(request, reply);
    answered.set(true);
  });
  Wire wire = Wire::to(server->port());
  wire.send(kGet);
  answered.get();
  server.reset();
  EXPECT_TRUE(wire.rest().ends_with("GET / "));
}

TEST(NetServerHard, WhatIsNotYetOutIsCounted) {
  Later<Reply> got;
  auto server = serve([&](const ServerRequest& request, Reply reply) {
    if (request.target == "/next") return echo(request, reply);
    reply->head(200, {{"Content-Length", "50000000"}});
    got.set(std::move(reply));
  });
  Wire wire = Wire::to(server->port());
  wire.send(kGet);
  Reply reply = got.get();
  wire.until("\r\n\r\n");
  reply->write(std::string(50'000'000, 'x'));
  EXPECT_GT(reply->waiting(), 10'000'000u);  // the rest is in the system's buffers
  reply->end();
  EXPECT_EQ(wire.exactly(50'000'000).size(), 50'000'000u);
  wire.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n");  // answered when the first one is out
  wire.until("GET /next ");
  EXPECT_EQ(reply->waiting(), 0u);
}

TEST(NetServerHard, WhoReadsNothingIsCutOff) {
  Later<bool> gone;
  auto server = serve(
      [&](const ServerRequest&, const Reply& reply) {
        reply->on_closed([&gone, reply] { gone.set(true); });
        reply->head(200, {});
        reply->write(std::string(50'000'000, 'x'));
      },
      {.stall = 50});
  Wire wire = Wire::to(server->port());
  wire.send(kGet);
  EXPECT_TRUE(gone.get());
  EXPECT_LT(wire.rest().size(), 50'000'000u);
}

TEST(NetServerHard, MoreThanMayWaitResetsTheConnection) {
  auto server = serve(
      [](const ServerRequest&, const Reply& reply) {
        reply->head(200, {});
        for (int i = 0; i < 100; ++i) reply->write(std::string(100'000, 'x'));
        reply->end();
      },
      {.waiting_bytes = 5'000'000});
  auto r = check::get(server->url());
  ASSERT_TRUE(r->error());
  EXPECT_EQ(r->error()->kind, Error::Kind::connection) << r->trouble();
}

TEST(NetServerHard, ARequestThatTakesTooLongIsRefusedAndAnIdleConnectionClosed) {
  auto server = serve(echo, {.idle = 50});
  const std::string slow = raw(*server, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nab");
  EXPECT_TRUE(slow.starts_with("HTTP/1.1 408 Request Timeout\r\n")) << slow;
  EXPECT_EQ(raw(*server, ""), "");
  EXPECT_EQ(raw(*server, "\r\n"), "");
  auto patient = serve(echo, {.idle = 1'000});
  const std::string kept = raw(*patient, kGet);  // closed after its answer, though nothing said so
  EXPECT_TRUE(kept.ends_with("GET / ")) << kept;
}

TEST(NetServerHard, ManyWhoDripDoNotKeepOthersFromTheirAnswers) {
  auto server = serve(echo, {.idle = 1'500});
  std::atomic<bool> done = false;
  std::atomic<int> cut = 0;
  std::vector<Wire> wires;
  for (int i = 0; i < 200; ++i) wires.push_back(Wire::to(server->port()));
  std::thread drips([&] {
    for (Wire& wire : wires) wire.send("GET / HTTP/1.1\r\nHost: x\r\n");
    while (!done)
      for (Wire& wire : wires) wire.send("A: b\r\n");
  });
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(check::get(server->url())->body().starts_with("GET / "));
  done = true;
  drips.join();
  for (Wire& wire : wires) {
    const std::string said = wire.rest();
    cut += said.starts_with("HTTP/1.1 408") || said.starts_with("HTTP/1.1 431") || said.empty();
  }
  EXPECT_EQ(cut, 200);
}

TEST(NetServerHard, WhoHasNotAskedYetMakesRoomForWhoComesLater) {
  auto server = serve(echo, {.connections = 3});
  Wire asked = Wire::to(server->port());
  asked.send(kGet);
  asked.until("GET / ");
  Wire silent = Wire::to(server->port()), half = Wire::to(server->port());
  half.send("GET / HTTP/1.1\r\nHo");
  Wire fresh = Wire::to(server->port());
  EXPECT_EQ(silent.rest(), "") << "the oldest one that has not asked goes";
  fresh.send(kGet);
  fresh.until("GET / ");
  Wire next = Wire::to(server->port());
  EXPECT_EQ(half.rest(), "");
  next.send(kGet);
  next.until("GET / ");
  asked.send(kGet);
  asked.until("GET / ");
}

TEST(NetServerHard, AHeadHasItsOwnTimeAndABodyTheUsualOne) {
  auto server = serve(echo, {.head = 50});
  Wire half = Wire::to(server->port());
  half.send("GET / HTTP/1.1\r\nHo");
  EXPECT_TRUE(half.rest().starts_with("HTTP/1.1 408 "));
  EXPECT_EQ(Wire::to(server->port()).rest(), "");
}

TEST(NetServerHard, OneConnectionTooManyIsToldSo) {
  auto server = serve(echo, {.connections = 2});
  Wire one = Wire::to(server->port()), two = Wire::to(server->port());
  for (Wire* wire : {&one, &two}) {
    wire->send(kGet);
    wire->until("GET / ");
  }
  Wire three = Wire::to(server->port());
  const std::string said = three.rest();
  EXPECT_TRUE(said.starts_with("HTTP/1.1 503 ")) << said;
  one.close();
  while (true) {  // there is room again as soon as the server has seen the close
    Wire next = Wire::to(server->port());
    next.send("GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    if (next.rest().ends_with("GET /next ")) break;
  }
}

TEST(NetServerHard, AThousandClientsGetAStreamEachFromOneThread) {
  constexpr std::size_t kClients = 1'000;
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  files.rlim_cur = std::min<rlim_t>(files.rlim_max, 8'192);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &files), 0);

  std::mutex lock;
  std::condition_variable changed;
  std::vector<Reply> replies;
  std::size_t gone = 0;
  auto server = serve([&](const ServerRequest&, Reply reply) {
    reply->head(200, {{"Content-Type", "text/event-stream"}});
    const std::lock_guard guard(lock);
    reply->on_closed([&] {
      const std::lock_guard inner(lock);
      ++gone;
      changed.notify_all();
    });
    replies.push_back(std::move(reply));
    changed.notify_all();
  });
  std::vector<Wire> wires;
  for (std::size_t i = 0; i < kClients; ++i) {
    wires.push_back(Wire::to(server->port()));
    ASSERT_TRUE(wires.back().open());
    wires.back().send(kGet);
  }
  std::vector<Reply> all;
  {
    std::unique_lock guard(lock);
    ASSERT_TRUE(changed.wait_for(guard, kPatience, [&] { return replies.size() == kClients; }));
    all = replies;
  }
  std::thread writer([&] {
    for (int event = 0; event < 20; ++event)
      for (const Reply& reply : all) reply->write("data: " + std::to_string(event) + "\n\n");
  });
  for (Wire& wire : wires) wire.until("data: 19\n\n");
  writer.join();
  for (std::size_t i = 0; i < kClients / 2; ++i) wires[i].close();
  std::unique_lock guard(lock);
  EXPECT_TRUE(changed.wait_for(guard, kPatience, [&] { return gone == kClients / 2; }));
  guard.unlock();
  for (const Reply& reply : all) reply->end();
  for (std::size_t i = kClients / 2; i < kClients; ++i)
    EXPECT_TRUE(wires[i].until("\r\n0\r\n\r\n").ends_with("0\r\n\r\n"));
}

}  // namespace
}  // namespace belay::net
