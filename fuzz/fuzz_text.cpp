// The text output after every push is a beginning of valid JSON and is never taken back; when it was not stopped it
// says what the value says; strict input passes byte for byte. The first byte is the size of the pieces.
#include "fuzz.h"

#include <support/oracles.h>
#include <support/prefix.h>

using namespace belay;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t step = 1 + data[0] % 16;
  const json::Ending ending = data[0] >= 128 ? json::Ending::cut : json::Ending::complete;
  const std::string_view input = fuzz::text_of(data + 1, size - 1);
  json::ReaderOptions options;
  options.text = true;

  json::Reader reader(options);
  check::JsonPrefix prefix;
  check::Outcome got;
  bool stopped = false;
  const auto take = [&] {
    const std::string piece = reader.take_text();
    fuzz::require(!stopped || piece.empty(), "text after it had stopped: " + check::printable(piece), input);
    stopped = reader.text_stopped();
    got.text += piece;
    fuzz::require(prefix.push(piece), "not the beginning of JSON: " + check::printable(got.text), input);
  };
  for (std::string_view piece : check::chop(input, step)) {
    reader.push(piece);
    take();
  }
  got.reading = reader.finish(ending);
  take();
  got.text_stopped = stopped;
  for (json::Value value : got.reading.document.values()) got.values.push_back(json::to_string(value));
  fuzz::require_none(check::text_fault(got, input), input);
  return 0;
}
