// The other end of a connection as a test wants it: bytes on a socket, and no HTTP of its own.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace belay::check {

/// One connection. What blocks ends when the other end goes, or when the test does.
class Wire {
 public:
  explicit Wire(int fd) : fd_(fd) {}
  Wire(Wire&& other) noexcept : fd_(std::exchange(other.fd_, -1)), kept_(std::move(other.kept_)) {}
  Wire& operator=(Wire&&) = delete;
  ~Wire() { close(); }

  /// To a port of this machine.
  static Wire to(std::uint16_t port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      ::close(fd);
      return Wire(-1);
    }
    return Wire(fd);
  }

  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] bool open() const { return fd_ >= 0; }
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  /// Some bytes; none: the other end has closed.
  std::string some() {
    if (!kept_.empty()) return std::exchange(kept_, {});
    char buffer[65536];
    const ssize_t got = ::recv(fd_, buffer, sizeof buffer, 0);
    return got <= 0 ? std::string() : std::string(buffer, static_cast<std::size_t>(got));
  }
  /// Up to and with this text; what came behind it is kept. Without it: all until the close.
  std::string until(std::string_view text) {
    std::string all;
    while (true) {
      const std::string more = some();
      if (more.empty()) return all;
      all += more;
      const std::size_t at = all.find(text);
      if (at == std::string::npos) continue;
      kept_ = all.substr(at + text.size());
      all.resize(at + text.size());
      return all;
    }
  }
  std::string exactly(std::size_t size) {
    std::string all;
    while (all.size() < size) {
      const std::string more = some();
      if (more.empty()) return all;
      all += more;
    }
    kept_ = all.substr(size);
    all.resize(size);
    return all;
  }
  std::string rest() {
    std::string all;
    for (std::string more; !(more = some()).empty();) all += more;
    return all;
  }
  /// A request's head, and its body as far as content-length says.
  std::string request() {
    std::string head = until("\r\n\r\n");
    const std::size_t length = head.find("Content-Length: ");
    if (length != std::string::npos) head += exactly(std::strtoull(head.c_str() + length + 16, nullptr, 10));
    return head;
  }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  /// Ends with a reset instead of an orderly close.
  void reset() {
    const linger hard{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    close();
  }

 private:
  int fd_;
  std::string kept_;
};

/// Listens on a free port, and plays a part for every connection, each in a thread of its own.
class Peer {
 public:
  using Part = std::function<void(Wire&)>;
  explicit Peer(Part part) : part_(std::move(part)) {
    fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(fd_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(fd_, 1024) != 0 ||
        ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      std::abort();
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  /// Sends this, whatever the request was, and closes.
  explicit Peer(std::string answer)
      : Peer([answer = std::move(answer)](Wire& wire) {
          wire.request();
          wire.send(answer);
          ::shutdown(wire.fd(), SHUT_WR);
          wire.rest();
        }) {}
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer() {
    ending_ = true;
    ::shutdown(fd_, SHUT_RDWR);
    thread_.join();
    {
      const std::lock_guard guard(lock_);
      for (Connection& c : connections_)
        if (c.wire.open()) ::shutdown(c.wire.fd(), SHUT_RDWR);
    }
    for (Connection& c : connections_) c.thread.join();
    ::close(fd_);
  }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string url(std::string_view path = "/") const {
    return "http://127.0.0.1:" + std::to_string(port_) + std::string(path);
  }
  [[nodiscard]] int connections() const { return count_; }

 private:
  struct Connection {
    Wire wire;
    std::thread thread{};
  };
  void run() {
    while (!ending_) {
      const int fd = ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) return;
      ++count_;
      const std::lock_guard guard(lock_);
      Connection& mine = connections_.emplace_back(Connection{Wire(fd)});
      mine.thread = std::thread([this, &mine] {
        part_(mine.wire);
        const std::lock_guard inner(lock_);
        mine.wire.close();
      });
    }
  }

  Part part_;
  int fd_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> ending_ = false;
  std::atomic<int> count_ = 0;
  std::mutex lock_;
  std::list<Connection> connections_;
  std::thread thread_;
};

}  // namespace belay::check
