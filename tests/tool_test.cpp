// Tools: registry, aliases, results.
#include <belay/tool.h>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace belay::tool {
namespace {

Tool make(Spec spec, Code code = [](const Invocation&) { return text_result("done"); }) {
  auto made = Tool::make(std::move(spec), std::move(code));
  EXPECT_TRUE(made) << made.error();
  return std::move(*made);
}

Spec named(std::string name) {
  Spec spec;
  spec.name = std::move(name);
  return spec;
}

TEST(Registry, FindsByNameAndAliasAndSuggestsNearOnes) {
  Registry tools;
  Spec write = named("write_to_file");
  write.aliases = {"create_file"};
  EXPECT_TRUE(tools.add(make(write)));
  EXPECT_TRUE(tools.add(make(named("read_file"))));
  EXPECT_FALSE(tools.add(make(named("read_file"))));
  EXPECT_FALSE(tools.add(make(named("create_file"))));
  ASSERT_NE(tools.find("create_file"), nullptr);
  EXPECT_EQ(tools.find("create_file")->spec().name, "write_to_file");
  EXPECT_EQ(tools.find("Read_File"), nullptr);
  EXPECT_EQ(tools.near("readfile"), std::vector<std::string_view>{"read_file"});
  EXPECT_EQ(tools.near("write_file").at(0), "write_to_file");
  EXPECT_TRUE(tools.near("zzz").empty());
}

TEST(ToolRun, AnExceptionIsAnErrorResult) {
  Tool thrower = make(named("t"), [](const Invocation&) -> Result { throw std::runtime_error("no disk"); });
  json::Reading r = json::read("{}");
  Result result = thrower.run({r.document.root(), {}, {}});
  EXPECT_TRUE(result.is_error);
  EXPECT_EQ(text_of(result), "t failed: no disk");
  Tool odd = make(named("t"), [](const Invocation&) -> Result { throw 7; });
  EXPECT_TRUE(odd.run({r.document.root(), {}, {}}).is_error);
  Tool none = make(named("t"), nullptr);
  EXPECT_TRUE(none.run({r.document.root(), {}, {}}).is_error);
}

TEST(ToolResult, IsBoundedAndSaysSo) {
  ResultLimits limits;
  limits.text_bytes = 30;
  Result cut = bounded(text_result(std::string(100, 'x')), limits);
  EXPECT_NE(text_of(cut).find("70 of 100 bytes left out"), std::string::npos) << text_of(cut);
  EXPECT_EQ(text_of(bounded(text_result(""))), "(the tool gave an empty result)");
  EXPECT_EQ(text_of(bounded(text_result("a\xff"))), "a\xEF\xBF\xBD");
  // Never in the middle of a character.
  limits.text_bytes = 7;
  EXPECT_EQ(text_of(bounded(text_result("ééééééééé"), limits)).find('\xef'), std::string::npos);
}

TEST(ToolResult, ThatWasBoundedIsNotCutAgain) {
  Result large;
  for (const char* text : {"é", "x", "yy"}) {
    chat::Block block = chat::text_block("");
    for (int i = 0; i < 50'000; ++i) block.text += text;
    large.content.push_back(block);
  }
  large.content.push_back(chat::text_block("[3 more parts of the result were left out]"));
  for (std::size_t bytes : {1u, 2u, 3u, 100u, 100'001u, 149'999u, 150'000u, 220'001u, 249'999u, 300'000u}) {
    for (std::size_t blocks : {1u, 2u, 3u}) {
      ResultLimits limits;
      limits.text_bytes = bytes;
      limits.blocks = blocks;
      const Result once = bounded(large, limits);
      EXPECT_EQ(bounded(once, limits), once) << bytes << " bytes, " << blocks << " blocks";
      EXPECT_EQ(once.content.back().text,
                "[" + std::to_string(6 - blocks) + " more parts of the result were left out]");
    }
  }
  ResultLimits limits;
  limits.text_bytes = 90;
  const std::string text = text_of(bounded(bounded(text_result(std::string(5'000, 'x')), limits), limits));
  EXPECT_EQ(text, std::string(60, 'x') + "\n[... 4910 of 5000 bytes left out here ...]\n" + std::string(30, 'x'));
  // What only looks like it is cut like anything else.
  const std::string posing = std::string(60, 'x') + "\n[... 1 of 2 bytes left out here ...]\n" + std::string(500, 'x');
  EXPECT_NE(
      text_of(bounded(text_result(posing), limits)).find(" of " + std::to_string(posing.size()) + " bytes left out"),
      std::string::npos);
}

TEST(ToolAliases, ParametersGetTheirOwnNames) {
  Registry tools;
  Spec write = named("write_to_file");
  write.parameters =
      R"({"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},
          "required":["path","content"],"additionalProperties":false})";
  write.parameter_aliases = {{"file_text", "content"}};
  write.aliases = {"create_file"};
  EXPECT_TRUE(tools.add(make(write)));
  struct Nothing final : turn::EventSink {
  } sink;
  turn::LedgerOptions options;
  options.tools = tools.known();
  options.any_tool = false;
  turn::Ledger ledger(sink, options);
  ledger.on(
      chat::delta::Call{.key = {.index = 0}, .name = "create_file", .arguments = R"({"path":"a","file_text":"x"})"});
  ledger.on(chat::delta::Stop{chat::StopReason::tool_calls});
  ledger.on(chat::delta::End{});
  auto calls = ledger.finish().calls;
  EXPECT_TRUE(calls.at(0).trusted);
  EXPECT_EQ(calls[0].name, "create_file");
  EXPECT_EQ(calls[0].tool, "write_to_file");
  EXPECT_EQ(json::to_string(*calls[0].arguments()), R"({"path":"a","content":"x"})");
  EXPECT_EQ(calls[0].verdict.word(), json::Word::mended);
}

}  // namespace
}  // namespace belay::tool
