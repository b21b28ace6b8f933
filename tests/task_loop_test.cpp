// The loop, step by step: what the model, the person and the records see.
#include "support/task_stage.h"

#include <algorithm>

namespace belay::task {
namespace {

using Strings = std::vector<std::string>;

class Loop : public check::TaskStage {
 protected:
  static constexpr auto yes = Reply::Kind::yes;
  static constexpr auto no = Reply::Kind::no;
  static constexpr auto words = Reply::Kind::words;
  static std::string path(std::string_view name) { return "{\"path\":\"" + std::string(name) + "\"}"; }
  void alone() { conditions_.person = false; }
};

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

// Calls of one turn.

TEST_F(Loop, ReadsThatStandTogetherRunAtOnceAndEffectsInOrder) {
  begin();
  says("", {{"look", path("a")}, {"look", path("b")}, {"put", path("c")}, {"look", path("d")}, {"do", path("e")}});
  EXPECT_EQ(running(), (Strings{"look " + path("a"), "look " + path("b")}));
  gives_for("toolu_2", "b is there");
  EXPECT_EQ(running(), (Strings{"look " + path("a")})) << "a write waits for all reads before it";
  gives_for("toolu_1", "a is there");
  EXPECT_EQ(running(), (Strings{"put " + path("c")}));
  gives("c is put");
  EXPECT_EQ(running(), (Strings{"look " + path("d")})) << "a read behind a write sees what was written";
  gives("d is there");
  gives("e is done");
  EXPECT_EQ(requests(), 2u);
  EXPECT_EQ(results(), (Strings{"a is there", "b is there", "c is put", "d is there", "e is done"}));
}

TEST_F(Loop, AnIntentIsKeptBeforeAnEffectAndItsResultBehindIt) {
  begin();
  says("", {{"look", path("a")}, {"put", path("b")}});
  EXPECT_TRUE(kept<Intent>().empty()) << "reads need none";
  gives("seen");
  ASSERT_EQ(kept<Intent>().size(), 1u);
  EXPECT_EQ(kept<Intent>()[0].call, "toolu_2");
  gives("put");
  ASSERT_EQ(kept<Finding>().size(), 2u);
  EXPECT_EQ(kept<Finding>()[1].call, "toolu_2");
}

TEST_F(Loop, AfterAFailedEffectLaterOnesOfTheTurnAreHeldAndReadsGoOn) {
  begin();
  says("", {{"put", path("a")}, {"look", path("b")}, {"do", path("c")}});
  gives("disk full", true);
  gives("b is there");
  EXPECT_EQ(running(), Strings{});
  const Strings seen = results();
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0], "!disk full");
  EXPECT_EQ(seen[1], "b is there");
  EXPECT_HAS(seen[2], "!do was not run, because put before it");
}

TEST_F(Loop, ADamagedCallIsRefusedWithFeedbackAndTheConversationGoesOn) {
  begin();
  says("", {{"put", R"({"path": "a.txt", "content": "half)"}});
  EXPECT_EQ(running(), Strings{});
  const Strings seen = results();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_HAS(seen[0], "nothing was run");
  EXPECT_EQ(events(EventKind::mistake), (Strings{"guessed"}));
  says("", {{"put", R"({"path": "a.txt", "content": "whole"})"}});
  gives("put");
  ASSERT_EQ(kept<Outcome>().size(), 1u);
  EXPECT_EQ(kept<Outcome>()[0].became, Outcome::Became::re_asked);
  EXPECT_EQ(kept<Outcome>()[0].tool, "put");
}

TEST_F(Loop, AnUnknownToolCountsAsAskedAgainOnlyWhenItIs) {
  using enum Outcome::Became;
  struct Case {
    std::string why, name, arguments, then, with;
    Outcome::Became became;
  };
  const Case cases[] = {
      {"given up", "launch_rocket", R"({"to":"moon"})", "attempt_completion", R"({"result":"gave up"})", lost},
      {"something else was done", "launch_rocket", R"({"to":"moon"})", "put", R"({"path":"a","content":"b"})", lost},
      {"a near name", "putt", R"({"path":"a"})", "put", R"({"path":"b","content":"b"})", re_asked},
      {"the same arguments", "save", R"({"path":"a","content":"b"})", "put", R"({"path":"a", "content":"b"})",
       re_asked},
      {"a near name of what ends it", "attempt_completions", R"({"result":"x"})", "attempt_completion",
       R"({"result":"y"})", re_asked},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.why);
    conditions_.person = false;
    records_.clear();
    begin();
    says("", {{c.name, c.arguments}});
    says("", {{c.then, c.with}});
    if (c.then != "attempt_completion") {
      if (!running().empty()) gives("well");
      says("", {{"attempt_completion", R"({"result":"done"})"}});
    }
    ASSERT_EQ(kept<Outcome>().size(), 1u);
    EXPECT_EQ(kept<Outcome>()[0].became, c.became);
    EXPECT_EQ(kept<Outcome>()[0].tool, c.name);
  }
}

TEST_F(Loop, DamageIsThatOfTheModelThatWasChosen) {
  settings_.model = "chosen";
  begin();
  says("", {{"put", R"({"path": "a.txt", "content": "b",})"}});
  gives("put");
  ASSERT_EQ(kept<Outcome>().size(), 1u);
  EXPECT_EQ(kept<Outcome>()[0].model, "chosen");
  conditions_.model = "another";
  records_.clear();
  begin();
  says("", {{"put", R"({"path": "a.txt", "content": "b",})"}});
  gives("put");
  ASSERT_EQ(kept<Outcome>().size(), 1u);
  EXPECT_EQ(kept<Outcome>()[0].model, "another");
}

TEST_F(Loop, AnswersThatAreCutAgainAndAgainNameTheOptionThatHelps) {
  conditions_.person = false;
  begin();
  for (int i = 0; i < 3; ++i) says("and so on and so", {}, chat::StopReason::length);
  ASSERT_EQ(kept<Finished>().size(), 1u);
  EXPECT_EQ(kept<Finished>()[0].reason, EndReason::stuck);
  EXPECT_HAS(kept<Finished>()[0].detail, "the answer was cut off at the output limit 3 times in a row; --max-tokens");
  records_.clear();
  begin();
  for (int i = 0; i < 3; ++i) says("", {{"put", R"({"path": "a.txt", "content": "cut he)"}}, chat::StopReason::length);
  ASSERT_EQ(kept<Finished>().size(), 1u);
  EXPECT_HAS(kept<Finished>()[0].detail, "the call of put was cut off 3 times in a row");
  EXPECT_HAS(kept<Finished>()[0].detail, "--max-tokens");
}

TEST_F(Loop, TheHistoryOfADamagedCallIsValidJson) {
  begin();
  says("", {{"put", R"({"path": "a.txt", "content": "cut he)"}}, chat::StopReason::length);
  const auto& messages = last<SendRequest>().body.messages;
  const chat::Block& call = messages[messages.size() - 2].blocks.back();
  EXPECT_EQ(call.arguments, R"({"path":"a.txt"})") << "only members that were whole";
  EXPECT_HAS(results()[0], "!The call of put was cut off");
}

TEST_F(Loop, AMendedCallRunsWithItsReceipt) {
  begin();
  says("", {{"put", R"({"path": "a", "content": "x",})"}});
  EXPECT_EQ(running(), (Strings{R"(put {"path":"a","content":"x"})"}));
  gives("put");
  EXPECT_HAS(results()[0], "Mended: trailing_comma");
  EXPECT_EQ(kept<Outcome>()[0].became, Outcome::Became::mended);
}

TEST_F(Loop, GluedObjectsRunEachForAReadAndTheFirstForAWrite) {
  begin();
  says("", {{"look", path("a") + path("b")}, {"put", path("c") + path("d")}});
  gives("a is there");
  gives("b is there");
  EXPECT_EQ(running(), (Strings{"put " + path("c")}));
  gives("c is put");
  const Strings seen = results();
  EXPECT_HAS(seen[0], "Object 1 of 2");
  EXPECT_HAS(seen[0], "b is there");
  EXPECT_HAS(seen[1], "Only the first was run");
}

TEST_F(Loop, IdsThatAModelUsesAgainStayUniqueInTheHistory) {
  begin();
  for (int turn = 0; turn < 2; ++turn) {
    Listener listener("t", tools_, "none", {});
    listener.on(
        chat::delta::Call{.key = {.id = "call_0"}, .name = "look", .arguments = R"({"path":"a"})", .whole = true});
    listener.on(chat::delta::Stop{chat::StopReason::tool_calls});
    listener.on(chat::delta::End{});
    Step step = tree_->on_answer("t", last<SendRequest>().request, std::move(*listener.finish()), now_ += 1'000);
    ASSERT_EQ(step.actions.size(), 1u);
    const RunTool run = std::get<RunTool>(step.actions[0].deed);
    EXPECT_EQ(run.call, turn == 0 ? "call_0" : "call_0_2");
    step = tree_->on_tool_result("t", run.call, 0, tool::text_result("seen"), now_ += 100);
    actions_.insert(actions_.end(), step.actions.begin(), step.actions.end());
  }
}

// Approval.

TEST_F(Loop, WhatIsAskedAboutRunsOnlyAfterYes) {
  conditions_.permissions.mode = policy::Mode::ask;
  begin();
  says("", {{"put", path("a")}});
  EXPECT_EQ(running(), Strings{});
  const AskPerson question = last<AskPerson>();
  EXPECT_EQ(question.kind, AskPerson::Kind::approval);
  EXPECT_EQ(question.arguments, path("a"));
  replies(yes);
  EXPECT_EQ(running(), (Strings{"put " + path("a")}));
  ASSERT_EQ(kept<Approved>().size(), 1u);
  EXPECT_EQ(kept<Approved>()[0].arguments, path("a")) << "an approval is bound to the exact call";
}

TEST_F(Loop, ANoGoesToTheModelWithThePersonsWords) {
  conditions_.permissions.mode = policy::Mode::ask;
  begin();
  says("", {{"put", path("a")}, {"do", path("b")}});
  replies(words, "not in this folder");
  EXPECT_HAS(results()[0], "!The person did not approve");
  EXPECT_HAS(results()[0], "not in this folder");
  EXPECT_HAS(results()[1], "!do was not run");
}

TEST_F(Loop, WithoutAPersonWhatWouldBeAskedIsDenied) {
  conditions_.permissions.mode = policy::Mode::ask;
  alone();
  begin();
  says("", {{"put", path("a")}});
  EXPECT_HAS(results()[0], "!put was not run: it is not permitted here");
}

// Completion.

TEST_F(Loop, AnAcceptedCompletionEndsTheTask) {
  begin();
  says("", {{"attempt_completion", R"({"result":"All done."})"}});
  EXPECT_EQ(last<AskPerson>().text, "All done.");
  EXPECT_EQ(events(EventKind::completed), (Strings{"All done."}));
  EXPECT_FALSE(finished());
  replies(yes);
  EXPECT_TRUE(finished());
  EXPECT_EQ(end().reason, EndReason::completed);
  EXPECT_EQ(end().result, "All done.");
  EXPECT_EQ(exit_code(end().reason), 0);
}

TEST_F(Loop, FeedbackOnACompletionGoesBackAsItsResult) {
  begin();
  says("", {{"attempt_completion", R"({"result":"All done."})"}});
  replies(words, "the tests are missing");
  EXPECT_FALSE(finished());
  EXPECT_EQ(results(), (Strings{"the tests are missing"}));
}

TEST_F(Loop, WithoutAPersonACompletionIsAccepted) {
  alone();
  begin();
  says("", {{"attempt_completion", R"({"result":"All done."})"}});
  EXPECT_TRUE(finished());
}

TEST_F(Loop, ACompletionIsRefusedAfterAFailureInTheSameTurn) {
  alone();
  begin();
  says("", {{"attempt_completion", R"({"result":"All done."})"}, {"put", path("a")}});
  gives("disk full", true);
  EXPECT_FALSE(finished());
  EXPECT_HAS(results()[0], "!The task was not completed, because put failed");
  EXPECT_EQ(results()[1], "!disk full") << "results stand in the order of the calls";
  says("", {{"attempt_completion", R"({"result":"It could not be done."})"}});
  EXPECT_TRUE(finished()) << "in the next turn it counts";
}

TEST_F(Loop, ACompletionWithOpenTodosIsRefusedWhereThatIsSet) {
  alone();
  settings_.todos_before_completion = true;
  begin();
  says("", {{"update_todo_list", R"({"todos":"[x] one\n[ ] two"})"}});
  says("", {{"attempt_completion", R"({"result":"done"})"}});
  EXPECT_HAS(results()[0], "todos are still open");
  says("", {{"update_todo_list", R"({"todos":"[x] one\n[x] two"})"}});
  says("", {{"attempt_completion", R"({"result":"done"})"}});
  EXPECT_TRUE(finished());
}

TEST_F(Loop, APersonsNextMessageOpensAFinishedTaskAgain) {
  begin();
  says("", {{"attempt_completion", R"({"result":"done"})"}});
  replies(yes);
  person_says("One more thing.");
  EXPECT_FALSE(finished());
  EXPECT_EQ(told(), "One more thing.");
  says("", {{"attempt_completion", R"({"result":"that too"})"}});
  replies(yes);
  EXPECT_EQ(end().result, "that too");
}

// Answers without a call, and with nothing in them.

TEST_F(Loop, AnAnswerWithoutACallIsNudgedThreeTimes) {
  alone();
  begin();
  for (int i = 0; i < 3; ++i) {
    says("I think I will read the file.");
    EXPECT_HAS(told(), "held no tool call");
    EXPECT_HAS(told(), "I think I will read the file.");
  }
  says("And so on.");
  EXPECT_TRUE(finished());
  EXPECT_EQ(end().reason, EndReason::stuck);
  EXPECT_EQ(exit_code(end().reason), 55);
}

TEST_F(Loop, APlainAnswerEndsATaskWhereThatIsSet) {
  alone();
  settings_.plain_answer_ends = true;
  begin();
  says("It is 42.");
  EXPECT_TRUE(finished());
  EXPECT_EQ(end().result, "It is 42.");
}

TEST_F(Loop, APlainAnswerAfterToolsIsAskedAboutOnceAndNothingOfItIsLost) {
  alone();
  settings_.plain_answer_ends = true;
  begin();
  says("", {{"look", path("a")}});
  gives("seen");
  says("It is 42.");
  EXPECT_FALSE(finished()) << "the next call may have been forgotten";
  says("As I said.");
  ASSERT_TRUE(finished());
  EXPECT_EQ(end().result, "It is 42.\n\nAs I said.");
}

TEST_F(Loop, WhereAPersonIsAPlainAnswerEndsTheTurnAtOnce) {
  settings_.plain_answer_ends = true;
  begin();
  says("", {{"look", path("a")}});
  gives("seen");
  says("It is 42.");
  EXPECT_TRUE(finished());
}

TEST_F(Loop, AnEmptyAnswerIsAskedForAgainAndTheReasonIsKept) {
  alone();
  begin();
  for (int i = 0; i < 3; ++i) says("");
  EXPECT_FALSE(finished());
  EXPECT_EQ(requests(), 4u);
  says("");
  EXPECT_EQ(end().reason, EndReason::stuck);
  EXPECT_HAS(end().detail, "nothing 4 times in a row");
}

TEST_F(Loop, AnAnswerThatWasCutIsToldSoWithAHigherLimit) {
  begin();
  const auto before = last<SendRequest>().body.max_output_tokens;
  says("A long story that", {}, chat::StopReason::length);
  EXPECT_HAS(told(), "reached the output limit");
  EXPECT_EQ(last<SendRequest>().body.max_output_tokens, *before * 2);
}

TEST_F(Loop, APauseIsSentBackAsItIs) {
  begin();
  says("thinking", {}, chat::StopReason::pause);
  EXPECT_EQ(last<SendRequest>().body.messages.back().role, chat::Role::assistant);
}

TEST_F(Loop, ARefusalEndsTheTaskUntilThePersonSaysSomething) {
  begin();
  says("I cannot help with that.", {}, chat::StopReason::refusal);
  EXPECT_EQ(end().reason, EndReason::failed);
  EXPECT_HAS(end().detail, "I cannot help with that.");
}

// Requests that fail.

TEST_F(Loop, AnOverloadedServerIsAskedAgainAfterAWait) {
  begin();
  fails("overloaded");
  EXPECT_EQ(requests(), 1u);
  EXPECT_GE(last<Wait>().until, now_);
  later(1'001);
  EXPECT_EQ(requests(), 2u);
  EXPECT_EQ(last<SendRequest>().attempt, 2u);
  says("", {{"look", path("a")}});
  gives("seen");
  fails("overloaded");
  later(1'001);
  EXPECT_EQ(last<SendRequest>().attempt, 2u) << "an answer begins the count anew";
}

TEST_F(Loop, WhatCannotBeMendedEndsTheTask) {
  begin();
  fails("authentication", false);
  EXPECT_EQ(end().reason, EndReason::authentication);
  EXPECT_EQ(exit_code(end().reason), 41);
  person_says("The key is right now.");
  fails("quota", true);
  EXPECT_EQ(end().reason, EndReason::failed);
  EXPECT_EQ(exit_code(end().reason), 1);
}

TEST_F(Loop, AnAnswerToARequestThatWasGivenUpDoesNotCount) {
  begin();
  const SendRequest first = last<SendRequest>();
  person_says("Wait, also this.");
  EXPECT_EQ(last<CancelRequest>().request, first.request);
  Step late = tree_->on_answer("t", first.request, {}, now_);
  EXPECT_TRUE(late.records.empty());
  EXPECT_TRUE(late.actions.empty());
  EXPECT_EQ(told(), "Wait, also this.");
}

// Limits.

TEST_F(Loop, AnEndByALimitNamesTheFlagThatRaisesIt) {
  settings_.budget.turns = 1;
  begin();
  says("", {{"look", path("a")}});
  gives("seen");
  EXPECT_HAS(last<AskPerson>().text, "its 1 turn (--max-turns)");
}

TEST_F(Loop, ATurnLimitAsksThePersonAndYesGoesAsFarAgain) {
  settings_.budget.turns = 2;
  begin();
  for (int i = 0; i < 2; ++i) {
    says("", {{"look", path(std::to_string(i))}});
    gives("seen " + std::to_string(i));
  }
  EXPECT_EQ(last<AskPerson>().kind, AskPerson::Kind::limit);
  EXPECT_HAS(last<AskPerson>().text, "--max-turns");
  EXPECT_EQ(requests(), 2u);
  replies(yes);
  EXPECT_EQ(requests(), 3u);
  for (int i = 2; i < 4; ++i) {
    says("", {{"look", path(std::to_string(i))}});
    gives("seen " + std::to_string(i));
  }
  replies(no);
  EXPECT_EQ(end().reason, EndReason::turns);
  EXPECT_EQ(exit_code(end().reason), 53);
}

TEST_F(Loop, TheTokensOfTasksWithinCountForAll) {
  alone();
  settings_.budget.tokens = 2'500;
  begin();
  says("", {{"new_task", R"({"message":"a part"})"}});
  says("", {{"look", path("a")}});
  gives("seen");
  says("", {{"look", path("b")}});
  gives("seen too");
  EXPECT_EQ(end().reason, EndReason::tokens);
  EXPECT_EQ(exit_code(end().reason), 54);
}

TEST_F(Loop, WallTimeStopsWhatRunsWhereNobodyCanBeAsked) {
  alone();
  settings_.budget.milliseconds = 10'000;
  begin();
  says("", {{"do", path("a")}});
  EXPECT_EQ(last<Wait>().until, 1'700'000'010'000);
  later(9'000);
  EXPECT_EQ(end().reason, EndReason::time);
  EXPECT_EQ(last<CancelTool>().call, "toolu_1");
  EXPECT_EQ(kept<Finding>().back().why, Finding::Why::aborted);
}

TEST_F(Loop, TheSameCallWithTheSameResultIsSeenAsACircle) {
  alone();
  begin();
  for (int i = 0; i < 3; ++i) {
    says("", {{"look", path("a")}});
    gives("the same");
  }
  EXPECT_EQ(end().reason, EndReason::stuck);
  EXPECT_HAS(end().detail, "the same call gave the same result 3 times in a row");
}

TEST_F(Loop, TheSameMistakeThreeTimesAsksThePerson) {
  begin();
  for (int i = 0; i < 3; ++i) says("", {{"put", R"({"path": []})"}});
  EXPECT_EQ(last<AskPerson>().kind, AskPerson::Kind::limit);
  EXPECT_HAS(last<AskPerson>().text, "the same mistake was made 3 times in a row");
  replies(words, "use a string for the path");
  EXPECT_EQ(told(), "use a string for the path");
}

// The person.

TEST_F(Loop, AQuestionIsAnsweredByThePersonOrByTheFactThatThereIsNone) {
  begin();
  says("", {{"ask_followup_question", R"({"question":"Which one?","follow_up":["a","b"]})"}});
  EXPECT_EQ(last<AskPerson>().choices, (Strings{"a", "b"}));
  replies(words, "b");
  EXPECT_EQ(results(), (Strings{"b"}));
}

TEST_F(Loop, WithoutAPersonAQuestionIsAnError) {
  alone();
  begin();
  says("", {{"ask_followup_question", R"({"question":"Which one?"})"}});
  EXPECT_HAS(results()[0], "!There is nobody to ask");
}

TEST_F(Loop, WhatThePersonSaysWhileToolsRunComesBehindTheirResults) {
  begin();
  says("", {{"look", path("a")}});
  person_says("Mind the gap.");
  EXPECT_EQ(requests(), 1u);
  gives("seen");
  const auto& messages = last<SendRequest>().body.messages;
  EXPECT_EQ(messages[messages.size() - 2].role, chat::Role::tool);
  EXPECT_EQ(told(), "Mind the gap.");
}

TEST_F(Loop, AnAbortGivesEveryCallAResultAndEndsWith130) {
  begin();
  says("", {{"do", path("a")}, {"put", path("b")}});
  aborts();
  EXPECT_TRUE(finished());
  EXPECT_EQ(exit_code(end().reason), 130);
  ASSERT_EQ(kept<Finding>().size(), 2u);
  EXPECT_HAS(kept<Finding>()[0].content[0].text, "stopped by the person while it ran");
  EXPECT_HAS(kept<Finding>()[1].content[0].text, "put was not run");
  Step late = tree_->on_tool_result("t", "toolu_1", 0, tool::text_result("late"), now_);
  EXPECT_TRUE(late.records.empty()) << "a result that comes too late changes nothing";
}

// Tasks within tasks.

TEST_F(Loop, ATaskWithinReturnsItsResultAsTheCallsResult) {
  alone();
  begin();
  says("", {{"new_task", R"({"message":"Count the files.","todos":"[ ] count"})"}});
  EXPECT_EQ(told(), "Count the files.") << "it has a conversation of its own";
  EXPECT_EQ(events(EventKind::child_started), (Strings{"t.1"}));
  says("", {{"attempt_completion", R"({"result":"There are 12."})"}});
  EXPECT_EQ(results(), (Strings{"There are 12."}));
  EXPECT_EQ(told(), "Do it.");
  says("", {{"attempt_completion", R"({"result":"12"})"}});
  EXPECT_TRUE(finished());
}

TEST_F(Loop, ATaskWithinThatFailsIsAnErrorOfTheCall) {
  alone();
  begin();
  says("", {{"new_task", R"({"message":"Count the files."})"}});
  fails("invalid_request", false);
  EXPECT_HAS(results()[0], "!The task that was started for this ended without a result (failed)");
  EXPECT_FALSE(finished());
}

TEST_F(Loop, TasksWithinTasksGoFourDeepAtMost) {
  alone();
  begin();
  for (int i = 0; i < 3; ++i) says("", {{"new_task", R"({"message":"Deeper."})"}});
  says("", {{"new_task", R"({"message":"Too deep."})"}});
  EXPECT_HAS(results()[0], "!No further task was started: tasks within tasks go 4 deep");
}

TEST_F(Loop, AnAbortEndsTasksWithinToo) {
  begin();
  says("", {{"new_task", R"({"message":"Count."})"}});
  says("", {{"do", path("a")}});
  aborts();
  EXPECT_EQ(kept<Finished>().size(), 2u);
  EXPECT_TRUE(finished());
}

// Resume.

TEST_F(Loop, AnEffectThatHadBegunIsNeverRunAgain) {
  begin();
  says("", {{"do", path("a")}, {"look", path("b")}});
  crash();
  EXPECT_EQ(running(), (Strings{"look " + path("b")}));
  gives("seen");
  EXPECT_HAS(results()[0], "!do had begun when the program was interrupted. Its outcome is unknown");
  EXPECT_EQ(kept<Finding>()[0].why, Finding::Why::interrupted);
}

TEST_F(Loop, AReadThatHadBegunIsRunAgain) {
  begin();
  says("", {{"look", path("a")}});
  crash();
  EXPECT_EQ(running(), (Strings{"look " + path("a")}));
}

TEST_F(Loop, AQuestionIsAskedAgainUnderTheSameName) {
  conditions_.permissions.mode = policy::Mode::ask;
  begin();
  says("", {{"put", path("a")}});
  const std::string question = last<AskPerson>().id;
  crash();
  EXPECT_EQ(all<AskPerson>().size(), 2u);
  EXPECT_EQ(last<AskPerson>().id, question);
  replies(yes);
  EXPECT_EQ(running(), (Strings{"put " + path("a")}));
}

TEST_F(Loop, AnApprovalThatWasGivenHoldsAfterACrash) {
  conditions_.permissions.mode = policy::Mode::ask;
  begin();
  says("", {{"ask_followup_question", R"({"question":"Sure?"})"}, {"put", path("a")}});
  replies(words, "sure");
  replies(yes);
  // The approval is kept; the intent too: so it counts as begun.
  crash();
  EXPECT_EQ(running(), Strings{});
  EXPECT_HAS(results()[1], "interrupted");
}

TEST_F(Loop, ATaskWithinGoesOnAfterACrashAndReturnsToItsParent) {
  alone();
  begin();
  says("", {{"new_task", R"({"message":"Count."})"}});
  crash();
  EXPECT_EQ(told(), "Count.");
  says("", {{"attempt_completion", R"({"result":"7"})"}});
  EXPECT_EQ(results(), (Strings{"7"}));
}

TEST_F(Loop, TimeThatNobodyRanTheTaskDoesNotCount) {
  alone();
  settings_.budget.milliseconds = 30'000;
  begin();
  says("", {{"look", path("a")}});
  crash();  // a minute passes
  gives("seen");
  EXPECT_FALSE(finished());
}

TEST_F(Loop, WhoRunsATaskAgainMayGiveItAnotherBudget) {
  alone();
  settings_.budget.turns = 1;
  begin();
  says("", {{"look", path("a")}});
  gives("seen");
  EXPECT_EQ(end().reason, EndReason::turns);
  conditions_.budget = settings_.budget;
  conditions_.budget->turns = 5;
  crash();
  EXPECT_TRUE(finished()) << "it is over until somebody says something";
  person_says("Go on.");
  EXPECT_FALSE(finished());
  EXPECT_EQ(requests(), 2u);
}

// Protocols.

TEST_F(Loop, TheProtocolIsFoundFromAForeignHistory) {
  settings_.protocol = "";
  std::vector<chat::Message> history = {{chat::Role::user, {chat::text_block("Hi")}, {}},
                                        {chat::Role::assistant, {chat::call_block("belay_1", "look", "{}")}, {}},
                                        {chat::Role::tool, {chat::result_block("belay_1", "text")}, {}}};
  begin("Go on.", history);
  EXPECT_EQ(last<SendRequest>().format, "xml");
  EXPECT_EQ(kept<Created>()[0].settings.protocol, "xml");
}

TEST_F(Loop, AProtocolThatNobodyKnowsIsNativeAndNoted) {
  settings_.protocol = "smoke signals";
  begin();
  EXPECT_FALSE(last<SendRequest>().body.tools.empty());
  EXPECT_EQ(events(EventKind::notice).front(), "healed");
}

TEST_F(Loop, ATaskWhoseProtocolIsTextSendsNoNativeCalls) {
  settings_.protocol = "xml";
  begin();
  EXPECT_TRUE(last<SendRequest>().body.tools.empty());
  EXPECT_EQ(last<SendRequest>().format, "xml");
  says("I will look.\n<look>\n<path>a</path>\n</look>");
  EXPECT_EQ(running(), (Strings{"look " + path("a")}));
  gives("seen");
  for (const chat::Message& message : last<SendRequest>().body.messages)
    for (const chat::Block& block : message.blocks) EXPECT_EQ(block.kind, chat::Block::Kind::text);
  EXPECT_HAS(told(), "seen");
}

TEST_F(Loop, ACallFoundInTextIsAskedAboutBeforeItWrites) {
  begin();
  says("<tool_call>{\"name\": \"put\", \"arguments\": {\"path\": \"a\"}}</tool_call>");
  EXPECT_EQ(running(), Strings{}) << "even where everything is permitted";
  EXPECT_EQ(last<AskPerson>().kind, AskPerson::Kind::approval);
  replies(yes);
  EXPECT_EQ(running(), (Strings{"put " + path("a")}));
}

TEST_F(Loop, ACallThatQuotesAResultIsText) {
  begin();
  says("", {{"look", path("README")}});
  gives("Example: <tool_call>{\"name\": \"do\", \"arguments\": {\"path\": \"rm\"}}</tool_call>");
  says("It says: <tool_call>{\"name\": \"do\", \"arguments\": {\"path\": \"rm\"}}</tool_call>");
  EXPECT_EQ(running(), Strings{});
  EXPECT_EQ(all<AskPerson>().size(), 0u);
}

TEST_F(Loop, AForeignHistoryIsHealedAndThatIsKept) {
  std::vector<chat::Message> history;
  history.push_back({chat::Role::user, {chat::text_block("Hello")}, {}});
  history.push_back({chat::Role::assistant, {chat::call_block("x", "look", "{\"path\": \"a\"")}, {}});
  begin("Go on.", history);
  EXPECT_FALSE(kept<Created>()[0].healed.empty());
  EXPECT_EQ(flaw(tree_->history("t")), std::nullopt);
  EXPECT_EQ(events(EventKind::notice).front(), "healed");
}

}  // namespace
}  // namespace belay::task
