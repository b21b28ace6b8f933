#include <belay/task/context.h>

#include "task/words.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace BELAY_NAMESPACE::task {

namespace {

using chat::Block;
using chat::Message;
using chat::Role;
using Kind = Block::Kind;
using Ids = std::unordered_set<std::string_view>;

// What a provider adds around things; and an image, whose size in pixels nobody here knows.
constexpr std::uint64_t kAround = 4;
constexpr std::uint64_t kImage = 1'200;
// A result that saves less than this stays: the model is worth more with it.
constexpr std::uint64_t kShortResult = 64;
// Less than this is not worth a request for a summary, which has a heading of its own.
constexpr std::uint64_t kShortPast = 128;

std::uint64_t tokens_of(const std::vector<chat::Opaque>& opaque) {
  std::uint64_t sum = 0;
  for (const chat::Opaque& one : opaque) sum += estimate_tokens(one.json);
  return sum;
}

std::uint64_t tokens_of(const Block& block) {
  std::uint64_t sum = kAround + estimate_tokens(block.text) + estimate_tokens(block.id) + estimate_tokens(block.name) +
                      estimate_tokens(block.arguments) + tokens_of(block.opaque);
  if (block.kind == Kind::image) sum += kImage;
  for (const Block& inner : block.content) sum += tokens_of(inner);
  return sum;
}

std::uint64_t bytes_of(const Block& block) {
  std::uint64_t sum = block.text.size() + block.data.size() + block.url.size();
  for (const Block& inner : block.content) sum += bytes_of(inner);
  return sum;
}

/// The result without what it says. What its wire kept for it was about that; only how its id stood there still counts.
Block stub_of(const Block& result, std::string_view tool) {
  Block stub;
  stub.kind = Kind::tool_result;
  stub.id = result.id;
  stub.name = result.name;
  stub.is_error = result.is_error;
  stub.content = {chat::text_block(words::folded_result(tool, bytes_of(result)))};
  for (const chat::Opaque& one : result.opaque)
    if (one.key == "@id") stub.opaque.push_back(one);
  return stub;
}

/// The names of the calls of one message, for the results behind it.
class Names {
 public:
  void enter(const Message& message) {
    if (message.role != Role::assistant) return;
    names_.clear();
    for (const Block& block : message.blocks)
      if (block.kind == Kind::tool_call) names_.emplace(block.id, block.name);
  }
  [[nodiscard]] std::string_view of(const Block& result) const {
    const auto at = names_.find(result.id);
    return at == names_.end() ? std::string_view(result.name) : at->second;
  }

 private:
  std::unordered_map<std::string_view, std::string_view> names_;
};

Ids ids_of(const Fold& fold) { return {fold.results.begin(), fold.results.end()}; }

/// Behind the goal: the first message that is not the system's.
std::size_t goal_end(std::span<const Message> history) {
  const auto goal = std::ranges::find_if(history, [](const Message& message) { return message.role != Role::system; });
  return static_cast<std::size_t>(goal - history.begin()) + (goal == history.end() ? 0 : 1);
}

/// The first message that is sent as it is. Never a result: its call would be missing.
std::size_t kept_from(std::span<const Message> history, const Fold& fold) {
  const std::size_t goal = goal_end(history);
  auto from = static_cast<std::size_t>(std::min<std::uint64_t>(fold.upto, history.size()));
  if (from <= goal) return goal;
  while (from < history.size() && history[from].role == Role::tool) ++from;
  return from;
}

/// Where the last turns begin: an answer, or what the person said right before it.
std::size_t last_turns(std::span<const Message> history, std::uint64_t keep_turns) {
  std::size_t at = history.size();
  for (std::size_t i = history.size(); i > 0 && keep_turns > 0; --i) {
    if (history[i - 1].role != Role::assistant) continue;
    at = i - 1;
    --keep_turns;
  }
  if (keep_turns > 0) return 0;  // there are not as many
  while (at > 0 && (history[at - 1].role == Role::user || history[at - 1].role == Role::system)) --at;
  return at;
}

}  // namespace

// Tokens of English and of code have three to four letters, others about as many bytes: rather too many than too few.
std::uint64_t estimate_tokens(std::string_view text) { return (text.size() + 2) / 3; }

std::uint64_t estimate_tokens(const Message& message) {
  std::uint64_t sum = kAround + tokens_of(message.opaque);
  for (const Block& block : message.blocks) sum += tokens_of(block);
  return sum;
}

std::uint64_t estimate_tokens(const chat::Request& request) {
  std::uint64_t sum = kAround;
  for (const Message& message : request.messages) sum += estimate_tokens(message);
  for (const chat::Tool& tool : request.tools)
    sum += kAround + estimate_tokens(tool.name) + estimate_tokens(tool.description) + estimate_tokens(tool.parameters);
  return sum;
}

std::vector<Message> folded_view(std::span<const Message> history, const Fold& fold, std::string_view todos) {
  const Ids folded = ids_of(fold);
  const std::size_t goal = goal_end(history), from = kept_from(history, fold);
  std::vector<Message> out;
  out.reserve(history.size() - (from - goal) + 1);
  out.insert(out.end(), history.begin(), history.begin() + static_cast<std::ptrdiff_t>(goal));
  if (from > goal) out.push_back({Role::user, {chat::text_block(words::summary_message(fold.summary, todos))}, {}});
  Names names;
  for (const Message& message : history.subspan(from)) {
    names.enter(message);
    const auto is_folded = [&](const Block& block) {
      return block.kind == Kind::tool_result && folded.contains(block.id);
    };
    if (folded.empty() || std::ranges::none_of(message.blocks, is_folded)) {
      out.push_back(message);
      continue;
    }
    Message& shorter = out.emplace_back(Message{message.role, {}, message.opaque});
    for (const Block& block : message.blocks)
      shorter.blocks.push_back(is_folded(block) ? stub_of(block, names.of(block)) : block);
  }
  return out;
}

std::vector<std::string> results_to_fold(std::span<const Message> history, const Fold& fold, std::uint64_t keep_turns,
                                         std::uint64_t tokens, std::uint64_t at_least) {
  const Ids folded = ids_of(fold);
  const std::size_t from = kept_from(history, fold), to = last_turns(history, keep_turns);
  std::vector<std::string> out;
  std::uint64_t saved = 0;
  Names names;
  for (std::size_t i = from; i < to && saved < tokens; ++i) {
    names.enter(history[i]);
    for (const Block& block : history[i].blocks) {
      if (saved >= tokens) break;
      if (block.kind != Kind::tool_result || folded.contains(block.id)) continue;
      const std::uint64_t before = tokens_of(block);
      if (before < kShortResult) continue;
      const std::uint64_t after = tokens_of(stub_of(block, names.of(block)));
      if (before < after + kShortResult) continue;
      saved += before - after;
      out.push_back(block.id);
    }
  }
  if (saved < at_least) out.clear();
  return out;
}

std::uint64_t tokens_before(std::span<const Message> history, const Fold& fold, std::uint64_t keep_turns) {
  const Ids folded = ids_of(fold);
  const std::size_t from = kept_from(history, fold), to = last_turns(history, keep_turns);
  std::uint64_t past = 0;
  Names names;
  for (std::size_t i = from; i < to; ++i) {
    names.enter(history[i]);
    past += kAround;
    for (const Block& block : history[i].blocks) {
      if (block.kind == Kind::tool_result && folded.contains(block.id))
        past += tokens_of(stub_of(block, names.of(block)));
      else
        past += tokens_of(block);
    }
  }
  return past;
}

std::optional<std::uint64_t> summary_end(std::span<const Message> history, const Fold& fold, std::uint64_t keep_turns) {
  if (tokens_before(history, fold, keep_turns) < kShortPast) return std::nullopt;
  return last_turns(history, keep_turns);
}

}  // namespace BELAY_NAMESPACE::task
