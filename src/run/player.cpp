#include <belay/run/cassette.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace BELAY_NAMESPACE::run {

struct Player::State {
  Cassette cassette;
  double speed = 1;
  std::unique_ptr<net::Server> server;
  std::mutex mutex;
  std::condition_variable_any woken;
  std::size_t next = 0;
  bool begun = false;
  std::uint64_t played = 0;
  std::list<std::jthread> hands;  // last: they go first

  void on(const net::ServerRequest& request, std::shared_ptr<net::Responder> to);
  void play(const CassetteTurn& turn, net::Responder& to, const std::stop_token& stop);
};

void Player::State::on(const net::ServerRequest& request, std::shared_ptr<net::Responder> to) {
  if (request.method != "POST")
    return net::answer(*to, 404, "application/json", R"({"error":{"message":"a cassette knows POST only"}})");
  const std::scoped_lock lock(mutex);
  if (!std::exchange(begun, true)) {
    // A task that is resumed has had its first answers already.
    const std::uint64_t had = answers_in(cassette.wire, request.body);
    while (next < cassette.turns.size() && cassette.turns[next].answers < had) ++next;
  }
  if (next >= cassette.turns.size())
    return net::answer(*to, 400, "application/json",
                       R"({"error":{"type":"invalid_request_error","message":"the cassette is over"}})");
  const CassetteTurn& turn = cassette.turns[next++];
  ++played;
  hands.emplace_back([this, &turn, to = std::move(to)](const std::stop_token& stop) { play(turn, *to, stop); });
}

void Player::State::play(const CassetteTurn& turn, net::Responder& to, const std::stop_token& stop) {
  auto wait = [&](std::int64_t milliseconds) {
    std::unique_lock lock(mutex);
    if (milliseconds < 0)
      woken.wait(lock, stop, [&] { return to.closed(); });
    else if (speed > 0 && milliseconds > 0)
      woken.wait_for(lock, stop, std::chrono::duration<double, std::milli>(static_cast<double>(milliseconds) / speed),
                     [&] { return to.closed(); });
  };
  to.on_closed([this] { woken.notify_all(); });
  to.head(turn.status, turn.headers);
  for (const CassetteTurn::Piece& piece : turn.pieces) {
    wait(piece.after);
    if (stop.stop_requested() || to.closed()) return to.reset();
    to.write(piece.bytes);
  }
  if (turn.end == CassetteTurn::End::stall) wait(-1);
  if (turn.end == CassetteTurn::End::end)
    to.end();
  else
    to.reset();
}

Player::Player(std::unique_ptr<State> state) : state_(std::move(state)) {}

std::expected<std::unique_ptr<Player>, std::string> Player::make(Cassette cassette, double speed) {
  auto state = std::make_unique<State>();
  state->cassette = std::move(cassette);
  state->speed = speed;
  auto server =
      net::Server::make({}, [s = state.get()](const net::ServerRequest& request, std::shared_ptr<net::Responder> to) {
        s->on(request, std::move(to));
      });
  if (!server) return std::unexpected(std::move(server.error()));
  state->server = std::move(*server);
  return std::unique_ptr<Player>(new Player(std::move(state)));
}

Player::~Player() {
  for (std::jthread& hand : state_->hands) hand.request_stop();
  state_->hands.clear();
  // The server's thread may be in on(): it goes before what it uses.
  state_->server.reset();
  state_->hands.clear();
}

std::string Player::base_url() const {
  const bool openai =
      state_->cassette.wire == wire::Wire::openai_chat || state_->cassette.wire == wire::Wire::openai_responses;
  return state_->server->url() + (openai ? "/v1" : "");
}

std::uint64_t Player::played() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->played;
}

}  // namespace BELAY_NAMESPACE::run
