// Which pieces of a stream bring the answer on, and which only say that the other end is still there.
#pragma once

#include <belay/chat/delta.h>

#include <utility>

namespace belay::run {

/// Pings, comments, empty pieces and counts of tokens are not a part of the answer; a server may send them for ever.
inline bool is_progress(const chat::Delta& delta) {
  using Kind = chat::Delta::Kind;
  switch (delta.kind) {
    case Kind::text:
    case Kind::reasoning:
    case Kind::refusal: return !delta.text.empty();
    case Kind::call:
    case Kind::call_whole: return !delta.text.empty() || !delta.name.empty();
    case Kind::call_end:
    case Kind::opaque:
    case Kind::end:
    case Kind::failure: return true;
    case Kind::start:
    case Kind::usage:
    case Kind::stop:
    case Kind::notice: return false;
  }
  return true;
}

/// Passes deltas on, and notes progress.
class Progress final : public chat::DeltaSink {
 public:
  explicit Progress(chat::DeltaSink& next) : next_(next) {}
  void on(const chat::Delta& delta) override {
    moved_ |= is_progress(delta);
    next_.on(delta);
  }
  /// Whether there was any since the last call.
  bool take() { return std::exchange(moved_, false); }

 private:
  chat::DeltaSink& next_;
  bool moved_ = false;
};

}  // namespace belay::run
