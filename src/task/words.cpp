#include "task/words.h"

namespace belay::task::words {

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

std::string summary_message(std::string_view summary, std::string_view todos) {
  std::string out = "[What happened between the first message and what follows, in a summary:]\n";
  out += summary;
  if (!todos.empty()) {
    out += "\n\n[The list of todos as it stands now:]\n";
    out += todos;
  }
  return out;
}

}  // namespace belay::task::words
