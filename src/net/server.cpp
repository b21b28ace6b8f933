#include <belay/net/server.h>

#include "net/session.h"
#include "net/signals.h"

#include <utility>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

namespace BELAY_NAMESPACE::net {
namespace {

using Acceptor = asio::basic_socket_acceptor<asio::ip::tcp, asio::io_context::executor_type>;

/// Answers may outlive the server; then they find no context here.
class ServerLoop final : public Loop {
 public:
  explicit ServerLoop(asio::io_context& context) : context_(&context) {}
  bool post(std::function<void()> work) override {
    const std::lock_guard guard(lock_);
    if (!context_) return false;
    asio::post(*context_, std::move(work));
    return true;
  }
  void end() {
    const std::lock_guard guard(lock_);
    context_ = nullptr;
  }

 private:
  std::mutex lock_;
  asio::io_context* context_;
};

std::string bracketed(const asio::ip::address& address) {
  return address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
}

}  // namespace

struct Server::State {
  State(ServerOptions given, Handler given_handler)
      : shared{std::move(given), std::move(given_handler), loop}, acceptor(context), pause(context.get_executor()) {}
  /// Empty, or why it does not listen.
  std::string listen();
  void wait_connection();
  void accept();
  void drop_silent();
  void take_in(int fd, const sockaddr_storage& from);
  void end();

  asio::io_context context{1};
  std::shared_ptr<ServerLoop> loop = std::make_shared<ServerLoop>(context);
  Shared shared;
  Acceptor acceptor;
  asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>,
                             asio::io_context::executor_type>
      pause;
  asio::ip::tcp::endpoint where;
  std::map<Session*, std::shared_ptr<Session>> sessions;
  asio::executor_work_guard<asio::io_context::executor_type> work = asio::make_work_guard(context);
  std::thread thread;
};

std::string Server::State::listen() {
  boost::system::error_code error;
  const ServerOptions& options = shared.options;
  const asio::ip::address address = asio::ip::make_address(options.address, error);
  if (error) return "cannot listen on '" + options.address + "': give an IP address, such as 127.0.0.1 or ::1";
  where = {address, options.port};
  // Made by hand for SOCK_CLOEXEC: a program that is started meanwhile must not keep the port.
  const int fd = ::socket(where.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0)
    error = {errno, boost::system::system_category()};
  else
    acceptor.assign(where.protocol(), fd, error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(where, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    std::string remedy = "look at the address";
    if (error == asio::error::address_in_use)
      remedy = "end the program that has it, or choose another port; 0 is a free one";
    if (error == asio::error::access_denied) remedy = "choose a port from 1024 on";
    return "cannot listen on " + bracketed(address) + ":" + std::to_string(options.port) + " (" + error.message() +
           "): " + remedy;
  }
  where = acceptor.local_endpoint(error);
  acceptor.non_blocking(true, error);
  return {};
}

void Server::State::wait_connection() {
  acceptor.async_wait(asio::socket_base::wait_read, [this](const boost::system::error_code& error) {
    if (!error) accept();
  });
}

void Server::State::accept() {
  constexpr int kAtOnce = 64;  // then connections that stand get their turn
  for (int i = 0; i < kAtOnce; ++i) {
    sockaddr_storage from{};
    socklen_t size = sizeof from;
    const int fd =
        ::accept4(acceptor.native_handle(), reinterpret_cast<sockaddr*>(&from), &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
      take_in(fd, from);
      continue;
    }
    if (errno == ECONNABORTED || errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) break;
    // No descriptor or no memory: the connection stays in line, and asking at once again would only burn time.
    pause.expires_after(std::chrono::milliseconds(50));
    pause.async_wait([this](const boost::system::error_code& error) {
      if (!error) accept();
    });
    return;
  }
  wait_connection();
}

// Who holds connections and asks for nothing must not keep out who does.
void Server::State::drop_silent() {
  Session* oldest = nullptr;
  for (const auto& [key, session] : sessions)
    if (!key->heard() && (oldest == nullptr || key->since() < oldest->since())) oldest = key;
  if (oldest != nullptr) oldest->shut();
}

void Server::State::take_in(int fd, const sockaddr_storage& from) {
  if (sessions.size() >= shared.options.connections) drop_silent();
  if (sessions.size() >= shared.options.connections) {
    const std::string text = refusal_text(503);
    (void)::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    ::close(fd);
    return;
  }
  asio::ip::tcp::endpoint peer;
  std::memcpy(peer.data(), &from, std::min<std::size_t>(peer.capacity(), sizeof from));
  boost::system::error_code error;
  Socket socket(context);
  socket.assign(where.protocol(), fd, error);
  if (error) {
    ::close(fd);
    return;
  }
  auto session = std::make_shared<Session>(std::move(socket), peer.address().to_string(), shared,
                                           [this](Session* gone) { sessions.erase(gone); });
  Session* const key = session.get();
  sessions.emplace(key, session);
  session->start();
}

void Server::State::end() {
  boost::system::error_code ignored;
  acceptor.close(ignored);
  pause.cancel(ignored);
  while (!sessions.empty()) sessions.begin()->second->shut();
  work.reset();
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}

std::expected<std::unique_ptr<Server>, std::string> Server::make(ServerOptions options, Handler handler) {
  auto state = std::make_unique<State>(std::move(options), std::move(handler));
  try {
    if (std::string trouble = state->listen(); !trouble.empty()) return std::unexpected(std::move(trouble));
    state->wait_connection();
    const SignalsHeld held;
    state->thread = std::thread([s = state.get()] { s->context.run(); });
  } catch (const std::exception& failure) {
    return std::unexpected("the server cannot start (" + std::string(failure.what()) +
                           "): look at the limits of threads and open files");
  }
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

Server::~Server() {
  state_->loop->post([s = state_.get()] { s->end(); });
  state_->thread.join();
  state_->loop->end();
  state_->context.restart();
  state_->context.poll();  // what was left there while the thread ended
}

std::uint16_t Server::port() const { return state_->where.port(); }

std::string Server::url() const {
  return "http://" + bracketed(state_->where.address()) + ":" + std::to_string(port());
}

void answer(Responder& to, int status, std::string_view content_type, std::string body) {
  to.head(status, {{"Content-Type", std::string(content_type)}, {"Content-Length", std::to_string(body.size())}});
  to.write(std::move(body));
  to.end();
}

}  // namespace BELAY_NAMESPACE::net
