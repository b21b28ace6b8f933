// Any bytes are messages, or garbage with a reason. What is a message is written, and read again as the same. Whatever
// their payloads are, the readers of results, lists and notifications give an answer.
#include "fuzz.h"

#include <belay/mcp/form.h>
#include <belay/mcp/sampling.h>
#include <belay/mcp/types.h>

using namespace belay;

namespace {

void read_all(const mcp::Payload& payload) {
  bool more = false;
  const json::Value& v = *payload;
  static_cast<void>(mcp::introduction_of(v));
  static_cast<void>(mcp::tools_page(v, 8, more));
  static_cast<void>(mcp::resources_page(v, 8, more));
  static_cast<void>(mcp::templates_page(v, 8, more));
  static_cast<void>(mcp::prompts_page(v, 8, more));
  static_cast<void>(mcp::call_result(payload, 8));
  static_cast<void>(mcp::resource_contents(v, 8));
  static_cast<void>(mcp::prompt_result(v, 8));
  static_cast<void>(mcp::progress_of(v));
  static_cast<void>(mcp::log_line(v));
  static_cast<void>(mcp::elicitation_of(v));
  // A form has names to ask for; what is taken for a field is a value of JSON, and the same when it is read again.
  if (const auto form = mcp::form_of(v))
    for (const mcp::FormField& field : *form)
      for (const std::string_view typed : {"1", "yes", "1,2", "x"})
        if (const auto value = mcp::field_value(field, typed)) {
          fuzz::require(json::read(*value).verdict.word() == json::Word::valid, "no JSON: " + *value, typed);
          fuzz::require(mcp::checked_value(field, *value) == value, "taken once, and not again: " + *value, typed);
        }
  if (const auto wanted = mcp::sampling_of(v))
    fuzz::require(!wanted->messages.empty() && wanted->max_tokens > 0, "nothing is asked", "");
  static_cast<void>(mcp::required_pages(payload));
  static_cast<void>(mcp::input_required(payload));
  static_cast<void>(mcp::known_result_type(v));
  static_cast<void>(mcp::supported_versions(v));
}

bool same(const mcp::Message& a, const mcp::Message& b) {
  if (a.kind != b.kind || a.id != b.id || a.method != b.method || a.code != b.code || a.text != b.text) return false;
  return a.payload.has_value() == b.payload.has_value() &&
         (!a.payload || json::to_string(*a.payload) == json::to_string(*b.payload));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  const mcp::Incoming incoming = mcp::decode(input);
  fuzz::require(incoming.batch || incoming.messages.size() <= 1, "several messages, and no batch", input);
  for (const mcp::Message& message : incoming.messages) {
    if (message.kind == mcp::Message::Kind::garbage) {
      fuzz::require(!message.text.empty(), "garbage without a reason", input);
      fuzz::require(mcp::encode(message).empty(), "garbage was written", input);
      continue;
    }
    if (message.payload) read_all(message.payload);
    const std::string text = mcp::encode(message);
    fuzz::require(text.find('\n') == text.npos, "a message of two lines: " + text, input);
    const mcp::Incoming again = mcp::decode(text);
    fuzz::require(!again.batch && again.messages.size() == 1, "what was written is not one message: " + text, input);
    fuzz::require(same(message, again.messages[0]), "what was written is read as something else: " + text, input);
  }
  return 0;
}
