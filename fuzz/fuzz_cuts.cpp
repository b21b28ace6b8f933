// Any cut of the input gives the same value, edits, verdict, error and text as one piece. The first byte says how many
// cuts there are and how the text ends, the next ones say where they are.
#include "fuzz.h"
#include "stretch.h"

#include <damage.h>
#include <support/outcome.h>

#include <algorithm>
#include <vector>

using namespace belay;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check::Choices choices(fuzz::text_of(data, size));
  json::ReaderOptions options;
  options.mode = choices.once_in(8) ? json::Mode::strict : json::Mode::tolerant;
  options.root = choices.once_in(4) ? json::Root::object : json::Root::any;
  if (choices.once_in(8)) options.limits = {.depth = 3, .bytes = 60, .edits = 2, .values = 2};
  const json::Ending ending = choices.once_in(3) ? json::Ending::cut : json::Ending::complete;
  std::size_t cuts[4];
  for (std::size_t& cut : cuts) cut = choices.below(65536);

  const std::string text = fuzz::stretched(choices.rest(), 32);
  const std::string_view input = text;
  std::vector<std::size_t> places;
  for (std::size_t cut : cuts) places.push_back(cut % (input.size() + 1));
  std::sort(places.begin(), places.end());

  const check::Outcome whole = check::read_whole(input, options, ending);
  fuzz::require_none(check::difference(whole, check::read_pieces(check::cut_at(input, places), options, ending)),
                     input);
  // Most of the time would go into long texts.
  constexpr std::size_t kLong = 1024;
  if (input.size() <= kLong || cuts[1] % 16 == 0)
    fuzz::require_none(check::difference(whole, check::read_pieces(check::chop(input, 1), options, ending)), input);

  // A reader that has read other texts before gives the same as a new one, in pieces too.
  const check::Pieces before = {input, input.substr(places[0])};
  fuzz::require_none(check::difference(whole, check::read_pieces({input}, options, ending, before)), input);
  const std::size_t piece = (input.size() <= kLong ? 1 : 16) + cuts[0] % 40;
  fuzz::require_none(check::difference(whole, check::read_pieces(check::chop(input, piece), options, ending, before)),
                     input);
  return 0;
}
