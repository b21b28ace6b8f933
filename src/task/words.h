// All that a task says to a model by itself. What is said about a call's bytes is policy's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace belay::task::words {

/// An answer without a call; `received` is its text.
std::string no_tool(std::string_view received, bool person);
/// An answer that was cut off: by its length, or by a filter.
std::string cut(std::string_view received, bool by_length, std::uint64_t output_tokens);
/// The provider says that the call was malformed.
std::string malformed();

std::string interrupted(std::string_view tool);
std::string aborted(std::string_view tool, bool begun);
std::string task_over(std::string_view tool);
std::string tool_gone(std::string_view tool);
std::string nobody_to_approve();

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
std::string child_failed(std::string_view reason, std::string_view detail);

/// The system prompt of a request for a summary.
std::string summary_system();
std::string summary_request();

}  // namespace belay::task::words
