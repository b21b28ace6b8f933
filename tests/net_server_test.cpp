// HTTP in: what a server says to good requests and to bad ones, byte for byte.
#include "support/net_serving.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <string>
#include <vector>

namespace belay::net {
namespace {

using check::command;
using check::echo;
using check::exchange;
using check::Later;
using check::raw;
using check::Reply;
using check::serve;
using check::Wire;
using Kind = Error::Kind;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size()) ++n;
  return n;
}

TEST(NetServer, AForeignClientGetsWhatWasAnswered) {
  auto server = serve(echo);
  const std::string curl = "curl -s --noproxy '*' ";
  EXPECT_EQ(command(curl + "-d hello '" + server->url() + "/a?b'"), "POST /a?b hello");
  EXPECT_EQ(command(curl + "-d hello -H 'Transfer-Encoding: chunked' " + server->url()), "POST / hello");
  EXPECT_EQ(command(curl + "-d hello -H 'Expect: 100-continue' " + server->url()), "POST / hello");
  EXPECT_EQ(command(curl + "--http1.0 -d hello " + server->url()), "POST / hello");
  const std::string head = command(curl + "-I " + server->url() + "/x");
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\n")) << head;
  EXPECT_TRUE(has(head, "Content-Length: 8\r\n")) << head;
  EXPECT_TRUE(has(head, "Date: ")) << head;
  EXPECT_EQ(command(curl + "-w '[%{num_connects}]' " + server->url() + "/1 " + server->url() + "/2"),
            "GET /1 [1]GET /2 [0]");
}

TEST(NetServer, WhoIsNotAdmittedByTheHeadIsAnsweredBeforeTheBodyAndSendsNoMore) {
  ServerOptions options;
  std::atomic<int> asked = 0;
  options.admit = [&](const ServerRequest& head) {
    ++asked;
    return head.target == "/in" && has(head.headers.at(0).value, "x");
  };
  auto server = serve(echo, options);
  const std::string rest = " HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n";
  const std::string refused = raw(*server, "POST /out" + rest + "he");
  EXPECT_TRUE(refused.ends_with("\r\n\r\nPOST /out ")) << refused;
  EXPECT_TRUE(has(refused, "Connection: close\r\n")) << refused;
  Wire wire = Wire::to(server->port());
  wire.send("POST /in HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
  EXPECT_TRUE(has(wire.until("\r\n\r\n"), " 100 "));
  wire.send("hello");
  EXPECT_TRUE(has(wire.until("POST /in hello"), " 200 "));
  EXPECT_EQ(asked, 2);
}

TEST(NetServer, AStreamIsSentAsItIsWritten) {
  Later<Reply> got;
  auto server = serve([&](const ServerRequest&, Reply reply) {
    reply->head(200, {{"Content-Type", "text/event-stream"}});
    got.set(std::move(reply));
  });
  Wire wire = Wire::to(server->port());
  wire.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(has(wire.until("\r\n\r\n"), "\r\nTransfer-Encoding: chunked\r\n"));
  Reply reply = got.get();
  reply->write("data: 1\n\n");
  EXPECT_EQ(wire.until("\n\n\r\n"), "9\r\ndata: 1\n\n\r\n");
  reply->write("");  // as a chunk it would be the end
  reply->write("data: 2\n\n");
  EXPECT_EQ(wire.until("\n\n\r\n"), "9\r\ndata: 2\n\n\r\n");
  EXPECT_FALSE(reply->closed());
  reply->end();
  EXPECT_EQ(wire.until("\r\n\r\n"), "0\r\n\r\n");
}

TEST(NetServer, RequestsInOnePieceAreAnsweredInTheirOrder) {
  auto server = serve(echo);
  const std::string all =
      raw(*server,
          "GET /1 HTTP/1.1\r\nHost: x\r\n\r\n"
          "POST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc\r\n"
          "POST /3 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nd\r\n2\r\nef\r\n0\r\n\r\n"
          "GET /4 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
          "GET /5 HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(count(all, "HTTP/1.1 200 OK"), 4u);
  const std::size_t one = all.find("GET /1 "), two = all.find("POST /2 abc"), three = all.find("POST /3 def");
  EXPECT_LT(one, two);
  EXPECT_LT(two, three);
  EXPECT_LT(three, all.find("GET /4 "));
  EXPECT_FALSE(has(all, "/5"));
}

TEST(NetServer, ManyRequestsAheadAreReadWhenTheirTurnComes) {
  auto server = serve(echo);
  std::string all;
  for (int i = 0; i < 5'000; ++i) all += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: x\r\n\r\n";
  Wire wire = Wire::to(server->port());
  std::thread writer([&] { wire.send(all); });
  std::string got;
  while (!has(std::string_view(got).substr(got.size() > 400 ? got.size() - 400 : 0), "GET /4999 ")) {
    const std::string more = wire.some();
    ASSERT_FALSE(more.empty());
    got += more;
  }
  writer.join();
  EXPECT_EQ(count(got, "HTTP/1.1 200 OK"), 5'000u);
}

TEST(NetServer, ARequestByteByByteIsTheSameRequest) {
  auto server = serve(echo);
  Wire wire = Wire::to(server->port());
  for (char c : std::string("POST /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc"))
    ASSERT_TRUE(wire.send({&c, 1}));
  EXPECT_TRUE(wire.rest().ends_with("\r\n\r\nPOST /a abc"));
}

TEST(NetServer, WhoAsksBeforeSendingABodyIsToldToGoOn) {
  auto server = serve(echo);
  Wire wire = Wire::to(server->port());
  wire.send("POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(wire.until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  wire.send("abc");
  EXPECT_TRUE(wire.rest().ends_with("POST /a abc"));
}

TEST(NetServer, WhatIsNoRequestIsRefusedAndTheConnectionClosed) {
  auto server = serve(echo);
  for (std::string_view bad : {
           "GARBAGE\r\n\r\n",
           "GET /\r\n\r\n",
           "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
           "GET / HTTP/1.1\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
           "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
           "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
           "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
           "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
       }) {
    const std::string said = raw(*server, bad);
    EXPECT_TRUE(said.starts_with("HTTP/1.1 400 Bad Request\r\n")) << bad << " -> " << said;
    EXPECT_TRUE(has(said, "\r\nConnection: close\r\n")) << said;
    EXPECT_EQ(count(said, "HTTP/1.1"), 2u) << said;  // the status line, and the explanation
  }
}

TEST(NetServer, ABodyInACodingThatIsNotReadIsRefusedAndNothingBehindItIsRead) {
  auto server = serve(echo);
  const std::string start = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:";
  const std::string body = "\r\n\r\n1\r\na\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
  for (std::string_view coding : {" gzip, chunked", " chunked, gzip", " identity", " xchunked", " chunkedx",
                                  " chunked, chunked", " chunked;q=1", "", " ,chunked", " \"chunked\"",
                                  " chunked\r\nTransfer-Encoding: chunked", " chunked\r\nTransfer-Encoding: identity",
                                  " identity\r\nTransfer-Encoding: chunked", " gzip\r\nContent-Length: 1"}) {
    const std::string said = raw(*server, start + std::string(coding) + body);
    EXPECT_TRUE(said.starts_with("HTTP/1.1 501 ") || said.starts_with("HTTP/1.1 400 ")) << coding << " -> " << said;
    EXPECT_TRUE(has(said, "\r\nConnection: close\r\n")) << said;
    EXPECT_FALSE(has(said, "200 OK")) << coding << " -> " << said;
  }
  EXPECT_TRUE(has(raw(*server, start + " gzip" + body), "Transfer-Encoding"));
  for (std::string_view coding : {"chunked", " chunked ", "\tCHUNKED"}) {
    const std::string said =
        raw(*server, start + std::string(coding) + "\r\nConnection: close\r\n\r\n1\r\na\r\n0\r\n\r\n");
    EXPECT_TRUE(said.starts_with("HTTP/1.1 200 ") && said.ends_with("POST / a")) << coding << " -> " << said;
  }
}

TEST(NetServer, LimitsOfHeadAndBodyAreSaid) {
  auto server = serve(echo, {.body_bytes = 1'000, .head_bytes = 2'000});
  const std::string start = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
  EXPECT_TRUE(raw(*server, start + "A: " + std::string(3'000, 'a') + "\r\n\r\n").starts_with("HTTP/1.1 431 "));
  EXPECT_TRUE(raw(*server, std::string(5'000, 'a')).starts_with("HTTP/1.1 431 "));
  EXPECT_TRUE(raw(*server, start + "A: " + std::string(1'500, 'a') + "\r\n\r\n").starts_with("HTTP/1.1 200 "));
  const std::string large = raw(*server, start + "Content-Length: 1001\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_TRUE(large.starts_with("HTTP/1.1 413 ")) << large;
  EXPECT_TRUE(has(large, "body_bytes")) << large;
  const std::string fits = std::string(1'000, 'b');
  EXPECT_TRUE(raw(*server, start + "Content-Length: 1000\r\n\r\n" + fits).ends_with("POST / " + fits));
  const std::string chunk = "200\r\n" + std::string(512, 'c') + "\r\n";
  EXPECT_TRUE(raw(*server, start + "Transfer-Encoding: chunked\r\n\r\n" + chunk + chunk).starts_with("HTTP/1.1 413 "));
  // Who is still sending gets the answer too, and not a reset.
  Client client;
  auto r = exchange(client, {.url = server->url(), .body = std::string(8u << 20, 'x')});
  EXPECT_EQ(r->trouble(), "none");
  EXPECT_EQ(r->head().status, 413);
}

TEST(NetServer, AnswersWithoutABodyHaveNone) {
  auto server = serve([](const ServerRequest& request, const Reply& reply) {
    const int status = std::stoi(request.target.substr(1));
    reply->head(status, {{"X", "y"}});
    reply->write("nobody may see this");
    reply->end();
  });
  for (std::string_view request : {"GET /204", "GET /304", "HEAD /200"}) {
    const std::string said = raw(*server, std::string(request) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(said.ends_with("\r\n\r\n")) << said;
    EXPECT_EQ(count(said, "\r\n\r\n"), 1u) << said;
  }
}

TEST(NetServer, AnOldClientGetsNoChunks) {
  auto server = serve([](const ServerRequest&, const Reply& reply) {
    reply->head(200, {});
    reply->write("one");
    reply->write("two");
    reply->end();
  });
  const std::string said = raw(*server, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_TRUE(said.ends_with("\r\nConnection: close\r\n\r\nonetwo")) << said;
  EXPECT_FALSE(has(said, "chunked")) << said;
}

TEST(NetServer, AnAnswerThatCannotBeSentIsAFailureAndNoTwoAnswers) {
  auto server = serve([](const ServerRequest& request, const Reply& reply) {
    if (request.target == "/line") return reply->head(200, {{"A", "b\r\nSet-Cookie: c"}});
    if (request.target == "/name") return reply->head(200, {{"A b", "c"}});
    if (request.target == "/status") return reply->head(99, {});
    throw 7;
  });
  for (std::string_view target : {"/line", "/name", "/status", "/throw"}) {
    const std::string said =
        raw(*server, "GET " + std::string(target) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(said.starts_with("HTTP/1.1 500 ")) << target << said;
    EXPECT_FALSE(has(said, "Set-Cookie")) << said;
  }
}

TEST(NetServer, AnAnswerThatIsNotBroughtToItsEndIsSeenAsBroken) {
  auto server = serve([](const ServerRequest& request, const Reply& reply) {
    if (request.target == "/nothing") return;
    const bool measured = request.target == "/short" || request.target == "/long";
    reply->head(200, measured ? std::vector<Header>{{"Content-Length", "5"}} : std::vector<Header>{});
    reply->write(request.target == "/long" ? "123456" : "123");
    if (request.target == "/reset") return reply->reset();
    if (request.target == "/throw") throw std::runtime_error("no");
    if (request.target != "/left") reply->end();
  });
  Client client;
  for (std::string_view target : {"/nothing", "/short", "/long", "/reset", "/throw", "/left"}) {
    auto r = exchange(client, {.method = "GET", .url = server->url() + std::string(target)});
    ASSERT_TRUE(r->error()) << target;
    EXPECT_EQ(r->error()->kind, Kind::connection) << r->trouble();
    EXPECT_EQ(r->body(), target == "/nothing" || target == "/long" ? "" : "123") << target;
  }
}

TEST(NetServer, AnAddressThatCannotBeHadIsSaidInASentence) {
  auto server = serve(echo);
  auto second = Server::make({.port = server->port()}, echo);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error(), "cannot listen on 127.0.0.1:" + std::to_string(server->port()) +
                                " (Address already in use): end the program that has it, or choose another port; 0 is "
                                "a free one");
  auto nowhere = Server::make({.address = "no.such.place"}, echo);
  ASSERT_FALSE(nowhere);
  EXPECT_TRUE(has(nowhere.error(), "'no.such.place'")) << nowhere.error();
}

TEST(NetServer, AnAddressOfTheSixthVersionWorks) {
  auto made = Server::make({.address = "::1"}, [](const ServerRequest& request, const Reply& reply) {
    answer(*reply, 200, "a/b", request.peer);
  });
  if (!made && (has(made.error(), "Cannot assign") || has(made.error(), "not supported")))
    GTEST_SKIP() << "this machine has none: " << made.error();
  ASSERT_TRUE(made) << made.error();
  EXPECT_EQ((*made)->url(), "http://[::1]:" + std::to_string((*made)->port()));
  EXPECT_EQ(check::get((*made)->url())->body(), "::1");
}

TEST(NetServer, BytesOfAnyKindGetAnAnswerOrAClose) {
  auto server = serve(echo, {.body_bytes = 10'000, .head_bytes = 4'000});
  std::mt19937 random(1);
  const std::string good =
      "POST /2 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: "
      "close\r\n\r\n1\r\nd\r\n2\r\nef\r\n0\r\n\r\n";
  for (int i = 0; i < 500; ++i) {
    std::string bytes = good;
    for (auto n = random() % 6 + 1; n-- > 0;) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 3) {
        case 0: bytes[at] = static_cast<char>(random() % 256); break;
        case 1: bytes.erase(at, random() % 8); break;
        default: bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 20));
      }
      if (bytes.empty()) bytes = "x";
    }
    Wire wire = Wire::to(server->port());
    wire.send(bytes);
    ::shutdown(wire.fd(), SHUT_WR);
    wire.rest();
  }
  EXPECT_EQ(raw(*server, good).substr(0, 15), "HTTP/1.1 200 OK");
}

}  // namespace
}  // namespace belay::net
