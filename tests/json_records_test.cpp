// Lists of records with the same keys again and again, as models and databases write them. A reader may remember what
// a member's beginning looked like; that memory must never show, whatever was changed between two records.
#include "damage.h"
#include "support/decisions.h"
#include "support/independent.h"
#include "support/oracles.h"
#include "support/outcome.h"
#include "support/watch.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace belay::check {
namespace {

std::string make_records(Choices& choices) {
  static constexpr std::array<std::string_view, 6> kKeys = {"id", "it's", "a rather long key that fills a block",
                                                            "",   "x",    "é"};
  static constexpr std::array<std::string_view, 6> kValues = {"1", "\"text\"", "null", "[]", "{\"id\":2}", "-0.5e3"};
  static constexpr std::array<std::string_view, 4> kColons = {":", " : ", ": ", ":\n"};
  static constexpr std::array<std::string_view, 4> kCommas = {",", ", ", ",\n  ", " ,"};
  const std::size_t width = 1 + choices.below(4), first = choices.below(kKeys.size());
  const std::string_view colon = choices.pick(kColons), comma = choices.pick(kCommas);
  std::string out = "[";
  for (std::size_t n = 2 + choices.below(5), i = 0; i < n; ++i) {
    (out += i > 0 ? comma : "") += "{";
    for (std::size_t k = 0; k < width; ++k) {
      (out += k > 0 ? comma : "") += json_string(kKeys[(first + k) % kKeys.size()]);
      (out += colon) += choices.pick(kValues);
    }
    out += "}";
  }
  return out + "]";
}

/// One byte less, one more, or another one, mostly where members begin and end.
void change_a_byte(std::string& text, Choices& choices) {
  static constexpr std::string_view kBytes = ",:{}[]\"' \n\\ax1\xff";
  std::size_t at = choices.below(text.size());
  if (choices.flip()) at = std::min(text.find_first_of("{},:\"", at), text.size() - 1);
  switch (choices.below(4)) {
    case 0: text.erase(at, 1); break;
    case 1: text[at] = choices.pick(kBytes); break;
    case 2: text.insert(at, 1, choices.pick(kBytes)); break;
    default: text.insert(at + 1, 1, choices.pick(kBytes)); break;
  }
}

RC_GTEST_PROP(Records, are_read_the_same_whatever_was_read_before_them, ()) {
  const std::string bytes = *decisions(1.0);
  Choices choices(bytes);
  const std::string other_text = make_records(choices);
  std::string input = choices.flip() ? other_text : make_records(choices);
  for (std::size_t n = choices.below(3); n > 0 && !input.empty(); --n) change_a_byte(input, choices);

  for (json::Mode mode : {json::Mode::tolerant, json::Mode::strict}) {
    json::ReaderOptions options;
    options.mode = mode;
    const Outcome whole = read_whole(input, options);
    std::string fault;
    for (std::size_t size : {1u, 2u, 3u, 4u, 5u, 7u, 9u, 16u, 31u})
      if (fault.empty()) fault = difference(whole, read_pieces(chop(input, size), options, json::Ending::complete));
    if (fault.empty()) fault = watch_fault(input, 1 + choices.below(9), options, json::Ending::complete);
    // A reader that has read a text like this one before gives the same.
    for (const Pieces& before : {Pieces{input}, Pieces{other_text}, chop(other_text, 4)})
      for (std::size_t size : {std::size_t{4}, std::size_t{32}, input.size() + 1})
        if (fault.empty())
          fault = difference(whole, read_pieces(chop(input, size), options, json::Ending::complete, before));
    if (fault.empty()) fault = incoherence(whole, input);
    if (fault.empty() && mode == json::Mode::tolerant) fault = text_fault(whole, input);
    if (!fault.empty()) RC_FAIL(fault + "\ninput: " + printable(input));
    const Independent other = parse_independently(input);
    const bool valid = other.opinion == Opinion::accepted && (mode == json::Mode::strict || !other.repeats);
    if (valid != (whole.reading.verdict.word() == json::Word::valid))
      RC_FAIL(describe(whole) + "\ninput: " + printable(input));
    if (valid && to_tree(whole.reading.document.root()) != other.tree)
      RC_FAIL("another tree: " + describe(whole) + "\ninput: " + printable(input));
  }
}

}  // namespace
}  // namespace belay::check
