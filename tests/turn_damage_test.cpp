// Damaged bodies: whatever happens to the bytes, what must hold for any body holds, and no call is trusted with a value
// that nobody sent.
#include "support/stream_case_file.h"
#include "wire_deltas.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace belay::check {
namespace {

const std::vector<StreamCase>& cases() {
  static const std::vector<StreamCase> all = [] {
    std::vector<StreamCase> out;
    for (StreamCase& one : load_stream_cases(BELAY_CASES_DIR "/streams"))
      if (one.body.size() < 20'000) out.push_back(std::move(one));
    return out;
  }();
  return all;
}

#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kEnds = 40;  // of each body; the release build has the rest
#else
constexpr std::size_t kEnds = 150;
#endif

// A call that a part of a body makes trusted is the call of the whole body, as far as that has one.
TEST(TurnDamage, a_body_that_ends_early_gives_no_other_calls) {
  std::size_t trusted = 0, cut = 0;
  for (const StreamCase& one : cases()) {
    const Turn whole = read_turn(one.body, one.options);
    const std::size_t step = std::max<std::size_t>(1, one.body.size() / kEnds);
    for (std::size_t n = 0; n < one.body.size(); n += step)
      for (sse::Ended ended : {sse::Ended::eof, sse::Ended::reset}) {
        TurnOptions options = one.options;
        options.ended = ended;
        const Turn part = read_turn(std::string_view(one.body).substr(0, n), options);
        SCOPED_TRACE(one.kind + ": " + one.name + " up to " + std::to_string(n) + describe(part));
        ASSERT_EQ(part.fault, "");
        ++cut;
        for (std::size_t i = 0; i < part.calls.size(); ++i) {
          if (!part.calls[i].trusted) continue;
          ++trusted;
          ASSERT_LT(i, whole.calls.size());
          ASSERT_EQ(part.calls[i].name, whole.calls[i].name);
          ASSERT_EQ(part.calls[i].arguments, whole.calls[i].arguments);
        }
      }
  }
  EXPECT_GT(cut, 10'000u);
  EXPECT_GT(trusted, 10u);
}

// Takes bytes out, doubles, changes or moves them.
std::string damaged(std::string body, Choices& choices) {
  for (std::size_t n = 1 + choices.below(3); n > 0 && !body.empty(); --n) {
    const std::size_t at = choices.below(body.size());
    const std::size_t length = std::min(body.size() - at, 1 + choices.below(choices.flip() ? 4 : 200));
    static constexpr std::string_view kBytes[] = {"\n",     "\r", "\n\n", "\"", "\\", "{",      "}",    "[",
                                                  "]",      ",",  ":",    "0",  "x",  "data: ", "\xff", "\xed\xa0\x80",
                                                  "\\ud800"};
    switch (choices.below(4)) {
      case 0: body.erase(at, length); break;
      case 1: body.insert(at, body.substr(at, length)); break;
      case 2: body.replace(at, 1, choices.pick(kBytes)); break;
      default: body.insert(at, choices.pick(kBytes)); break;
    }
  }
  return body;
}

RC_GTEST_PROP(TurnDamage, whatever_happens_to_the_bytes_cuts_do_not_matter, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  const StreamCase& one = choices.pick(cases());
  const std::string body = damaged(one.body, choices);
  const Turn whole = read_turn(body, one.options);
  RC_LOG() << one.name << '\n' << printable(body) << describe(whole) << '\n';
  RC_ASSERT(whole.fault == "");
  RC_ASSERT(turn_cut_difference(body, one.options, whole, 8) == "");
}

// Any bytes on any wire.
RC_GTEST_PROP(TurnDamage, a_body_of_one_wire_on_another_gives_events_or_a_failure, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  const StreamCase& one = choices.pick(cases());
  TurnOptions options = one.options;
  options.wire = static_cast<wire::Wire>(choices.below(5));
  const std::string body = choices.flip() ? damaged(one.body, choices) : one.body;
  const Turn whole = read_turn(body, options);
  RC_LOG() << printable(body) << describe(whole) << '\n';
  RC_ASSERT(whole.fault == "");
  RC_ASSERT(turn_cut_difference(body, options, whole, 4) == "");
}

}  // namespace
}  // namespace belay::check
