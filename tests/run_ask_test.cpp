// One question to a model, apart from any task: over real HTTP, with the player of cassettes as the server.
#include <belay/net.h>
#include <belay/run.h>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

using namespace belay;
using namespace belay::run;

namespace {

constexpr const char* kText =
    "data: {\"id\":\"1\",\"model\":\"m-2\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Par\"}}]}\n\n"
    "data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"is\"},\"finish_reason\":\"length\"}],"
    "\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n";

struct Stage {
  explicit Stage(std::string body, int status = 200, CassetteTurn::End end = CassetteTurn::End::end) {
    Cassette cassette;
    cassette.wire = wire::Wire::openai_chat;
    CassetteTurn turn;
    turn.status = status;
    turn.headers = {{"content-type", status == 200 ? "text/event-stream" : "application/json"}};
    turn.pieces = {{0, std::move(body)}};
    turn.end = end;
    cassette.turns = {turn};
    auto made = Player::make(std::move(cassette), 0);
    if (!made) throw std::runtime_error(made.error());
    player = std::move(*made);
    endpoint.wire = wire::Wire::openai_chat;
    endpoint.base_url = player->base_url();
    endpoint.key = "sk-secret-secret";
    request.model = "m";
    request.messages = {{chat::Role::user, {chat::text_block("Capital?")}, {}}};
  }
  std::unique_ptr<Player> player;
  Endpoint endpoint;
  chat::Request request;
};

TEST(AskModel, GivesTheWordsAndHowTheyEnded) {
  const Stage s(kText);
  const auto words = ask_model(s.endpoint, s.request);
  ASSERT_TRUE(words) << words.error();
  EXPECT_EQ(words->text, "Paris");
  EXPECT_EQ(words->model, "m-2");
  EXPECT_EQ(words->stop, chat::StopReason::length);
  EXPECT_EQ(words->usage.input_tokens, 5u);
  EXPECT_EQ(words->usage.output_tokens, 2u);
}

TEST(AskModel, SaysWhyThereAreNoneWithoutTheKey) {
  const Stage refused(R"({"error":{"message":"the key sk-secret-secret is wrong"}})", 401);
  const auto words = ask_model(refused.endpoint, refused.request);
  ASSERT_FALSE(words);
  EXPECT_NE(words.error().find("is wrong"), std::string::npos) << words.error();
  EXPECT_EQ(words.error().find("sk-secret"), std::string::npos) << words.error();
  const std::string half(kText, 60);
  const Stage broken(half, 200, CassetteTurn::End::reset);
  EXPECT_FALSE(ask_model(broken.endpoint, broken.request));
  Stage nobody(kText);
  nobody.endpoint.base_url = "http://127.0.0.1:1";
  EXPECT_FALSE(ask_model(nobody.endpoint, nobody.request));
}

TEST(AskModel, EndsAtAStopWhateverTheServerDoes) {
  const Stage s(std::string(kText, 100), 200, CassetteTurn::End::stall);
  std::stop_source stop;
  std::jthread later([&] {
    while (s.player->played() == 0) std::this_thread::yield();
    stop.request_stop();
  });
  const auto words = ask_model(s.endpoint, s.request, stop.get_token());
  ASSERT_FALSE(words);
  EXPECT_EQ(words.error(), "it was stopped");
}

// Signs of life for as long as somebody reads them.
TEST(AskModel, GivesUpWhenNothingOfTheAnswerComes) {
  std::jthread pings;
  auto server = net::Server::make({}, [&](const net::ServerRequest&, const std::shared_ptr<net::Responder>& reply) {
    reply->head(200, {{"Content-Type", "text/event-stream"}});
    pings = std::jthread([reply](const std::stop_token& stop) {
      while (!stop.stop_requested() && !reply->closed()) {
        reply->write(": ping\n\ndata: {\"choices\":[]}\n\n");
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    });
  });
  ASSERT_TRUE(server) << server.error();
  Stage s(kText);
  s.endpoint.base_url = (*server)->url();
  s.endpoint.timeouts.idle = 200;
  const auto words = ask_model(s.endpoint, s.request);
  ASSERT_FALSE(words);
  EXPECT_NE(words.error().find("nothing of its answer"), std::string::npos) << words.error();
}

}  // namespace
