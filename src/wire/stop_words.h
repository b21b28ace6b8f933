// What servers call the end of an answer.
#pragma once

#include <belay/chat/message.h>

#include <optional>
#include <string_view>

namespace BELAY_NAMESPACE::wire {

/// What a word for the end of an answer means, whichever wire it came on: gateways pass on the words of others. Case,
/// `_`, `-` and spaces make no difference. First come the words that wires are known to use, then what a word has to
/// mean that holds one of these (`max_tokens`, `safety`, `cancel`). Nothing for a word that nobody knows.
std::optional<chat::StopReason> stop_word(std::string_view raw);

}  // namespace BELAY_NAMESPACE::wire
