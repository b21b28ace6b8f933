// What is made of an answer: blocks in their order, quotations as they were received, tokens that nobody counted.
#include "support/task_stage.h"

#include <belay/task/context.h>
#include <belay/task/history.h>

namespace belay::task {
namespace {

using chat::Block;
using Strings = std::vector<std::string>;
using Kind = Block::Kind;

class Answers : public check::TaskStage {
 protected:
  static std::string path(std::string_view name) { return "{\"path\":\"" + std::string(name) + "\"}"; }
  static std::string in_text(std::string_view tool, std::string_view file) {
    return "<tool_call>\n{\"name\": \"" + std::string(tool) + "\", \"arguments\": " + path(file) + "}\n</tool_call>";
  }
  // The last answer's blocks, in a line each.
  Strings blocks() const {
    Strings out;
    const std::vector<Turn> turns = kept<Turn>();
    if (turns.empty()) return {"no answer"};
    for (const Block& b : turns.back().message.blocks) {
      std::string line = b.kind == Kind::text        ? "text " + b.text
                         : b.kind == Kind::reasoning ? "reasoning " + b.text
                         : b.kind == Kind::tool_call ? "call " + b.name + " " + b.arguments
                                                     : "other";
      for (const chat::Opaque& opaque : b.opaque) line += " [" + opaque.json + "]";
      out.push_back(std::move(line));
    }
    return out;
  }
  std::string usage_told() const {
    std::string out;
    for (const Event& event : events_)
      if (event.kind == EventKind::usage) out = event.data;
    return out;
  }
};

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

std::string event(std::string_view type, std::string_view rest) {
  return "event: " + std::string(type) + "\ndata: {\"type\":\"" + std::string(type) + "\"," + std::string(rest) +
         "}\n\n";
}
std::string as_json(std::string_view text) {
  std::string out;
  json::write_string(text, out);
  return out;
}
// Blocks of Anthropic's wire: thinking with a signature, or text.
std::string thinking(int index, std::string_view text, std::string_view signature) {
  const std::string at = "\"index\":" + std::to_string(index);
  return event("content_block_start", at + R"(,"content_block":{"type":"thinking","thinking":"","signature":""})") +
         event("content_block_delta", at + R"(,"delta":{"type":"thinking_delta","thinking":)" + as_json(text) + "}") +
         event("content_block_delta",
               at + R"(,"delta":{"type":"signature_delta","signature":)" + as_json(signature) + "}") +
         event("content_block_stop", at);
}
std::string text(int index, std::string_view words) {
  const std::string at = "\"index\":" + std::to_string(index);
  return event("content_block_start", at + R"(,"content_block":{"type":"text","text":""})") +
         event("content_block_delta", at + R"(,"delta":{"type":"text_delta","text":)" + as_json(words) + "}") +
         event("content_block_stop", at);
}
std::string message(const std::string& blocks) {
  return event("message_start", R"("message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],)"
                                R"("stop_reason":null,"usage":{"input_tokens":10,"output_tokens":1}})") +
         blocks + event("message_delta", R"("delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9})") +
         "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
}

// Order.

TEST_F(Answers, SignedThoughtsStayWhereTheyWereWhenACallStoodInTheText) {
  begin();
  says_bytes(wire::Wire::anthropic,
             message(thinking(0, "first", "s0") + text(1, "I look. " + in_text("look", "a") + "\nAnd then:") +
                     thinking(2, "second", "s2") + text(3, "Once more. " + in_text("look", "b")) +
                     thinking(4, "third", "s4") + text(5, "Done <tool?")));
  EXPECT_EQ(blocks(), (Strings{R"(reasoning first ["s0"])", "text I look. ", "call look " + path("a"),
                               "text \nAnd then:", R"(reasoning second ["s2"])", "text Once more. ",
                               "call look " + path("b"), R"(reasoning third ["s4"])", "text Done <tool?"}));
  chat::Request request;
  request.messages = tree_->history("t");
  const std::string body = wire::encode_request(wire::Wire::anthropic, request);
  EXPECT_LT(body.find("\"s0\""), body.find("\"s2\""));
  EXPECT_LT(body.find("\"s2\""), body.find("\"s4\""));
}

TEST_F(Answers, WhatIsHeldBackAtTheEndOfATextStaysInIt) {
  begin();
  says_bytes(wire::Wire::anthropic, message(text(0, "If a < b then <tool_c") + thinking(1, "hm", "s") +
                                            text(2, "so. " + in_text("look", "a"))));
  EXPECT_EQ(blocks(),
            (Strings{"text If a < b then <tool_c", R"(reasoning hm ["s"])", "text so. ", "call look " + path("a")}));
}

TEST_F(Answers, WhatAProviderWantsBackWithATextStaysWithIt) {
  begin();
  says_bytes(wire::Wire::gemini,
             R"(data: {"candidates":[{"content":{"role":"model","parts":[{"text":)" +
                 as_json(in_text("look", "a") + " so") +
                 R"(,"thoughtSignature":"c2ln"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5}})"
                 "\n\n");
  ASSERT_EQ(blocks().size(), 2u);
  EXPECT_EQ(blocks()[0], "call look " + path("a"));
  EXPECT_HAS(blocks()[1], "text  so [");
  EXPECT_HAS(blocks()[1], "c2ln");
}

TEST_F(Answers, NativeCallsAndCallsInTheTextStandInTheOrderInWhichTheyCame) {
  begin();
  says("First " + in_text("look", "a") + " then", {{"look", path("b")}});
  EXPECT_EQ(blocks(), (Strings{"text First ", "call look " + path("a"), "text  then", "call look " + path("b")}));
  EXPECT_EQ(running(), (Strings{"look " + path("a"), "look " + path("b")}));
}

TEST_F(Answers, SpacesAreNoAnswerAlsoWhereTheProviderGaveThemAName) {
  begin();
  wire::StreamEncoder encoder(wire::Wire::openai_responses, {"r", "stage-1", 0});
  encoder.text(" \n");
  encoder.stop(chat::StopReason::end);
  says_bytes(wire::Wire::openai_responses, encoder.take());
  EXPECT_EQ(blocks(), Strings{});
  EXPECT_EQ(events(EventKind::mistake), (Strings{"empty"}));
  EXPECT_EQ(requests(), 2u);
  EXPECT_EQ(events(EventKind::notice), Strings{}) << "nothing had to be healed";
}

// Quotations.

TEST_F(Answers, AQuotationIsInTheHistoryByteForByte) {
  const std::string call = in_text("do", "rm");
  for (std::string said : {"It says: " + call + ". Ugly,  isn't it?\n", call, call + "\n\n" + call + " twice",
                           "```xml\n" + call + "\n```", "one\n\n" + call + "\n"}) {
    SCOPED_TRACE(said);
    records_.clear();
    begin();
    says("", {{"look", path("README")}});
    gives("Example: " + call);
    says(said);
    EXPECT_EQ(running(), Strings{});
    ASSERT_EQ(blocks().size(), 1u);
    EXPECT_EQ(blocks()[0], "text " + said);
  }
}

TEST_F(Answers, AQuotationInEveryFormatIsInTheHistoryByteForByte) {
  const Strings calls = {
      R"(<tool>{"tool_name": "do", "arguments": {"path": "rm"}}</tool>)",
      "<do>\n<path>rm</path>\n</do>",
      "[TOOL_CALLS][{\"name\": \"do\", \"arguments\": {\"path\": \"rm\"}}]",
      "<tool_call>\n<function=do>\n<parameter=path>\nrm\n</parameter>\n</function>\n</tool_call>",
      "<|python_tag|>{\"name\": \"do\", \"parameters\": {\"path\": \"rm\"}}",
      "<tool_call>\n[{\"name\": \"do\", \"arguments\": {\"path\": \"rm\"}}, {\"name\": \"do\", \"arguments\": "
      "{\"path\": \"rm\"}}]\n</tool_call>"};
  for (const std::string& call : calls) {
    SCOPED_TRACE(call);
    records_.clear();
    begin();
    says("", {{"look", path("README")}});
    gives("Example: " + call);
    const std::string said = "It says:\n" + call + "\nand no more.";
    says(said);
    EXPECT_EQ(running(), Strings{});
    ASSERT_EQ(blocks().size(), 1u);
    EXPECT_EQ(blocks()[0], "text " + said);
  }
}

TEST_F(Answers, AQuotationBesideACallInTheSameTextIsWhole) {
  begin();
  says("", {{"look", path("README")}});
  gives("Example: " + in_text("do", "rm"));
  says("It says " + in_text("do", "rm") + ", so " + in_text("look", "b") + " next.");
  EXPECT_EQ(blocks(),
            (Strings{"text It says " + in_text("do", "rm") + ", so ", "call look " + path("b"), "text  next."}));
  EXPECT_EQ(running(), (Strings{"look " + path("b")}));
}

// Tokens that nobody counted.

TEST_F(Answers, WhatTheServerDoesNotCountIsEstimatedAndSaysSo) {
  usage_ = {};
  begin();
  says(std::string(3'000, 'a'), {{"look", path("a")}});
  const Turn turn = kept<Turn>()[0];
  EXPECT_EQ(turn.usage.input_tokens.value_or(0), 0u) << "what was counted and what was not are never mixed";
  EXPECT_EQ(turn.usage.output_tokens.value_or(0), 0u);
  EXPECT_EQ(turn.estimated.input_tokens, estimate_tokens(last<SendRequest>().body));
  EXPECT_GE(turn.estimated.output_tokens.value_or(0), 1'000u);
  EXPECT_LE(turn.estimated.output_tokens.value_or(0), 1'100u);
  const std::uint64_t all = *turn.estimated.input_tokens + *turn.estimated.output_tokens;
  EXPECT_HAS(usage_told(), "\"estimated_tokens\":" + std::to_string(all) + ",");
  EXPECT_HAS(usage_told(), "\"estimated_tokens_in_all\":" + std::to_string(all) + ",");
}

TEST_F(Answers, ServersThatSayZeroDoNotCount) {
  usage_ = {0, 0, {}, {}, {}};
  begin();
  says("hello", {{"look", path("a")}});
  EXPECT_GT(kept<Turn>()[0].estimated.input_tokens.value_or(0), 0u);
  EXPECT_GT(kept<Turn>()[0].estimated.output_tokens.value_or(0), 0u);
}

TEST_F(Answers, WhatWasCountedIsNotEstimated) {
  begin();
  says("hello", {{"look", path("a")}});
  EXPECT_EQ(kept<Turn>()[0].estimated, chat::Usage{});
  EXPECT_HAS(usage_told(), R"("input_tokens":1000,"output_tokens":100,"estimated_tokens":0,)");
  gives("seen");
  usage_ = {2'000, {}, {}, {}, {}};
  says("hello", {{"look", path("b")}});
  EXPECT_EQ(kept<Turn>()[1].estimated.input_tokens, std::nullopt);
  EXPECT_GT(kept<Turn>()[1].estimated.output_tokens.value_or(0), 0u);
}

TEST_F(Answers, ABudgetOfTokensHoldsWhereTheServerDoesNotCount) {
  conditions_.person = false;
  settings_.budget.tokens = 5'000;
  usage_ = {};
  begin();
  for (int i = 0; i < 50 && !finished(); ++i) {
    says(std::string(1'500, 'a'), {{"look", path(std::to_string(i))}});
    if (!running().empty()) gives("seen " + std::to_string(i));
  }
  ASSERT_TRUE(finished());
  EXPECT_EQ(end().reason, EndReason::tokens);
  EXPECT_HAS(end().detail, "tokens are estimated, because the server does not count");
  EXPECT_HAS(end().detail, "has used about ");
}

TEST_F(Answers, ABudgetOfDollarsHoldsWhereTheServerDoesNotCount) {
  conditions_.person = false;
  settings_.prices = {10, 10, 0, 0};
  settings_.budget.cost = 0.05;
  usage_ = {};
  begin();
  for (int i = 0; i < 50 && !finished(); ++i) {
    says(std::string(1'500, 'a'), {{"look", path(std::to_string(i))}});
    if (!running().empty()) gives("seen " + std::to_string(i));
  }
  ASSERT_TRUE(finished());
  EXPECT_EQ(end().reason, EndReason::cost);
}

TEST_F(Answers, AnAnswerThatBrokeOffCounts) {
  begin();
  const std::string whole = message(text(0, std::string(3'000, 'a')));
  says_bytes(wire::Wire::anthropic, whole.substr(0, whole.find("content_block_stop")));
  const RequestFailed failed = kept<RequestFailed>().at(0);
  EXPECT_EQ(failed.kind, "stream_broke_off");
  EXPECT_EQ(failed.usage.input_tokens, 10u) << "that was counted before";
  EXPECT_EQ(failed.estimated.input_tokens, std::nullopt);
  EXPECT_EQ(failed.usage.output_tokens, 1u);
}

TEST_F(Answers, ARequestThatWasNotAnsweredCostsNothing) {
  begin();
  fails("overloaded");
  EXPECT_EQ(kept<RequestFailed>().at(0).estimated, chat::Usage{});
}

TEST_F(Answers, ASummaryThatTheServerDoesNotCountIsEstimated) {
  usage_ = {};
  begin();
  for (int i = 0; i < 6; ++i) {
    says(std::string(600, 'a'), {{"look", path(std::to_string(i))}});
    gives("seen " + std::to_string(i));
  }
  fails("too_long", false);
  ASSERT_TRUE(last<SendRequest>().summary);
  const std::uint64_t length = estimate_tokens(last<SendRequest>().body);
  says("It was all about a.");
  ASSERT_EQ(kept<Folded>().size(), 1u);
  EXPECT_EQ(kept<Folded>()[0].estimated.input_tokens, length);
}

}  // namespace
}  // namespace belay::task
