// The partial value only grows: nothing shown is taken back or changed, numbers and literals appear when they are
// delimited, and the end agrees with what was shown. The first byte is the size of the pieces.
#include "fuzz.h"

#include <support/watch.h>

using namespace belay;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 4096) return 0;  // a copy of the value after each push: quadratic
  json::ReaderOptions options;
  options.root = (data[0] & 64) != 0 ? json::Root::object : json::Root::any;
  const json::Ending ending = data[0] >= 128 ? json::Ending::cut : json::Ending::complete;
  const std::string_view input = fuzz::text_of(data + 1, size - 1);
  fuzz::require_none(check::watch_fault(input, 1 + data[0] % 8, options, ending), input);
  return 0;
}
