// Histories that became too long: what is folded, and that what is left is whole.
#include "support/decisions.h"
#include "support/histories.h"

#include <belay/task/context.h>
#include <belay/task/history.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace belay::task {
namespace {

using chat::Block;
using chat::Message;
using chat::Role;
using check::Choices;
using check::says;
using History = std::vector<Message>;

constexpr std::string_view kTodos = "[ ] one\n[x] two";

/// An answer with a call, and its result.
void add_turn(History& history, const std::string& id, std::string result) {
  history.push_back({Role::assistant, {chat::call_block(id, "read_file", R"({"path":"a"})")}, {}});
  history.push_back({Role::tool, {chat::result_block(id, std::move(result))}, {}});
}

History with_turns(std::size_t turns, std::size_t bytes) {
  History history = {says("the goal")};
  for (std::size_t i = 0; i < turns; ++i) add_turn(history, "c" + std::to_string(i), std::string(bytes, 'x'));
  return history;
}

std::uint64_t tokens(const History& history) {
  chat::Request request;
  request.messages = history;
  return estimate_tokens(request);
}

std::string texts(const History& history) {
  std::string out;
  for (const std::string& text : check::texts_of(history)) out += text + "\n";
  return out;
}

TEST(TaskTokens, AreAboutRightForTextCodeAndOtherScripts) {
  EXPECT_EQ(estimate_tokens(std::string_view()), 0u);
  EXPECT_EQ(estimate_tokens("a"), 1u);
  const std::uint64_t prose = estimate_tokens("The quick brown fox jumps over the lazy dog, and then it sleeps.");
  EXPECT_GE(prose, 13u);
  EXPECT_LE(prose, 24u);
  EXPECT_EQ(estimate_tokens("漢字かな交じり文"), 8u);
  EXPECT_EQ(estimate_tokens("😀"), 2u) << "rather too many than too few";
}

TEST(TaskTokens, EverythingThatIsSentCounts) {
  const Message plain = says("");
  const auto more = [&](auto change) {
    Message message = plain;
    change(message.blocks[0]);
    return estimate_tokens(message) > estimate_tokens(plain);
  };
  EXPECT_TRUE(more([](Block& b) { b.text = "text"; }));
  EXPECT_TRUE(more([](Block& b) { b = chat::call_block("", "", R"({"a":1})"); }));
  EXPECT_TRUE(more([](Block& b) { b = chat::call_block("", "name", ""); }));
  EXPECT_TRUE(more([](Block& b) { b = chat::result_block("", "text"); }));
  EXPECT_TRUE(more([](Block& b) { b.kind = Block::Kind::image; }));
  EXPECT_TRUE(more([](Block& b) { b.opaque = {{"anthropic", "signature", "\"c2ln\""}}; }));
  chat::Request request;
  const std::uint64_t empty = estimate_tokens(request);
  request.tools = {{"f", "does it", R"({"type":"object"})", {}}};
  EXPECT_GE(estimate_tokens(request), empty + 8);
}

TEST(TaskFold, OldResultsBecomeStubsThatNameTheirTool) {
  const History history = with_turns(3, 5000);
  const History view = folded_view(history, {{"c0"}, 0, ""}, kTodos);
  ASSERT_EQ(view.size(), history.size());
  EXPECT_EQ(
      view[2].blocks[0].content[0].text,
      "[An old result of `read_file`, 5000 bytes, was left out to save space. Call the tool again if you need it.]");
  EXPECT_EQ(view[2].blocks[0].id, "c0");
  EXPECT_EQ(History(view.begin() + 3, view.end()), History(history.begin() + 3, history.end()));
}

TEST(TaskFold, AStubSaysStillThatItWasAnError) {
  History history = with_turns(1, 5000);
  history[2].blocks[0].is_error = true;
  history[2].blocks[0].opaque = {{"gemini", "@response", R"({"huge":"thing"})"}, {"gemini", "@id", "true"}};
  const Block stub = folded_view(history, {{"c0"}, 0, ""}, "")[2].blocks[0];
  EXPECT_TRUE(stub.is_error);
  EXPECT_EQ(stub.opaque, (std::vector<chat::Opaque>{{"gemini", "@id", "true"}}));
}

TEST(TaskFold, NothingFoldedIsTheHistoryAsItIs) {
  const History history = with_turns(3, 100);
  EXPECT_EQ(folded_view(history, {}, kTodos), history);
  EXPECT_EQ(folded_view({}, {}, kTodos), History{});
}

TEST(TaskFold, TheSummaryStandsBehindTheGoalWithTheTodos) {
  const History history = with_turns(5, 100);
  const History view = folded_view(history, {{}, 7, "it went well"}, kTodos);
  EXPECT_EQ(flaw(view), std::nullopt);
  ASSERT_EQ(view.size(), 2 + history.size() - 7);
  EXPECT_EQ(view[0], history[0]);
  EXPECT_EQ(view[1].role, Role::user);
  EXPECT_TRUE(view[1].blocks[0].text.contains("it went well"));
  EXPECT_TRUE(view[1].blocks[0].text.contains(kTodos));
  EXPECT_EQ(History(view.begin() + 2, view.end()), History(history.begin() + 7, history.end()));
}

TEST(TaskFold, ASummaryThatWouldEndBetweenCallAndResultEndsBehindThem) {
  const History history = with_turns(3, 100);
  EXPECT_EQ(folded_view(history, {{}, 4, "s"}, ""), folded_view(history, {{}, 5, "s"}, ""));
  EXPECT_EQ(flaw(folded_view(history, {{}, 4, "s"}, "")), std::nullopt);
  EXPECT_EQ(folded_view(history, {{}, 1000, "s"}, "").size(), 2u);
  EXPECT_EQ(folded_view(history, {{}, 1, "s"}, ""), history);
}

TEST(TaskFold, TheOldestResultsAreFoldedFirstAndTheLastTurnsStay) {
  const History history = with_turns(6, 5000);
  EXPECT_EQ(results_to_fold(history, {}, 2, 1), std::vector<std::string>{"c0"});
  EXPECT_EQ(results_to_fold(history, {{"c0"}, 0, ""}, 2, 2000), (std::vector<std::string>{"c1", "c2"}));
  EXPECT_EQ(results_to_fold(history, {}, 2, 1'000'000), (std::vector<std::string>{"c0", "c1", "c2", "c3"}));
  EXPECT_EQ(results_to_fold(history, {{"c0", "c1", "c2", "c3"}, 0, ""}, 2, 1), std::vector<std::string>{});
  EXPECT_EQ(results_to_fold(history, {{}, 5, "s"}, 2, 1), std::vector<std::string>{"c2"});
  EXPECT_EQ(results_to_fold(history, {}, 0, 1'000'000).size(), 6u);
  EXPECT_EQ(results_to_fold(history, {}, 9, 1'000'000).size(), 0u);
  EXPECT_EQ(results_to_fold(history, {}, 2, 0).size(), 0u);
}

TEST(TaskFold, ShortResultsStay) {
  History history = with_turns(1, 20);
  add_turn(history, "long", std::string(5000, 'x'));
  add_turn(history, "last", "end");
  EXPECT_EQ(results_to_fold(history, {}, 1, 1'000'000), std::vector<std::string>{"long"});
}

TEST(TaskFold, ASummaryEndsWhereTheLastTurnsBegin) {
  History history = with_turns(5, 500);
  EXPECT_EQ(summary_end(history, {}, 2), 7u);
  EXPECT_EQ(summary_end(history, {}, 4), 3u);
  EXPECT_EQ(summary_end(history, {}, 5), std::nullopt);
  EXPECT_EQ(summary_end(history, {}, 50), std::nullopt);
  EXPECT_EQ(summary_end(history, {}, 0), 11u);
  EXPECT_EQ(summary_end(history, {{}, 7, "s"}, 2), std::nullopt);
  EXPECT_EQ(summary_end(history, {{}, 5, "s"}, 2), 7u);
  // What the person said last belongs to the turn that it began.
  history.push_back(says("now this"));
  add_turn(history, "c5", "done");
  EXPECT_EQ(summary_end(history, {}, 1), 11u);
  EXPECT_EQ(summary_end({}, {}, 1), std::nullopt);
}

TEST(TaskFold, ThereIsNoSummaryOfNextToNothing) {
  EXPECT_EQ(summary_end(with_turns(3, 10), {}, 2), std::nullopt);
  // What was folded before counts as the stub that it is.
  const History history = with_turns(2, 5000);
  EXPECT_EQ(summary_end(history, {}, 1), 3u);
  EXPECT_EQ(summary_end(history, {{"c0"}, 0, ""}, 1), std::nullopt);
}

TEST(TaskFold, TwentyThousandTurnsAreNoMatterOfTheirSquare) {
  const History history = with_turns(20'000, 500);
  Fold fold;
  fold.results = results_to_fold(history, fold, 4, 1'000'000'000);
  EXPECT_EQ(fold.results.size(), 19'996u);
  EXPECT_EQ(flaw(folded_view(history, fold, "")), std::nullopt);
}

/// The messages of the last turns, counted from behind without the code under test.
History last_turns(const History& history, std::uint64_t turns) {
  std::size_t at = history.size();
  while (turns > 0 && at > 0)
    if (history[--at].role == Role::assistant) --turns;
  return {history.begin() + static_cast<std::ptrdiff_t>(at), history.end()};
}

bool ends_with(const History& history, const History& end) {
  return history.size() >= end.size() && std::equal(end.rbegin(), end.rend(), history.rbegin());
}

RC_GTEST_PROP(TaskFoldProperty, FoldingAgainAndAgainKeepsPairsGoalTodosAndLastTurns, ()) {
  const std::string decisions = *check::decisions(4.0);
  Choices choices(decisions);
  History history = check::whole_history(choices, 12);
  const auto is_goal = [](const Message& message) { return message.role != Role::system; };
  const Message goal = *std::ranges::find_if(history, is_goal);
  Fold fold;
  History view = folded_view(history, fold, kTodos);
  RC_ASSERT(view == history);
  const std::uint64_t keep = choices.below(4);
  for (std::size_t round = 0; round < 6; ++round) {
    const std::uint64_t before = tokens(view);
    bool folded = false;
    if (choices.flip()) {
      const std::uint64_t wanted = choices.below(8'000);
      const std::vector<std::string> results = results_to_fold(history, fold, keep, wanted);
      fold.results.insert(fold.results.end(), results.begin(), results.end());
      folded = !results.empty();
      view = folded_view(history, fold, kTodos);
      const bool enough = before - tokens(view) >= wanted;
      RC_ASSERT(enough || results_to_fold(history, fold, keep, wanted).empty());
    } else if (const auto end = summary_end(history, fold, keep)) {
      RC_ASSERT(*end > fold.upto);
      RC_ASSERT(*end <= history.size());
      fold.upto = *end;
      fold.summary = "summary " + std::to_string(round);
      folded = true;
      view = folded_view(history, fold, kTodos);
    }
    if (auto wrong = flaw(view)) RC_FAIL(*wrong);
    if (folded) RC_ASSERT(tokens(view) < before);
    RC_ASSERT(*std::ranges::find_if(view, is_goal) == goal);
    if (fold.upto > 0) {
      RC_ASSERT(texts(view).contains(kTodos));
      RC_ASSERT(texts(view).contains(fold.summary));
    }
    RC_ASSERT(ends_with(view, last_turns(history, keep)));
    if (choices.flip()) {  // it goes on
      add_turn(history, "later_" + std::to_string(round), std::string(choices.below(3000), 'y'));
      view = folded_view(history, fold, kTodos);
      if (auto wrong = flaw(view)) RC_FAIL(*wrong);
    }
  }
}

}  // namespace
}  // namespace belay::task
