// The output limit: raised after a cut, and only as far as the provider goes along.
#include "support/task_stage.h"

namespace belay::task {
namespace {

using chat::StopReason;

class OutputLimit : public check::TaskStage {
 protected:
  std::uint64_t limit() const { return last<SendRequest>().body.max_output_tokens.value_or(0); }
  void is_cut() { says("A long story that", {}, StopReason::length); }
};

TEST_F(OutputLimit, OneThatTheProviderRefusesIsTakenBack) {
  for (const char* kind : {"invalid_request", "context_length"}) {
    begin();
    says("", {{"look", R"({"path":"a"})"}});
    gives("a");
    is_cut();
    EXPECT_EQ(limit(), 16'384u);
    const std::size_t before = requests();
    fails(kind, false);
    EXPECT_FALSE(finished()) << kind;
    ASSERT_EQ(requests(), before + 1);
    EXPECT_EQ(limit(), 8'192u) << "what was answered before";
    is_cut();
    EXPECT_EQ(limit(), 8'192u) << "and it is not tried again";
    EXPECT_EQ(kept<RequestFailed>().back().retried, true);
    EXPECT_EQ(events(EventKind::notice).back(), "output_limit");
    records_.clear();
  }
}

TEST_F(OutputLimit, ARequestThatIsWrongOtherwiseEndsTheTask) {
  begin();
  is_cut();
  fails("invalid_request", false);
  ASSERT_FALSE(finished());
  fails("invalid_request", false);
  EXPECT_EQ(end().reason, EndReason::failed);
}

TEST_F(OutputLimit, TheFirstOneIsThePersonsOwn) {
  begin();
  fails("invalid_request", false);
  EXPECT_EQ(end().reason, EndReason::failed);
}

TEST_F(OutputLimit, ATaskThatDiedOfItGoesOn) {
  begin();
  is_cut();
  fails("authentication", false);  // anything that ends it while the limit is raised
  ASSERT_TRUE(finished());
  crash();
  person_says("Go on.");
  EXPECT_EQ(limit(), 16'384u);
  fails("invalid_request", false);
  EXPECT_EQ(limit(), 8'192u);
  crash();
  EXPECT_EQ(limit(), 8'192u);
  is_cut();
  EXPECT_EQ(limit(), 8'192u);
}

TEST_F(OutputLimit, WhoGoesOnMayChooseAnother) {
  begin();
  says("", {{"new_task", R"({"message":"Within."})"}});
  is_cut();
  conditions_.output_tokens = 100'000;
  crash();
  EXPECT_EQ(limit(), 100'000u) << "of the task within, too";
  says("", {{"attempt_completion", R"({"result":"r"})"}});
  replies(Reply::Kind::yes);
  EXPECT_EQ(limit(), 100'000u);
  is_cut();
  EXPECT_EQ(limit(), 100'000u) << "it is the highest that was ever named";
  conditions_.output_tokens = 4'096;
  crash();
  EXPECT_EQ(limit(), 4'096u);
}

TEST_F(OutputLimit, AnotherOneCountsAlsoForATaskThatWasOver) {
  begin();
  is_cut();
  aborts();
  conditions_.output_tokens = 1'000;
  crash();
  EXPECT_TRUE(finished());
  person_says("Go on.");
  EXPECT_EQ(limit(), 1'000u);
}

}  // namespace
}  // namespace belay::task
