// The properties of the reader (docs/reader.md, section 10), on random documents, random damage and random cuts.
//
// RC_PARAMS sets the seed and the number of runs, as RapidCheck documents; the build gives both.
#include "damage.h"
#include "support/decisions.h"
#include "support/independent.h"
#include "support/oracles.h"
#include "support/outcome.h"
#include "support/watch.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace belay::check {
namespace {

void require_none(const std::string& fault, std::string_view input) {
  if (!fault.empty()) RC_FAIL(fault + "\ninput: " + printable(input));
}

json::ReaderOptions make_options(Choices& choices) {
  json::ReaderOptions options;
  options.root = choices.once_in(4) ? json::Root::object : json::Root::any;
  return options;
}
json::Ending make_ending(Choices& choices) { return choices.once_in(3) ? json::Ending::cut : json::Ending::complete; }

/// Any input: a document, perhaps damaged, perhaps with noise on top, perhaps cut off.
std::string make_input(Choices& choices) {
  std::string text =
      damaged_document(choices, choices.flip() ? Certainty::several_readings : Certainty::one_reading).text;
  if (choices.flip()) add_noise(text, choices);
  if (choices.once_in(4)) text.resize(choices.below(text.size() + 1));
  return text;
}

RC_GTEST_PROP(Property, any_cut_gives_the_same_reading_edits_and_text, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  const json::ReaderOptions options = make_options(choices);
  const json::Ending ending = make_ending(choices);
  const std::string input = make_input(choices);
  const Outcome whole = read_whole(input, options, ending);
  require_none(difference(whole, read_pieces(cut_at(input, make_cuts(input.size(), choices)), options, ending)), input);
  require_none(difference(whole, read_pieces(chop(input, 1), options, ending)), input);
}

RC_GTEST_PROP(Property, what_is_shown_only_grows, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  const json::ReaderOptions options = make_options(choices);
  const json::Ending ending = make_ending(choices);
  const std::size_t size = 1 + choices.below(5);
  const std::string input = make_input(choices);
  require_none(watch_fault(input, size, options, ending), input);
}

RC_GTEST_PROP(Property, every_reading_is_coherent_reads_back_and_has_honest_text, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  const json::ReaderOptions options = make_options(choices);
  const json::Ending ending = make_ending(choices);
  const std::string input = make_input(choices);
  require_none(fault(read_whole(input, options, ending), input), input);
}

RC_GTEST_PROP(Property, valid_documents_are_the_same_tree_to_an_independent_parser, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  const Tree tree = make_any(choices);
  const std::string input = join(tokens_of(tree, choices));
  const Independent other = parse_independently(input);
  RC_ASSERT(other.opinion == Opinion::accepted);
  RC_ASSERT(other.tree == tree);
  for (json::Mode mode : {json::Mode::strict, json::Mode::tolerant}) {
    json::ReaderOptions options;
    options.mode = mode;
    const Outcome got = read_whole(input, options);
    if (got.reading.verdict.word() != json::Word::valid) RC_FAIL(describe(got) + "\ninput: " + printable(input));
    RC_ASSERT(got.reading.edits_total == 0u);
    RC_ASSERT(got.text == input);
    if (to_tree(got.reading.document.root()) != tree) RC_FAIL(describe(got) + "\ninput: " + printable(input));
  }
}

RC_GTEST_PROP(Property, strict_mode_accepts_what_an_independent_parser_accepts, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  std::string input = join(tokens_of(make_any(choices), choices));
  if (choices.flip()) add_noise(input, choices);
  const Independent other = parse_independently(input);
  RC_PRE(other.opinion != Opinion::unsure);
  json::ReaderOptions options;
  options.mode = json::Mode::strict;
  const Outcome strict = read_whole(input, options), tolerant = read_whole(input);
  const bool accepted = other.opinion == Opinion::accepted;
  if (accepted != (strict.reading.verdict.word() == json::Word::valid))
    RC_FAIL("strict mode says " + describe(strict) + "\ninput: " + printable(input));
  if ((accepted && !other.repeats) != (tolerant.reading.verdict.word() == json::Word::valid))
    RC_FAIL("tolerant mode says " + describe(tolerant) + "\ninput: " + printable(input));
  if (accepted && other.repeats && tolerant.reading.verdict.word() != json::Word::guessed)
    RC_FAIL("a repeated key gives " + describe(tolerant) + "\ninput: " + printable(input));
  if (accepted) RC_ASSERT(to_tree(strict.reading.document.root()) == other.tree);
}

RC_GTEST_PROP(Property, damage_with_one_reading_is_mended_to_the_original, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  const Damaged damaged = damaged_document(choices, Certainty::one_reading);
  const Outcome got = read_whole(damaged.text);
  std::string what;
  for (std::string_view name : damaged.applied) what += " +" + std::string(name);
  if (!got.reading.verdict.trusted() || to_trees(got.reading.document) != std::vector{damaged.original})
    RC_FAIL(what + " gives " + describe(got) + "\noriginal: " + to_text(damaged.original) +
            "\ninput: " + printable(damaged.text));
}

RC_GTEST_PROP(Property, damage_with_several_readings_is_never_trusted_as_another_value, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  const Damaged damaged = damaged_document(choices, Certainty::several_readings);
  RC_PRE(damaged.certainty == Certainty::several_readings);
  const Outcome got = read_whole(damaged.text);
  std::string what;
  for (std::string_view name : damaged.applied) what += " +" + std::string(name);
  if (got.reading.verdict.trusted() && to_trees(got.reading.document) != std::vector{damaged.original})
    RC_FAIL(what + " gives " + describe(got) + "\noriginal: " + to_text(damaged.original) +
            "\ninput: " + printable(damaged.text));
}

/// The tree with its last leaf and everything around it open, as it was before the cut.
Shown open_at_the_end(const Tree& tree) {
  Shown out{.kind = json::Kind::null, .closed = false, .text = tree.text, .keys = tree.keys, .items = {}};
  switch (tree.kind) {
    case Tree::Kind::null: out.closed = true; break;
    case Tree::Kind::no: out.kind = json::Kind::boolean, out.text = "false", out.closed = true; break;
    case Tree::Kind::yes: out.kind = json::Kind::boolean, out.text = "true", out.closed = true; break;
    case Tree::Kind::number: out.kind = json::Kind::number, out.closed = true; break;
    case Tree::Kind::string: out.kind = json::Kind::string; break;
    case Tree::Kind::array: out.kind = json::Kind::array; break;
    case Tree::Kind::object: out.kind = json::Kind::object; break;
  }
  for (const Tree& item : tree.items) out.items.push_back(open_at_the_end(item));
  return out;
}

RC_GTEST_PROP(Property, a_cut_document_is_truncated_and_shows_nothing_that_was_not_there, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  const Tree tree = make_document(choices);
  const std::string input = join(tokens_of(tree, choices));
  const std::string prefix = input.substr(0, choices.below(input.size()));
  RC_PRE(prefix.find('{') != prefix.npos);
  const Outcome cut = read_whole(prefix, {}, json::Ending::cut);
  if (cut.reading.verdict.word() != json::Word::truncated || cut.values.size() != 1)
    RC_FAIL("cut: " + describe(cut) + "\ninput: " + printable(prefix));
  require_none(regression(open_at_the_end(to_tree(cut.reading.document.root())), tree), prefix);
  const Outcome ended = read_whole(prefix, {}, json::Ending::complete);
  if (ended.reading.verdict.trusted()) RC_FAIL("complete: " + describe(ended) + "\ninput: " + printable(prefix));
}

RC_GTEST_PROP(Property, memory_is_bounded_by_nodes_and_string_bytes, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  std::string input;
  if (choices.flip()) {
    input = make_input(choices);
  } else {  // large enough that the constant does not matter
    std::string one = to_text(make_any(choices));
    if (choices.flip()) one = "\"" + std::string(1 + choices.below(5000), 'x') + "\"";
    input = "[" + one;
    for (std::size_t n = 200 + choices.below(2000); n > 0; --n) input += "," + one;
    input += "]";
  }
  const json::Reading reading = choices.flip() ? json::read(input) : [&] {
    json::Reader reader;
    for (std::string_view piece : chop(input, 64)) reader.push(piece);
    return reader.finish();
  }();
  const json::Tape& tape = reading.document.tape();
  std::size_t string_bytes = 0;
  for (std::size_t i = 0; i < tape.size(); ++i)
    if (!tape.node(i).container() && tape.node(i).tag() != json::Tag::short_number) string_bytes += tape.node(i).size();
  const std::size_t bound = 32 * tape.size() + 2 * string_bytes + (64u << 10);
  if (tape.capacity_bytes() > bound)
    RC_FAIL(std::to_string(tape.capacity_bytes()) + " bytes for " + std::to_string(tape.size()) + " nodes and " +
            std::to_string(string_bytes) + " string bytes");
}

}  // namespace
}  // namespace belay::check
