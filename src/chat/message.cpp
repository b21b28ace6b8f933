#include <belay/chat/message.h>

#include <iterator>
#include <utility>

namespace BELAY_NAMESPACE::chat {

Block text_block(std::string text) {
  Block b;
  b.text = std::move(text);
  return b;
}

Block call_block(std::string id, std::string name, std::string arguments) {
  Block b;
  b.kind = Block::Kind::tool_call;
  b.id = std::move(id);
  b.name = std::move(name);
  b.arguments = std::move(arguments);
  return b;
}

Block result_block(std::string id, std::string text, bool is_error) {
  Block b;
  b.kind = Block::Kind::tool_result;
  b.id = std::move(id);
  b.content.push_back(text_block(std::move(text)));
  b.is_error = is_error;
  return b;
}

std::string_view name(StopReason reason) noexcept {
  constexpr std::string_view names[] = {"end",     "tool_calls", "length",    "content_filter",
                                        "refusal", "pause",      "malformed", "none"};
  return names[static_cast<std::size_t>(reason)];
}

bool cuts(StopReason reason) noexcept {
  return reason == StopReason::length || reason == StopReason::content_filter || reason == StopReason::refusal ||
         reason == StopReason::malformed || reason == StopReason::none;
}

}  // namespace BELAY_NAMESPACE::chat
