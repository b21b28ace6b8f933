#include "interrupt.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdint>

namespace belay::cli {
namespace {

sigset_t both() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

// A thread that waits instead of a handler: what a handler may do is not enough to ask a stop_source.
Interrupt::Interrupt() {
  const sigset_t set = both();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  descriptor_ = ::signalfd(-1, &set, SFD_CLOEXEC);
  wake_ = ::eventfd(0, EFD_CLOEXEC);
  if (descriptor_ < 0 || wake_ < 0) return;
  waiter_ = std::thread([this] {
    pollfd fds[2] = {{descriptor_, POLLIN, 0}, {wake_, POLLIN, 0}};
    while (::poll(fds, 2, -1) < 0) {
    }
    if (fds[0].revents == 0) return;
    // Taken, so that it is not still waiting when signals are let through again.
    signalfd_siginfo taken{};
    while (::read(descriptor_, &taken, sizeof taken) < 0 && errno == EINTR) {
    }
    source_.request_stop();
  });
}

void Interrupt::wait() {
  if (waiter_.joinable()) waiter_.join();
}

Interrupt::~Interrupt() {
  if (waiter_.joinable()) {
    const std::uint64_t one = 1;
    while (::write(wake_, &one, sizeof one) < 0) {
    }
    waiter_.join();
  }
  if (descriptor_ >= 0) ::close(descriptor_);
  if (wake_ >= 0) ::close(wake_);
  const sigset_t set = both();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace belay::cli
