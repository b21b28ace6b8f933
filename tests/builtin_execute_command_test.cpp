// The tool as a model meets it.
#include "builtin/execute_command.h"

#include "scratch_folder.h"
#include "support/cage_place.h"

#include <belay/builtin.h>
#include <belay/json.h>

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

namespace belay::builtin {
namespace {

using sandbox::Level;

class ExecuteCommand : public ::testing::Test {
 protected:
  ExecuteCommand() : place_(false), abilities_(sandbox::probe()) {}

  tool::Tool make(Level level, sandbox::CommandLimits limits = {}) {
    auto cage =
        sandbox::Cage::make({.level = level, .workspace = place_.ws(), .home = place_.root() + "/home"}, abilities_);
    EXPECT_TRUE(cage) << cage.error();
    ExecuteSettings settings{.cage = *cage, .limits = limits, .most_seconds = 600, .environment = {}};
    auto tool = tool::Tool::make(execute_command_spec(settings), execute_command_code(settings));
    EXPECT_TRUE(tool) << tool.error();
    return std::move(*tool);
  }
  static tool::Result run(const tool::Tool& tool, const std::string& arguments,
                          std::function<void(std::string_view)> progress = {}) {
    json::Reading reading = json::read(arguments);
    return tool.run({reading.document.root(), {}, std::move(progress)});
  }
  static std::string text(const tool::Result& result) { return text_of(result); }

  belay::testing::Place place_;
  sandbox::Abilities abilities_;
};

TEST_F(ExecuteCommand, TheSpecIsATool) {
  auto tool = tool::Tool::make(execute_command_spec(), {});
  ASSERT_TRUE(tool) << tool.error();
  EXPECT_EQ(tool->spec().name, "execute_command");
  EXPECT_EQ(tool->spec().effect, tool::Effect::execute);
  EXPECT_NE(tool->spec().description.find("one JSON object"), std::string::npos);
  EXPECT_GT(tool->spec().timeout, 600);
}

TEST_F(ExecuteCommand, OutputThenHowItEnded) {
  tool::Result result = run(make(Level::workspace_write), R"({"command": "echo hi; echo oops >&2; exit 3"})");
  EXPECT_TRUE(result.is_error);
  EXPECT_TRUE(text(result).starts_with("hi\noops\n[exit code 3, 0.")) << text(result);
  EXPECT_TRUE(text(result).ends_with(" s]")) << text(result);
}

TEST_F(ExecuteCommand, SuccessIsNoError) {
  tool::Result result = run(make(Level::workspace_write), R"({"command": "printf x > made"})");
  EXPECT_FALSE(result.is_error);
  EXPECT_TRUE(text(result).starts_with("[exit code 0, ")) << text(result);
  EXPECT_EQ(place_.read("ws/made"), "x");
}

TEST_F(ExecuteCommand, AReadOnlyVariantChangesNothing) {
  tool::Result result = run(make(Level::read_only), R"({"command": "cat a.txt; echo x > made"})");
  EXPECT_TRUE(result.is_error);
  EXPECT_TRUE(text(result).starts_with("hello\n")) << text(result);
  EXPECT_FALSE(place_.has("ws/made"));
}

TEST_F(ExecuteCommand, ACallsTimeOutCounts) {
  // How long it takes to begin is up to whatever else runs: it gets more time when it had not.
  tool::Result result;
  std::string ended;
  for (const std::string seconds : {"0.3", "3", "30"}) {
    result = run(make(Level::workspace_write), R"({"command": "echo a; sleep 100", "timeout": )" + seconds + "}");
    ended = "[ended by the time-out of " + seconds + " s";
    if (!text(result).starts_with(ended)) break;
  }
  EXPECT_TRUE(result.is_error);
  EXPECT_TRUE(text(result).starts_with("a\n" + ended)) << text(result);
}

TEST_F(ExecuteCommand, ASignalIsNamed) {
  tool::Result result = run(make(Level::danger_full_access), R"({"command": "kill -9 $$"})");
  EXPECT_TRUE(text(result).starts_with("[killed by signal 9 (SIGKILL)")) << text(result);
  result = run(make(Level::danger_full_access), R"({"command": "(kill -9 $BASHPID); exit $?"})");
  EXPECT_NE(text(result).find("[exit code 137, as after signal 9 (SIGKILL)"), std::string::npos) << text(result);
}

TEST_F(ExecuteCommand, FoldersOutsideAreErrorsAndNothingRuns) {
  tool::Tool tool = make(Level::workspace_write);
  for (const char* cwd : {"/", "..", "../outside", "missing"}) {
    tool::Result result = run(tool, std::string(R"({"command": "touch x", "cwd": ")") + cwd + R"("})");
    EXPECT_TRUE(result.is_error);
    EXPECT_NE(text(result).find("cwd"), std::string::npos) << text(result);
  }
  EXPECT_FALSE(place_.has("ws/x"));
}

TEST_F(ExecuteCommand, BytesThatAreNotUtf8AreReplacedAndSaid) {
  tool::Result result = run(make(Level::workspace_write), R"({"command": "printf 'a\\377b'"})");
  EXPECT_TRUE(
      text(result).starts_with("a\xEF\xBF\xBD"
                               "b\n[bytes that are not UTF-8 were replaced]\n[exit code 0"))
      << text(result);
}

TEST_F(ExecuteCommand, LongOutputIsCutWithAStatement) {
  tool::Result result = run(make(Level::workspace_write), R"({"command": "seq 200000"})");
  EXPECT_NE(text(result).find(" of 1288895 bytes left out here ...]\n"), std::string::npos);
  EXPECT_LT(text(result).size(), 256u * 1024);
}

TEST_F(ExecuteCommand, ProgressGetsTheOutput) {
  std::string seen;
  run(make(Level::workspace_write), R"({"command": "echo 1; echo 2"})", [&](std::string_view piece) { seen += piece; });
  EXPECT_EQ(seen, "1\n2\n");
}

TEST_F(ExecuteCommand, TooManyProcessesAreSaid) {
  tool::Result result = run(make(Level::workspace_write, {.processes = 20}),
                            R"({"command": "for i in $(seq 60); do sleep 50 & done; wait"})");
  EXPECT_TRUE(result.is_error);
  EXPECT_NE(text(result).find("processes at once, and 20 are allowed (limit processes)]"), std::string::npos)
      << text(result);
}

TEST_F(ExecuteCommand, ANulByteIsRefused) {
  tool::Result result = run(make(Level::workspace_write), R"({"command": "echo a\u0000b"})");
  EXPECT_TRUE(result.is_error);
  EXPECT_NE(text(result).find("NUL"), std::string::npos) << text(result);
}

// The built-in tools, at a level that keeps nothing away.
class WithFullAccess : public ExecuteCommand {
 protected:
  tool::Result execute(const std::string& arguments) {
    auto workspace = sandbox::Workspace::open(place_.ws());
    EXPECT_TRUE(workspace);
    Place place{.workspace = std::make_shared<const sandbox::Workspace>(std::move(*workspace)),
                .abilities = abilities_,
                .level = Level::danger_full_access};
    auto all = tools(place);
    EXPECT_TRUE(all);
    return run(*all->find("execute_command"), arguments);
  }
  void needs_a_cage() {
    if (!sandbox::Cage::make({.level = Level::read_only, .workspace = place_.ws()}, abilities_))
      GTEST_SKIP() << "this part did not run: nothing can be enforced here";
  }
};

TEST_F(WithFullAccess, WhatIsAllowedForOnlyReadingCanDoNoMore) {
  needs_a_cage();
  check::ScratchFolder elsewhere;  // in /tmp, which a cage has of its own
  std::filesystem::create_symlink(elsewhere.top() + "/outside/secret.txt", place_.ws() + "/link");
  tool::Result result = execute(R"({"command": "cat a.txt link"})");
  EXPECT_NE(text(result).find("hello"), std::string::npos) << text(result);
  EXPECT_EQ(text(result).find("SECRET"), std::string::npos) << text(result);
  // Another command has what was chosen.
  result = execute(R"({"command": "cat link; touch made"})");
  EXPECT_NE(text(result).find("SECRET"), std::string::npos) << text(result);
  EXPECT_TRUE(place_.has("ws/made"));
}

TEST_F(WithFullAccess, WhatNeedsTheSandboxRunsThereWhoeverApproved) {
  needs_a_cage();
  place_.write("ws/run.sh", "#!/bin/sh\ntouch made; echo ran >&2\n");
  std::filesystem::permissions(place_.ws() + "/run.sh", std::filesystem::perms::all);
  if (std::system(("cd '" + place_.ws() + "' && git init -q . && git config core.fsmonitor ./run.sh").c_str()) != 0)
    GTEST_SKIP() << "this part did not run: there is no git";
  const tool::Result result = execute(R"({"command": "git status"})");
  EXPECT_NE(text(result).find("ran\n"), std::string::npos) << text(result);
  EXPECT_FALSE(place_.has("ws/made"));
}

TEST_F(WithFullAccess, WhereNoCageCanBeBuiltAllRunsAsChosen) {
  abilities_ = {};
  tool::Result result = execute(R"({"command": "cat a.txt"})");
  EXPECT_TRUE(text(result).starts_with("hello\n")) << text(result);
}

// The built-in tools where no namespaces can be had, and bubblewrap does not work.
class WithLandlockAlone : public ExecuteCommand {
 protected:
  void SetUp() override {
    abilities_.namespaces = {.work = false, .with_user = false, .why_not = "no", .remedy = "ask for them"};
    abilities_.bubblewrap = {.works = false, .path = {}, .version = {}, .why_not = "no"};
    if (abilities_.landlock < 6 || !abilities_.seccomp) GTEST_SKIP() << "this part did not run: Landlock is too old";
    place_.folder("ws/.git");
    place_.write("ws/.git/config", "[core]\n");
  }
  tool::Result execute(const std::string& arguments, bool insist = false) {
    auto workspace = sandbox::Workspace::open(place_.ws());
    EXPECT_TRUE(workspace);
    Place place{.workspace = std::make_shared<const sandbox::Workspace>(std::move(*workspace)),
                .abilities = abilities_,
                .insist = insist};
    auto all = tools(place);
    EXPECT_TRUE(all);
    return run(*all->find("execute_command"), arguments);
  }
};

TEST_F(WithLandlockAlone, WhatMayWriteIsRefusedWithTheReasonAndTheRemedy) {
  tool::Result result = execute(R"({"command": "echo x > made; echo x >> .git/config"})");
  EXPECT_TRUE(result.is_error);
  for (const char* part : {"workspace-write", ".git", "ask for them", "read-only", "--insist"})
    EXPECT_NE(text(result).find(part), std::string::npos) << part << "\n" << text(result);
  EXPECT_FALSE(place_.has("ws/made"));
  EXPECT_EQ(place_.read("ws/.git/config"), "[core]\n");
}

TEST_F(WithLandlockAlone, WhatOnlyReadsRunsReadOnly) {
  tool::Result result = execute(R"({"command": "cat a.txt | wc -l"})");
  EXPECT_FALSE(result.is_error) << text(result);
  EXPECT_TRUE(text(result).starts_with("1\n")) << text(result);
}

TEST_F(WithLandlockAlone, WhoInsistsWrites) {
  tool::Result result = execute(R"({"command": "echo x > made"})", true);
  EXPECT_FALSE(result.is_error) << text(result);
  EXPECT_TRUE(place_.has("ws/made"));
}

}  // namespace
}  // namespace belay::builtin
