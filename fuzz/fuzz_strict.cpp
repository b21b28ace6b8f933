// Strict mode against an independent parser: both accept the same texts and see the same trees. Tolerant mode on such
// a text is valid, without edits, and the same tree; on any other text it is never valid.
#include "fuzz.h"

#include <support/independent.h>
#include <support/oracles.h>

using namespace belay;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  const check::Independent other = check::parse_independently(input, 1000);
  if (other.opinion == check::Opinion::unsure) return 0;
  const bool accepted = other.opinion == check::Opinion::accepted;

  json::ReaderOptions options;
  options.mode = json::Mode::strict;
  const check::Outcome strict = check::read_whole(input, options);
  const bool valid = strict.reading.verdict.word() == json::Word::valid;
  fuzz::require(valid == accepted, "strict mode says " + check::describe(strict), input);
  if (accepted) {
    fuzz::require(check::to_tree(strict.reading.document.root()) == other.tree,
                  "another tree: " + check::describe(strict), input);
    fuzz::require(strict.text == input, "strict input passed as other bytes", input);
  }

  const check::Outcome tolerant = check::read_whole(input);
  const json::Word word = tolerant.reading.verdict.word();
  if (!accepted)
    fuzz::require(word != json::Word::valid, "what is not JSON is valid: " + check::describe(tolerant), input);
  else if (other.repeats)
    fuzz::require(word == json::Word::guessed, "a repeated key: " + check::describe(tolerant), input);
  else {
    fuzz::require(word == json::Word::valid, "JSON is not valid: " + check::describe(tolerant), input);
    fuzz::require(check::to_tree(tolerant.reading.document.root()) == other.tree,
                  "another tree: " + check::describe(tolerant), input);
    fuzz::require_none(check::text_fault(tolerant, input), input);
  }
  return 0;
}
