// All that a task says to a model. One file, so that it can be read in one go.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace belay::task::words {

// A history from elsewhere that was healed.

/// In place of a result that is not there.
std::string missing_result();
/// Before an answer that begins a conversation.
std::string missing_beginning();
/// The heading of a result whose call is not there.
std::string result_of_nobody(std::string_view id);
/// A call that stands where no call can be.
std::string call_as_text(std::string_view name, std::string_view arguments);

// A history that became too long.

/// In place of an old result.
std::string folded_result(std::string_view tool, std::uint64_t bytes);
/// Asks for the summary of what was said so far.
std::string summary_request();
/// In place of what was summarised. Both may be empty.
std::string summary_message(std::string_view summary, std::string_view todos);

}  // namespace belay::task::words
