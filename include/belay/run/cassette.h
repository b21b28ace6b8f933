// Recorded answers of a model, played by a real HTTP server over the real wire: for demonstrations, tests and bug
// reports.
#pragma once

#include <belay/net/server.h>
#include <belay/run/agent.h>
#include <belay/wire.h>

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::run {

struct CassetteTurn {
  enum class End : std::uint8_t {
    end,    ///< the body ends as it should
    reset,  ///< the connection breaks off
    stall,  ///< nothing more comes, and the connection stays
  };
  struct Piece {
    std::int64_t after = 0;  ///< milliseconds from the piece before
    std::string bytes{};
    bool operator==(const Piece&) const = default;
  };
  /// How many answers of the model stood in the request. A player that begins in the middle of a task begins there.
  std::uint64_t answers = 0;
  int status = 200;
  std::vector<net::Header> headers{};
  std::vector<Piece> pieces{};
  End end = End::end;
  bool operator==(const CassetteTurn&) const = default;
};

/// One JSON object; docs/cassettes.md has its members.
struct Cassette {
  wire::Wire wire = wire::Wire::anthropic;
  std::string model{};
  std::string task{};  ///< what the person wanted, when it was recorded; may be empty
  std::vector<CassetteTurn> turns{};
  bool operator==(const Cassette&) const = default;
};
std::string to_json(const Cassette& cassette);
/// The error is one sentence, with the place.
std::expected<Cassette, std::string> cassette_from_json(std::string_view text);

/// How many answers of the model stand in a request of this wire; 0 when it cannot be read.
std::uint64_t answers_in(wire::Wire wire, std::string_view request);
/// An exchange as a turn of a cassette.
CassetteTurn turn_of(wire::Wire wire, const Exchange& exchange);

/// A server that gives the cassette's turns, one a request, in order. Behind the last one every request is an error
/// that says so. `speed` divides the times between pieces; 0: no waiting.
class Player {
 public:
  static std::expected<std::unique_ptr<Player>, std::string> make(Cassette cassette, double speed = 1);
  ~Player();
  /// What a client of the wire takes as base URL.
  [[nodiscard]] std::string base_url() const;
  [[nodiscard]] std::uint64_t played() const;

 private:
  struct State;
  explicit Player(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace BELAY_NAMESPACE::run
