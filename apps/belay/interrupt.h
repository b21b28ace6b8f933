// Ctrl-C as a request to stop.
#pragma once

#include <stop_token>
#include <thread>

namespace belay::cli {

/// While it lives, SIGINT and SIGTERM ask its token to stop instead of ending the program. One at a time, and made
/// before any thread is: only threads that begin later leave the signals to it.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
  /// Until one of them comes. Returns at once where they cannot be waited for.
  void wait();

 private:
  int descriptor_ = -1;  // signalfd
  int wake_ = -1;        // eventfd: ends the waiting
  std::stop_source source_;
  std::thread waiter_;
};

}  // namespace belay::cli
