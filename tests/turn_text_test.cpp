// The ledger for callers that feed a model's text themselves.
#include <belay/turn.h>

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace belay::turn {
namespace {

class Watched final : public EventSink {
 public:
  void on_call_certain(std::size_t slot, std::string_view piece) override { certain[slot].emplace_back(piece); }
  void on_failure(const chat::Failure& failure) override {
    failed += std::string(failure.kind) + ": " + std::string(failure.message);
  }
  std::map<std::size_t, std::vector<std::string>> certain;
  std::string failed;
};

LedgerOptions with_format(std::string format) {
  LedgerOptions options;
  options.format = std::move(format);
  options.certain_text = true;
  return options;
}

Answer read(std::string format, std::string_view text, chat::StopReason stop = chat::StopReason::end) {
  Watched sink;
  Ledger ledger(sink, with_format(std::move(format)));
  ledger.text(text);
  return ledger.finish(stop);
}

TEST(LedgerText, IsTrustedWhenTheTurnEndedProperly) {
  const std::string_view text = "<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": 1}}</tool_call>";
  const Answer answer = read("hermes", text);
  ASSERT_EQ(answer.calls.size(), 1u);
  EXPECT_TRUE(answer.calls[0].trusted);
  EXPECT_TRUE(answer.ended);
  for (chat::StopReason stop : {chat::StopReason::none, chat::StopReason::length, chat::StopReason::content_filter})
    EXPECT_FALSE(read("hermes", text, stop).calls.at(0).trusted) << chat::name(stop);
}

TEST(LedgerText, AnUnknownFormatIsAFailure) {
  Watched sink;
  Ledger ledger(sink, with_format("hermess"));
  EXPECT_EQ(sink.failed, "") << "nothing is told before the first event";
  ledger.text("<tool_call>");
  EXPECT_TRUE(sink.failed.starts_with("unknown_format: there is no format hermess")) << sink.failed;
  EXPECT_NE(sink.failed.find("hermes, qwen3"), std::string::npos) << sink.failed;
  const Answer answer = ledger.finish(chat::StopReason::end);
  ASSERT_TRUE(answer.failure.has_value());
  EXPECT_EQ(answer.failure->kind, "unknown_format");
  EXPECT_TRUE(ledger.failed());
}

TEST(LedgerText, BlocksStandInTheOrderOfTheText) {
  const Answer answer =
      read("qwen3", "<think>hm</think>First <tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call> then");
  std::string kinds;
  for (const Block& block : answer.blocks)
    kinds += block.kind == Block::Kind::call        ? "[call]"
             : block.kind == Block::Kind::reasoning ? "(" + block.text + ")"
                                                    : "'" + block.text + "'";
  EXPECT_EQ(kinds, "(hm)'First '[call]' then'");
  const Block& call = answer.blocks.at(2);
  EXPECT_EQ(answer.received.substr(call.begin, call.end - call.begin),
            "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>");
  EXPECT_EQ(answer.received.substr(answer.blocks[0].begin, answer.blocks[1].end - answer.blocks[0].begin),
            "<think>hm</think>First ");
  EXPECT_EQ(answer.received.substr(answer.blocks[3].begin), " then");
}

// A server can stream these arguments to its client, whatever the model's format is.
TEST(LedgerText, WhatIsCertainOfTheArgumentsGrowsAsTheyCome) {
  struct Row {
    std::string_view format, text, certain;
  };
  const Row rows[] = {
      {"hermes", "<tool_call>{\"name\": \"f\", \"arguments\": {\"path\": \"a\\n\", \"n\": 12}}</tool_call>",
       R"({"path":"a\n","n":12})"},
      {"mistral_new", "[TOOL_CALLS]f[ARGS]{\"path\": \"a\", \"n\": [1, 2]}", R"({"path":"a","n":[1,2]})"},
      {"xml", "<f>\n<path>a \"b\"</path>\n<n>12</n>\n</f>", R"({"path":"a \"b\"","n":12})"},
      {"pythonic", "[f(path='a', on=True)]", R"({"path":"a","on":true})"},
      {"gemma4", "<|tool_call>call:f{path:<|\"|>a<|\"|>,n:1}<tool_call|>", R"({"path":"a","n":1})"},
  };
  for (const Row& row : rows) {
    LedgerOptions options = with_format(std::string(row.format));
    static const json::Reading schema = json::read(
        R"({"type":"object","properties":{"path":{"type":"string"},"n":{"type":["integer","array"]},"on":{"type":"boolean"}}})");
    options.shapes = {{"f", text::shape_of(schema.document.root())}};
    Watched sink;
    Ledger ledger(sink, std::move(options));
    std::string before_end;
    for (std::size_t i = 0; i < row.text.size(); ++i) {
      ledger.text(row.text.substr(i, 1));
      before_end.clear();
      for (const std::string& piece : sink.certain[0]) before_end += piece;
      EXPECT_TRUE(row.certain.starts_with(before_end)) << row.format << ": " << before_end;
    }
    const Answer answer = ledger.finish(chat::StopReason::end);
    ASSERT_EQ(answer.calls.size(), 1u) << row.format;
    EXPECT_TRUE(answer.calls[0].trusted) << row.format << " " << answer.calls[0].distrust;
    EXPECT_TRUE(answer.calls[0].certain_whole) << row.format;
    EXPECT_EQ(answer.calls[0].certain, row.certain) << row.format;
    EXPECT_GT(before_end.size(), 8u) << row.format << " told nothing before its end";
    EXPECT_GT(sink.certain[0].size(), 2u) << row.format << " came in one piece";
  }
}

TEST(LedgerText, WhatIsCertainStopsBeforeAGuess) {
  const Answer answer =
      read("hermes", "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"b\", \"a\": \"c\"}}</tool_call>");
  ASSERT_EQ(answer.calls.size(), 1u);
  EXPECT_FALSE(answer.calls[0].trusted);
  EXPECT_FALSE(answer.calls[0].certain_whole);
}

TEST(LedgerText, WithoutTheOptionNothingIsKeptTwice) {
  Watched sink;
  Ledger ledger(sink);
  ledger.text("Hello");
  const Answer answer = ledger.finish(chat::StopReason::end);
  ASSERT_EQ(answer.blocks.size(), 1u);
  EXPECT_EQ(answer.blocks[0].text, "Hello");
  EXPECT_EQ(answer.received, "");
}

}  // namespace
}  // namespace belay::turn
