// What servers ask for: forms, samplings; and what is kept of their tools.
#include <belay/mcp.h>
#include <belay/regex.h>

#include "scratch_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace belay::mcp {
namespace {

std::expected<std::vector<FormField>, std::string> form(std::string_view schema, const FormLimits& limits = {}) {
  const json::Reading reading = json::read(schema);
  return form_of(reading.document.root(), limits);
}
FormField field(const std::string& schema) {
  auto all = form(R"({"type":"object","properties":{"a":)" + schema + "}}");
  if (!all) ADD_FAILURE() << all.error();
  return all && !all->empty() ? all->front() : FormField{};
}
std::string value(const std::string& schema, std::string_view typed) {
  const auto regexes = regex::make_regexes();
  const auto out = field_value(field(schema), typed, regexes.get());
  return out ? *out : "wrong: " + out.error();
}
bool is_wrong(const std::string& schema, std::string_view typed) { return value(schema, typed).starts_with("wrong: "); }

TEST(McpForm, HasItsFieldsInOrderWithWhatIsSaidOfThem) {
  const auto all = form(R"({"type":"object","required":["b"],"properties":{
    "b":{"type":"string","title":"B","description":"d","default":"x"},"a":{"type":"number"},
    "c":{"type":"integer"},"d":{"type":"boolean","default":false}}})");
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 4u);
  EXPECT_EQ(all->at(0).name, "b");
  EXPECT_EQ(all->at(0).title, "B");
  EXPECT_EQ(all->at(0).description, "d");
  EXPECT_EQ(all->at(0).standard, "\"x\"");
  EXPECT_TRUE(all->at(0).required);
  EXPECT_FALSE(all->at(1).required);
  EXPECT_EQ(all->at(1).kind, FormField::Kind::number);
  EXPECT_EQ(all->at(2).kind, FormField::Kind::integer);
  EXPECT_EQ(all->at(3).standard, "false");
}

TEST(McpForm, KnowsEverySpellingOfAChoice) {
  const std::vector<FormOption> titled = {{"r", "Red"}, {"g", "Green"}};
  EXPECT_EQ(field(R"({"type":"string","enum":["r","g"],"enumNames":["Red","Green"]})").options, titled);
  EXPECT_EQ(field(R"({"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]})").options,
            titled);
  EXPECT_EQ(field(R"({"enum":["r"]})").options, (std::vector<FormOption>{{"r", "r"}}));
  const FormField several =
      field(R"({"type":"array","items":{"anyOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}})");
  EXPECT_EQ(several.kind, FormField::Kind::several);
  EXPECT_EQ(several.options, titled);
  EXPECT_EQ(field(R"({"type":"array","items":{"type":"string","enum":["r","g"]}})").kind, FormField::Kind::several);
}

TEST(McpForm, IsRefusedWhenItIsNotFlatOrTooLarge) {
  for (const char* schema : {R"({})", R"([])", R"({"properties":[]})", R"({"properties":{"a":7}})",
                             R"({"properties":{"a":{"type":"object"}}})", R"({"properties":{"a":{"type":"array"}}})",
                             R"({"properties":{"a":{"type":"string","enum":[]}}})", R"({"properties":{"a":{}}})"})
    EXPECT_FALSE(form(schema)) << schema;
  FormLimits limits;
  limits.fields = 1;
  EXPECT_TRUE(form(R"({"properties":{"a":{"type":"string"}}})", limits));
  const auto many = form(R"({"properties":{"a":{"type":"string"},"b":{"type":"string"}}})", limits);
  ASSERT_FALSE(many);
  EXPECT_NE(many.error().find("more than 1 fields"), std::string::npos);
  limits.options = 1;
  EXPECT_FALSE(form(R"({"properties":{"a":{"enum":["x","y"]}}})", limits));
  limits.bytes = 10;
  EXPECT_FALSE(form(R"({"properties":{"a":{"type":"string"}}})", limits));
}

TEST(McpForm, TakesWhatWasTypedIfItFits) {
  EXPECT_EQ(value(R"({"type":"string"})", "a \"b\""), R"("a \"b\"")");
  EXPECT_TRUE(is_wrong(R"({"type":"string","maxLength":2})", "abc"));
  EXPECT_TRUE(is_wrong(R"({"type":"string","format":"email"})", "nobody"));
  EXPECT_EQ(value(R"({"type":"string","format":"email"})", "a@b.org"), "\"a@b.org\"");
  EXPECT_TRUE(is_wrong(R"({"type":"string","format":"date"})", "2026-02-30"));
  EXPECT_TRUE(is_wrong(R"({"type":"string","pattern":"^[0-9]+$"})", "x"));
  EXPECT_EQ(value(R"({"type":"number"})", " 2.5 "), "2.5");
  EXPECT_TRUE(is_wrong(R"({"type":"number","maximum":2})", "2.5"));
  EXPECT_EQ(value(R"({"type":"integer"})", "-7"), "-7");
  for (const char* bad : {"", "x", "1.5", "1 2", "[1]", "\"1\"", "NaN"})
    EXPECT_TRUE(is_wrong(R"({"type":"integer"})", bad)) << bad;
  EXPECT_EQ(value(R"({"type":"boolean"})", "Yes"), "true");
  EXPECT_EQ(value(R"({"type":"boolean"})", "n"), "false");
  EXPECT_TRUE(is_wrong(R"({"type":"boolean"})", "maybe"));
  EXPECT_TRUE(is_wrong(R"({"type":"string"})", std::string(20'000, 'x')));
}

TEST(McpForm, TakesChoicesByNumberTitleOrValue) {
  const std::string one =
      R"({"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"2","title":"Two, or so"}]})";
  for (const char* typed : {"1", "r", "Red", "red", " Red "}) EXPECT_EQ(value(one, typed), "\"r\"") << typed;
  EXPECT_EQ(value(one, "2"), "\"2\"");
  for (const char* typed : {"", "0", "3", "blue", "-1", "99999999999999999999"})
    EXPECT_TRUE(is_wrong(one, typed)) << typed;
  const std::string several = R"({"type":"array","maxItems":2,"items":{"enum":["r","g","b, or so"]}})";
  EXPECT_EQ(value(several, "1, g,1"), R"(["r","g"])");
  EXPECT_EQ(value(several, "b, or so"), R"(["b, or so"])");
  EXPECT_TRUE(is_wrong(several, "1,2,3"));
  EXPECT_TRUE(is_wrong(several, "1,4"));
  EXPECT_EQ(value(several, ""), "[]");
}

TEST(McpForm, ShowsValuesAsAPersonSaysThem) {
  const FormField f = field(R"({"type":"array","items":{"anyOf":[{"const":"r","title":"Red"}]}})");
  EXPECT_EQ(shown_value(f, R"(["r","x"])"), "Red, x");
  EXPECT_EQ(shown_value(f, "true"), "yes");
  EXPECT_EQ(shown_value(f, "7"), "7");
  EXPECT_EQ(form_content({{"a", "1"}, {"b\"", "[]"}}), R"({"a":1,"b\"":[]})");
}

std::expected<Sampling, std::string> sampling(std::string_view params, const SamplingLimits& limits = {}) {
  const json::Reading reading = json::read(params);
  return sampling_of(reading.document.root(), limits);
}

TEST(McpSampling, IsTextsWithinLimits) {
  const auto s = sampling(R"({"messages":[{"role":"user","content":{"type":"text","text":"a"}},
    {"role":"assistant","content":[{"type":"text","text":"b"},{"type":"text","text":"c"}]}],
    "systemPrompt":"s","maxTokens":50,"temperature":0.5,"stopSequences":["x"],"tools":[]})");
  ASSERT_TRUE(s) << s.error();
  EXPECT_EQ(*s, (Sampling{"s", {{false, "a"}, {true, "b\nc"}}, 50, 0.5, {"x"}}));
  const std::string one = R"({"role":"user","content":{"type":"text","text":"abc"}})";
  EXPECT_EQ(sampling(R"({"messages":[)" + one + R"(],"maxTokens":999999999})")->max_tokens, SamplingLimits{}.tokens);
  EXPECT_EQ(sampling(R"({"messages":[)" + one + R"(],"maxTokens":-1})")->max_tokens, SamplingLimits{}.tokens);
  SamplingLimits small;
  small.bytes = 2;
  EXPECT_FALSE(sampling(R"({"messages":[)" + one + "]}", small));
  small = {};
  small.messages = 1;
  EXPECT_FALSE(sampling(R"({"messages":[)" + one + "," + one + "]}", small));
  for (const char* bad :
       {"7", "{}", R"({"messages":[]})", R"({"messages":[7]})", R"({"messages":[{"role":"user"}]})",
        R"({"messages":[{"role":"system","content":{"type":"text","text":"a"}}]})",
        R"({"messages":[{"role":"user","content":{"type":"image","data":"","mimeType":""}}]})",
        R"({"messages":[{"role":"user","content":{"type":"text","text":"a"}}],"tools":[{"name":"t"}]})"})
    EXPECT_FALSE(sampling(bad)) << bad;
  EXPECT_EQ(sampling_result("a\n", "m", "endTurn"),
            R"({"role":"assistant","content":{"type":"text","text":"a\n"},"model":"m","stopReason":"endTurn"})");
}

std::string hash(char c) { return std::string(64, c); }

TEST(McpToolCache, GivesBackWhatWasKeptToTheLastByte) {
  const check::ScratchFolder folder;
  const ToolCache cache(folder.ws() + "/a/b");
  EXPECT_TRUE(cache.load(hash('a')).empty());
  const json::Reading listed = json::read(R"({"tools":[{"name":"x","title":"X","description":"d\u0000\n","inputSchema":
    {"type":"object","properties":{"z":{"const":1.50},"a":{}}},"outputSchema":{"type":"object"},
    "annotations":{"readOnlyHint":true,"other":[1]}},{"name":"y","inputSchema":{}},{"name":"z"}]})");
  bool more = false;
  const std::vector<ToolDefinition> tools = tools_page(listed.document.root(), 9, more)->items;
  ASSERT_TRUE(cache.keep(hash('a'), tools));
  EXPECT_EQ(cache.load(hash('a')), tools);
  EXPECT_EQ(hash_of(cache.load(hash('a'))[0]), hash_of(tools[0]));
  EXPECT_TRUE(cache.load(hash('b')).empty());
  struct stat s{};
  ASSERT_EQ(::stat((folder.ws() + "/a/b/" + hash('a') + ".json").c_str(), &s), 0);
  EXPECT_EQ(s.st_mode & 0777, 0600u);
  ASSERT_TRUE(cache.keep(hash('a'), {}));
  EXPECT_TRUE(cache.load(hash('a')).empty());
}

TEST(McpToolCache, TakesNothingThatIsDamagedTooLargeOrNamedOddly) {
  const check::ScratchFolder folder;
  const ToolCache cache(folder.ws(), {.bytes = 200, .servers = 2});
  const std::vector<ToolDefinition> one = {{"x", "", "d", "{}", "", {}, ""}};
  EXPECT_TRUE(cache.keep("../../etc/x", one));
  EXPECT_TRUE(std::filesystem::is_empty(folder.ws()));
  const std::vector<ToolDefinition> large = {{"x", "", std::string(300, 'd'), "{}", "", {}, ""}};
  const auto kept = cache.keep(hash('a'), large);
  ASSERT_FALSE(kept);
  EXPECT_NE(kept.error().find("200"), std::string::npos);
  for (const char* text : {"", "{", "[]", R"({"tools":7})", R"({"tools":[{}]})"}) {
    std::ofstream(folder.ws() + "/" + hash('b') + ".json") << text;
    EXPECT_TRUE(cache.load(hash('b')).empty()) << text;
  }
  EXPECT_TRUE(ToolCache().keep(hash('a'), one));
  EXPECT_TRUE(ToolCache().load(hash('a')).empty());
}

TEST(McpToolCache, ForgetsWhoWasSeenLongestAgo) {
  const check::ScratchFolder folder;
  const ToolCache cache(folder.ws(), {.bytes = 1000, .servers = 2});
  const std::vector<ToolDefinition> one = {{"x", "", "d", "{}", "", {}, ""}};
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  for (const char c : {'c', 'b', 'a'}) {
    ASSERT_TRUE(cache.keep(hash(c), one));
    if (c != 'a')
      std::filesystem::last_write_time(folder.ws() + "/" + hash(c) + ".json", old + std::chrono::seconds(c));
  }
  EXPECT_EQ(cache.load(hash('a')), one);
  EXPECT_TRUE(cache.load(hash('b')).empty());
  EXPECT_EQ(cache.load(hash('c')), one);
}

}  // namespace
}  // namespace belay::mcp
