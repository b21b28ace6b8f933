// A reader of a series gives of every text what json::read() gives of it alone. The texts are the lines of the input;
// a line that begins with a space is the one before with what follows put at a place that the first byte says.
#include "fuzz.h"

#include <support/choices.h>

#include <belay/json.h>

using namespace belay;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = fuzz::text_of(data, size);
  json::ReaderOptions options;
  if (!rest.empty() && rest.front() == '!') options.limits.bytes = 24;
  json::SeriesReader series(options);
  std::string text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.size() > 2 && line.front() == ' ' && !text.empty()) {
      const std::size_t at = static_cast<unsigned char>(line[1]) % text.size();
      text.replace(at, line.size() % 3, line.substr(2));
    } else {
      text = line;
    }
    const json::Reading alone = json::read(text, options);
    const json::Verdict verdict = series.read(text);
    fuzz::require(verdict == alone.verdict, "another verdict in a series", text);
    if (alone.document.empty() || verdict.word() == json::Word::broken) continue;
    fuzz::require(json::to_string(series.root()) == json::to_string(alone.document.root()),
                  "another value in a series: " + json::to_string(series.root()), text);
  }
  return 0;
}
