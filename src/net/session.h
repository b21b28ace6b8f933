// One connection of a server: requests in, answers out, one after the other. All on the server's thread.
#pragma once

#include "net/outbox.h"
#include "net/request_reader.h"

#include <belay/net/server.h>

#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::net {

namespace asio = boost::asio;
using Socket = asio::basic_stream_socket<asio::ip::tcp, asio::io_context::executor_type>;

/// What all connections of a server share; outlives them.
struct Shared {
  ServerOptions options;
  Server::Handler handler;
  std::shared_ptr<Loop> loop;
  std::vector<char> scratch = std::vector<char>(64u << 10);  ///< bytes are read into it: who waits needs no buffer
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  /// `over` is called once, when the connection is closed.
  Session(Socket socket, std::string peer, Shared& shared, std::function<void(Session*)> over);
  void start();
  /// The server ends.
  void shut();
  /// Since when, and whether a whole head of a request has ever come.
  [[nodiscard]] std::chrono::steady_clock::time_point since() const { return since_; }
  [[nodiscard]] bool heard() const { return heard_; }

 private:
  using Duration = std::chrono::milliseconds;
  enum class Phase : std::uint8_t {
    request,    // none yet, or a part of one
    answer,     // the handler has it
    farewell,   // the last bytes go out
    lingering,  // they are out; what still comes is passed over, so that they are not lost by a reset
    closed,
  };

  void wait_readable();
  void on_readable();
  void wait_writable();
  void read_requests();
  /// `whole` false: its body is not read, and nothing behind it.
  void dispatch(bool whole = true);
  void refuse(int status);
  /// Takes what was written and sends it.
  void flush();
  /// True: all is out.
  bool send();
  void answered();
  void linger();
  /// Sends what the socket takes, and breaks off.
  void break_off();
  void close();

  void set_deadline(Duration from_now);
  void no_deadline() { deadline_ = Time::max(); }
  void arm_timer();
  void on_deadline();

  using Time = std::chrono::steady_clock::time_point;

  Socket socket_;
  asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>,
                             asio::io_context::executor_type>
      timer_;
  std::string peer_;
  Shared& shared_;
  std::function<void(Session*)> over_;
  RequestReader reader_;
  std::string in_;  // read and not yet understood
  std::shared_ptr<Outbox> outbox_;
  std::string out_;           // taken from the outbox, and not yet out
  std::size_t sent_ = 0;      // of out_
  std::size_t preamble_ = 0;  // of what is left of out_: bytes that no outbox counts
  Time deadline_ = Time::max(), armed_ = Time::max();
  Time since_ = std::chrono::steady_clock::now();
  bool heard_ = false;
  bool in_head_ = true;  // the deadline is that of a head
  Phase phase_ = Phase::request;
  bool reading_ = false;     // wait_readable() is under way
  bool writing_ = false;     // wait_writable() is
  bool keep_alive_ = false;  // after this answer
};

}  // namespace BELAY_NAMESPACE::net
