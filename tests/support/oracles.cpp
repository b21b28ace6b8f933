#include "oracles.h"

#include "independent.h"
#include "prefix.h"

#include <algorithm>

namespace belay::check {
namespace {

json::ReaderOptions deep(json::Mode mode) {
  json::ReaderOptions options;
  options.mode = mode;
  options.limits.depth = options.limits.bytes = options.limits.values = kUnlimited;
  return options;
}

std::string edits_fault(const json::Reading& reading, std::string_view input) {
  std::uint64_t last = 0;
  for (const json::Edit& edit : reading.edits) {
    if (edit.grade == json::Grade::strict) return "an edit of grade strict: " + describe(edit);
    if (edit.offset + edit.length > input.size()) return "an edit outside the input: " + describe(edit);
    if (edit.offset < last) return "edits out of order: " + describe(edit) + " after offset " + std::to_string(last);
    last = edit.offset;
  }
  if (reading.edits_total < reading.edits.size()) return "fewer edits counted than listed";
  return {};
}

std::string position_fault(const Position& position, std::string_view input) {
  if (position.offset > input.size()) return "an error outside the input";
  std::string_view before = input.substr(0, static_cast<std::size_t>(position.offset));
  auto lines = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  std::size_t line_start = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  if (position.line != lines + 1 || position.column != position.offset - line_start + 1)
    return "line " + std::to_string(position.line) + " and column " + std::to_string(position.column) +
           " are not those of offset " + std::to_string(position.offset);
  return {};
}

}  // namespace

std::string incoherence(const Outcome& outcome, std::string_view input) {
  if (!outcome.plain.empty()) return "without text output " + outcome.plain;
  const json::Reading& reading = outcome.reading;
  const json::Word word = reading.verdict.word();
  if (std::string f = edits_fault(reading, input); !f.empty()) return f;
  json::Grade worst = json::Grade::strict;
  for (const json::Edit& edit : reading.edits) worst = std::max(worst, edit.grade);
  const bool all_listed = reading.edits_total == reading.edits.size();
  switch (word) {
    case json::Word::valid:
      if (reading.edits_total != 0) return "valid, yet edits are listed";
      if (reading.verdict.count != 1) return "valid, yet not one value";
      break;
    case json::Word::mended:
      if (reading.edits_total == 0) return "mended, yet no edit is listed";
      if (worst == json::Grade::guess) return "mended, yet a guess is listed";
      break;
    case json::Word::split:
      if (reading.verdict.count < 2) return "split, yet not two values";
      if (worst == json::Grade::guess) return "split, yet a guess is listed";
      break;
    case json::Word::guessed:
      if (all_listed && worst != json::Grade::guess) return "guessed, yet no guess is listed";
      break;
    case json::Word::truncated:
    case json::Word::broken: break;
  }
  const bool failed = word == json::Word::truncated || word == json::Word::broken;
  if (failed != static_cast<bool>(reading.error)) return failed ? "no error" : "an error with a value that stands";
  if (failed && reading.error.message.empty()) return "an error without a message";
  if (word == json::Word::truncated && reading.error.kind != json::ErrorKind::truncated)
    return "truncated, yet the error is " + std::string(json::name(reading.error.kind));
  if (word != json::Word::broken && reading.verdict.count != outcome.values.size())
    return std::to_string(reading.verdict.count) + " values counted, " + std::to_string(outcome.values.size()) +
           " given";
  if (!failed && outcome.values.empty()) return "a verdict that stands, yet no value";
  if (reading.verdict.trusted() !=
      (word == json::Word::valid || word == json::Word::mended || word == json::Word::split))
    return "trusted() does not fit the word";
  return failed ? position_fault(reading.error.position, input) : std::string();
}

std::string read_back_difference(const Outcome& outcome) {
  for (const std::string& written : outcome.values) {
    if (!is_utf8(written)) return "a written value is not UTF-8: " + printable(written);
    Independent other = parse_independently(written);
    if (other.opinion == Opinion::refused) return "a written value is not JSON to another parser: " + written;
    if (other.repeats) return "a written value repeats a key: " + written;
    for (json::Mode mode : {json::Mode::strict, json::Mode::tolerant}) {
      Outcome again = read_whole(written, deep(mode));
      if (again.reading.verdict.word() != json::Word::valid || again.values != std::vector{written})
        return "a written value reads back as " + describe(again) + ", not as " + written;
    }
    if (other.opinion != Opinion::accepted) continue;
    Outcome again = read_whole(written, deep(json::Mode::strict));
    if (to_tree(again.reading.document.root()) != other.tree)
      return "a written value is another tree to another parser: " + written;
  }
  return {};
}

std::string text_fault(const Outcome& outcome, std::string_view input) {
  JsonPrefix prefix;
  if (!prefix.push(outcome.text)) return "the text is not the beginning of JSON: " + printable(outcome.text);
  const json::Word word = outcome.reading.verdict.word();
  if (word == json::Word::valid && outcome.text != input)
    return "strict input passed as other bytes: " + printable(outcome.text);
  if (outcome.reading.verdict.trusted() && outcome.text_stopped) return "the text stopped without a guess";
  if (word == json::Word::guessed && !outcome.text_stopped) return "the text went on through a guess";
  if (!outcome.reading.verdict.trusted()) return {};
  if (!prefix.whole()) return "the text ends inside a value: " + printable(outcome.text);
  Outcome again = read_whole(outcome.text, deep(json::Mode::tolerant));
  if (!again.reading.edits.empty()) return "the text needs mending: " + printable(outcome.text);
  if (to_trees(again.reading.document) != to_trees(outcome.reading.document))
    return "the text says " + to_text(to_trees(again.reading.document)) + ", the values " +
           to_text(to_trees(outcome.reading.document));
  return {};
}

std::string fault(const Outcome& outcome, std::string_view input) {
  if (std::string f = incoherence(outcome, input); !f.empty()) return f;
  if (std::string f = read_back_difference(outcome); !f.empty()) return f;
  return text_fault(outcome, input);
}

}  // namespace belay::check
