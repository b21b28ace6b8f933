// Which result belongs to which call, in a history of any shape.
#pragma once

#include <belay/chat/message.h>

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace BELAY_NAMESPACE::task {

/// Where a block stands.
struct Spot {
  std::size_t message = 0, block = 0;
  bool operator==(const Spot&) const = default;
};

struct PairedCall {
  Spot spot;
  std::optional<Spot> result;
};

struct PairedResult {
  Spot spot;
  std::optional<std::size_t> call;     ///< that it is the result of: an index into Pairing::calls
  std::optional<std::size_t> repeats;  ///< the call of its id before it that has another result
};

/// All calls of the model's messages and all results, in order. A result belongs to the latest message before it that
/// has an unanswered call of its id, and there to the first one; ids may repeat, as servers begin to count anew. Where
/// no call of the id stands before it, it belongs to the first one behind it that is unanswered. O(history).
struct Pairing {
  explicit Pairing(const std::vector<chat::Message>& history);
  std::vector<PairedCall> calls;
  std::vector<PairedResult> results;
};

}  // namespace BELAY_NAMESPACE::task
