#include <belay/task/history.h>

#include "task/history_parts.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace BELAY_NAMESPACE::task {

namespace {

using chat::Block;
using chat::Message;
using chat::Role;
using Kind = Block::Kind;

class Check {
 public:
  explicit Check(std::span<const Message> history) : history_(history) {}

  std::optional<std::string> run() {
    bool begun = false;
    for (at_ = 0; at_ < history_.size(); ++at_) {
      const Message& message = history_[at_];
      if (!says_something(message)) return here("says nothing");
      if (message.role == Role::tool) return here("holds results, and no calls stand before it");
      if (message.role == Role::assistant && !begun) return here("is an answer, and nothing was said before it");
      begun = begun || begins(message);
      std::vector<std::string_view> calls;
      for (const Block& block : message.blocks) {
        if (block.kind == Kind::tool_result) return here("holds a result, which belongs in a message of its own");
        if (block.kind != Kind::tool_call) continue;
        if (message.role != Role::assistant) return here("holds a call, and is not the model's");
        if (auto wrong = call(block)) return wrong;
        calls.push_back(block.id);
      }
      if (!calls.empty())
        if (auto wrong = results(calls)) return wrong;
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> call(const Block& block) {
    if (block.id.empty()) return here("holds a call without an id");
    if (!ids_.insert(block.id).second) return here("holds a call with the id " + block.id + ", which another one has");
    if (block.name.empty()) return here("holds the call " + block.id + ", which has no name");
    if (!objects_.is(block.arguments))
      return here("holds the call " + block.id + ", whose arguments are not a JSON object");
    return std::nullopt;
  }

  // Goes on to the message behind the calls, which is theirs.
  std::optional<std::string> results(const std::vector<std::string_view>& calls) {
    if (at_ + 1 == history_.size() || history_[at_ + 1].role != Role::tool)
      return here("holds calls, and their results are not in the message behind it");
    const Message& message = history_[++at_];
    std::size_t n = 0;
    for (const Block& block : message.blocks) {
      if (block.kind != Kind::tool_result) return here("holds something else beside results");
      if (n == calls.size() || block.id != calls[n])
        return here("holds a result for " + (block.id.empty() ? "no id" : block.id) + " where " +
                    (n == calls.size() ? "none" : "one for " + std::string(calls[n])) + " belongs");
      if (!std::ranges::all_of(block.content, fits_into_result))
        return here("holds a result for " + block.id + " with a call or a result inside");
      ++n;
    }
    if (n < calls.size()) return here("holds no result for " + std::string(calls[n]));
    return std::nullopt;
  }

  [[nodiscard]] std::string here(std::string what) const {
    return "Message " + std::to_string(at_ + 1) + " " + std::move(what) + ".";
  }

  ObjectText objects_;
  std::span<const Message> history_;
  std::size_t at_ = 0;
  std::unordered_set<std::string_view> ids_;
};

}  // namespace

std::optional<std::string> flaw(std::span<const Message> history) { return Check(history).run(); }

bool has_provider_ids(std::span<const Message> history) {
  for (const Message& message : history)
    for (const Block& block : message.blocks)
      if (block.kind == Kind::tool_call && !block.id.empty() && !block.id.starts_with(kMadeId)) return true;
  return false;
}

std::string_view protocol_of(std::span<const chat::Message> history) {
  const bool calls = std::ranges::any_of(history, [](const Message& message) {
    return std::ranges::any_of(message.blocks, [](const Block& block) { return block.kind == Kind::tool_call; });
  });
  return calls && !has_provider_ids(history) ? "xml" : "native";
}

}  // namespace BELAY_NAMESPACE::task
