// Any cut of a stream gives the same events as one piece; an event stream gives those that a second decoder hears,
// which follows the standard line by line; and of JSON values nothing is lost without a word. The first bytes say which
// framing, end and limit there are, and where the cuts are.
#include "fuzz.h"

#include <damage.h>
#include <sse_oracle.h>

#include <algorithm>
#include <vector>

using namespace belay;

namespace {

std::string with_lf(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\n' || i == 0 || text[i - 1] != '\r') out += text[i] == '\r' ? '\n' : text[i];
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr sse::Framing kFramings[] = {sse::Framing::sse, sse::Framing::json, sse::Framing::automatic};
  check::Choices choices(fuzz::text_of(data, size));
  const sse::Framing framing = choices.pick(kFramings);
  const sse::Ended ended = choices.flip() ? sse::Ended::reset : sse::Ended::eof;
  const std::uint64_t limit = choices.once_in(4) ? choices.below(40) : Limits{}.event_bytes;
  std::vector<std::size_t> cuts = {choices.below(256), choices.below(256), choices.below(65536)};

  const std::string_view input = choices.rest();
  for (std::size_t& cut : cuts) cut %= input.size() + 1;
  std::sort(cuts.begin(), cuts.end());

  const check::Heard whole = check::hear({input}, framing, ended, limit);
  fuzz::require_none(check::difference(whole, check::hear(check::cut_at(input, cuts), framing, ended, limit)), input);
  fuzz::require_none(check::difference(whole, check::hear(check::chop(input, 1), framing, ended, limit)), input);
  fuzz::require_none(check::naive_difference(whole, input, framing, ended, limit), input);
  if (framing == sse::Framing::json && whole.trouble != sse::Trouble::compressed)
    fuzz::require_none(check::lost(whole, input), input);

  // What was heard, written again, is heard again.
  std::string again;
  std::vector<check::Said> expected;
  for (const check::Said& said : whole.said) {
    if (said.retry) continue;
    expected.push_back({with_lf(said.data), again.size(), said.event});
    sse::append_event(again, said.data, said.event);
  }
  fuzz::require(check::hear({again}, sse::Framing::sse, sse::Ended::reset).said == expected,
                "what was written reads back otherwise", input);
  return 0;
}
