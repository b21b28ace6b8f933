// The history that leaves for a model: always whole. And how one that is not is healed.
#pragma once

#include <belay/chat.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::task {
BELAY_API_BEGIN

/// What is wrong with a history, or nothing: each call has exactly one result, in the message behind it, in the order
/// of the calls; that message is of role tool and holds nothing else; results belong to calls, and hold neither calls
/// nor results; only the assistant calls; arguments are JSON objects; names are not empty; ids are unique and not
/// empty; no message is empty (white space alone says nothing, nor do thoughts); the first answer has something of the
/// user before it. System messages may stand anywhere but between calls and results. One sentence with the place.
/// O(history).
std::optional<std::string> flaw(std::span<const chat::Message> history);

struct Healed {
  std::vector<chat::Message> history{};
  std::vector<std::string> changes{};  ///< one sentence each; empty when nothing was wrong
};
/// A history without flaws that says as much of the same as can be kept: results moved behind their calls, missing ones
/// written (`is_error`, outcome unknown), those of no call kept as text, arguments mended or emptied, ids made unique,
/// empty messages dropped. A history without a flaw comes back as it is. Idempotent.
Healed heal(std::vector<chat::Message> history);

/// True when calls of this history carry ids that a provider gave: it was made with native calls. Ids that Belay makes
/// (`belay_`) do not count.
bool has_provider_ids(std::span<const chat::Message> history);
/// The protocol that a history from elsewhere was made with: `native` if its calls carry ids of a provider or it has
/// none, otherwise `xml`.
std::string_view protocol_of(std::span<const chat::Message> history);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::task
