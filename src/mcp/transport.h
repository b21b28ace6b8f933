// How messages get to a server and back. A transport belongs to one thread, which polls what it names and gives it
// turns.
#pragma once

#include <belay/mcp/server_config.h>
#include <belay/mcp/session.h>

#include <poll.h>

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// Milliseconds of the steady clock.
Session::Time now_ms();

/// What a transport has to say. Called during its turns only.
class Arrivals {
 public:
  virtual void text(std::string_view text, std::uint64_t exchange) = 0;
  virtual void exchange_failed(std::uint64_t request, Failure failure) = 0;
  virtual void session_lost(std::uint64_t request, bool current) = 0;
  [[nodiscard]] virtual bool waits_for(std::uint64_t request) const = 0;
  /// Nothing more comes. What is left to do is close(), and turns until gone().
  virtual void closed(std::string reason) = 0;

 protected:
  ~Arrivals() = default;
};

class Transport {
 public:
  using Time = Session::Time;
  virtual ~Transport() = default;
  /// The error is one sentence: this server cannot be started at all.
  virtual std::expected<void, std::string> open(Time now) = 0;
  /// Never blocks.
  virtual void send(Send message, Time now) = 0;
  virtual void abandon(std::uint64_t) {}
  /// The introduction is over.
  virtual void introduced(const Session&, Time) {}
  virtual void add_polls(std::vector<pollfd>& polls) const = 0;
  /// `polled`: what add_polls() added, after poll().
  virtual void turn(std::span<const pollfd> polled, Time now, Arrivals& arrivals) = 0;
  [[nodiscard]] virtual std::optional<Time> deadline() const = 0;
  /// Begins an orderly end, which turns carry on.
  virtual void close(Time now) = 0;
  [[nodiscard]] virtual bool gone() const = 0;
  /// What the server said last beside the protocol; any bytes.
  [[nodiscard]] virtual std::string diagnosis() const { return {}; }
};

std::unique_ptr<Transport> stdio_transport(const ServerConfig& config, const Environment& environment);
std::unique_ptr<Transport> http_transport(const ServerConfig& config, net::Client& client);

}  // namespace BELAY_NAMESPACE::mcp
