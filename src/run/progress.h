// Which pieces of a stream bring the answer on, and which only say that the other end is still there.
#pragma once

#include <belay/chat/delta.h>

#include <utility>

namespace BELAY_NAMESPACE::run {

/// Pings, comments, empty pieces and counts of tokens are not a part of the answer; a server may send them for ever.
inline bool is_progress(const chat::Delta& piece) {
  namespace delta = chat::delta;
  struct Moves {
    bool operator()(const delta::Text& d) const { return !d.text.empty(); }
    bool operator()(const delta::Reasoning& d) const { return !d.text.empty(); }
    bool operator()(const delta::Refusal& d) const { return !d.text.empty(); }
    bool operator()(const delta::Call& d) const { return !d.arguments.empty() || !d.name.empty(); }
    bool operator()(const delta::CallEnd&) const { return true; }
    bool operator()(const delta::CallOpaque&) const { return true; }
    bool operator()(const delta::BlockOpaque&) const { return true; }
    bool operator()(const delta::End&) const { return true; }
    bool operator()(const chat::Failure&) const { return true; }
    bool operator()(const delta::Start&) const { return false; }
    bool operator()(const delta::Usage&) const { return false; }
    bool operator()(const delta::Stop&) const { return false; }
    bool operator()(const delta::Notice&) const { return false; }
  };
  return std::visit(Moves{}, piece);
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

}  // namespace BELAY_NAMESPACE::run
