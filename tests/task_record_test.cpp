// Records as text: what is written is read back as the same, and what is not understood is said to be so.
#include "support/decisions.h"
#include "support/task_bodies.h"

#include <belay/json.h>
#include <belay/task/event.h>
#include <belay/task/record.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace belay::task {
namespace {

using check::Choices;

/// The error of reading it; empty when it could be read.
std::string error_of(std::string_view text) {
  const auto body = body_from_json(text);
  return body ? "" : body.error();
}

Turn turn_with_a_call(std::string arguments) {
  Turn turn;
  turn.message = {chat::Role::assistant, {chat::call_block("c1", "write_to_file", arguments)}, {}};
  PlannedCall call;
  call.id = "c1";
  call.name = call.tool = "write_to_file";
  call.effect = tool::Effect::write;
  call.handling = policy::Handling::run;
  call.runs = {std::move(arguments)};
  turn.calls = {call};
  turn.stop = chat::StopReason::tool_calls;
  return turn;
}

TEST(TaskRecord, WhatSaysNothingIsLeftOut) {
  EXPECT_EQ(to_json(Intent{"c1", 0, false}), R"({"v":1,"kind":"intent","call":"c1"})");
  EXPECT_EQ(to_json(Said{Said::Why::person, {chat::text_block("go on")}}),
            R"({"v":1,"kind":"said","blocks":[{"kind":"text","text":"go on"}]})");
  EXPECT_EQ(to_json(Finding{"c1", 1, false, Finding::Why::ran, {}, true, 12}),
            R"({"v":1,"kind":"finding","call":"c1","run":1,"last":false,"is_error":true,"milliseconds":12})");
  EXPECT_EQ(to_json(Todos{}), R"({"v":1,"kind":"todos"})");
}

TEST(TaskRecord, WhatIsLeftOutHasTheValueThatVersionOneGaveIt) {
  EXPECT_EQ(body_from_json(R"({"v":1,"kind":"finding"})"), Body(Finding{"", 0, true, Finding::Why::ran, {}, false, 0}));
  EXPECT_EQ(body_from_json(R"({"v":1,"kind":"failed"})"), Body(RequestFailed{"", "", 1, false}));
  EXPECT_EQ(body_from_json(R"({"v":1,"kind":"said"})"), Body(Said{Said::Why::person, {}}));
  EXPECT_EQ(body_from_json(R"({"v":1,"kind":"outcome","became":"lost"})"),
            Body(Outcome{"", "", "", {}, json::Word::valid, Outcome::Became::lost}));
}

TEST(TaskRecord, SettingsAreWrittenWholeBecauseTheirDefaultsMayChange) {
  const std::string text = to_json(Created{});
  for (std::string_view name : {"protocol", "output_tokens", "budget", "turns", "breakers", "retry", "context"})
    EXPECT_TRUE(text.contains("\"" + std::string(name) + "\":")) << name << " in " << text;
  EXPECT_TRUE(to_json(Changed{.has_budget = true}).contains("\"turns\":200"));
  EXPECT_EQ(to_json(Changed{.reset = 1}), R"({"v":1,"kind":"changed","reset":1})");
}

TEST(TaskRecord, ARunThatIsTheCallAsItStandsIsStoredOnce) {
  const std::string content(1'000'000, 'x');
  const Body body = turn_with_a_call(R"({"path":"a","content":")" + content + "\"}");
  const std::string text = to_json(body);
  EXPECT_LT(text.size(), content.size() + 1000);
  EXPECT_TRUE(text.contains("\"as_called\":true"));
  EXPECT_EQ(body_from_json(text), body);
}

TEST(TaskRecord, ARunThatDiffersFromTheCallIsStoredAsItIs) {
  Turn turn = turn_with_a_call(R"({"path":"a"})");
  turn.calls[0].runs = {R"({"path":"b"})"};
  EXPECT_TRUE(to_json(turn).contains(R"("runs":["{\"path\":\"b\"}"])"));
  EXPECT_EQ(body_from_json(to_json(turn)), Body(turn));
  turn.calls[0].runs = {R"({"path":"a"})", R"({"path":"a"})"};
  EXPECT_EQ(body_from_json(to_json(turn)), Body(turn));
  turn.calls[0].runs.clear();
  EXPECT_EQ(body_from_json(to_json(turn)), Body(turn));
}

TEST(TaskRecord, OfTwoCallsWithOneIdTheFirstCounts) {
  Turn turn = turn_with_a_call(R"({"n":1})");
  turn.message.blocks.push_back(chat::call_block("c1", "write_to_file", R"({"n":2})"));
  turn.calls.push_back(turn.calls[0]);
  turn.calls[1].runs = {R"({"n":2})"};
  EXPECT_EQ(body_from_json(to_json(turn)), Body(turn));
}

TEST(TaskRecord, ManyCallsAreNoMatterOfTheirSquare) {
  Turn turn;
  for (int i = 0; i < 20'000; ++i) {
    const std::string id = std::to_string(i);
    turn.message.blocks.push_back(chat::call_block(id, "f", "{}"));
    turn.calls.push_back({});
    turn.calls.back().id = id;
    turn.calls.back().runs = {"{}"};
  }
  EXPECT_EQ(body_from_json(to_json(turn)), Body(turn));
}

TEST(TaskRecord, WhatIsNotUnderstoodIsAnErrorThatSaysWhereItIs) {
  EXPECT_EQ(error_of(""),
            "The record is not JSON: " + json::read("", {.mode = json::Mode::strict}).error.message + " (byte 0).");
  EXPECT_TRUE(error_of(R"({"v":1,"kind":"todos",})").contains("(byte 22)")) << error_of(R"({"v":1,"kind":"todos",})");
  EXPECT_EQ(error_of("[]"), "The record is not an object.");
  EXPECT_EQ(error_of(R"({"kind":"todos"})"), "The record does not say its version.");
  EXPECT_EQ(error_of(R"({"v":"1","kind":"todos"})"), "The record does not say its version.");
  EXPECT_EQ(error_of(R"({"v":0,"kind":"todos"})"), "The record does not say its version.");
  EXPECT_EQ(error_of(R"({"v":2,"kind":"dreams"})"),
            "The record has version 2, and this Belay reads up to 1: use the newer Belay that wrote it.");
  EXPECT_EQ(error_of(R"({"v":1,"kind":"dreams"})"), "The record is of no kind that this Belay knows.");
  EXPECT_EQ(error_of(R"({"v":1})"), "The record is of no kind that this Belay knows.");
  EXPECT_EQ(error_of(R"({"v":1,"kind":"todos","list":7})"),
            "A record of kind todos cannot be read: /list is not a text.");
  EXPECT_EQ(error_of(R"({"v":1,"kind":"intent","run":-1})"),
            "A record of kind intent cannot be read: /run is not a whole number from 0 to 2^64 - 1.");
  EXPECT_EQ(error_of(R"({"v":1,"kind":"intent","run":1.5})"),
            "A record of kind intent cannot be read: /run is not a whole number from 0 to 2^64 - 1.");
  EXPECT_EQ(error_of(R"({"v":1,"kind":"intent","confined":1})"),
            "A record of kind intent cannot be read: /confined is not true or false.");
  EXPECT_EQ(error_of(R"({"v":1,"kind":"said","why":"bored"})"),
            "A record of kind said cannot be read: /why is not one of the words for it.");
  EXPECT_EQ(error_of(R"({"v":1,"kind":"said","blocks":[{"kind":"text"},{"kind":"song"}]})"),
            "A record of kind said cannot be read: /blocks/1/kind is not one of the words for it.");
  EXPECT_EQ(error_of(R"({"v":1,"kind":"said","blocks":{}})"),
            "A record of kind said cannot be read: /blocks is not a list.");
  EXPECT_EQ(error_of(R"({"v":1,"kind":"turn","message":[]})"),
            "A record of kind turn cannot be read: /message is not an object.");
  EXPECT_EQ(error_of(R"({"v":1,"kind":"folded","cost":"1"})"),
            "A record of kind folded cannot be read: /cost is not a number.");
}

TEST(TaskRecord, AMemberThatIsUnknownOrDoubledIsAnError) {
  EXPECT_EQ(error_of(R"({"v":1,"kind":"todos","lost":"a"})"),
            "A record of kind todos cannot be read: it has the member \"lost\" twice, or this Belay does not know it.");
  EXPECT_EQ(error_of(R"({"v":1,"kind":"todos","list":"a","list":"b"})"),
            "A record of kind todos cannot be read: it has the member \"list\" twice, or this Belay does not know it.");
  EXPECT_EQ(error_of(R"({"v":1,"v":1,"kind":"todos"})"),
            "A record of kind todos cannot be read: it has the member \"v\" twice, or this Belay does not know it.");
  EXPECT_EQ(error_of(R"({"v":1,"kind":"said","blocks":[{"kind":"text","size":3}]})"),
            "A record of kind said cannot be read: /blocks/0 has the member \"size\" twice, or this Belay does not "
            "know it.");
  std::string many = R"({"v":1,"kind":"todos")";
  for (int i = 0; i < 100; ++i) many += ",\"m" + std::to_string(i) + "\":0";
  EXPECT_TRUE(error_of(many + "}").contains("\"m0\""));
  EXPECT_TRUE(error_of(many + ",\"list\":\"a\"}").contains("\"m0\""));
}

TEST(TaskRecord, ACallThatIsNotInTheMessageCannotBeAsCalled) {
  EXPECT_EQ(error_of(R"({"v":1,"kind":"turn","message":{"role":"assistant"},"calls":[{"id":"x","as_called":true}]})"),
            "A record of kind turn cannot be read: /calls/0/as_called is about a call that is not in the message.");
  EXPECT_EQ(error_of(R"({"v":1,"kind":"turn","calls":[{"as_called":true,"runs":["{}"]}]})"),
            "A record of kind turn cannot be read: /calls/0/runs stands beside as_called.");
}

TEST(TaskRecord, MembersMayComeInAnyOrder) {
  const auto body = body_from_json(R"({"calls":[{"as_called":true,"id":"c"}],"kind":"turn",
      "message":{"blocks":[{"arguments":"{}","id":"c","kind":"tool_call"}],"role":"assistant"},"v":1})");
  ASSERT_TRUE(body) << body.error();
  EXPECT_EQ(std::get<Turn>(*body).calls.at(0).runs, std::vector<std::string>{"{}"});
}

TEST(TaskRecord, NumbersKeepTheirValue) {
  for (double cost : {0.1, 1e-7, 5e-324, 1.7976931348623157e308, 1.0 / 3, std::numeric_limits<double>::infinity()}) {
    Folded folded;
    folded.cost = cost;
    EXPECT_EQ(body_from_json(to_json(folded)), Body(folded)) << cost;
  }
  Folded folded;
  folded.cost = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(body_from_json(to_json(folded)), Body(Folded{}));
  Finding finding;
  finding.milliseconds = std::numeric_limits<std::int64_t>::min();
  finding.run = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(body_from_json(to_json(finding)), Body(finding));
}

TEST(TaskRecord, WordsAreThoseOfTheRestOfBelay) {
  for (int i = 0; i < 8; ++i) {
    Turn turn;
    turn.stop = static_cast<chat::StopReason>(i);
    EXPECT_TRUE(to_json(turn).contains("\"stop\":\"" + std::string(chat::name(turn.stop)) + "\""));
  }
  for (int i = 0; i < 7; ++i) {
    Turn turn = turn_with_a_call("{}");
    turn.calls[0].handling = static_cast<policy::Handling>(i);
    turn.calls[0].effect = static_cast<tool::Effect>(i % 4);
    turn.calls[0].damage.verdict = static_cast<json::Word>(i % 6);
    const std::string text = to_json(turn);
    EXPECT_TRUE(text.contains("\"handling\":\"" + std::string(policy::name(turn.calls[0].handling)) + "\""));
    EXPECT_TRUE(text.contains("\"effect\":\"" + std::string(tool::name(turn.calls[0].effect)) + "\""));
    if (i % 6 != 0) {
      EXPECT_TRUE(text.contains("\"verdict\":\"" + std::string(json::name(turn.calls[0].damage.verdict)) + "\""));
    }
  }
}

TEST(TaskRecord, EveryEndHasAWordAndAnExitCode) {
  const std::pair<std::string_view, int> ends[] = {{"completed", 0}, {"aborted", 130},       {"turns", 53},
                                                   {"tokens", 54},   {"cost", 54},           {"time", 54},
                                                   {"stuck", 55},    {"authentication", 41}, {"failed", 1}};
  for (std::size_t i = 0; i < std::size(ends); ++i) {
    EXPECT_EQ(name(static_cast<EndReason>(i)), ends[i].first);
    EXPECT_EQ(exit_code(static_cast<EndReason>(i)), ends[i].second) << ends[i].first;
  }
}

TEST(TaskRecord, EveryBodyHasItsKind) {
  const std::string_view kinds[] = {"created", "said",   "turn",    "intent", "finding", "approved", "todos",
                                    "child",   "folded", "changed", "failed", "outcome", "finished"};
  for (std::size_t i = 0; i < std::variant_size_v<Body>; ++i) {
    Choices none("");
    EXPECT_EQ(kind_of(check::any_body(none, i)), kinds[i]);
  }
}

RC_GTEST_PROP(TaskRecordProperty, WhatIsWrittenIsReadBackAsTheSame, ()) {
  const std::string decisions = *check::decisions(8.0);
  for (std::size_t i = 0; i < std::variant_size_v<Body>; ++i) {
    Choices choices(decisions);
    const Body body = check::any_body(choices, i);
    RC_ASSERT(body.index() == i);
    const std::string text = to_json(body);
    const auto again = body_from_json(text);
    if (!again) RC_FAIL(again.error() + "\n" + text);
    RC_ASSERT(*again == body);
    RC_ASSERT(to_json(*again) == text);
    RC_ASSERT(text.find('\n') == std::string::npos);
  }
}

RC_GTEST_PROP(TaskRecordProperty, DamageGivesAnErrorOrARecordThatCanBeWritten, ()) {
  const std::string decisions = *check::decisions(8.0);
  Choices choices(decisions);
  const std::size_t kind = choices.below(std::variant_size_v<Body>);
  std::string text = to_json(check::any_body(choices, kind));
  for (std::size_t n = 1 + choices.below(3); n > 0; --n) {
    const std::size_t at = choices.below(text.size() + 1);
    switch (choices.below(3)) {
      case 0: text.erase(at, 1 + choices.below(4)); break;
      case 1: text.insert(at, 1, static_cast<char>(choices.below(256))); break;
      default: text.insert(at, text.substr(choices.below(text.size() + 1), choices.below(20))); break;
    }
  }
  if (const auto body = body_from_json(text))
    RC_ASSERT(*body_from_json(to_json(*body)) == *body);
  else
    RC_ASSERT(body.error().ends_with('.'));
}

TEST(TaskEvent, OnlyWhatIsNotEmptyIsWritten) {
  EXPECT_EQ(to_json(Event{EventKind::text, "t1", "", "", "a\nb", 0, false, ""}),
            R"({"type":"text","task":"t1","text":"a\nb"})");
  EXPECT_EQ(
      to_json(Event{EventKind::tool_ended, "t1", "c1", "read_file", "no", 3, true, ""}),
      R"({"type":"tool_ended","task":"t1","call":"c1","name":"read_file","text":"no","number":3,"is_error":true})");
  EXPECT_EQ(to_json(Event{EventKind::resumed, "", "", "", "", 0, false, ""}), R"({"type":"resumed","task":""})");
}

TEST(TaskEvent, DataIsPartOfTheLineWhateverItIs) {
  Event event{EventKind::usage, "t", "", "", "", 0, false, "{\n  \"input\": 3\n}"};
  EXPECT_EQ(to_json(event), R"({"type":"usage","task":"t","data":{"input":3}})");
  event.data = "{\"input\": \n";
  EXPECT_EQ(to_json(event), R"({"type":"usage","task":"t","data":"{\"input\": \n"})");
}

TEST(TaskEvent, EveryKindHasItsOwnName) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(EventKind::finished); ++i)
    names.insert(name(static_cast<EventKind>(i)));
  EXPECT_EQ(names.size(), 23u);
  EXPECT_EQ(name(EventKind::child_started), "child_started");
  EXPECT_EQ(name(EventKind::call_started), "call_started");
  EXPECT_EQ(name(EventKind::notice), "notice");
  EXPECT_EQ(name(EventKind::finished), "finished");
}

}  // namespace
}  // namespace belay::task
