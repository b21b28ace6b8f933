// The stories that Belay began with, told again: what the model says, and what model, person and log see of it.
#include "support/task_stage.h"

#include <belay/builtin.h>

namespace belay::task {
namespace {

using Strings = std::vector<std::string>;

// The stage, with tools under the names that the stories use.
class Stories : public check::TaskStage {
 protected:
  Stories() {
    for (tool::Spec spec : builtin::specs()) {
      if (spec.needs_task) continue;
      auto tool = tool::Tool::make(std::move(spec), {});
      EXPECT_TRUE(tool && tools_.add(std::move(*tool)));
    }
  }
  const Damage& damage() const { return std::get<Turn>(last_turn()).calls.back().damage; }
  const Body& last_turn() const {
    for (auto record = records_.rbegin(); record != records_.rend(); ++record)
      if (std::holds_alternative<Turn>(record->body)) return record->body;
    return records_.front().body;
  }
};

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

// Malformed JSON in native calls: five scenarios. Errors are caught, logged, told, and the conversation goes on.

TEST_F(Stories, MissingClosingBrace) {
  begin("Say hello in a file.");
  says("", {{"write_to_file", R"({"path": "hello.txt", "file_text": "Hello World")"}});
  EXPECT_EQ(running(), Strings{}) << "a file is not written on a guess";
  EXPECT_HAS(results()[0], "!The call of write_to_file could be read only by guessing");
  EXPECT_HAS(results()[0], R"("content":"Hello World")");
  EXPECT_EQ(events(EventKind::mistake), (Strings{"guessed"})) << "the person sees it";
  EXPECT_EQ(damage().raw, R"({"path": "hello.txt", "file_text": "Hello World")") << "the log has what was received";
  says("", {{"write_to_file", R"({"path": "hello.txt", "file_text": "Hello World"})"}});
  EXPECT_EQ(running(), (Strings{R"(write_to_file {"path":"hello.txt","content":"Hello World"})"}));
}

TEST_F(Stories, ExtraClosingBrace) {
  begin();
  says("", {{"read_file", R"({"path": "package.json"}})"}});
  EXPECT_EQ(running(), (Strings{R"(read_file {"path":"package.json"})"})) << "its meaning is certain";
  gives("{}");
  EXPECT_HAS(results()[0], "Mended: surplus_closer");
}

TEST_F(Stories, ARawLineBreakInAString) {
  begin();
  says("", {{"write_to_file", "{\"path\": \"test.txt\", \"file_text\": \"Line 1\nLine 2\"}"}});
  EXPECT_EQ(running(), (Strings{R"(write_to_file {"path":"test.txt","content":"Line 1\nLine 2"})"}));
  gives("written");
  EXPECT_HAS(results()[0], "Mended: ");
}

TEST_F(Stories, ACompletelyRandomString) {
  begin();
  says("", {{"execute_command", "asdfghjkl12345!@#$%"}});
  EXPECT_EQ(running(), Strings{});
  EXPECT_HAS(results()[0], "nothing was run");
  EXPECT_EQ(requests(), 2u) << "the conversation goes on";
  EXPECT_EQ(damage().raw, "asdfghjkl12345!@#$%");
}

TEST_F(Stories, ValidJsonOfTheWrongType) {
  begin();
  says("", {{"write_to_file", R"({"path": ["array", "instead", "of", "string"], "file_text": 12345})"}});
  EXPECT_EQ(running(), Strings{});
  EXPECT_HAS(results()[0], "path must be a string");
  EXPECT_EQ(events(EventKind::mistake), (Strings{"schema"}));
}

TEST_F(Stories, ACallThatTheTokenLimitCutOffIsNotRunWithItsBeginning) {
  begin();
  says("", {{"write_to_file", R"({"path": "a.py", "content": "import os\ndef f)"}}, chat::StopReason::length);
  EXPECT_EQ(running(), Strings{});
  EXPECT_HAS(results()[0], "was cut off after");
  EXPECT_HAS(results()[0], "smaller pieces");
  EXPECT_EQ(last<SendRequest>().body.max_output_tokens, 16'384u) << "and the next answer may be longer";
}

TEST_F(Stories, WhoCannotRecoverIsStoppedAndThePersonChooses) {
  begin();
  for (int i = 0; i < 3; ++i) says("", {{"execute_command", "asdfghjkl"}});
  EXPECT_EQ(last<AskPerson>().kind, AskPerson::Kind::limit);
  replies(Reply::Kind::words, "Send JSON, please.");
  EXPECT_EQ(told(), "Send JSON, please.");
}

// Completion, and the protocols.

TEST_F(Stories, TheServerIsCreatedAndTheResultApproved) {
  begin("Create an Express.js server.");
  says("I'll create it.", {{"write_to_file", R"({"path": "server.js", "content": "const express = 1"})"}});
  gives("written");
  says("", {{"attempt_completion", R"({"result":"Successfully created an Express.js server with /hello endpoint."})"}});
  EXPECT_HAS(last<AskPerson>().text, "/hello endpoint");
  EXPECT_FALSE(finished()) << "the person has the last word";
  replies(Reply::Kind::yes);
  EXPECT_TRUE(finished());
  EXPECT_EQ(events(EventKind::finished), (Strings{"completed"}));
}

TEST_F(Stories, TheSameStoryInXml) {
  settings_.protocol = "xml";
  begin("Create an Express.js server.");
  says(
      "I'll create it.\n<write_to_file>\n<path>server.js</path>\n<content>\nconst express = "
      "1\n</content>\n</write_to_file>");
  EXPECT_EQ(running(), (Strings{R"(write_to_file {"path":"server.js","content":"const express = 1"})"}));
  gives("written");
  says("<attempt_completion>\n<result>Successfully created an Express.js server.</result>\n</attempt_completion>");
  EXPECT_EQ(last<AskPerson>().text, "Successfully created an Express.js server.");
  replies(Reply::Kind::yes);
  EXPECT_TRUE(finished());
}

TEST_F(Stories, TheProtocolOfATaskStaysWithIt) {
  settings_.protocol = "xml";
  begin();
  says("<read_file><path>a</path></read_file>");
  crash();
  gives("text");
  EXPECT_EQ(last<SendRequest>().format, "xml");
}

TEST_F(Stories, AForeignHistoryWithProvidersIdsIsNative) {
  std::vector<chat::Message> native = {
      {chat::Role::user, {chat::text_block("Hi")}, {}},
      {chat::Role::assistant, {chat::call_block("toolu_01ABC", "read_file", "{}")}, {}},
      {chat::Role::tool, {chat::result_block("toolu_01ABC", "text")}, {}}};
  EXPECT_TRUE(has_provider_ids(native));
  native[1].blocks[0].id = native[2].blocks[0].id = "belay_1_0";
  EXPECT_FALSE(has_provider_ids(native));
}

TEST_F(Stories, TheCallFormsBeforeThePersonsEyes) {
  begin();
  says("Let me see.", {{"read_file", R"({"path": "a.txt"})"}});
  std::string shown;
  for (const Event& event : events_) {
    if (event.kind == EventKind::text) shown += event.text;
    if (event.kind == EventKind::call_started) shown += " [" + event.name + " ";
    if (event.kind == EventKind::call_delta) shown += event.text;
    if (event.kind == EventKind::call_ended) shown += " " + event.text + "]";
  }
  EXPECT_EQ(shown, R"(Let me see. [read_file {"path": "a.txt"} valid])");
}

// Glued objects.

TEST_F(Stories, ThreeGluedObjectsOfAReaderAreThreeReads) {
  begin();
  says("", {{"read_file", R"({"path": "main.py"}{"path": "__init__.py"}{"path": "cli/main.py"})"}});
  for (const char* file : {"main.py", "__init__.py", "cli/main.py"}) {
    EXPECT_EQ(running(), (Strings{"read_file {\"path\":\"" + std::string(file) + "\"}"}));
    gives("text of " + std::string(file));
  }
  EXPECT_HAS(results()[0], "text of cli/main.py");
  EXPECT_EQ(requests(), 2u) << "nobody waited for anything, nobody was asked again";
  ASSERT_EQ(kept<Outcome>().size(), 1u);
  EXPECT_EQ(kept<Outcome>()[0].became, Outcome::Became::split);
}

TEST_F(Stories, TwoGluedObjectsOfAWriterAreOneWriteAndAWordAboutTheOther) {
  begin();
  says("", {{"write_to_file", R"({"path": "a", "content": "1"}{"path": "b", "content": "2"})"}});
  EXPECT_EQ(running(), (Strings{R"(write_to_file {"path":"a","content":"1"})"}));
  gives("written");
  EXPECT_HAS(results()[0], "Only the first was run");
}

TEST_F(Stories, WaitingIsForServersNotForText) {
  begin();
  says("", {{"read_file", "{\"path\": "}});
  EXPECT_EQ(all<Wait>().size(), 0u) << "malformed text does not change by waiting";
  fails("rate_limit", true, 3.0);
  EXPECT_GE(last<Wait>().until, now_ + 3'000);
}

// A call between tags in the text.

TEST_F(Stories, AToolTagInTheTextIsOneCallHoweverItIsCut) {
  settings_.protocol = "tool_tag";
  begin();
  says(R"(Reading. <tool>{"tool_name": "read_file", "arguments": {"path": "file.txt"}}</tool> Done?)");
  EXPECT_EQ(running(), (Strings{R"(read_file {"path":"file.txt"})"}));
  std::string text;
  for (const Event& event : events_)
    if (event.kind == EventKind::text) text += event.text;
  EXPECT_EQ(text.find("tool_name"), std::string::npos) << text;
  EXPECT_HAS(text, "Done?");
}

TEST_F(Stories, AToolTagThatIsNeverClosedIsNotHandedOn) {
  settings_.protocol = "tool_tag";
  begin();
  says(R"(<tool>{"tool_name": "write_to_file", "arguments": {"path": "file.txt", "content": "ha)");
  EXPECT_EQ(running(), Strings{});
  EXPECT_HAS(told(), "cut off");
}

}  // namespace
}  // namespace belay::task
