// How long a request is, and how an old history is made shorter without losing its pairs.
#pragma once

#include <belay/chat.h>
#include <belay/task/settings.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::task {
BELAY_API_BEGIN

/// About how many tokens these are, by their bytes; rather too many than too few. Never exact: the provider's own count
/// replaces it wherever there is one.
std::uint64_t estimate_tokens(std::string_view text);
std::uint64_t estimate_tokens(const chat::Message& message);
std::uint64_t estimate_tokens(const chat::Request& request);

/// What was folded so far.
struct Fold {
  std::vector<std::string> results{};  ///< calls whose results are stubs
  std::uint64_t upto = 0;              ///< messages before this one stand in the summary
  std::string summary{};
  bool operator==(const Fold&) const = default;
};

/// The history as it is sent: the goal (the first message), the summary with the todos, then what was not folded, with
/// stubs for results that were. Pairs stay pairs.
std::vector<chat::Message> folded_view(std::span<const chat::Message> history, const Fold& fold,
                                       std::string_view todos);

/// Calls whose results should become stubs to save at least `tokens`, oldest first; results of the last `keep_turns`
/// turns and results that are short stay. Empty when nothing can be saved, or not `at_least` so many.
std::vector<std::string> results_to_fold(std::span<const chat::Message> history, const Fold& fold,
                                         std::uint64_t keep_turns, std::uint64_t tokens, std::uint64_t at_least = 0);
/// About how many tokens a summary of all before the last `keep_turns` turns would stand for; what stands in one
/// already does not count.
std::uint64_t tokens_before(std::span<const chat::Message> history, const Fold& fold, std::uint64_t keep_turns);
/// Where a summary can end: the message at which the last `keep_turns` turns begin, never between a call and its
/// result. Nothing when there is not enough before it.
std::optional<std::uint64_t> summary_end(std::span<const chat::Message> history, const Fold& fold,
                                         std::uint64_t keep_turns);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::task
