// Any bytes are a record or an error of one sentence. What could be read is written, and read again as the same.
#include "fuzz.h"

#include <belay/task/record.h>

using namespace belay;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  const auto body = task::body_from_json(input);
  if (!body) {
    fuzz::require(body.error().ends_with('.') && !body.error().contains('\n'), "the error is no sentence", input);
    return 0;
  }
  const std::string text = task::to_json(*body);
  const auto again = task::body_from_json(text);
  fuzz::require(again.has_value(), "what was written is not read: " + text, input);
  fuzz::require(*again == *body, "what was written is read as something else: " + text, input);
  fuzz::require(task::to_json(*again) == text, "the same is written in two ways: " + text, input);
  return 0;
}
