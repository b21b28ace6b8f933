// What the calls of a message were called with, by id: most runs have exactly that text, and it is stored once.
#pragma once

#include <belay/chat/message.h>

#include <optional>
#include <string_view>
#include <unordered_map>

namespace BELAY_NAMESPACE::task {

/// Views into the message, which must stay where it is.
class CallTexts {
 public:
  explicit CallTexts(const chat::Message& message) {
    for (const chat::Block& block : message.blocks)
      if (block.kind == chat::Block::Kind::tool_call) texts_.emplace(block.id, block.arguments);
  }
  /// The arguments of the first call of this id.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view id) const {
    const auto at = texts_.find(id);
    return at == texts_.end() ? std::nullopt : std::optional(at->second);
  }

 private:
  std::unordered_map<std::string_view, std::string_view> texts_;
};

}  // namespace BELAY_NAMESPACE::task
