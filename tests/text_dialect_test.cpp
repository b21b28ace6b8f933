// Calls, results and tools as text.
#include <belay/json/reader.h>
#include <belay/json/writer.h>
#include <belay/text.h>

#include "text_dialect_calls.h"

#include <gtest/gtest.h>

namespace belay::text {
namespace {

using testing::kFiles;
using testing::read_again;

TEST(DialectXml, ACallHasTheTagsOfItsToolAndParameters) {
  Dialect dialect("xml", kFiles);
  EXPECT_EQ(*dialect.write_call({"read_file", R"({"path": "a"})", "1"}), "<read_file>\n<path>a</path>\n</read_file>");
  EXPECT_EQ(*dialect.write_call({"read_file", R"({"path": "a", "line": 7, "deep": true})", ""}),
            "<read_file>\n<path>a</path>\n<line>7</line>\n<deep>true</deep>\n</read_file>");
  EXPECT_EQ(*dialect.write_call({"now", "", ""}), "<now>\n</now>");
}

TEST(DialectXml, ALineBreakAtAnEndOfATextIsKept) {
  Dialect dialect("xml", kFiles);
  EXPECT_EQ(*dialect.write_call({"write_to_file", R"({"path": "a", "content": "x\n"})", ""}),
            "<write_to_file>\n<path>a</path>\n<content>\nx\n\n</content>\n</write_to_file>");
}

TEST(DialectXml, ATextWithItsOwnClosingTagIsCharacterData) {
  Dialect dialect("xml", kFiles);
  EXPECT_EQ(*dialect.write_call({"write_to_file", R"({"path": "a", "content": "</content>\n<path>b</path>"})", ""}),
            "<write_to_file>\n<path>a</path>\n<content><![CDATA[</content>\n<path>b</path>]]></content>\n"
            "</write_to_file>");
}

TEST(DialectXml, WhatCannotBeWrittenIsNamed) {
  Dialect dialect("xml", kFiles);
  auto both =
      dialect.write_call({"write_to_file", R"({"path": "a", "content": "]]></content>\n</write_to_file>"})", ""});
  ASSERT_FALSE(both.has_value());
  EXPECT_EQ(both.error().call, "write_to_file");
  EXPECT_EQ(both.error().parameter, "content");
  EXPECT_NE(both.error().reason.find("no escape"), std::string::npos) << both.error().reason;
  auto type = dialect.write_call({"read_file", R"({"path": 5})", ""});
  ASSERT_FALSE(type.has_value());
  EXPECT_EQ(type.error().parameter, "path");
  EXPECT_NE(type.error().reason.find("a number"), std::string::npos) << type.error().reason;
  auto broken = dialect.write_call({"read_file", "[1]", ""});
  ASSERT_FALSE(broken.has_value());
  EXPECT_EQ(broken.error().reason, "its arguments are no JSON object");
}

TEST(DialectXml, ResultsSayWhatTheyAreOf) {
  Dialect dialect("xml", kFiles);
  EXPECT_EQ(dialect.write_result({"read_file", R"({"path":"a"})", "1", "hello", false}),
            "[read_file for 'a'] Result:\nhello");
  EXPECT_EQ(dialect.write_result({"read_file", R"({"path":"a"})", "1", "no such file", true}),
            "[read_file for 'a'] Result:\n<error>\nno such file\n</error>");
  EXPECT_EQ(dialect.write_result({"now", "{}", "1", "", false}), "[now] Result:\n(no output)");
}

TEST(DialectXml, TheDefinitionsStateTheRulesAndEachTool) {
  std::string text = Dialect("xml", kFiles).define();
  for (std::string_view part :
       {"one tool a message",
        "## read_file\nDescription: Reads a file.\nParameters:\n- path (string, required): Which file\n",
        "- line (integer, optional)", "Usage:\n<read_file>\n<path>path here</path>\n</read_file>", "## now\n",
        "Parameters: none"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
  EXPECT_EQ(Dialect("xml").define(), "");
  EXPECT_NE(Dialect("xml", kFiles).define({{chat::ToolChoice::Kind::named, "now"}}).find("must use the tool now"),
            std::string::npos);
}

// As the models' own templates have it, with one call and with two.
struct Shown {
  std::string_view format, one, two;
};
constexpr Shown kShown[] = {
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"x\": 1}}\n</tool_call>", ""},
    {"qwen3_coder", "<tool_call>\n<function=f>\n<parameter=x>\n1\n</parameter>\n</function>\n</tool_call>", ""},
    {"seed_oss", "<seed:tool_call>\n<function=f>\n<parameter=x>1</parameter>\n</function>\n</seed:tool_call>", ""},
    {"glm45", "<tool_call>f\n<arg_key>x</arg_key>\n<arg_value>1</arg_value>\n</tool_call>", ""},
    {"glm47", "<tool_call>f<arg_key>x</arg_key><arg_value>1</arg_value></tool_call>", ""},
    {"hy_v3", "<tool_calls><tool_call>f<tool_sep><arg_key>x</arg_key><arg_value>1</arg_value></tool_call></tool_calls>",
     ""},
    {"hunyuan_a13b", "<tool_calls>[{\"name\": \"f\", \"arguments\": {\"x\": 1}}]</tool_calls>", ""},
    {"minimax_m2",
     "<minimax:tool_call>\n<invoke name=\"f\">\n<parameter name=\"x\">1</parameter>\n</invoke>\n</minimax:tool_call>",
     ""},
    {"deepseek_v3",
     "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\"x\": 1}\n```<｜tool▁call▁end｜>"
     "<｜tool▁calls▁end｜>",
     ""},
    {"deepseek_v31",
     "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"x\": 1}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", ""},
    {"deepseek_v32_dsml",
     "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"x\" "
     "string=\"false\">1</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
     ""},
    {"kimi_k2",
     "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"x\": "
     "1}<|tool_call_end|><|tool_calls_section_end|>",
     "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"x\": "
     "1}<|tool_call_end|><|tool_call_begin|>functions.g:1<|tool_call_argument_begin|>{}<|tool_call_end|>"
     "<|tool_calls_section_end|>"},
    {"kimi_k3",
     "<|open|>tools<|sep|><|open|>call tool=\"f\" index=\"1\"<|sep|><|open|>argument key=\"x\" "
     "type=\"number\"<|sep|>1<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
     ""},
    {"mistral_old", "[TOOL_CALLS][{\"name\": \"f\", \"arguments\": {\"x\": 1}}]",
     "[TOOL_CALLS][{\"name\": \"f\", \"arguments\": {\"x\": 1}}, {\"name\": \"g\", \"arguments\": {}}]"},
    {"mistral_new", "[TOOL_CALLS]f[ARGS]{\"x\": 1}", "[TOOL_CALLS]f[ARGS]{\"x\": 1}[TOOL_CALLS]g[ARGS]{}"},
    {"llama3_json", "{\"name\": \"f\", \"parameters\": {\"x\": 1}}",
     "{\"name\": \"f\", \"parameters\": {\"x\": 1}}; {\"name\": \"g\", \"parameters\": {}}"},
    {"pythonic", "[f(x=1)]", "[f(x=1), g()]"},
    {"olmo3", "<function_calls>f(x=1)</function_calls>", "<function_calls>f(x=1)\ng()</function_calls>"},
    {"lfm2", "<|tool_call_start|>[f(x=1)]<|tool_call_end|>", ""},
    {"functionary_v31", "<function=f>{\"x\": 1}</function>", ""},
    {"functionary_v32", ">>>f\n{\"x\": 1}", ""},
    {"phi4_mini", "functools[{\"name\": \"f\", \"arguments\": {\"x\": 1}}]", ""},
    {"command_r7b",
     "<|START_ACTION|>[{\"tool_call_id\": \"0\", \"tool_name\": \"f\", \"parameters\": {\"x\": 1}}]<|END_ACTION|>", ""},
    {"command_r_plus", "Action:\n```json\n[{\"tool_name\": \"f\", \"parameters\": {\"x\": 1}}]\n```", ""},
    {"harmony", "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{\"x\": 1}<|call|>", ""},
    {"gemma4", "<|tool_call>call:f{x:1}<tool_call|>",
     "<|tool_call>call:f{x:1}<tool_call|><|tool_call>call:g{}<tool_call|>"},
    {"apertus", "<|tools_prefix|>[{\"f\": {\"x\": 1}}]<|tools_suffix|>", ""},
    {"step3",
     "<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name=\"f\"><steptml:parameter "
     "name=\"x\">1</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>",
     ""},
    {"inkling", "<|message_model|>f<|content_invoke_tool_json|>{\"name\": \"f\", \"args\": {\"x\": 1}}<|end_message|>",
     ""},
    {"tool_tag", "<tool>{\"tool_name\": \"f\", \"arguments\": {\"x\": 1}}</tool>", ""},
};

TEST(Dialect, CallsLookAsTheModelsTemplatesHaveThem) {
  const std::vector<chat::Tool> tools = {{"f", "", R"({"type":"object","properties":{"x":{"type":"integer"}}})", {}},
                                         {"g", "", R"({"type":"object","properties":{}})", {}}};
  const Call f{"f", R"({"x":1})", ""}, g{"g", "{}", ""};
  const Call both[] = {f, g};
  for (const Shown& shown : kShown) {
    if (testing::unread(shown.format)) continue;
    Dialect dialect(shown.format, tools);
    auto one = dialect.write_call(f);
    ASSERT_TRUE(one) << shown.format << ": " << one.error().reason;
    EXPECT_EQ(*one, shown.one);
    if (shown.two.empty()) continue;
    auto two = dialect.write_calls(both);
    ASSERT_TRUE(two) << shown.format << ": " << two.error().reason;
    EXPECT_EQ(*two, shown.two);
  }
}

TEST(Dialect, EveryFormatHasARowOfItsOwn) {
  for (std::string_view format : formats()) EXPECT_EQ(Dialect(format).format(), format);
  for (std::string_view other : {"auto", "none", "nonsense"}) EXPECT_EQ(Dialect(other).format(), "xml");
}

TEST(Dialect, EveryFormatDefinesToolsAndWritesResults) {
  for (std::string_view format : formats()) {
    Dialect dialect(format, kFiles);
    std::string text = dialect.define();
    for (const chat::Tool& tool : kFiles) EXPECT_NE(text.find(tool.name), std::string::npos) << format;
    EXPECT_NE(text.find("Reads a file."), std::string::npos) << format;
    const Result results[] = {{"read_file", R"({"path":"a"})", "1", "first", false},
                              {"now", "{}", "2", "second", true}};
    text = dialect.write_results(results);
    EXPECT_LT(text.find("first"), text.find("second")) << format << ": " << text;
    EXPECT_NE(text.find("second"), std::string::npos) << format << ": " << text;
    EXPECT_NE(text.find(format == "command_r7b" ? "\"is_error\": true" : "error>"), std::string::npos)
        << format << ": " << text;
  }
}

TEST(Dialect, AMarkerInATextIsEscapedWhereJsonCan) {
  for (auto [format, marker] : {std::pair("hermes", "</tool_call>"), std::pair("kimi_k2", "<|tool_call_end|>"),
                                std::pair("mistral_new", "[TOOL_CALLS]"), std::pair("lfm2", "<|tool_call_end|>")}) {
    std::string arguments = "{\"path\":\"a\",\"content\":\"" + std::string(marker) + "<|im_end|><b>\"}";
    auto text = Dialect(format, kFiles).write_call({"write_to_file", arguments, ""});
    ASSERT_TRUE(text) << format;
    EXPECT_EQ(text->find("<|im_end|>"), std::string::npos) << *text;
    EXPECT_NE(text->find("<b>"), std::string::npos) << *text;
    EXPECT_EQ(text->find(std::string(marker) + "\\u003c"), std::string::npos) << *text;
    EXPECT_EQ(read_again(format, kFiles, *text), "write_to_file " + arguments);
  }
}

}  // namespace
}  // namespace belay::text
