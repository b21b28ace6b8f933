// Documents whose meaning is known, damaged in known ways: damage with one reading comes out as the original, trusted;
// damage with several is never trusted as anything else. What was mended reads back as valid and the same.
#include "fuzz.h"

#include <damage.h>
#include <support/oracles.h>

using namespace belay;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check::Choices choices(fuzz::text_of(data, size));
  const bool safe = !choices.flip();
  const check::Damaged damaged =
      check::damaged_document(choices, safe ? check::Certainty::one_reading : check::Certainty::several_readings);
  const check::Outcome got = check::read_whole(damaged.text);

  std::string what = "damage";
  for (std::string_view name : damaged.applied) what += ", " + std::string(name);
  what += ": " + check::printable(damaged.text) + " gives " + check::describe(got);
  const bool same = check::to_trees(got.reading.document) == std::vector{damaged.original};
  if (got.reading.verdict.trusted()) fuzz::require(same, "trusted as another value, " + what, damaged.text);
  if (damaged.certainty == check::Certainty::one_reading)
    fuzz::require(got.reading.verdict.trusted(), "one reading, yet not trusted, " + what, damaged.text);
  fuzz::require_none(check::fault(got, damaged.text), damaged.text);
  return 0;
}
