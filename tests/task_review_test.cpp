// Corners of the loop: what happens when two rare things meet.
#include "support/task_stage.h"

#include <belay/task/context.h>
#include <belay/task/history.h>

#include <algorithm>
#include <limits>

namespace belay::task {
namespace {

using Strings = std::vector<std::string>;

class Corner : public check::TaskStage {
 protected:
  static constexpr auto yes = Reply::Kind::yes;
  static constexpr auto no = Reply::Kind::no;
  static constexpr auto words = Reply::Kind::words;
  static constexpr auto nobody = Reply::Kind::nobody;
  static std::string path(std::string_view name) { return "{\"path\":\"" + std::string(name) + "\"}"; }
  void alone() { conditions_.person = false; }
  static chat::Block image(std::string data) {
    chat::Block block;
    block.kind = chat::Block::Kind::image;
    block.media_type = "image/png";
    block.data = std::move(data);
    return block;
  }
  // A step that the stage cannot make: its parts are kept as the stage keeps them.
  void keep(Step step) {
    for (Record& record : step.records) records_.push_back(std::move(record));
    for (Event& event : step.events) events_.push_back(std::move(event));
    for (Action& action : step.actions) actions_.push_back(std::move(action));
  }
  std::size_t images_sent() const {
    std::size_t n = 0;
    for (const chat::Message& message : last<SendRequest>().body.messages)
      for (const chat::Block& block : message.blocks) {
        n += block.kind == chat::Block::Kind::image;
        for (const chat::Block& inner : block.content) n += inner.kind == chat::Block::Kind::image;
      }
    return n;
  }
  std::vector<Outcome::Became> became() const {
    std::vector<Outcome::Became> out;
    for (const Outcome& outcome : kept<Outcome>()) out.push_back(outcome.became);
    return out;
  }
  using Became = std::vector<Outcome::Became>;
};

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

// Endings.

TEST_F(Corner, OfTwoCompletionsInATurnTheFirstCounts) {
  alone();
  begin();
  says("", {{"attempt_completion", R"({"result":"first"})"}, {"attempt_completion", R"({"result":"second"})"}});
  ASSERT_TRUE(finished());
  EXPECT_EQ(end().result, "first");
}

TEST_F(Corner, AYesToACompletionDoesNotEndTheTaskBeforeWhatThePersonSaidMeanwhile) {
  begin();
  says("", {{"attempt_completion", R"({"result":"done"})"}});
  person_says("One thing more: the tests.");
  replies(yes);
  EXPECT_FALSE(finished());
  EXPECT_HAS(results()[0], "the person has said something more");
  EXPECT_EQ(told(), "One thing more: the tests.");
}

TEST_F(Corner, NothingAfterAPauseIsNoResult) {
  alone();
  settings_.plain_answer_ends = true;
  begin();
  says("Let me think.", {}, chat::StopReason::pause);
  says("");
  EXPECT_FALSE(finished()) << "an answer with nothing in it ends nothing";
  EXPECT_EQ(requests(), 3u);
}

TEST_F(Corner, AMalformedCallThatCameAsNothingIsToldSo) {
  begin();
  turn::Answer answer;
  answer.stop = chat::StopReason::malformed;
  keep(tree_->on_answer("t", last<SendRequest>().request, std::move(answer), now_ += 1'000));
  EXPECT_EQ(requests(), 2u);
  EXPECT_HAS(told(), "Your tool call was malformed");
}

TEST_F(Corner, ARefusalWithoutWordsEndsTheTask) {
  begin();
  says("", {}, chat::StopReason::refusal);
  EXPECT_EQ(requests(), 1u) << "asked again it would refuse again";
  ASSERT_TRUE(finished());
  EXPECT_EQ(end().reason, EndReason::failed);
}

TEST_F(Corner, ARefusedCompletionIsAMistakeWithAName) {
  alone();
  begin();
  says("", {{"put", path("a")}, {"attempt_completion", R"({"result":"done"})"}});
  gives("disk full", true);
  const Strings mistakes = events(EventKind::mistake);
  ASSERT_EQ(mistakes.size(), 1u);
  EXPECT_EQ(mistakes[0], "refused");
}

// Limits.

TEST_F(Corner, TheTimeThatAFinishedTaskWaitsForItsPersonDoesNotCount) {
  settings_.budget.milliseconds = 30'000;
  begin();
  says("", {{"attempt_completion", R"({"result":"done"})"}});
  replies(yes);
  now_ += 3'600'000;
  person_says("One more thing.");
  EXPECT_EQ(all<AskPerson>().size(), 1u) << "nobody is asked about the time";
  EXPECT_EQ(requests(), 2u);
  says("", {{"attempt_completion", R"({"result":"that too"})"}});
  replies(yes);
  crash();
  now_ += 3'600'000;
  person_says("And one more.");
  EXPECT_EQ(requests(), 3u);
}

TEST_F(Corner, AYesGoesBeyondWhatTasksWithinHaveUsed) {
  settings_.budget.tokens = 1'000;
  begin();
  says("", {{"new_task", R"({"message":"a part"})"}});  // 1,100 tokens
  for (int i = 0; i < 3; ++i) {
    replies(yes);
    says("", {{"look", path(std::to_string(i))}});
    gives("seen");
  }
  replies(yes);
  says("", {{"attempt_completion", R"({"result":"part"})"}});
  replies(yes);
  const std::size_t asked = all<AskPerson>().size(), sent = requests();
  EXPECT_EQ(last<AskPerson>().kind, AskPerson::Kind::limit);
  replies(yes);
  EXPECT_EQ(all<AskPerson>().size(), asked) << "one yes is enough";
  EXPECT_EQ(requests(), sent + 1);
}

TEST_F(Corner, NobodyIsNoYes) {
  settings_.budget.turns = 1;
  begin();
  says("", {{"look", path("a")}});
  gives("seen");
  replies(nobody);
  EXPECT_EQ(end().reason, EndReason::turns);
  ASSERT_EQ(kept<Approved>().size(), 1u);
  EXPECT_FALSE(kept<Approved>()[0].yes);
}

TEST_F(Corner, ATimeWithoutALimitNeverRings) {
  alone();
  settings_.budget.milliseconds = std::numeric_limits<std::int64_t>::max();
  begin();
  for (const Wait& wait : all<Wait>()) EXPECT_GT(wait.until, now_);
}

TEST_F(Corner, ARetryRingsBeforeTheTimeIsOver) {
  alone();
  begin();
  const std::int64_t over = last<Wait>().until;
  fails("overloaded", true, 5);
  EXPECT_LT(last<Wait>().until, over);
  EXPECT_GE(last<Wait>().until, now_ + 5'000);
  later(1'000);
  EXPECT_EQ(requests(), 1u) << "it rang too early";
  later(10'000);
  EXPECT_EQ(requests(), 2u);
}

TEST_F(Corner, ADamagedCallThatWasAskedForAgainHasOneOutcome) {
  begin();
  says("", {{"put", R"({"path": [)"}});
  for (int i = 0; i < 2; ++i) {
    says("", {{"put", path(std::to_string(i))}});
    gives("put");
  }
  EXPECT_EQ(became(), (Became{Outcome::Became::re_asked}));
}

TEST_F(Corner, AllThatThePersonSaysWhileToolsRunIsKept) {
  begin();
  says("", {{"look", path("a")}});
  person_says("one");
  person_says("two");
  gives("seen");
  std::string all_told;
  for (const chat::Message& message : last<SendRequest>().body.messages)
    if (message.role == chat::Role::user)
      for (const chat::Block& block : message.blocks) all_told += block.text + " ";
  EXPECT_EQ(all_told, "Do it. one two ");
}

TEST_F(Corner, BreakersOfNothingTripAtTheFirstMistake) {
  alone();
  settings_.breakers.same_mistake = 0;
  settings_.breakers.mistakes = 0;
  settings_.breakers.mistakes_in_all = 0;
  begin();
  EXPECT_EQ(requests(), 1u) << "nothing went wrong so far";
  says("", {{"put", R"({"path": []})"}});
  EXPECT_EQ(end().reason, EndReason::stuck);
}

TEST_F(Corner, ResultsThatDifferOnlyInTheirImagesAreNoCircle) {
  alone();
  begin();
  for (int i = 0; i < 4; ++i) {
    says("", {{"look", path("screen")}});
    ASSERT_FALSE(finished()) << end().detail;
    const RunTool run = last<RunTool>();
    keep(
        tree_->on_tool_result("t", run.call, run.run, {{image("cGljdHVyZQ" + std::to_string(i))}, false}, now_ += 100));
  }
  EXPECT_FALSE(finished());
}

// What a person says.

TEST_F(Corner, ImagesAloneAreAnAnswerToALimit) {
  settings_.budget.turns = 1;
  begin();
  says("", {{"look", path("a")}});
  gives("seen");
  keep(tree_->on_reply("t", last<AskPerson>().id, {words, "", {image("cGljdHVyZQ==")}}, now_ += 1'000));
  EXPECT_EQ(requests(), 2u);
  EXPECT_EQ(images_sent(), 1u);
}

TEST_F(Corner, WordsThatComeWithAYesReachTheModel) {
  conditions_.permissions.mode = policy::Mode::ask;
  settings_.budget.turns = 1;
  begin();
  says("", {{"put", path("a")}});
  replies(yes, "but only this once");
  gives("put");
  replies(yes, "and be quick");
  std::string all_told;
  for (const chat::Message& message : last<SendRequest>().body.messages)
    if (message.role == chat::Role::user)
      for (const chat::Block& block : message.blocks) all_told += block.text + "\n";
  EXPECT_HAS(all_told, "but only this once");
  EXPECT_HAS(all_told, "and be quick");
}

TEST_F(Corner, ImagesThatComeWithANoReachTheModel) {
  conditions_.permissions.mode = policy::Mode::ask;
  begin();
  says("", {{"put", path("a")}});
  keep(tree_->on_reply("t", last<AskPerson>().id, {words, "rather so", {image("cGljdHVyZQ==")}}, now_ += 1'000));
  EXPECT_EQ(images_sent(), 1u);
  EXPECT_HAS(results()[0], "rather so");
}

TEST_F(Corner, AResultOfWhatWasNotRunDoesNotCount) {
  conditions_.permissions.mode = policy::Mode::ask;
  begin();
  says("", {{"put", path("a")}});
  keep(tree_->on_tool_result("t", "toolu_1", 0, tool::text_result("put"), now_ += 100));
  EXPECT_TRUE(kept<Finding>().empty());
  EXPECT_EQ(events(EventKind::notice), Strings{"late_result"});
}

TEST_F(Corner, AYesToAQuestionIsAnAnswer) {
  begin();
  says("", {{"ask_followup_question", R"({"question":"Shall I?"})"}});
  replies(yes);
  EXPECT_EQ(results(), Strings{"Yes."});
  says("", {{"ask_followup_question", R"({"question":"Really?"})"}});
  replies(no);
  EXPECT_EQ(results(), Strings{"No."});
}

// Statistics: one outcome for each damaged call.

TEST_F(Corner, ACopyThatEndsInsideACommitHasOneOutcomeOfACall) {
  begin();
  says("", {{"look", R"({"path": "a",})"}});
  gives("seen");
  std::vector<Record> upto;  // the outcome is there, and the result that was kept with it is not
  for (const Record& record : records_) {
    upto.push_back(record);
    if (std::holds_alternative<Outcome>(record.body)) break;
  }
  ASSERT_FALSE(std::holds_alternative<Finding>(upto.back().body));
  auto copy = Tree::resume(conditions_, upto);
  ASSERT_TRUE(copy) << copy.error();
  records_ = upto;
  keep(copy->start(now_));
  keep(copy->on_tool_result("t", "toolu_1", 0, tool::text_result("seen"), now_));
  EXPECT_EQ(became(), (Became{Outcome::Became::mended}));
  EXPECT_EQ(kept<Finding>().size(), 1u);
}

TEST_F(Corner, AMendedCallThatIsNotApprovedHasAnOutcome) {
  conditions_.permissions.mode = policy::Mode::ask;
  begin();
  says("", {{"put", R"({"path": "a",})"}, {"do", R"({"path": "b",})"}});
  replies(no);
  EXPECT_EQ(became(), (Became{Outcome::Became::mended, Outcome::Became::mended})) << "not approved, and held";
}

TEST_F(Corner, AMendedCallThatIsDeniedHasAnOutcome) {
  conditions_.permissions.mode = policy::Mode::plan;
  begin();
  says("", {{"put", R"({"path": "a",})"}});
  EXPECT_EQ(became(), (Became{Outcome::Became::mended}));
}

TEST_F(Corner, AMendedCallThatIsStoppedOrInterruptedHasAnOutcome) {
  begin();
  says("", {{"do", R"({"path": "a",})"}});
  crash();
  EXPECT_EQ(became(), (Became{Outcome::Became::mended}));
  says("", {{"do", R"({"path": "b",})"}, {"put", R"({"path": "c",})"}});
  aborts();
  EXPECT_EQ(became().size(), 3u);
}

TEST_F(Corner, AMendedCallThatTheGateHoldsHasAnOutcome) {
  begin();
  says("", {{"put", R"({"path": [)"}, {"do", R"({"path": "b",})"}});
  EXPECT_EQ(became(), (Became{Outcome::Became::mended}));
  aborts();
  EXPECT_EQ(became(), (Became{Outcome::Became::mended, Outcome::Became::lost}));
}

// Tasks within tasks.

TEST_F(Corner, ATaskWithoutAGoalIsNotStarted) {
  alone();
  begin();
  says("", {{"new_task", R"({"message":" \n"})"}});
  EXPECT_EQ(events(EventKind::child_started), Strings{});
  EXPECT_EQ(results()[0][0], '!');
}

TEST_F(Corner, ARuleThatDeniesTasksWithinHolds) {
  conditions_.permissions.rules.push_back({policy::Decision::deny, "new_task", {}});
  begin();
  says("", {{"new_task", R"({"message":"Count."})"}});
  EXPECT_EQ(events(EventKind::child_started), Strings{});
  EXPECT_HAS(results()[0], "!new_task was not run");
}

TEST_F(Corner, ACopyWhoseTaskWithinIsOverAlreadyTakesItsResult) {
  alone();
  begin();
  says("", {{"new_task", R"({"message":"Count."})"}});
  says("", {{"attempt_completion", R"({"result":"7"})"}});
  // A fork at the record that started it: the task within is there with all its records.
  std::erase_if(records_, [child = false](const Record& record) mutable {
    if (record.task != "t") return false;
    const bool behind = child;
    child = child || std::holds_alternative<ChildStarted>(record.body);
    return behind;
  });
  auto tree = Tree::resume(conditions_, records_);
  ASSERT_TRUE(tree) << tree.error();
  tree_.emplace(std::move(*tree));
  const std::size_t before = requests();
  keep(tree_->start(now_));
  ASSERT_EQ(requests(), before + 1) << "the task waits for nothing";
  EXPECT_EQ(results(), Strings{"7"});
}

TEST_F(Corner, ATaskWithinThatThePersonStopsIsNoMistakeOfTheModels) {
  settings_.breakers.mistakes = 1;
  begin();
  says("", {{"new_task", R"({"message":"a part"})"}});
  aborts();
  ASSERT_TRUE(finished());
  const std::vector<Finding> findings = kept<Finding>();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].why, Finding::Why::aborted);
  EXPECT_TRUE(findings[0].is_error);
  EXPECT_EQ(tree_->fingerprint().find("failed new_task"), std::string::npos) << "nothing is counted against it";
}

TEST_F(Corner, TheTimeThatATaskWithinWorkedIsKeptInACrash) {
  conditions_.person = false;
  settings_.budget.milliseconds = 100'000;
  begin();
  says("", {{"new_task", R"({"message":"a part"})"}});
  for (int i = 0; i < 3; ++i) {  // of the task within; its own records say nothing of it
    now_ += 25'000;
    says("", {{"look", path(std::to_string(i))}});
    gives("seen " + std::to_string(i));
  }
  crash();
  EXPECT_GE(kept<Changed>().at(0).worked, 75'000) << "of the first task";
  EXPECT_LT(kept<Changed>().at(0).worked, 90'000) << "and not the minute in which nobody ran it";
  ASSERT_FALSE(finished());
  later(26'000);
  ASSERT_TRUE(finished());
  EXPECT_EQ(end().reason, EndReason::time);
}

TEST_F(Corner, ACallWhoseTaskWithinIsNotThereIsInterrupted) {
  alone();
  begin();
  says("", {{"new_task", R"({"message":"Count."})"}});
  std::erase_if(records_, [](const Record& record) { return record.task != "t"; });
  auto tree = Tree::resume(conditions_, records_);
  ASSERT_TRUE(tree) << tree.error();
  tree_.emplace(std::move(*tree));
  const std::size_t before = requests();
  keep(tree_->start(now_));
  ASSERT_EQ(requests(), before + 1) << "the task waits for nothing";
  EXPECT_EQ(results()[0][0], '!');
}

// A history that became too long.

class TooLong : public Corner {
 protected:
  // A few turns that can be summed up, and not folded.
  void talk() {
    begin();
    for (int i = 0; i < 6; ++i) {
      says(std::string(600, 'a'), {{"look", path(std::to_string(i))}});
      gives("seen " + std::to_string(i));
    }
  }
};

TEST_F(TooLong, ASummaryThatTheProviderWasTooBusyForIsAskedForAgain) {
  talk();
  fails("too_long", false);
  ASSERT_TRUE(last<SendRequest>().summary);
  fails("overloaded");
  later(2'000);
  EXPECT_TRUE(last<SendRequest>().summary) << "what was too long would be too long again";
  EXPECT_EQ(last<SendRequest>().attempt, 2u);
  says("It was all about a.");
  EXPECT_FALSE(last<SendRequest>().summary);
  EXPECT_EQ(kept<Folded>().size(), 1u);
}

TEST_F(TooLong, ASummaryOfSpacesIsNoneAndItsTokensCount) {
  settings_.prices.input = 1'000;
  settings_.budget.cost = 7.5;  // seven answers
  alone();
  talk();
  fails("too_long", false);
  ASSERT_TRUE(last<SendRequest>().summary);
  says(" \n ");
  EXPECT_TRUE(kept<Folded>().empty());
  EXPECT_FALSE(finished());
  says("", {{"look", path("x")}});
  gives("seen x");
  EXPECT_EQ(end().reason, EndReason::cost) << "six answers, one summary, one answer";
}

TEST_F(TooLong, APersonWhoOpensTheTaskAgainGetsAsManyTriesAgain) {
  talk();
  for (int i = 0; i < 6 && !finished(); ++i) fails("too_long", false);
  ASSERT_TRUE(finished());
  person_says("Try once more.");
  const std::size_t sent = requests();
  fails("too_long", false);
  EXPECT_GT(requests(), sent);
}

TEST_F(TooLong, TheWordOfTheWiresForItIsUnderstood) {
  talk();
  const auto failure = wire::decode_failure(
      wire::Wire::openai_chat, 400,
      R"({"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}})");
  fails(failure.kind, failure.retryable);
  EXPECT_FALSE(finished());
  EXPECT_TRUE(last<SendRequest>().summary);
}

// The last turns alone are too long: each turn would bring a little to fold, and nothing would be gained by it.
class Full : public TooLong {
 protected:
  void turns(int n) {
    for (int i = 0; i < n; ++i) {
      for (int summaries = 0; last<SendRequest>().summary && summaries < 3; ++summaries) says("It went on.");
      ASSERT_FALSE(last<SendRequest>().summary);
      // The history as it stands is what the provider counts, about.
      usage_.input_tokens = estimate_tokens(last<SendRequest>().body);
      says(std::string(300, 'a'), {{"look", path(std::to_string(++calls_))}});
      gives("seen " + std::to_string(calls_) + std::string(3'000, '.'));
    }
  }
  std::size_t summaries() const {
    return static_cast<std::size_t>(std::ranges::count_if(all<SendRequest>(), &SendRequest::summary));
  }
  std::size_t told_full() const {
    return static_cast<std::size_t>(std::ranges::count(events(EventKind::notice), "context_full"));
  }
  int calls_ = 0;
};

TEST_F(Full, NothingIsFoldedForNextToNothingAndThePersonIsToldOnce) {
  settings_.context = {8'000, 0.5, 4};  // four turns of about 1,100 are more than 4,000 already
  begin(std::string(6'000, 'g'));
  turns(4);
  EXPECT_EQ(kept<Folded>().size(), 0u);
  EXPECT_EQ(told_full(), 1u);
  turns(1);
  EXPECT_EQ(kept<Folded>().size(), 1u) << "a whole turn is worth it";
  EXPECT_EQ(summaries(), 0u) << "its result was most of it";
}

TEST_F(Full, ManyTurnsHaveFewSummaries) {
  settings_.context = {8'000, 0.5, 4};
  settings_.breakers.repeats = 100;
  begin(std::string(6'000, 'g'));
  turns(40);
  EXPECT_GE(summaries(), 1u);
  EXPECT_LE(summaries(), 16u) << "not one a turn";
  EXPECT_EQ(flaw(tree_->history("t")), std::nullopt);
}

TEST_F(Full, ASummaryThatDidNotWorkOutIsNotAskedForInEveryTurn) {
  settings_.context = {8'000, 0.5, 1};
  begin(std::string(6'000, 'g'));
  usage_.input_tokens = 5'000;
  std::size_t asked = 0;
  for (int i = 0; i < 12; ++i) {
    if (last<SendRequest>().summary) {
      ++asked;
      says(" ");
    }
    says(std::string(300, 'a'), {{"look", path(std::to_string(i))}});
    gives("seen " + std::to_string(i));
  }
  EXPECT_GE(asked, 1u);
  EXPECT_LE(asked, 4u);
}

// What runs, and what the history says of it.

TEST_F(Corner, NothingIsSentAgainOnceAToolOfTheTurnHasRun) {
  begin();
  const std::uint64_t request = last<SendRequest>().request;
  says("", {{"do", path("a")}, {"do", path("b")}});
  ASSERT_EQ(running().size(), 1u);
  const std::string before = tree_->fingerprint();
  // The connection of the answer fails when all of it has come.
  const Step late = tree_->on_failure("t", request, {"connection", "too late", true, {}}, now_ += 10);
  EXPECT_TRUE(late.records.empty());
  EXPECT_TRUE(late.actions.empty());
  EXPECT_EQ(tree_->fingerprint(), before);
  gives("done a");
  gives("done b");
  EXPECT_EQ(requests(), 2u);
  EXPECT_EQ(last<SendRequest>().attempt, 1u);
}

TEST_F(Corner, AnAnswerThatComesTwiceCountsOnce) {
  begin();
  const std::uint64_t request = last<SendRequest>().request;
  says("", {{"do", path("a")}});
  const Step again = tree_->on_answer("t", request, {}, now_ += 10);
  EXPECT_TRUE(again.records.empty());
  EXPECT_TRUE(again.actions.empty());
}

TEST_F(Corner, FeedbackOnACompletionMayBeAnImage) {
  begin();
  says("", {{"attempt_completion", R"({"result":"done"})"}});
  keep(tree_->on_reply("t", last<AskPerson>().id, {words, "It looks like this:", {image("aGk=")}}, now_));
  EXPECT_FALSE(finished());
  EXPECT_EQ(images_sent(), 1u);
  EXPECT_EQ(results().size(), 1u);
  EXPECT_HAS(results()[0], "It looks like this:");
}

TEST_F(Corner, AResultIsNamedAsItsCallIs) {
  begin();
  says("", {{"put file!", path("a")}});
  const auto& messages = last<SendRequest>().body.messages;
  const chat::Block& call = messages[messages.size() - 2].blocks.back();
  EXPECT_EQ(messages.back().blocks[0].name, call.name);
}

TEST_F(Corner, ACallFromTextStaysConfinedWhenItIsApproved) {
  tool::Spec spec;
  spec.name = "execute_command";
  spec.description = "Runs a command.";
  spec.parameters = R"({"type":"object","properties":{"command":{"type":"string"}},"required":["command"]})";
  spec.effect = tool::Effect::execute;
  ASSERT_TRUE(tools_.add(*tool::Tool::make(std::move(spec), {})));
  conditions_.permissions.mode = policy::Mode::ask;
  std::string command;
  for (const char* one : {"awk '{print $1}' a", "python3 -c 'print(1)'", "find . -name a", "sort a | uniq", "git log"})
    if (policy::judge_command(one).decision == policy::Decision::sandbox) command = one;
  ASSERT_NE(command, "") << "no command of these is run in a sandbox";
  begin();
  says("<tool_call>{\"name\": \"execute_command\", \"arguments\": {\"command\": \"" + command + "\"}}</tool_call>");
  ASSERT_EQ(all<AskPerson>().size(), 1u);
  replies(yes);
  ASSERT_EQ(all<RunTool>().size(), 1u);
  EXPECT_TRUE(last<RunTool>().confined) << "to be asked about is one more condition, not one less";
}

TEST_F(Corner, RulesSeeAllOfArgumentsThatAreDeeperThanUsual) {
  conditions_.permissions.rules.push_back({policy::Decision::deny, "nest", "secret"});
  tool::Spec spec;
  spec.name = "nest";
  spec.description = "Takes anything.";
  spec.parameters = R"({"type":"object"})";
  spec.effect = tool::Effect::write;
  ASSERT_TRUE(tools_.add(*tool::Tool::make(std::move(spec), {})));
  begin();
  Limits limits;
  limits.depth = 5'000;
  Listener listener("t", tools_, "none", {}, limits);
  const std::string text = "{\"a\":" + std::string(1'100, '[') + std::string(1'100, ']') + ",\"path\":\"secret\"}";
  listener.on(chat::delta::Call{.key = {.id = "deep"}, .name = "nest", .arguments = text, .whole = true});
  listener.on(chat::delta::Stop{chat::StopReason::tool_calls});
  listener.on(chat::delta::End{});
  keep(tree_->on_answer("t", last<SendRequest>().request, std::move(*listener.finish()), now_ += 1'000));
  EXPECT_EQ(all<RunTool>().size(), 0u);
  ASSERT_EQ(kept<Finding>().size(), 1u);
  EXPECT_EQ(kept<Finding>()[0].why, Finding::Why::denied);
}

TEST_F(Corner, WhatTheTimeStoppedWasNotStoppedByThePerson) {
  alone();
  settings_.budget.milliseconds = 10'000;
  begin();
  says("", {{"do", path("a")}});
  later(9'000);
  const std::string told = kept<Finding>().back().content[0].text;
  EXPECT_EQ(told.find("person"), std::string::npos) << told;
  EXPECT_HAS(told, "outcome is unknown");
}

}  // namespace
}  // namespace belay::task
