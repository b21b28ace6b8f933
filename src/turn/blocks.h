// The blocks of an answer while they grow.
#pragma once

#include <belay/turn/answer.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace BELAY_NAMESPACE::turn {

/// Keeps blocks in the order in which they began. A piece belongs to the block that has its name, or to the last block
/// where neither has one; else it begins a block. Work for a piece is constant beside its bytes.
class Blocks {
 public:
  using Kind = Block::Kind;

  void add(Kind kind, std::string_view name, std::string_view piece);
  /// What the model's text holds. `source`: which of the wire's texts it is from.
  void add_found(Kind kind, std::size_t source, std::string_view piece);
  /// A call begins; `source`: of the text in which it was found, or 0.
  void begin_call(std::size_t slot, std::size_t source);
  /// Something of the provider's own for a block. Without a kind: for the block that came last, or for the message.
  void attach(Kind kind, std::string_view name, const chat::Opaque& opaque);
  void attach_last(const chat::Opaque& opaque);
  void attach_message(const chat::Opaque& opaque);

  /// The number of the wire's text of that name, which a piece of `size` bytes is for.
  std::size_t source(std::string_view name, std::size_t size);
  /// Where the text of a source begins among all text.
  [[nodiscard]] std::uint64_t source_begin(std::size_t source) const { return sources_[source - 1].begin; }
  [[nodiscard]] std::size_t sources() const { return sources_.size(); }
  /// No text went on after another one had begun.
  [[nodiscard]] bool in_order() const { return in_order_; }

  [[nodiscard]] std::vector<Block>& list() { return list_; }
  [[nodiscard]] std::vector<chat::Opaque>& message() { return message_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  Block& block_of(Kind kind, std::string_view name);

  std::vector<Block> list_;
  std::vector<chat::Opaque> message_;
  std::string last_name_;                                                      // of the block that came last
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> named_;  // blocks by kind and name
  struct Source {
    std::uint64_t begin;     // of its text among all text
    std::size_t first_part;  // its first block of text; kNone: there is none
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<Source> sources_;
  std::string source_name_;   // of the last one
  bool source_open_ = false;  // nothing else began since
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> named_sources_;
  std::uint64_t text_ = 0;  // bytes of all of them
  bool in_order_ = true;
};

/// Adds to a list what a provider wants back. Lists that come in pieces are one list; anything else is the newest.
void attach(std::vector<chat::Opaque>& to, const chat::Opaque& opaque);

}  // namespace BELAY_NAMESPACE::turn
