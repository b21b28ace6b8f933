// Any bytes, any options: no crash, an answer, and an answer that is coherent. What is written reads back as the same
// value; the output is UTF-8. The first byte chooses root, ending and mode.
#include "fuzz.h"

#include <support/oracles.h>

using namespace belay;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint8_t flags = data[0];
  const std::string_view input = fuzz::text_of(data + 1, size - 1);
  json::ReaderOptions options;
  options.root = (flags & 1) != 0 ? json::Root::object : json::Root::any;
  options.mode = (flags & 4) != 0 ? json::Mode::strict : json::Mode::tolerant;
  if ((flags & 8) != 0) options.limits = {.depth = 4, .bytes = 100, .edits = 2, .values = 2};
  const json::Ending ending = (flags & 2) != 0 ? json::Ending::cut : json::Ending::complete;

  const check::Outcome got = check::read_whole(input, options, ending);
  fuzz::require_none(check::incoherence(got, input), input);
  // Strict mode lets repeated keys through, as RFC 8259 does; they do not read back as valid in tolerant mode.
  if (options.mode == json::Mode::tolerant) fuzz::require_none(check::read_back_difference(got), input);
  return 0;
}
