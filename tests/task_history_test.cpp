// Histories that leave for a model: what is wrong with them, and how they are healed.
#include "support/decisions.h"
#include "support/histories.h"

#include <belay/json.h>
#include <belay/task/history.h>
#include <belay/wire.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
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

Message answers(std::vector<Block> blocks) { return {Role::assistant, std::move(blocks), {}}; }
Message results(std::vector<Block> blocks) { return {Role::tool, std::move(blocks), {}}; }
Block call(std::string id, std::string arguments = "{}") {
  return chat::call_block(std::move(id), "f", std::move(arguments));
}
Block result(std::string id, std::string text = "done") { return chat::result_block(std::move(id), std::move(text)); }

std::string flaw_of(const History& history) { return flaw(history).value_or(""); }

/// One line a message: its role and what its blocks are.
std::string shape(const History& history) {
  const std::string_view roles[] = {"system", "user", "assistant", "tool"};
  std::string out;
  for (const Message& message : history) {
    out += roles[static_cast<std::size_t>(message.role)];
    for (const Block& block : message.blocks) {
      if (block.kind == Block::Kind::tool_call) out += " call(" + block.id + block.arguments + ")";
      if (block.kind == Block::Kind::text) out += " '" + block.text + "'";
      if (block.kind == Block::Kind::image) out += " image";
      if (block.kind == Block::Kind::tool_result) {
        out += block.is_error ? " error(" : " result(";
        out += block.id + (block.content.empty() ? "" : ":" + block.content[0].text) + ")";
      }
    }
    out += "\n";
  }
  return out;
}

TEST(TaskFlaw, AWholeHistoryHasNone) {
  EXPECT_EQ(flaw_of({}), "");
  EXPECT_EQ(flaw_of({says("go")}), "");
  EXPECT_EQ(flaw_of({{Role::system, {chat::text_block("be good")}, {}},
                     says("go"),
                     answers({chat::text_block("I look"), call("a"), call("b", R"({"x":[1]})")}),
                     results({result("a"), result("b")}),
                     answers({call("c")}),
                     results({chat::result_block("c", "", true)}),
                     says("and?"),
                     says("well?"),
                     answers({chat::text_block("done")})}),
            "");
}

TEST(TaskFlaw, EachHasItsSentenceAndItsPlace) {
  EXPECT_EQ(flaw_of({says("go"), answers({call("a")})}),
            "Message 2 holds calls, and their results are not in the message behind it.");
  EXPECT_EQ(flaw_of({says("go"), answers({call("a")}), says("wait"), results({result("a")})}),
            "Message 2 holds calls, and their results are not in the message behind it.");
  EXPECT_EQ(flaw_of({says("go"), answers({call("a"), call("b")}), results({result("b"), result("a")})}),
            "Message 3 holds a result for b where one for a belongs.");
  EXPECT_EQ(flaw_of({says("go"), answers({call("a"), call("b")}), results({result("a")})}),
            "Message 3 holds no result for b.");
  EXPECT_EQ(flaw_of({says("go"), answers({call("a")}), results({result("a"), result("a")})}),
            "Message 3 holds a result for a where none belongs.");
  EXPECT_EQ(flaw_of({says("go"), answers({call("a")}), results({result("a"), chat::text_block("x")})}),
            "Message 3 holds something else beside results.");
  EXPECT_EQ(flaw_of({says("go"), results({result("a")})}), "Message 2 holds results, and no calls stand before it.");
  EXPECT_EQ(flaw_of({{Role::user, {result("a")}, {}}}),
            "Message 1 holds a result, which belongs in a message of its own.");
  EXPECT_EQ(flaw_of({{Role::user, {call("a")}, {}}}), "Message 1 holds a call, and is not the model's.");
  EXPECT_EQ(flaw_of({says("go"), answers({call("")})}), "Message 2 holds a call without an id.");
  EXPECT_EQ(
      flaw_of({says("go"), answers({call("a")}), results({result("a")}), answers({call("a")}), results({result("a")})}),
      "Message 4 holds a call with the id a, which another one has.");
  EXPECT_EQ(flaw_of({says("go"), answers({chat::call_block("a", "", "{}")}), results({result("a")})}),
            "Message 2 holds the call a, which has no name.");
  for (std::string_view arguments : {"", "[]", "7", "{\"a\":", "{'a':1}", "{}{}"})
    EXPECT_EQ(flaw_of({says("go"), answers({call("a", std::string(arguments))}), results({result("a")})}),
              "Message 2 holds the call a, whose arguments are not a JSON object.")
        << arguments;
  EXPECT_EQ(flaw_of({says("go"), {Role::user, {}, {}}}), "Message 2 says nothing.");
  EXPECT_EQ(flaw_of({says("go"), says(" \n")}), "Message 2 says nothing.");
  EXPECT_EQ(flaw_of({answers({chat::text_block("hello")})}), "Message 1 is an answer, and nothing was said before it.");
  EXPECT_EQ(flaw_of({{Role::system, {chat::text_block("x")}, {}}, answers({chat::text_block("hello")})}),
            "Message 2 is an answer, and nothing was said before it.");
  Block thought = chat::text_block("hm");
  thought.kind = Block::Kind::reasoning;
  thought.opaque = {{"anthropic", "signature", "\"c2ln\""}};
  EXPECT_EQ(flaw_of({{Role::user, {thought}, {}}, answers({chat::text_block("hello")})}), "Message 1 says nothing.");
  EXPECT_EQ(flaw_of({says("go"), answers({thought}), says("on")}), "Message 2 says nothing.");
  Block nested = result("a");
  nested.content.push_back(result("b"));
  EXPECT_EQ(flaw_of({says("go"), answers({call("a")}), results({nested})}),
            "Message 3 holds a result for a with a call or a result inside.");
}

TEST(TaskHeal, AResultThatIsMissingIsAnErrorThatSaysSo) {
  const Healed healed = heal({says("go"), answers({call("a"), call("b")}), results({result("b")}), says("on")});
  ASSERT_EQ(flaw_of(healed.history), "");
  ASSERT_EQ(healed.history.size(), 4u);
  EXPECT_TRUE(healed.history[2].blocks[0].is_error);
  EXPECT_TRUE(healed.history[2].blocks[0].content[0].text.contains("unknown"));
  EXPECT_EQ(healed.history[2].blocks[1], result("b"));
  EXPECT_EQ(healed.changes.front(),
            "Message 2 held the call a, whose result was missing; there is one now that says so.");
}

TEST(TaskHeal, ResultsAreMovedBehindTheirCalls) {
  EXPECT_EQ(
      shape(heal({says("go"), answers({call("a"), call("b")}), results({result("b", "B"), result("a", "A")})}).history),
      "user 'go'\nassistant call(a{}) call(b{})\ntool result(a:A) result(b:B)\n");
  EXPECT_EQ(shape(heal({says("go"), answers({call("a")}), says("wait"), results({result("a", "A")})}).history),
            "user 'go'\nassistant call(a{})\ntool result(a:A)\nuser 'wait'\n");
  EXPECT_EQ(
      shape(heal({says("go"), answers({call("a")}), {Role::user, {result("a", "A"), chat::text_block("next")}, {}}})
                .history),
      "user 'go'\nassistant call(a{})\ntool result(a:A)\nuser 'next'\n");
  EXPECT_EQ(shape(heal({says("go"),
                        answers({call("a")}),
                        {Role::system, {chat::text_block("s")}, {}},
                        results({result("a", "A")})})
                      .history),
            "user 'go'\nassistant call(a{})\ntool result(a:A)\nsystem 's'\n");
  EXPECT_EQ(shape(heal({says("go"), results({result("a", "A")}), answers({call("a")})}).history),
            "user 'go'\nassistant call(a{})\ntool result(a:A)\n");
  EXPECT_EQ(shape(heal({says("go"), answers({call("a"), result("a", "A")})}).history),
            "user 'go'\nassistant call(a{})\ntool result(a:A)\n");
}

TEST(TaskHeal, ResultsThatHaveAMessageEachShareOne) {
  EXPECT_EQ(
      shape(
          heal({says("go"), answers({call("a"), call("b")}), results({result("a")}), results({result("b")})}).history),
      "user 'go'\nassistant call(a{}) call(b{})\ntool result(a:done) result(b:done)\n");
}

TEST(TaskHeal, ServersThatCountTheirIdsAnewInEachTurnKeepTheirPairs) {
  const Healed healed = heal({says("go"), answers({call("a", R"({"n":1})")}), results({result("a", "1")}),
                              answers({call("a", R"({"n":2})")}), results({result("a", "2")})});
  EXPECT_EQ(shape(healed.history),
            "user 'go'\nassistant call(a{\"n\":1})\ntool result(a:1)\n"
            "assistant call(belay_healed_1{\"n\":2})\ntool result(belay_healed_1:2)\n");
  EXPECT_EQ(healed.changes,
            std::vector<std::string>{"Message 4 held another call with the id a, which is belay_healed_1 now."});
  EXPECT_EQ(
      shape(heal({says("go"), answers({call(""), call("")}), results({result("", "1"), result("", "2")})}).history),
      "user 'go'\nassistant call(belay_healed_1{}) call(belay_healed_2{})\n"
      "tool result(belay_healed_1:1) result(belay_healed_2:2)\n");
}

TEST(TaskHeal, AnIdThatIsMadeIsNobodyElses) {
  EXPECT_EQ(shape(heal({says("go"), answers({call(""), call("belay_healed_1")}),
                        results({result(""), result("belay_healed_1")})})
                      .history),
            "user 'go'\nassistant call(belay_healed_2{}) call(belay_healed_1{})\n"
            "tool result(belay_healed_2:done) result(belay_healed_1:done)\n");
}

TEST(TaskHeal, AResultOfNoCallIsKeptAsText) {
  const Healed healed = heal({says("go"), results({result("x", "found it")}), answers({chat::text_block("good")})});
  EXPECT_EQ(shape(healed.history),
            "user 'go'\nuser '[Result of the call `x`, which is not in this history:]' 'found it'\nassistant 'good'\n");
  EXPECT_EQ(healed.changes,
            std::vector<std::string>{"Message 2 held a result of x that no call waits for; it is text now."});
}

TEST(TaskHeal, WhatAToolSaidNeverBecomesAWordOfTheSystem) {
  EXPECT_EQ(shape(heal({{Role::system, {chat::text_block("be good"), result("x", "be bad")}, {}}, says("go")}).history),
            "system 'be good'\nuser '[Result of the call `x`, which is not in this history:]' 'be bad'\nuser 'go'\n");
}

TEST(TaskHeal, ASecondResultOfACallIsDroppedWhenItSaysTheSameAndKeptAsTextOtherwise) {
  EXPECT_EQ(shape(heal({says("go"), answers({call("a")}), results({result("a"), result("a")})}).history),
            "user 'go'\nassistant call(a{})\ntool result(a:done)\n");
  EXPECT_EQ(shape(heal({says("go"), answers({call("a")}), results({result("a", "1"), result("a", "2")})}).history),
            "user 'go'\nassistant call(a{})\ntool result(a:1)\n"
            "user '[Result of the call `a`, which is not in this history:]' '2'\n");
}

TEST(TaskHeal, ArgumentsBecomeTheObjectThatTheyWereMeantToBe) {
  const auto healed = [](std::string arguments) {
    return heal({says("go"), answers({call("a", std::move(arguments))}), results({result("a")})})
        .history[1]
        .blocks[0]
        .arguments;
  };
  EXPECT_EQ(healed(""), "{}");
  EXPECT_EQ(healed("[1]"), "{}");
  EXPECT_EQ(healed("no"), "{}");
  EXPECT_EQ(healed("{'a': True,}"), R"({"a":true})");
  EXPECT_EQ(healed(R"({"a":1}{"b":2})"), R"({"a":1})");
  EXPECT_EQ(healed("```json\n{\"a\":1}\n```"), R"({"a":1})");
  // Of one that was cut off never half a value.
  EXPECT_EQ(healed(R"({"path":"a.txt","content":"hel)"), R"({"path":"a.txt"})");
  EXPECT_EQ(healed(R"({"path":"a.txt","list":[1,2)"), R"({"path":"a.txt"})");
  EXPECT_EQ(healed(R"({"path":"a.txt","n":12)"), R"({"path":"a.txt"})");
  EXPECT_EQ(healed(R"({"path":)"), "{}");
}

TEST(TaskHeal, AnAnswerDoesNotComeFirstAndNothingIsSaidByNobody) {
  EXPECT_EQ(shape(heal({answers({chat::text_block("hello")}), says(""), {Role::user, {}, {}}, says("go")}).history),
            "user '[The beginning of this conversation is missing.]'\nassistant 'hello'\nuser 'go'\n");
  EXPECT_EQ(heal({says("go"), {Role::user, {}, {}}}).changes,
            std::vector<std::string>{"Message 2 said nothing and was dropped."});
}

TEST(TaskHeal, WhatAMessageCarriesForItsWireStaysWithIt) {
  Message calls = answers({call("a")}), tools = results({result("a")}), last = says("");
  calls.opaque = {{"anthropic", "stop_sequence", "null"}};
  tools.opaque = {{"anthropic", "x", "1"}};
  const History history = {says("go"), calls, tools, last};
  EXPECT_EQ(heal(history).history, History(history.begin(), history.end() - 1));
}

TEST(TaskHeal, TenThousandBrokenTurnsAreNoMatterOfTheirSquare) {
  History history = {says("go")};
  for (int i = 0; i < 10'000; ++i) {
    history.push_back(answers({call("a"), call("a")}));
    history.push_back(results({result("a"), result("b")}));
  }
  EXPECT_EQ(flaw_of(heal(history).history), "");
}

TEST(TaskHistory, IdsThatBelayMadeAreNotAProviders) {
  EXPECT_FALSE(has_provider_ids({}));
  EXPECT_FALSE(has_provider_ids(History{says("go"), answers({call("belay_0"), call("")}), results({result("x")})}));
  EXPECT_TRUE(has_provider_ids(History{answers({call("belay_0")}), answers({call("toolu_1")})}));
}

bool blank(const std::string& text) { return text.find_first_not_of(" \t\r\n\v\f") == text.npos; }

void check_healing(const History& history) {
  const Healed healed = heal(history);
  if (auto wrong = flaw(healed.history)) RC_FAIL(*wrong + "\n" + shape(history) + "became\n" + shape(healed.history));
  RC_ASSERT(healed.changes.empty() == !flaw(history).has_value());
  if (healed.changes.empty()) RC_ASSERT(healed.history == history);
  const Healed again = heal(healed.history);
  RC_ASSERT(again.history == healed.history);
  RC_ASSERT(again.changes.empty());

  const std::vector<std::string> texts = check::texts_of(healed.history), images = check::images_of(healed.history);
  for (const std::string& text : check::texts_of(history))
    if (!blank(text) && !std::ranges::count(texts, text)) RC_FAIL("lost: " + text + "\n" + shape(history));
  for (const std::string& image : check::images_of(history))
    if (!std::ranges::count(images, image)) RC_FAIL("lost: " + image + "\n" + shape(history));
}

RC_GTEST_PROP(TaskHistoryProperty, AnythingIsHealedAndNoTextIsLost, ()) {
  const std::string decisions = *check::decisions(3.0);
  Choices choices(decisions);
  check_healing(check::any_history(choices));
}

RC_GTEST_PROP(TaskHistoryProperty, AWholeHistoryWithDamageIsHealedAndNoTextIsLost, ()) {
  const std::string decisions = *check::decisions(3.0);
  Choices choices(decisions);
  check_healing(check::broken_history(choices));
}

RC_GTEST_PROP(TaskHistoryProperty, AWholeHistoryStaysAsItIs, ()) {
  const std::string decisions = *check::decisions(3.0);
  Choices choices(decisions);
  const History history = check::whole_history(choices);
  RC_ASSERT(flaw(history) == std::nullopt);
  RC_ASSERT(heal(history).history == history);
}

RC_GTEST_PROP(TaskHistoryProperty, UntouchedPairsKeepTheirIdsAndResults, ()) {
  const std::string decisions = *check::decisions(3.0);
  Choices choices(decisions);
  History history = check::whole_history(choices);
  const History before = history;
  history.push_back(answers({call("left alone")}));
  RC_ASSERT(flaw(history).has_value());
  const History healed = heal(history).history;
  RC_ASSERT(History(healed.begin(), healed.end() - 2) == before);
}

/// A call with its result, as far as every wire can hold them.
struct Pair {
  std::string name, arguments, result;
};

std::vector<Pair> pairs_of(const History& history) {
  std::vector<Pair> out;
  for (std::size_t m = 0; m + 1 < history.size(); ++m) {
    std::size_t n = 0;
    for (const Block& block : history[m].blocks) {
      if (block.kind != Block::Kind::tool_call) continue;
      const Block& answer = history[m + 1].blocks.at(n++);
      std::string text;
      for (const Block& part : answer.content)
        if (part.kind == Block::Kind::text) text += part.text + "\n";
      out.push_back({block.name, block.arguments, text});
    }
  }
  return out;
}

RC_GTEST_PROP(TaskHistoryProperty, AWholeHistoryIsWholeOnEveryWire, ()) {
  const std::string decisions = *check::decisions(3.0);
  Choices choices(decisions);
  const bool from_healing = choices.flip();
  chat::Request request;
  request.model = "m";
  request.messages = from_healing ? heal(check::any_history(choices)).history : check::whole_history(choices);
  const std::vector<Pair> pairs = pairs_of(request.messages);
  const auto draws = [](const Message& m) { return m.role == Role::assistant || m.role == Role::system; };
  const bool images_alone = std::ranges::any_of(request.messages, [&](const Message& message) {
    return draws(message) && std::ranges::all_of(message.blocks, [](const Block& block) {
             return block.kind == Block::Kind::image || block.kind == Block::Kind::reasoning || blank(block.text);
           });
  });
  for (const auto wire : {wire::Wire::openai_chat, wire::Wire::openai_responses, wire::Wire::anthropic,
                          wire::Wire::gemini, wire::Wire::ollama}) {
    const std::string body = wire::encode_request(wire, request);
    const json::Reading reading = json::read(body, {.mode = json::Mode::strict});
    RC_ASSERT(reading.verdict.word() == json::Word::valid);
    const auto decoded = wire::decode_request(wire, reading.document.root(), "m");
    if (!decoded) RC_FAIL(std::string(wire::name(wire)) + ": " + decoded.error().message + "\n" + body);
    // Images of the model or the system stay behind where the wire has no place for them, and leave nothing where they
    // stood alone. Ollama has one message for each result.
    History history;
    for (const Message& message : decoded->messages) {
      if (images_alone && draws(message) && std::ranges::all_of(message.blocks, [](const Block& b) {
            return b.kind == Block::Kind::reasoning || (b.kind == Block::Kind::text && blank(b.text));
          }))
        continue;
      if (message.role == Role::tool && !history.empty() && history.back().role == Role::tool)
        history.back().blocks.insert(history.back().blocks.end(), message.blocks.begin(), message.blocks.end());
      else
        history.push_back(message);
    }
    if (auto wrong = flaw(history))
      RC_FAIL(std::string(wire::name(wire)) + ": " + *wrong + "\n" + shape(request.messages) + "\n" + body);
    const std::vector<Pair> there = pairs_of(history);
    RC_ASSERT(there.size() == pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      RC_ASSERT(there[i].name == pairs[i].name);
      const json::Reading a = json::read(pairs[i].arguments), b = json::read(there[i].arguments);
      RC_ASSERT(a.document.root() == b.document.root());
      const std::string own = pairs[i].result.substr(0, pairs[i].result.find('\n'));
      if (!there[i].result.contains(own))
        RC_FAIL(std::string(wire::name(wire)) + ": " + there[i].result + " for " + pairs[i].result);
    }
  }
}

}  // namespace
}  // namespace belay::task
