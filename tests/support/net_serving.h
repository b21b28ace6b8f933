// Servers for tests, and values that one thread sets and another waits for.
#pragma once

#include <belay/net/server.h>

#include "support/net_peer.h"
#include "support/net_recorder.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace belay::check {

using Reply = std::shared_ptr<net::Responder>;

inline std::unique_ptr<net::Server> serve(net::Server::Handler handler, net::ServerOptions options = {}) {
  auto made = net::Server::make(std::move(options), std::move(handler));
  if (!made) throw std::runtime_error(made.error());
  return std::move(*made);
}

/// Says what was asked for.
inline void echo(const net::ServerRequest& request, const Reply& reply) {
  answer(*reply, 200, "text/plain", request.method + " " + request.target + " " + request.body);
}

/// All bytes that come back for these, until the server closes.
inline std::string raw(const net::Server& server, std::string_view bytes) {
  Wire wire = Wire::to(server.port());
  wire.send(bytes);
  return wire.rest();
}

/// What a program of the machine says.
inline std::string command(const std::string& line) {
  std::string out;
  FILE* pipe = ::popen((line + " 2>&1").c_str(), "r");
  if (!pipe) return "no pipe";
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, got);
  ::pclose(pipe);
  return out;
}

template <typename T>
class Later {
 public:
  void set(T value) { promise_.set_value(std::move(value)); }
  T get() {
    if (future_.wait_for(kPatience) != std::future_status::ready) throw std::runtime_error("it never came");
    return future_.get();
  }

 private:
  std::promise<T> promise_;
  std::future<T> future_ = promise_.get_future();
};

/// One request, to its end.
inline std::shared_ptr<Recorder> exchange(net::Client& client, net::Request request) {
  auto recorder = std::make_shared<Recorder>();
  client.start(std::move(request), recorder);
  EXPECT_TRUE(recorder->wait_end());
  EXPECT_EQ(recorder->ends(), 1);
  return recorder;
}

inline std::shared_ptr<Recorder> get(const std::string& url) {
  net::Client client;
  return exchange(client, {.method = "GET", .url = url});
}

}  // namespace belay::check
