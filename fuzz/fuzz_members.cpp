// Arguments in Python's or Gemma's notation: any cut gives the same value, edits, end and error, the partial value only
// grows, and what was read is JSON that reads back. The first bytes say which notation, shape and limits there are, and
// where the cuts are.
#include "fuzz.h"
#include "stretch.h"

#include <damage.h>
#include <text_members_reading.h>

#include <algorithm>

using namespace belay;

namespace {

text::Shape make_shape(std::size_t which) {
  static constexpr std::string_view kSchemas[] = {
      R"({})",
      R"({"properties":{"a":{"type":"string"},"x":{"type":"array","items":{"type":"string"}},"b":{"type":"integer"}}})",
      R"({"properties":{"o":{"type":"object","properties":{"a":{"type":"string"}}},"a":{}}})",
  };
  return text::shape_of(check::root_of(check::document_of(kSchemas[which])));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const text::Shape kShapes[] = {make_shape(0), make_shape(1), make_shape(2)};
  static constexpr text::Notation kEscape{text::Notation::Language::script, "<escape>"};
  static constexpr text::Notation kPlain{text::Notation::Language::script, ""};
  static constexpr text::Notation kNotations[] = {check::kPython, check::kScript, check::kPython, kEscape, kPlain};

  check::Choices choices(fuzz::text_of(data, size));
  check::MembersOptions options;
  options.notation = choices.pick(kNotations);
  options.shape = &choices.pick(kShapes);
  options.close = choices.flip();
  if (choices.once_in(8)) options.limits = {.depth = 4, .edits = 2};
  std::vector<std::size_t> cuts = {choices.below(256), choices.below(256), choices.below(65536)};

  const std::string text = fuzz::stretched(choices.rest(), 4);
  const std::string_view input = text;
  for (std::size_t& cut : cuts) cut %= input.size() + 1;
  std::sort(cuts.begin(), cuts.end());

  options.watch = input.size() < 2000;
  const check::MembersReading whole = check::read_members({input}, options);
  fuzz::require_none(check::difference(whole, check::read_members(check::cut_at(input, cuts), options)), input);
  fuzz::require_none(check::difference(whole, check::read_members(check::chop(input, 1), options)), input);
  if (whole.error) return 0;
  fuzz::require(!options.close || whole.done, "not closed by the end marker", input);
  fuzz::require(whole.done || whole.consumed == input.size(), "bytes were left at the end", input);
  const json::Document again = check::document_of(whole.value);
  fuzz::require(json::to_string(again.root()) == whole.value, "the value does not read back: " + whole.value, input);
  return 0;
}
