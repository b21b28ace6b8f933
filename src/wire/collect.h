// Deltas put together to one whole answer.
#pragma once

#include <belay/base.h>
#include <belay/chat.h>
#include <belay/wire.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace belay::wire {

/// Builds a Response out of the deltas of one answer: blocks in the order in which they began, pieces of one block
/// joined, calls as the wire gave them (an id that it lacks stays empty, arguments are not judged). What the deltas say
/// of a call is enough to find it again by the same rules as call::Assembler has. Memory: the answer. Work for a delta
/// is constant beside its bytes.
class Collector final : public chat::DeltaSink {
 public:
  /// Of the calls behind the first `calls` ones nothing is kept: a decoder's caller has said by then that there are too
  /// many (Limits::calls).
  explicit Collector(std::uint64_t calls = kUnlimited) : most_calls_(calls) {}

  void on(const chat::Delta& delta) override;

  /// What there is so far, and forgets it.
  chat::Response take();
  /// The failure that ended the answer. After it, and after the end, deltas are ignored.
  [[nodiscard]] const std::optional<HttpFailure>& failure() const { return failure_; }
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  using Kind = chat::Block::Kind;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  using ByName = std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>>;
  struct Call {
    std::size_t block;
    std::optional<std::int64_t> index;
    std::string item;
    bool closed = false;
    bool whole = false;
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  chat::Block& block_of(Kind kind, std::string_view name);
  void on_call(const chat::Delta& delta);
  void on_opaque(const chat::Delta& delta);
  [[nodiscard]] std::size_t find_call(const chat::Delta& delta) const;
  void learn(std::size_t call, const chat::Delta& delta);
  [[nodiscard]] chat::Block& block(const Call& call) { return response_.message.blocks[call.block]; }
  [[nodiscard]] const chat::Block& block(const Call& call) const { return response_.message.blocks[call.block]; }

  std::uint64_t most_calls_;
  chat::Response response_;
  std::string open_name_;  // of the block that came last
  ByName named_;           // blocks that have a name, the kind's digit before it
  std::vector<Call> calls_;
  std::size_t last_call_ = kNone;
  std::unordered_map<std::int64_t, std::size_t> by_index_;
  ByName by_id_, by_item_;
  std::optional<HttpFailure> failure_;
  bool started_ = false;
  bool stop_seen_ = false;
  bool ended_ = false;
};

}  // namespace belay::wire
