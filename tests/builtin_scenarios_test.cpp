// From a provider's bytes to the result that the model sees: the five ways in which Roo Code's document says that a
// call can be malformed, and what it cannot do about a cut.
#include <belay/builtin.h>
#include <belay/policy.h>
#include <belay/run.h>
#include <belay/turn.h>
#include <belay/wire.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace belay::builtin {
namespace {

namespace fs = std::filesystem;

std::string in_quotes(std::string_view text) {
  std::string out;
  json::write_string(text, out);
  return out;
}

// An answer of Anthropic's with calls whose input comes in deltas of seven bytes.
std::string answer_with(std::vector<std::pair<std::string, std::string>> calls, std::string_view stop = "tool_use") {
  std::string out =
      "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"role\":\"assistant\"}}\n\n";
  auto event = [&](const std::string& type, const std::string& rest) {
    out += "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + rest + "}\n\n";
  };
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string index = ",\"index\":" + std::to_string(i);
    event("content_block_start", index + R"(,"content_block":{"type":"tool_use","id":"toolu_0)" + std::to_string(i) +
                                     R"(","name":)" + in_quotes(calls[i].first) + R"(,"input":{}})");
    for (std::size_t at = 0; at < calls[i].second.size(); at += 7)
      event("content_block_delta", index + R"(,"delta":{"type":"input_json_delta","partial_json":)" +
                                       in_quotes(calls[i].second.substr(at, 7)) + "}");
    event("content_block_stop", index);
  }
  event("message_delta", R"(,"delta":{"stop_reason":")" + std::string(stop) + R"("})");
  event("message_stop", "");
  return out;
}

class Scenario : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "belay-scenario-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    auto workspace = sandbox::Workspace::open(folder_);
    ASSERT_TRUE(workspace) << workspace.error().message;
    Place place;
    place.workspace = std::make_shared<const sandbox::Workspace>(std::move(*workspace));
    place.abilities = sandbox::probe();
    auto tools = builtin::tools(place);
    ASSERT_TRUE(tools) << tools.error();
    tools_ = std::move(*tools);
    put("package.json", "{\"name\": \"x\"}\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void put(const std::string& name, std::string_view text) { std::ofstream(folder_ / name) << text; }
  std::string content(const std::string& name) {
    std::ostringstream out;
    out << std::ifstream(folder_ / name).rdbuf();
    return out.str();
  }
  bool exists(const std::string& name) { return fs::exists(folder_ / name); }

  // Everything between the bytes and the results, with a person who approves of all that is asked.
  std::vector<tool::Result> turn(const std::string& body) {
    struct Nothing final : turn::EventSink {
    } sink;
    turn::LedgerOptions options;
    options.tools = tools_.known();
    options.any_tool = false;
    turn::Ledger ledger(sink, options);
    wire::StreamDecoder decoder(wire::Wire::anthropic, ledger);
    decoder.push(body);
    decoder.finish();
    policy::Gate gate(tools_);
    policy::Permissions permissions;
    permissions.workspace = folder_.string();
    std::vector<tool::Result> out;
    const turn::Answer answer = ledger.finish();
    for (const turn::Call& call : answer.calls) {
      const policy::Plan plan = gate.plan(call);
      std::vector<tool::Result> results;
      for (std::size_t i = 0; i < plan.runs.size(); ++i) {
        const policy::Clearance clearance = policy::clear(permissions, plan, i);
        results.push_back(clearance.decision == policy::Decision::deny
                              ? policy::denied(plan.tool->spec().name, clearance.reason)
                              : run::perform(*plan.tool, {plan.runs[i].arguments.root(), {}}));
      }
      out.push_back(policy::answer(plan, std::move(results)));
      gate.went(!out.back().is_error);
    }
    return out;
  }

  fs::path folder_;
  tool::Registry tools_;
};

#define EXPECT_SAYS(result, words) EXPECT_NE(text_of(result).find(words), std::string::npos) << text_of(result)

TEST_F(Scenario, AMissingClosingBraceWritesNothingAndSaysWhatWasUnderstood) {
  const auto results = turn(answer_with({{"write_to_file", R"({"path": "hello.txt", "file_text": "Hello World")"}}));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(results[0].is_error);
  EXPECT_SAYS(results[0], "nothing was run");
  EXPECT_SAYS(results[0], "Hello World");
  EXPECT_FALSE(exists("hello.txt"));
}

TEST_F(Scenario, AnExtraClosingBraceIsMendedAndTheFileIsRead) {
  const auto results = turn(answer_with({{"read_file", R"({"path": "package.json"}})"}}));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_FALSE(results[0].is_error);
  EXPECT_SAYS(results[0], R"({"name": "x"})");
  EXPECT_SAYS(results[0], "Mended: ");
}

TEST_F(Scenario, ALineEndThatWasNotEscapedIsMendedAndWritten) {
  const auto results =
      turn(answer_with({{"write_to_file", "{\"path\": \"test.txt\", \"file_text\": \"Line 1\nLine 2\"}"}}));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_FALSE(results[0].is_error) << text_of(results[0]);
  EXPECT_EQ(content("test.txt"), "Line 1\nLine 2");
  EXPECT_SAYS(results[0], "Mended: ");
}

TEST_F(Scenario, ARandomStringIsRefusedWithItsPlace) {
  const auto results = turn(answer_with({{"execute_command", "asdfghjkl12345!@#$%"}}));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(results[0].is_error);
  EXPECT_SAYS(results[0], "cannot be read, so nothing was run");
  EXPECT_SAYS(results[0], "line 1, column ");
}

TEST_F(Scenario, AWrongTypeIsRefusedByTheSchema) {
  const auto results =
      turn(answer_with({{"write_to_file", R"({"path": ["array", "instead", "of", "string"], "file_text": 12345})"}}));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(results[0].is_error);
  EXPECT_SAYS(results[0], "path must be a string");
  EXPECT_FALSE(exists("array"));
}

TEST_F(Scenario, ACallThatTheTokenLimitCutWritesNothing) {
  for (std::string_view cut :
       {R"({"path": "a.txt", "content": "rm -rf /)", R"({"path": "a.txt", "content": "whole"})"}) {
    const auto results = turn(answer_with({{"write_to_file", std::string(cut)}}, "max_tokens"));
    ASSERT_EQ(results.size(), 1u);
    EXPECT_TRUE(results[0].is_error);
    EXPECT_FALSE(exists("a.txt"));
  }
}

TEST_F(Scenario, OfTwoGluedObjectsOnlyTheFirstIsWrittenAndTheRestOfTheTurnIsHeld) {
  const auto results = turn(answer_with({{"write_to_file", R"({"path":"a","content":"1"}{"path":"b","content":"2"})"},
                                         {"write_to_file", R"({"path":"c","content":"3"})"},
                                         {"read_file", R"({"path":"a"}{"path":"package.json"})"}}));
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(content("a"), "1");
  EXPECT_FALSE(exists("b"));
  EXPECT_FALSE(exists("c"));
  EXPECT_SAYS(results[0], "Only the first was run");
  EXPECT_TRUE(results[1].is_error);
  EXPECT_SAYS(results[1], "was not run, because write_to_file before it");
  EXPECT_SAYS(results[2], "Object 2 of 2");
}

TEST_F(Scenario, AnUnknownNameIsToldTheNearestOne) {
  const auto results = turn(answer_with({{"write_file", R"({"path":"a","content":"1"})"}}));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(results[0].is_error);
  EXPECT_SAYS(results[0], "write_to_file");
  EXPECT_FALSE(exists("a"));
}

TEST_F(Scenario, ACommandRunsInTheWorkspaceAndItsExitCodeIsTold) {
  const auto results = turn(answer_with({{"execute_command", R"({"command":"cat package.json; exit 3"})"}}));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(results[0].is_error);
  EXPECT_SAYS(results[0], R"({"name": "x"})");
  EXPECT_SAYS(results[0], "exit code 3");
}

}  // namespace
}  // namespace belay::builtin
