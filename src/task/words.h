// All that a task says to a model by itself, in one file, so that it can be read in one go. What is said about a call's
// bytes is policy's.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::task::words {

/// An answer without a call; `received` is its text.
std::string no_tool(std::string_view received, bool person);
/// An answer that was cut off: by its length, or by a filter.
std::string cut(std::string_view received, bool by_length, std::uint64_t output_tokens);
/// The provider says that the call was malformed.
std::string malformed();

/// Of what the model said when it refused, as much as an error may have.
std::string refusal(std::string_view received);

std::string interrupted(std::string_view tool);
/// The person stopped the task; or it ended otherwise. `begun`: while the tool ran.
std::string aborted(std::string_view tool, bool begun);
std::string task_over(std::string_view tool, bool begun);
std::string tool_gone(std::string_view tool);
std::string nobody_to_approve(std::string_view tool);

std::string todos_kept();
std::string nobody_to_ask();
std::string no_answer();
std::string completion_after_failure(const std::vector<std::string>& failed);
std::string completion_with_todos(std::string_view todos);
std::string completion_once();
std::string accepted();
std::string not_accepted();
std::string said_more();
std::string too_many_children(std::uint64_t limit);
std::string too_deep(std::uint64_t limit);
std::string no_goal();
std::string child_failed(std::string_view reason, std::string_view detail);

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
/// The system prompt of a request for a summary.
std::string summary_system();
/// Asks for the summary of what was said so far.
std::string summary_request();
/// To the person: the output limit of `now` tokens is taken back.
std::string output_refused(std::uint64_t now, std::uint64_t taken);
std::string context_full(std::uint64_t tokens, std::uint64_t of, std::uint64_t keep_turns);
/// In place of what was summarised. Both may be empty.
std::string summary_message(std::string_view summary, std::string_view todos);

}  // namespace BELAY_NAMESPACE::task::words
