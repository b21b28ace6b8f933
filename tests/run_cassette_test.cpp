// Cassettes, where a model is, and the player over real HTTP.
#include <belay/net/client.h>
#include <belay/run.h>

#include <gtest/gtest.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

using namespace belay;
using namespace belay::run;

namespace {

Cassette small() {
  Cassette c;
  c.wire = wire::Wire::openai_chat;
  c.model = "m";
  c.task = "Do \"it\".";
  CassetteTurn first;
  first.headers = {{"content-type", "text/event-stream"}};
  first.pieces = {{0, "data: {\"a\":\"\xc3\xa9\n"}, {12, "\x1f\x8b\xff bytes"}, {0, ""}};
  CassetteTurn second;
  second.answers = 1;
  second.status = 429;
  second.headers = {{"retry-after", "2"}};
  second.end = CassetteTurn::End::reset;
  c.turns = {first, second};
  return c;
}

std::string problem(std::string_view text) {
  auto read = cassette_from_json(text);
  return read ? "" : read.error();
}

class Whole final : public net::Receiver {
 public:
  void on_head(const net::Head& head) override { status = head.status; }
  bool on_bytes(std::string_view bytes) override {
    body += bytes;
    return true;
  }
  void on_end(const std::optional<net::Error>& how) override {
    const std::scoped_lock lock(mutex_);
    error = how;
    ended_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_; });
  }
  int status = 0;
  std::string body;
  std::optional<net::Error> error;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
};

std::shared_ptr<Whole> post(const std::string& url, std::string body) {
  net::Client client;
  net::Request request;
  request.url = url;
  request.body = std::move(body);
  auto out = std::make_shared<Whole>();
  client.start(std::move(request), out);
  out->wait();
  return out;
}

TEST(Cassettes, WhatIsWrittenIsRead) {
  const Cassette c = small();
  auto read = cassette_from_json(to_json(c));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, c);
}

TEST(Cassettes, WhatIsNoCassetteIsSaidWithItsPlace) {
  EXPECT_NE(problem("{").find("not valid JSON"), std::string::npos);
  EXPECT_NE(problem("{}").find("belay_cassette"), std::string::npos);
  EXPECT_NE(problem(R"({"belay_cassette":2})").find("version 2"), std::string::npos);
  EXPECT_NE(problem(R"({"belay_cassette":1,"wire":"x"})").find("/wire"), std::string::npos);
  EXPECT_NE(problem(R"({"belay_cassette":1,"turns":[{"pieces":[{"text":1}]}]})").find("/turns/0/pieces/0"),
            std::string::npos);
  EXPECT_NE(problem(R"({"belay_cassette":1,"turns":[{"status":99}]})").find("/turns/0/status"), std::string::npos);
  EXPECT_NE(problem(R"({"belay_cassette":1,"turns":[{"headers":{"a":"b\r\nc: d"}}]})").find("headers"),
            std::string::npos)
      << "a header must not bring another one";
  EXPECT_NE(problem(R"({"belay_cassette":1,"turns":[{"pieces":[{"base64":"*"}]}]})").find("base64"), std::string::npos);
  EXPECT_NE(problem(R"({"belay_cassette":1,"turns":[{"end":"never"}]})").find("stall"), std::string::npos);
}

TEST(Cassettes, APlayerGivesItsTurnsInOrderAndThenSaysThatItIsOver) {
  Cassette c = small();
  c.turns[0].pieces = {{0, "one "}, {0, "two"}};
  c.turns[1].end = CassetteTurn::End::end;
  auto player = Player::make(c, 0);
  ASSERT_TRUE(player) << player.error();
  const std::string url = (*player)->base_url() + "/chat/completions";
  EXPECT_TRUE((*player)->base_url().ends_with("/v1")) << (*player)->base_url();
  auto first = post(url, "{}");
  EXPECT_EQ(first->status, 200);
  EXPECT_EQ(first->body, "one two");
  EXPECT_FALSE(first->error);
  EXPECT_EQ(post(url, "{}")->status, 429);
  auto over = post(url, "{}");
  EXPECT_EQ(over->status, 400);
  EXPECT_NE(over->body.find("the cassette is over"), std::string::npos);
  EXPECT_EQ((*player)->played(), 2u);
}

TEST(Cassettes, AConnectionThatBrokeOffBreaksOffAgain) {
  Cassette c = small();
  c.turns[0].pieces = {{0, "half"}};
  c.turns[0].end = CassetteTurn::End::reset;
  auto player = Player::make(c, 0);
  ASSERT_TRUE(player) << player.error();
  EXPECT_TRUE(post((*player)->base_url() + "/chat/completions", "{}")->error);
}

TEST(Cassettes, APlayerThatIsAskedInTheMiddleOfATaskBeginsThere) {
  Cassette c = small();
  c.turns[0].pieces = {{0, "first"}};
  c.turns[1] = c.turns[0];
  c.turns[1].answers = 1;
  c.turns[1].pieces = {{0, "second"}};
  auto player = Player::make(c, 0);
  ASSERT_TRUE(player) << player.error();
  auto got = post((*player)->base_url() + "/chat/completions",
                  R"({"model":"m","messages":[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]})");
  EXPECT_EQ(got->body, "second");
}

TEST(Cassettes, AStallEndsWithThePlayer) {
  Cassette c = small();
  c.turns[0].pieces = {{0, "begun"}};
  c.turns[0].end = CassetteTurn::End::stall;
  auto player = Player::make(c, 0);
  ASSERT_TRUE(player) << player.error();
  net::Client client;
  net::Request request;
  request.url = (*player)->base_url() + "/chat/completions";
  auto got = std::make_shared<Whole>();
  client.start(std::move(request), got);
  while ((*player)->played() == 0) std::this_thread::yield();
  player->reset();
  got->wait();
  EXPECT_TRUE(got->error);
}

TEST(Endpoints, EachWireHasItsOwnPath) {
  const auto url = [](wire::Wire wire, std::string base, std::string_view model = "m") {
    Endpoint e;
    e.wire = wire;
    e.base_url = std::move(base);
    return url_of(e, model);
  };
  using wire::Wire;
  EXPECT_EQ(url(Wire::openai_chat, "http://h/v1"), "http://h/v1/chat/completions");
  EXPECT_EQ(url(Wire::openai_chat, "http://h/v1/"), "http://h/v1/chat/completions");
  EXPECT_EQ(url(Wire::openai_responses, "http://h/v1"), "http://h/v1/responses");
  EXPECT_EQ(url(Wire::anthropic, "http://h"), "http://h/v1/messages");
  EXPECT_EQ(url(Wire::anthropic, "http://h/v1/"), "http://h/v1/messages");
  EXPECT_EQ(url(Wire::ollama, "http://h:11434"), "http://h:11434/api/chat");
  EXPECT_EQ(url(Wire::gemini, "http://h"), "http://h/v1beta/models/m:streamGenerateContent?alt=sse");
  EXPECT_EQ(url(Wire::gemini, "http://h/v1"), "http://h/v1/models/m:streamGenerateContent?alt=sse");
  EXPECT_EQ(url(Wire::gemini, "http://h", "a?b#c"), "http://h/v1beta/models/a%3Fb%23c:streamGenerateContent?alt=sse");
}

TEST(Endpoints, TheKeyStandsWhereTheWireWantsIt) {
  const auto header = [](wire::Wire wire, std::string_view name, bool bearer = false) {
    Endpoint e;
    e.wire = wire;
    e.key = "secret";
    e.bearer = bearer;
    const net::Request request = request_to(e, {});
    return std::string(net::find(request.headers, name).value_or("-"));
  };
  using wire::Wire;
  EXPECT_EQ(header(Wire::openai_chat, "authorization"), "Bearer secret");
  EXPECT_EQ(header(Wire::openai_responses, "authorization"), "Bearer secret");
  EXPECT_EQ(header(Wire::ollama, "authorization"), "Bearer secret");
  EXPECT_EQ(header(Wire::anthropic, "x-api-key"), "secret");
  EXPECT_EQ(header(Wire::anthropic, "authorization"), "-");
  EXPECT_EQ(header(Wire::anthropic, "authorization", true), "Bearer secret");
  EXPECT_EQ(header(Wire::anthropic, "x-api-key", true), "-");
  EXPECT_EQ(header(Wire::gemini, "x-goog-api-key"), "secret");
}

TEST(Endpoints, ThePersonsOwnHeadersWin) {
  Endpoint e;
  e.wire = wire::Wire::openai_chat;
  e.key = "secret";
  e.headers = {{"Authorization", "Basic abc"}, {"X-Extra", "1"}};
  const net::Request request = request_to(e, {});
  EXPECT_EQ(net::find(request.headers, "authorization"), "Basic abc");
  EXPECT_EQ(net::find(request.headers, "x-extra"), "1");
  int count = 0;
  for (const net::Header& header : request.headers) count += net::find({header}, "authorization").has_value();
  EXPECT_EQ(count, 1);
}

}  // namespace
