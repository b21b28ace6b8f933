#include "task/words.h"

namespace BELAY_NAMESPACE::task::words {
namespace {

constexpr std::size_t kShown = 200;  // bytes of what was received

std::string shown(std::string_view text, std::size_t room = kShown) {
  if (text.size() <= room) return std::string(text);
  while (room > 0 && (static_cast<unsigned char>(text[room]) & 0xc0) == 0x80) --room;
  return std::string(text.substr(0, room)) + "…";
}

std::string tool_of(std::string_view tool) { return tool.empty() ? "This call" : std::string(tool); }

}  // namespace

std::string no_tool(std::string_view received, bool person) {
  std::string out = "Your answer held no tool call, so nothing was done. It began: \"" + shown(received) + "\". ";
  out += "Go on with a tool call. If the task is done, call attempt_completion with the result";
  out += person ? "; if you need to know something from the person, call ask_followup_question." : ".";
  return out;
}

std::string cut(std::string_view received, bool by_length, std::uint64_t output_tokens) {
  std::string out = by_length ? "Your answer was cut off because it reached the output limit, after " +
                                    std::to_string(received.size()) + " bytes of text. "
                              : "Your answer was cut off by a content filter, after " +
                                    std::to_string(received.size()) + " bytes of text. ";
  if (by_length && output_tokens > 0) out += "The limit is " + std::to_string(output_tokens) + " tokens now. ";
  return out + "Go on in smaller pieces: one short tool call at a time.";
}

std::string malformed() {
  return "Your tool call was malformed, so nothing was run. Send it again: one tool call with one JSON object as its "
         "arguments.";
}

std::string refusal(std::string_view received) { return shown(received, 500); }

std::string interrupted(std::string_view tool) {
  return tool_of(tool) +
         " had begun when the program was interrupted. Its outcome is unknown: it may have run in full, in part, or "
         "not "
         "at all, and it was not run again. Look at what is there before you go on.";
}

std::string aborted(std::string_view tool, bool begun) {
  if (begun)
    return tool_of(tool) + " was stopped by the person while it ran. Its outcome is unknown: look at what is there.";
  return tool_of(tool) + " was not run: the person stopped the task before it.";
}

std::string task_over(std::string_view tool, bool begun) {
  if (begun)
    return tool_of(tool) +
           " was stopped because the task ended while it ran. Its outcome is unknown: look at what is "
           "there.";
  return tool_of(tool) + " was not run: the task ended before it.";
}

std::string tool_gone(std::string_view tool) {
  return tool_of(tool) + " was not run: there is no such tool any more. Find another way.";
}

std::string nobody_to_approve(std::string_view tool) {
  std::string out = "it would have to be approved, and there is nobody to ask";
  // A tool of a server: there is no mode for some of them, as there is for edits.
  if (tool.find("__") != tool.npos) out += "; whoever starts belay can allow it, with --allow " + std::string(tool);
  return out;
}

std::string todos_kept() { return "The list of todos was updated."; }

std::string nobody_to_ask() {
  return "There is nobody to ask. Decide yourself what is most sensible, say what you assumed, and go on.";
}

std::string no_answer() { return "The person gave no answer. Decide yourself what is most sensible, and go on."; }

std::string completion_after_failure(const std::vector<std::string>& failed) {
  std::string out = "The task was not completed, because ";
  for (std::size_t i = 0; i < failed.size() && i < 5; ++i) out += (i == 0 ? "" : ", ") + failed[i];
  if (failed.size() > 5) out += " and " + std::to_string(failed.size() - 5) + " more";
  return out +
         (failed.size() == 1 ? " failed or was not run in the same turn. "
                             : " failed or were not run in the same turn. ") +
         "Look at the results first; call attempt_completion alone, when everything before it has succeeded.";
}

std::string completion_with_todos(std::string_view todos) {
  return "The task was not completed, because todos are still open:\n" + shown(todos) +
         "\nDo them, or update the list with update_todo_list, then call attempt_completion again.";
}

std::string completion_once() { return "Only the first attempt_completion of a turn counts."; }

std::string accepted() { return "The result was accepted. The task is done."; }

std::string not_accepted() { return "The person did not accept the result. Find out what is missing, and go on."; }

std::string said_more() {
  return "The result was shown, but the person has said something more. Answer to that first.";
}

std::string too_many_children(std::uint64_t limit) {
  return "No further task was started: this one has started " + std::to_string(limit) +
         " already, which is its limit. Do the work in this task.";
}

std::string too_deep(std::uint64_t limit) {
  return "No further task was started: tasks within tasks go " + std::to_string(limit) +
         " deep at most. Do the work in this task.";
}

std::string no_goal() {
  return "No task was started: the message says nothing. Say in it all that the task needs to know.";
}

std::string child_failed(std::string_view reason, std::string_view detail) {
  std::string out = "The task that was started for this ended without a result (" + std::string(reason) + ").";
  if (!detail.empty()) out += " " + std::string(detail);
  return out + " Do the work here, or start it again with a smaller goal.";
}

std::string summary_system() {
  return "You write down what an agent has done so far, so that it can go on without the conversation. Facts only: "
         "what "
         "is wanted, what was found out, which files were changed and how, what failed, what is left. You call no "
         "tools.";
}

namespace {

std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

}  // namespace

std::string missing_result() {
  return "There is no result of this call in the history. Whether it ran, and how far it came, is unknown: look at how "
         "things stand before you call it again.";
}

std::string missing_beginning() { return "[The beginning of this conversation is missing.]"; }

std::string result_of_nobody(std::string_view id) {
  return id.empty() ? "[Result of a call that is not in this history:]"
                    : "[Result of the call " + quoted(id) + ", which is not in this history:]";
}

std::string call_as_text(std::string_view name, std::string_view arguments) {
  return "[Call of " + quoted(name) + ", not run: " + std::string(arguments) + "]";
}

std::string folded_result(std::string_view tool, std::uint64_t bytes) {
  std::string out = "[An old result";
  if (!tool.empty()) out += " of " + quoted(tool);
  return out + ", " + std::to_string(bytes) +
         " bytes, was left out to save space. Call the tool again if you need it.]";
}

std::string summary_request() {
  return "The conversation has become too long to be sent as a whole. Write a summary of it, in plain text and without "
         "calling a tool; only the first message, this summary and the latest turns will remain. Say: what the person "
         "wants, with every requirement and correction in their own words; what was done, with the names of files, "
         "commands and identifiers exactly as they are; what was found out and decided, and why; what failed, and what "
         "not to try again; what was under way just now, and the next step.";
}

std::string output_refused(std::uint64_t now, std::uint64_t taken) {
  return "answers of up to " + std::to_string(now) + " tokens may be what is refused, so the limit is " +
         std::to_string(taken) + " again; max_output in the model's table of the config file says how far it goes";
}

std::string context_full(std::uint64_t tokens, std::uint64_t of, std::uint64_t keep_turns) {
  return "the conversation has about " + std::to_string(tokens) + " of " + std::to_string(of) +
         " tokens, and next to nothing of it is old enough to be folded: the goal and the last " +
         std::to_string(keep_turns) + " turns stay as they are";
}

std::string summary_message(std::string_view summary, std::string_view todos) {
  std::string out = "[What happened between the first message and what follows, in a summary:]\n";
  out += summary;
  if (!todos.empty()) {
    out += "\n\n[The list of todos as it stands now:]\n";
    out += todos;
  }
  return out;
}

}  // namespace BELAY_NAMESPACE::task::words
