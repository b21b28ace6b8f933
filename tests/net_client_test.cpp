// HTTP out, against scripted sockets: every odd answer has a clear result, and no result says a secret.
#include "support/net_serving.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace belay::net {
namespace {

using check::command;
using check::exchange;
using check::get;
using check::Peer;
using check::Recorder;
using check::Wire;
using Kind = Error::Kind;

/// With a secret wherever one can be.
Request secretive(std::string url) {
  const std::size_t host = url.find("://");
  if (host != std::string::npos) url.insert(host + 3, "user:sk-secret@");
  return {.url = url + "?key=sk-secret", .headers = {{"Authorization", "Bearer sk-secret"}}, .body = "sk-secret"};
}

/// One sentence, with a remedy behind a colon, and no secret.
void expect_good_message(const Recorder& r, std::string_view host) {
  ASSERT_TRUE(r.error());
  const std::string& message = r.error()->message;
  EXPECT_EQ(message.find("sk-secret"), std::string::npos) << message;
  EXPECT_NE(message.find(host), std::string::npos) << message;
  EXPECT_NE(message.find_first_of(":;", message.find(host) + host.size()), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

std::string unhex(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return out;
}

std::string measured(const std::string& body, const std::string& headers = {}) {
  return "HTTP/1.1 200 OK\r\n" + headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string plain_text() {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "Belay reads what models write. ";
  return text;
}

/// The same text, packed in each way.
const std::vector<std::pair<std::string, std::string>> kEncoded{
    {"gzip",
     "1f8b0800000000000003734acd49ac54284a4d4c295628cf482c51c8cd4f49cd2956282fca2c49d553701a951e95a6963400d5b44c676c0"
     "200"
     "00"},
    {"br", "1b6b02f88d946ede442d54c626a741c2c8f2f4208408549876211583641298b3569f8223f40100"},
    {"deflate", "789c734acd49ac54284a4d4c295628cf482c51c8cd4f49cd2956282fca2c49d553701a951e95a6963400634bdf85"},
    {"deflate", "734acd49ac54284a4d4c295628cf482c51c8cd4f49cd2956282fca2c49d553701a951e95a6963400"},
};

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
  EXPECT_EQ(find(r->head().headers, "X-Three"), std::nullopt);
  EXPECT_EQ(r->body(), "hello");
  EXPECT_TRUE(request.starts_with("POST /a?b=c HTTP/1.1\r\n")) << request;
  EXPECT_TRUE(request.ends_with("\r\n\r\n{}")) << request;
  for (const char* line : {"\r\nAuthorization: Bearer k\r\n", "\r\ncontent-type: application/json\r\n",
                           "\r\nX-Empty:\r\n", "\r\nContent-Length: 2\r\n", "\r\nUser-Agent: belay\r\n", "br", "gzip"})
    EXPECT_NE(request.find(line), std::string::npos) << line << " in " << request;
  EXPECT_EQ(request.find("Expect"), std::string::npos);
}

TEST(NetClient, MethodsAreSentAsTheyAre) {
  auto server = check::serve(check::echo);
  Client client;
  for (std::string method : {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
    for (std::string body : {"", "b"})
      EXPECT_EQ(exchange(client, {.method = method, .url = server->url(), .body = body})->body(),
                method + " / " + body);
  auto head = exchange(client, {.method = "HEAD", .url = server->url()});
  EXPECT_EQ(head->trouble(), "none");
  EXPECT_EQ(find(head->head().headers, "content-length"), "7");
  EXPECT_EQ(head->body(), "");
  const std::string large(3'000'000, 'x');
  EXPECT_EQ(exchange(client, {.url = server->url(), .body = large})->body(), "POST / " + large);
}

struct Odd {
  const char* name;
  std::string answer;
  std::optional<Kind> kind{};
  int status = 0;  ///< 0: no head
  std::string body{};
};

TEST(NetClient, OddAnswersHaveAClearResult) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  std::string many = ok;
  while (many.size() < 1'000'000) many += "X-Header: 0123456789\r\n";
  const std::vector<Odd> answers{
      {"cut within the length", ok + "Content-Length: 10\r\n\r\n12345", Kind::connection, 200, "12345"},
      {"no last chunk", ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", Kind::connection, 200, "abc"},
      {"cut within a chunk", ok + "Transfer-Encoding: chunked\r\n\r\n9\r\nabc", Kind::connection, 200, "abc"},
      {"a chunk's size is no number", ok + "Transfer-Encoding: chunked\r\n\r\nxyz\r\nabc", Kind::protocol, 200},
      {"trailers", ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n", {}, 200, "abc"},
      {"until the close", ok + "\r\nabc", {}, 200, "abc"},
      {"nothing", "", Kind::connection},
      {"half a head", ok + "Content-Le", Kind::connection},
      {"HTTP/0.9", "hello, this is no head", Kind::protocol},
      {"another protocol", "SSH-2.0-OpenSSH_9.2\r\n", Kind::protocol},
      {"zeros", std::string(1'000, '\0'), Kind::protocol},
      {"many headers", many + "\r\n", Kind::protocol},
      {"a long header", ok + "X: " + std::string(1'000'000, 'x') + "\r\n\r\n", Kind::protocol},
      {"a NUL in a header", ok + "X: a" + std::string(1, '\0') + "b\r\n\r\n", Kind::protocol},
      {"a length that is no number", ok + "Content-Length: x\r\n\r\nabc", Kind::protocol},
      {"100 before", "HTTP/1.1 100 Continue\r\nX: y\r\n\r\n" + measured("abc"), {}, 200, "abc"},
      {"103 and 102 before", "HTTP/1.1 103 A\r\n\r\nHTTP/1.1 102 B\r\n\r\n" + measured("abc"), {}, 200, "abc"},
      {"204", "HTTP/1.1 204 No Content\r\n\r\n", {}, 204},
      {"304 with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", {}, 304},
      {"a redirect", "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 1\r\n\r\nx", {}, 302, "x"},
      {"no reason", "HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx", {}, 200, "x"},
      {"HTTP/1.0", "HTTP/1.0 500 No\r\n\r\nx", {}, 500, "x"},
      {"bare line feeds", "HTTP/1.1 200 OK\nContent-Length: 1\n\nx", {}, 200, "x"},
      {"more than the length", measured("abc") + "def", {}, 200, "abc"},
      {"damaged gzip", measured("this is no gzip", "Content-Encoding: gzip\r\n"), Kind::protocol, 200},
      {"damaged brotli", measured("this is no brotli", "Content-Encoding: br\r\n"), Kind::protocol, 200},
      {"gzip of nothing", measured("", "Content-Encoding: gzip\r\n"), {}, 200},
      {"an encoding that is none", measured("abc", "Content-Encoding: identity\r\n"), {}, 200, "abc"},
      {"an unknown encoding", measured("abc", "Content-Encoding: rot13\r\n"), Kind::protocol, 200},
  };
  Client client;
  for (const Odd& odd : answers) {
    SCOPED_TRACE(odd.name);
    Peer peer(odd.answer);
    auto r = exchange(client, secretive(peer.url()));
    EXPECT_EQ(r->error() ? std::optional(r->error()->kind) : std::nullopt, odd.kind) << r->trouble();
    EXPECT_EQ(r->head().status, odd.status);
    EXPECT_EQ(r->body(), odd.body);
    EXPECT_LE(r->heads(), 1);
    if (odd.kind) expect_good_message(*r, "127.0.0.1:" + std::to_string(peer.port()));
  }
}

TEST(NetClient, AResetIsAnErrorInEveryPhase) {
  for (std::string_view before : {"", "HTTP/1.1 200 OK\r\nConte", "HTTP/1.1 200 OK\r\n\r\nabc"}) {
    Peer peer([&](Wire& wire) {
      wire.request();
      wire.send(before);
      wire.reset();
    });
    Client client;
    auto r = exchange(client, secretive(peer.url()));
    ASSERT_TRUE(r->error()) << before;
    EXPECT_EQ(r->error()->kind, Kind::connection) << r->trouble();
    expect_good_message(*r, "127.0.0.1:");
  }
}

TEST(NetClient, EncodedBodiesAreDecoded) {
  for (const auto& [name, hex] : kEncoded) {
    Peer peer(measured(unhex(hex), "Content-Encoding: " + name + "\r\n"));
    auto r = get(peer.url());
    EXPECT_EQ(r->trouble(), "none") << name;
    EXPECT_EQ(r->body(), plain_text()) << name;
  }
}

TEST(NetClient, AnEncodedBodyThatIsCutOffIsAnError) {
  Client client;
  for (const auto& [name, hex] : kEncoded) {
    const std::string whole = unhex(hex);
    for (std::size_t size = 1; size < whole.size(); ++size) {
      Peer peer(measured(whole.substr(0, size), "Content-Encoding: " + name + "\r\n"));
      auto r = exchange(client, secretive(peer.url()));
      ASSERT_TRUE(r->error()) << name << " of " << size << " bytes";
      EXPECT_EQ(r->error()->kind, Kind::protocol) << r->trouble();
      EXPECT_TRUE(plain_text().starts_with(r->body()));
      expect_good_message(*r, "127.0.0.1:");
    }
  }
}

TEST(NetClient, TwoMembersOfGzipAreOneBody) {
  const std::string one = unhex(kEncoded[0].second);
  Peer peer(measured(one + one + std::string(7, '\0'), "Content-Encoding: gzip\r\n"));
  EXPECT_EQ(get(peer.url())->body(), plain_text() + plain_text());
  Peer worse(measured(one + "rest", "Content-Encoding: gzip\r\n"));
  EXPECT_EQ(get(worse.url())->error()->kind, Kind::protocol);
}

TEST(NetClient, MoreBytesThanWereAllowedAreAnError) {
  Peer peer(measured("12345"));
  Client client;  // the peer closes without a word, so each request must be repeatable
  EXPECT_EQ(exchange(client, {.url = peer.url(), .max_bytes = 5, .repeatable = true})->trouble(), "none");
  auto r = exchange(client, {.url = peer.url(), .max_bytes = 4, .repeatable = true});
  EXPECT_EQ(r->trouble(), "too_large: the answer of 127.0.0.1:" + std::to_string(peer.port()) +
                              " has more than 4 bytes: ask for less, or raise max_bytes");
  // Ten thousand bytes that are ten millions when unpacked.
  const std::string bomb =
      command("python3 -c 'import gzip,sys; sys.stdout.buffer.write(gzip.compress(bytes(10485760)))'");
  ASSERT_LT(bomb.size(), 20'000u);
  Peer bombs(measured(bomb, "Content-Encoding: gzip\r\n"));
  auto exploded = exchange(client, {.url = bombs.url(), .max_bytes = 1'000'000, .repeatable = true});
  ASSERT_TRUE(exploded->error());
  EXPECT_EQ(exploded->error()->kind, Kind::too_large) << exploded->trouble();
  EXPECT_LE(exploded->body().size(), 1'000'000u);
  EXPECT_EQ(exchange(client, {.url = bombs.url(), .repeatable = true})->body().size(), 10'485'760u);
}

TEST(NetClient, AddressesThatCannotBeUsedAreRefused) {
  Client client;
  for (std::string url : {"", "example.com", "ftp://sk-secret/", "file:///etc/sk-secret", "http://",
                          "http:///sk-secret", "http://h:99999/sk-secret", "http://a b/sk-secret",
                          "http://[::1/sk-secret", "://sk-secret", "http://h\x01/sk-secret", "gopher://h/sk-secret"}) {
    auto r = exchange(client, {.url = url});
    ASSERT_TRUE(r->error()) << url;
    EXPECT_EQ(r->error()->kind, Kind::url) << url << " " << r->trouble();
    expect_good_message(*r, "address");
  }
  EXPECT_EQ(exchange(client, {.url = std::string("http://h/\0x", 11)})->error()->kind, Kind::url);
}

TEST(NetClient, RequestsThatCannotBeSentAreRefusedBeforeAnythingIsSent) {
  Peer peer("");
  Client client;
  const std::vector<Request> bad{
      {.method = "GET /x HTTP/1.1\r\nA: sk-secret", .url = peer.url()},
      {.method = "", .url = peer.url()},
      {.method = "HEAD", .url = peer.url(), .body = "sk-secret"},
      {.url = peer.url(), .headers = {{"Authorization", "Bearer sk-secret\n"}}},
      {.url = peer.url(), .headers = {{"A\r\nB", "sk-secret"}}},
      {.url = peer.url(), .headers = {{"", "sk-secret"}}},
      {.url = peer.url(), .headers = {{"Content-Length", "7"}}},
      {.url = peer.url(), .headers = {{"transfer-encoding", "chunked"}}},
  };
  for (const Request& request : bad) {
    auto r = exchange(client, request);
    ASSERT_TRUE(r->error());
    EXPECT_EQ(r->error()->kind, Kind::url) << r->trouble();
    expect_good_message(*r, "127.0.0.1:");
  }
  EXPECT_EQ(peer.connections(), 0);
}

TEST(NetClient, NobodyListeningIsAConnectionErrorWithHostAndPort) {
  std::uint16_t port = 0;
  {
    Peer peer("");
    port = peer.port();
  }
  Client client;
  auto r = exchange(client, secretive("http://127.0.0.1:" + std::to_string(port) + "/"));
  EXPECT_EQ(r->trouble(), "connection: cannot connect to 127.0.0.1:" + std::to_string(port) +
                              " (Connection refused): is the server running, and are host and port right?");
}

TEST(NetClient, AHostThatNobodyKnowsIsSaid) {
  const std::string host(70, 'a');  // no label is that long, so nobody has to be asked
  Client client;
  auto r = exchange(client, secretive("http://" + host + "/"));
  ASSERT_TRUE(r->error());
  EXPECT_EQ(r->error()->kind, Kind::resolve) << r->trouble();
  expect_good_message(*r, host + ":80");
}

}  // namespace
}  // namespace belay::net
