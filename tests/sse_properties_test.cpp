// Framing on random streams: any cut gives the same, the second decoder hears the same, what is written reads back.
#include "damage.h"
#include "sse_oracle.h"
#include "support/decisions.h"
#include "support/outcome.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace belay::check {
namespace {

using sse::Ended;
using sse::Framing;

void require_none(const std::string& fault, std::string_view input) {
  if (!fault.empty()) RC_FAIL(fault + "\ninput: " + printable(input));
}

std::string make_text(Choices& choices) {
  static constexpr std::string_view kParts[] = {"",     "a",       " ", ":",  "{\"a\":\"}\"}", "[DONE]",
                                                "12",   "\"x\\\"", "}", "0",  "\xEF\xBB\xBF",  "data:",
                                                "true", "{",       "]", "\\", "\xC3\xA9"};
  std::string text;
  for (std::size_t n = choices.below(4); n > 0; --n) text += choices.pick(kParts);
  if (choices.once_in(20)) text += '\0';
  return text;
}

std::string make_stream(Choices& choices) {
  static constexpr std::string_view kStarts[] = {"data: ", "data:", "data",    "event: ", "event:",
                                                 "id: ",   "id",    "retry: ", "retry:1", ": ",
                                                 ":",      "foo: ", " data: ", "dat",     ""};
  static constexpr std::string_view kEnds[] = {"\n", "\r\n", "\r"};
  const std::string_view usual = choices.pick(kEnds);
  std::string out = choices.once_in(6) ? "\xEF\xBB\xBF" : "";
  while (!choices.used_up()) {
    if (choices.once_in(3))
      out += usual;
    else
      out.append(choices.pick(kStarts)).append(make_text(choices));
    out += choices.once_in(5) ? choices.pick(kEnds) : usual;
  }
  if (choices.flip() && !out.empty()) out.pop_back();
  return out;
}

RC_GTEST_PROP(StreamProperty, any_cut_of_an_event_stream_gives_what_the_standard_says, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  const Framing framing = choices.once_in(3) ? Framing::automatic : Framing::sse;
  const Ended ended = choices.flip() ? Ended::eof : Ended::reset;
  const std::uint64_t limit = choices.once_in(4) ? choices.below(20) : Limits{}.event_bytes;
  const std::vector<std::size_t> raw_cuts = {choices.below(65536), choices.below(65536)};
  const std::string input = make_stream(choices);
  const Heard whole = hear({input}, framing, ended, limit);
  require_none(naive_difference(whole, input, framing, ended, limit), input);
  require_none(difference(whole, hear(chop(input, 1), framing, ended, limit)), input);
  for (std::size_t cut : raw_cuts) {
    const std::size_t at = cut % (input.size() + 1);
    const std::string_view view = input;
    require_none(difference(whole, hear({view.substr(0, at), view.substr(at)}, framing, ended, limit)), input);
  }
}

RC_GTEST_PROP(StreamProperty, what_is_written_reads_back, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  std::string stream;
  std::vector<Said> expected;
  while (!choices.used_up()) {
    if (choices.once_in(4)) sse::append_comment(stream, make_text(choices) + "\r\n" + make_text(choices));
    std::string data, read;
    for (std::size_t n = choices.below(4); n > 0; --n) {
      static constexpr std::string_view kEnds[] = {"\n", "\r\n", "\r"};
      const std::string text = make_text(choices);
      data.append(text).append(choices.pick(kEnds)).append("-");
      read.append(text).append("\n-");
    }
    const std::string event = choices.flip() ? make_text(choices) : "";
    expected.push_back({read, stream.size(), event});
    sse::append_event(stream, data, event);
  }
  Heard heard = hear(cut_at(stream, make_cuts(stream.size(), choices)), Framing::sse, Ended::reset);
  for (std::size_t i = 0; i < std::min(heard.said.size(), expected.size()); ++i)
    if (heard.said[i] != expected[i]) RC_FAIL("event " + std::to_string(i) + " differs in " + printable(stream));
  RC_ASSERT(heard.said.size() == expected.size());
  RC_ASSERT(heard.left_over == 0u);
}

RC_GTEST_PROP(StreamProperty, values_are_found_whatever_stands_between_them, ()) {
  static constexpr std::string_view kBetween[] = {"\n", "\r\n", ",", " ", "\n,\n", "", "\n\n"};
  const std::string bytes = *decisions();
  Choices choices(bytes);
  const bool array = choices.flip();
  std::string stream = array ? "[" : "";
  std::vector<Said> expected;
  while (!choices.used_up()) {
    const Tree tree = make_any(choices);
    if (!array && tree.kind == Tree::Kind::array) continue;
    const std::string text = join(tokens_of(tree, choices));
    const std::size_t from = text.find_first_not_of(" \t\r\n"), to = text.find_last_not_of(" \t\r\n") + 1;
    expected.push_back({text.substr(from, to - from), stream.size() + from});
    stream += text;
    const bool glues = tree.kind == Tree::Kind::object || tree.kind == Tree::Kind::string;
    const std::string_view between = choices.pick(kBetween);
    stream += between.empty() && !glues ? "\n" : between;
  }
  if (array) stream += ']';
  const Heard heard = hear({stream}, Framing::json, Ended::eof);
  if (heard.said != expected) RC_FAIL(printable(stream));
  require_none(difference(heard, hear(cut_at(stream, make_cuts(stream.size(), choices)), Framing::json, Ended::eof)),
               stream);
}

RC_GTEST_PROP(StreamProperty, nothing_is_lost_without_a_word, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  const Ended ended = choices.flip() ? Ended::eof : Ended::reset;
  std::string input;
  while (!choices.used_up()) {
    input += choices.once_in(4) ? join(tokens_of(make_any(choices), choices)) : make_text(choices);
    if (choices.once_in(4)) input += '\n';
  }
  if (choices.once_in(3)) add_noise(input, choices);
  const Heard whole = hear({input}, Framing::json, ended);
  RC_PRE(whole.trouble == sse::Trouble::none);
  require_none(lost(whole, input), input);
  require_none(difference(whole, hear(chop(input, 1), Framing::json, ended)), input);
}

}  // namespace
}  // namespace belay::check
