// A file descriptor that closes itself.
#pragma once

#include <belay/version.h>

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace BELAY_NAMESPACE::sandbox {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~Descriptor() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void reset(int fd = -1) {
    if (fd_ >= 0) close(fd_);
    fd_ = fd;
  }
  /// Out of the way of 0, 1 and 2, which a child gives to others.
  void lift() {
    if (fd_ >= 0 && fd_ < 3) reset(fcntl(fd_, F_DUPFD_CLOEXEC, 3));
  }

 private:
  int fd_ = -1;
};

}  // namespace BELAY_NAMESPACE::sandbox
