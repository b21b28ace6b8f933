// HTTP out, against scripted sockets: every odd answer has a clear result.
#include "support/net_serving.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace belay::net {
namespace {

using check::exchange;
using check::get;
using check::Peer;
using check::Recorder;
using check::Wire;
using Kind = Error::Kind;

TEST(NetClient, AnAnswerComesWithItsHeadAndItsBody) {
  std::string request;
  Peer peer([&](Wire& wire) {
    request = wire.request();
    wire.send("HTTP/1.1 201 Made\r\nX-One: 1\r\nx-two:  2 \r\nContent-Length: 5\r\n\r\nhello");
  });
  Client client;
  auto r = exchange(client,
                    {.url = peer.url("/a?b=c"),
                     .headers = {{"Authorization", "Bearer k"}, {"content-type", "application/json"}, {"X-Empty", ""}},
                     .body = "{}"});
  EXPECT_EQ(r->trouble(), "none");
  EXPECT_EQ(r->heads(), 1);
  EXPECT_EQ(r->head().status, 201);
  EXPECT_EQ(r->head().headers, (std::vector<Header>{{"X-One", "1"}, {"x-two", "2"}, {"Content-Length", "5"}}));
  EXPECT_EQ(find(r->head().headers, "X-TWO"), "2");
  EXPECT_EQ(r->body(), "hello");
  EXPECT_TRUE(request.starts_with("POST /a?b=c HTTP/1.1\r\n")) << request;
  EXPECT_TRUE(request.ends_with("\r\n\r\n{}")) << request;
  for (const char* line : {"\r\nAuthorization: Bearer k\r\n", "\r\ncontent-type: application/json\r\n",
                           "\r\nX-Empty:\r\n", "\r\nContent-Length: 2\r\n", "\r\nUser-Agent: belay\r\n", "br", "gzip"})
    EXPECT_NE(request.find(line), std::string::npos) << line << " in " << request;
  EXPECT_EQ(request.find("Expect"), std::string::npos);
}

TEST(NetClient, NobodyListeningIsAConnectionErrorWithHostAndPort) {
  std::uint16_t port = 0;
  {
    Peer peer("");
    port = peer.port();
  }
  auto r = get("http://user:geheim@127.0.0.1:" + std::to_string(port) + "/secret?key=sk-1");
  ASSERT_TRUE(r->error());
  EXPECT_EQ(r->error()->kind, Kind::connection);
  EXPECT_EQ(r->error()->message, "cannot connect to 127.0.0.1:" + std::to_string(port) +
                                     " (Connection refused): is the server running, and are host and port right?");
}

TEST(NetClient, ACancelledRequestEndsOnce) {
  Peer peer([](Wire& wire) { wire.rest(); });
  Client client;
  auto recorder = std::make_shared<Recorder>();
  const Client::Id id = client.start({.url = peer.url()}, recorder);
  client.cancel(id);
  client.cancel(id);
  ASSERT_TRUE(recorder->wait_end());
  EXPECT_EQ(recorder->error()->kind, Kind::cancelled);
}

}  // namespace
}  // namespace belay::net
