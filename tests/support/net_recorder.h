// A receiver that keeps what comes, and lets a test wait for it.
#pragma once

#include "support/patience.h"

#include <belay/net/client.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace belay::check {

class Recorder final : public net::Receiver {
 public:
  /// Says no after each piece when it is set.
  bool pauses = false;

  void on_head(const net::Head& head) override {
    const std::lock_guard guard(lock_);
    ++heads_;
    head_ = head;
    changed_.notify_all();
  }
  bool on_bytes(std::string_view bytes) override {
    const std::lock_guard guard(lock_);
    body_ += bytes;
    ++pieces_;
    changed_.notify_all();
    return !pauses;
  }
  void on_end(const std::optional<net::Error>& error) override {
    const std::lock_guard guard(lock_);
    ++ends_;
    error_ = error;
    changed_.notify_all();
  }

  /// False: it did not come to that in all our patience.
  bool wait(const std::function<bool(const Recorder&)>& reached) {
    std::unique_lock guard(lock_);
    return changed_.wait_for(guard, kPatience, [&] { return reached(*this); });
  }
  bool wait_end() {
    return wait([](const Recorder& r) { return r.ends_ > 0; });
  }
  bool wait_head() {
    return wait([](const Recorder& r) { return r.heads_ > 0; });
  }
  bool wait_body(std::size_t bytes) {
    return wait([bytes](const Recorder& r) { return r.body_.size() >= bytes; });
  }

  /// Only after wait_end(), or within wait().
  [[nodiscard]] const net::Head& head() const { return head_; }
  [[nodiscard]] const std::string& body() const { return body_; }
  [[nodiscard]] const std::optional<net::Error>& error() const { return error_; }
  [[nodiscard]] int heads() const { return heads_; }
  [[nodiscard]] int ends() const { return ends_; }
  [[nodiscard]] int pieces() const { return pieces_; }
  [[nodiscard]] std::string trouble() const {
    return error_ ? std::string(net::name(error_->kind)) + ": " + error_->message : "none";
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  net::Head head_;
  std::string body_;
  std::optional<net::Error> error_;
  int heads_ = 0, ends_ = 0, pieces_ = 0;
};

}  // namespace belay::check
