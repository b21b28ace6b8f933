// Which of several choices applies, and whence it comes.
#include "config_stage.h"

#include <sstream>

namespace belay::config {
namespace {

using wire::Wire;
using Level = Source::Level;

class ConfigChoice : public Stage {};
class ConfigWire : public Stage {};

TEST_F(ConfigChoice, WithNothingConfiguredTheModelIsTheBuiltInOne) {
  const Config c = config();
  EXPECT_TRUE(c.demo);
  EXPECT_EQ(*c.model, "demo");
  EXPECT_EQ(c.unusable, "");
  EXPECT_TRUE(c.notes.empty());
  EXPECT_FALSE(c.file_found);
  EXPECT_TRUE(c.key->empty());
}

TEST_F(ConfigChoice, TheBuiltInModelCanBeAskedForWhateverElseIsConfigured) {
  file("base_url = 'https://models.example/v1'\nmodel = 'big'\n");
  env["OPENAI_API_KEY"] = "sk-test";
  flags.model = "demo";
  const Config c = config();
  EXPECT_TRUE(c.demo);
  EXPECT_TRUE(c.key->empty());
  flags.base_url = "https://models.example/v1";
  EXPECT_FALSE(config().demo);
}

TEST_F(ConfigChoice, AKeyIsEnoughAndItsProvidersModelIsTaken) {
  struct Case {
    std::string_view variable, model;
    wire::Wire wire;
  };
  // Each of them stands over those before it.
  for (const Case& one : {Case{"GOOGLE_API_KEY", "gemini-2.5-pro", wire::Wire::gemini},
                          Case{"GEMINI_API_KEY", "gemini-2.5-pro", wire::Wire::gemini},
                          Case{"OPENAI_API_KEY", "gpt-5", wire::Wire::openai_responses},
                          Case{"ANTHROPIC_API_KEY", "claude-sonnet-4-5", wire::Wire::anthropic},
                          Case{"ANTHROPIC_AUTH_TOKEN", "claude-sonnet-4-5", wire::Wire::anthropic}}) {
    env[std::string(one.variable)] = "sk-test";
    const Config c = config();
    EXPECT_FALSE(c.demo);
    EXPECT_EQ(c.unusable, "");
    EXPECT_EQ(*c.model, one.model);
    EXPECT_EQ(*c.wire, one.wire);
    EXPECT_EQ(describe(c.model.source), "default for " + std::string(one.variable));
    EXPECT_FALSE(c.key->empty());
  }
  env["BELAY_MODEL"] = "gpt-5-mini";
  EXPECT_EQ(*config().model, "gpt-5-mini");
}

TEST_F(ConfigChoice, TheModelOfAKeyHasItsTableAndKeepsToTheWireThatIsNamed) {
  file("[models.\"gpt-5\"]\ncontext = 77\n");
  env["OPENAI_API_KEY"] = "sk-test";
  EXPECT_EQ(*config().context, 77u);
  env["ANTHROPIC_API_KEY"] = "sk-ant";
  EXPECT_EQ(*config().model, "claude-sonnet-4-5");
  flags.wire = "openai-chat";
  EXPECT_EQ(*config().model, "gpt-5");
  EXPECT_EQ(*config().wire, wire::Wire::openai_chat);
  flags.wire = "ollama";
  EXPECT_TRUE(has(config().unusable, "--model"));
}

TEST_F(ConfigChoice, WhatAServerOfOnesOwnHasIsNotGuessed) {
  env["ANTHROPIC_API_KEY"] = "sk-ant";
  env["OPENAI_BASE_URL"] = "http://localhost:8000/v1";
  Config c = config();
  EXPECT_FALSE(c.demo);
  EXPECT_TRUE(has(c.unusable, "--model")) << c.unusable;
  EXPECT_TRUE(has(c.unusable, "BELAY_MODEL"));
  EXPECT_TRUE(has(c.unusable, "curl http://localhost:8000/v1/models")) << c.unusable;
  env.erase("OPENAI_BASE_URL");
  flags.base_url = "http://localhost:8001/v1";
  c = config();
  EXPECT_TRUE(has(c.unusable, "curl http://localhost:8001/v1/models")) << c.unusable;
  flags.base_url.reset();
  env["OLLAMA_HOST"] = "localhost";
  c = config();
  EXPECT_TRUE(has(c.unusable, "--model")) << c.unusable;
  EXPECT_TRUE(has(c.unusable, "/api/tags")) << c.unusable;
}

TEST_F(ConfigChoice, AKeyThatIsNamedDoesNotChooseTheProviderOfAnother) {
  env["ANTHROPIC_API_KEY"] = "sk-ant";
  env["OPENAI_API_KEY"] = "sk-test";
  flags.key_env = "OPENAI_API_KEY";
  EXPECT_TRUE(has(config().unusable, "--model"));
  EXPECT_TRUE(config().key->empty());
}

TEST_F(ConfigChoice, DefaultsAreThoseOfATask) {
  const task::Settings usual;
  task::Settings ours = task_settings(config());
  EXPECT_EQ(ours.model, "demo");
  ours.model.clear();
  EXPECT_EQ(ours, usual);
}

// Every setting that a flag can give: the flag, the key, what each level says, and how it is shown.
struct Level4 {
  std::string_view key, toml, profile, model_table, flag_value, shown;
  std::optional<std::string> Flags::* flag;
  std::string_view flag_name;
};
const Level4 kLevels[] = {
    {"wire", "'openai-chat'", "'gemini'", "'ollama'", "anthropic", "anthropic", &Flags::wire, "--wire"},
    {"base_url", "'https://a.example'", "'https://b.example'", "'https://c.example'", "https://d.example",
     "https://d.example", &Flags::base_url, "--base-url"},
    {"format", "'hermes'", "'native'", "'xml'", "native", "native", &Flags::format, "--format"},
    {"effort", "'low'", "'medium'", "'minimal'", "high", "high", &Flags::effort, "--effort"},
    {"max_tokens", "100", "200", "300", "400", "400", &Flags::max_tokens, "--max-tokens"},
    {"max_turns", "1", "2", "", "4", "4", &Flags::max_turns, "--max-turns"},
    {"max_tokens_total", "1000", "2000", "", "4000", "4000", &Flags::max_tokens_total, "--max-tokens-total"},
    {"max_cost", "1", "2.5", "", "0.25", "0.25", &Flags::max_cost, "--max-cost"},
    {"max_seconds", "10", "20", "", "40", "40", &Flags::max_seconds, "--max-seconds"},
    {"permissions.mode", "'plan'", "'dontAsk'", "", "acceptEdits", "acceptEdits", &Flags::permission_mode,
     "--permission-mode"},
    {"sandbox", "'read-only'", "'workspace-write'", "", "danger-full-access", "danger-full-access", &Flags::sandbox,
     "--sandbox"},
    {"log_level", "'debug'", "'warn'", "", "error", "error", &Flags::log_level, "--log-level"},
    {"colour", "'never'", "'auto'", "", "always", "always", &Flags::colour, "--colour"},
    {"colour", "'never'", "'auto'", "", "always", "always", &Flags::color, "--color"},
};

std::string bare(std::string_view toml) {
  return std::string(toml.front() == '\'' ? toml.substr(1, toml.size() - 2) : toml);
}

TEST_F(ConfigChoice, EveryLevelStandsOverTheOneBelowForEverySetting) {
  for (const Level4& l : kLevels) {
    SCOPED_TRACE(l.key);
    const std::string set = std::string(l.key) + " = ";
    flags = {};
    file("model = 'm'\nbase_url = 'https://x.example'\n");
    if (l.key != "base_url") {
      EXPECT_NE(line(config(), l.key).source.line, 1u);
    }
    std::string text = "model = 'm'\n" + set + std::string(l.toml) + "\n";
    text += l.key == "wire" ? "max_turns = 9\n" : "wire = 'openai-chat'\n";
    file(text);
    EXPECT_EQ(line(config(), l.key).value, bare(l.toml));
    EXPECT_EQ(line(config(), l.key).source, (Source{Level::file, path(), 2}));

    text += "[profiles.p]\n" + set + std::string(l.profile) + "\n";
    file(text);
    EXPECT_EQ(line(config(), l.key).value, bare(l.toml)) << "a profile counts only when it is chosen";
    flags.profile = "p";
    EXPECT_EQ(line(config(), l.key).value, bare(l.profile));
    EXPECT_EQ(line(config(), l.key).source.level, Level::file);
    EXPECT_EQ(line(config(), l.key).source.line, 5u);

    if (!l.model_table.empty()) {
      text += "[models.m]\n" + set + std::string(l.model_table) + "\n";
      file(text);
      EXPECT_EQ(line(config(), l.key).value, bare(l.model_table));
      EXPECT_EQ(line(config(), l.key).source.line, 7u);
    }
    flags.*l.flag = std::string(l.flag_value);
    EXPECT_EQ(line(config(), l.key).value, l.shown);
    EXPECT_EQ(line(config(), l.key).source, (Source{Level::flag, std::string(l.flag_name)}));
  }
}

TEST_F(ConfigChoice, TheModelComesFromTheFlagThenTheEnvironmentThenTheProfileThenTheFile) {
  file("model = 'gpt-a'\n[profiles.p]\nmodel = 'gpt-b'\n");
  EXPECT_EQ(*config().model, "gpt-a");
  EXPECT_EQ(describe(config().model.source), path() + ":1");
  flags.profile = "p";
  EXPECT_EQ(*config().model, "gpt-b");
  env["BELAY_MODEL"] = "gpt-c";
  EXPECT_EQ(*config().model, "gpt-c");
  EXPECT_EQ(describe(config().model.source), "BELAY_MODEL");
  flags.model = "gpt-d";
  EXPECT_EQ(*config().model, "gpt-d");
  EXPECT_EQ(describe(config().model.source), "--model");
}

TEST_F(ConfigChoice, TruthsComeFromFlagsOverTheFile) {
  file("network = true\nask_for_guesses = true\ntodos_before_completion = false\n");
  EXPECT_TRUE(*config().network);
  EXPECT_TRUE(*config().ask_for_guesses);
  flags.network = false;
  flags.todos_before_completion = true;
  EXPECT_FALSE(*config().network);
  EXPECT_EQ(describe(config().network.source), "--network");
  EXPECT_TRUE(task_settings(config()).todos_before_completion);
}

TEST_F(ConfigChoice, NoColorStandsOverTheFileAndUnderTheFlag) {
  file("colour = 'always'\n");
  env["NO_COLOR"] = "";
  EXPECT_EQ(*config().colour, "always");
  env["NO_COLOR"] = "1";
  EXPECT_EQ(*config().colour, "never");
  EXPECT_EQ(describe(config().colour.source), "NO_COLOR");
  flags.colour = "always";
  EXPECT_EQ(*config().colour, "always");
}

TEST_F(ConfigChoice, WhatTheFileSaysOfAModelReachesTheTask) {
  file(R"(
max_turns = 7
max_cost = 1
max_seconds = 90
[breakers]
mistakes = 9
cycle = 3
[models."gpt-x"]
context = 400000
max_output = 128000
price = { input = 1.25, output = 10, cached = 0.125, cache_write = 2 }
)");
  flags.model = "gpt-x";
  const task::Settings s = task_settings(config());
  EXPECT_EQ(s.model, "gpt-x");
  EXPECT_EQ(s.context.tokens, 400'000u);
  EXPECT_EQ(s.output_tokens_at_most, 128'000u);
  EXPECT_EQ(s.prices, (task::Prices{1.25, 10, 0.125, 2}));
  EXPECT_EQ(s.budget.turns, 7u);
  EXPECT_EQ(s.budget.cost, 1);
  EXPECT_EQ(s.budget.milliseconds, 90'000);
  EXPECT_EQ(s.breakers.mistakes, 9u);
  EXPECT_EQ(s.breakers.cycle, 3u);
  EXPECT_EQ(s.breakers.nudges, task::BreakerLimits{}.nudges);
  flags.model = "gpt-y";
  EXPECT_EQ(task_settings(config()).context, task::ContextLimits{});
}

TEST_F(ConfigChoice, MoreTokensThanTheModelGivesAreNoted) {
  file("max_tokens = 5000\n[models.gpt-x]\nmax_output = 1000\n");
  flags.model = "gpt-x";
  const Config c = config();
  EXPECT_EQ(*c.max_tokens, 1000u);
  EXPECT_TRUE(has(all_text(c), "max_output"));
  // Without a table for the model the ceiling rises with what is asked for.
  flags.model = "gpt-y";
  flags.max_tokens = "100000";
  EXPECT_EQ(task_settings(config()).output_tokens, 100'000u);
  EXPECT_EQ(task_settings(config()).output_tokens_at_most, 100'000u);
}

TEST_F(ConfigChoice, ACostThatCannotBeCountedIsNoLimit) {
  flags.model = "ollama/m";
  EXPECT_EQ(config().unusable, "") << "nobody asked for one";
  flags.max_cost = "2";
  const std::string said = config().unusable;
  EXPECT_TRUE(has(said, "--max-cost")) << said;
  EXPECT_TRUE(has(said, "price.input and price.output in [models.\"m\"]")) << said;
  file("[models.m]\nprice = {input = 1}\n");
  EXPECT_NE(config().unusable, "") << "what it writes would not be counted";
  file("[models.m]\nprice = {input = 1, output = 2}\n");
  EXPECT_EQ(config().unusable, "");
  file("[models.m]\nprice = {input = 0, output = 0}\n");
  EXPECT_EQ(config().unusable, "") << "that it costs nothing is known";
  flags.max_cost.reset();
  file("max_cost = 3\n");
  EXPECT_TRUE(has(config().unusable, path() + ":1")) << config().unusable;
  flags.model = "demo";
  EXPECT_EQ(config().unusable, "");
}

TEST_F(ConfigChoice, RulesOfFlagsProfileAndFileHoldTogether) {
  file(R"toml(
[permissions]
allow = ["read_file", "execute_command(git status:*)"]
deny = ["*(**/.env)"]
[profiles.p.permissions]
ask = ["write_to_file"]
)toml");
  flags.profile = "p";
  flags.deny = {"execute_command(rm:*)"};
  const policy::Permissions p = permissions(config());
  using enum policy::Decision;
  EXPECT_EQ(p.rules, (std::vector<policy::Rule>{{deny, "execute_command", "rm:*"},
                                                {deny, "*", "**/.env"},
                                                {ask, "write_to_file", ""},
                                                {allow, "read_file", ""},
                                                {allow, "execute_command", "git status:*"}}));
  EXPECT_EQ(describe(config().rules[0].source), "--deny");
  EXPECT_EQ(describe(config().rules[1].source), path() + ":4");
}

TEST_F(ConfigWire, TheNameOfAModelSaysWhoseItIs) {
  env["GEMINI_API_KEY"] = "x";  // a key of somebody else does not matter
  for (const auto& [name, wire] : std::map<std::string, Wire>{{"claude-sonnet-4-5", Wire::anthropic},
                                                              {"gpt-5", Wire::openai_responses},
                                                              {"o1", Wire::openai_responses},
                                                              {"o3-mini", Wire::openai_responses},
                                                              {"o4-mini", Wire::openai_responses},
                                                              {"chatgpt-4o-latest", Wire::openai_responses},
                                                              {"gemini-3-pro", Wire::gemini}}) {
    flags.model = name;
    EXPECT_EQ(*config().wire, wire) << name;
    EXPECT_EQ(*config().model, name);
    EXPECT_EQ(config().base_url.source.level, Level::built_in);
  }
}

TEST_F(ConfigWire, APrefixNamesTheWireAndIsNotSent) {
  struct Case {
    std::string name, sent;
    Wire wire;
    std::string url;
  };
  for (const Case& c : {Case{"ollama/qwen3:8b", "qwen3:8b", Wire::ollama, "http://localhost:11434"},
                        Case{"openai/gpt-5", "gpt-5", Wire::openai_responses, "https://api.openai.com/v1"},
                        Case{"openai/qwen", "qwen", Wire::openai_chat, "https://api.openai.com/v1"},
                        Case{"openai-chat/gpt-5", "gpt-5", Wire::openai_chat, "https://api.openai.com/v1"},
                        Case{"anthropic/x", "x", Wire::anthropic, "https://api.anthropic.com"},
                        Case{"gemini/x/y", "x/y", Wire::gemini, "https://generativelanguage.googleapis.com"}}) {
    flags.model = c.name;
    const Config got = config();
    EXPECT_EQ(*got.model, c.sent);
    EXPECT_EQ(*got.wire, c.wire);
    EXPECT_EQ(*got.base_url, c.url);
  }
}

TEST_F(ConfigWire, WhereTheWireIsNamedANameWithASlashStaysWhole) {
  flags.model = "anthropic/claude-x";
  flags.wire = "openai-chat";
  flags.base_url = "https://router.example/api/v1/";
  const Config c = config();
  EXPECT_EQ(*c.model, "anthropic/claude-x");
  EXPECT_EQ(*c.wire, Wire::openai_chat);
  EXPECT_EQ(*c.base_url, "https://router.example/api/v1");
}

TEST_F(ConfigWire, TheTableOfAModelStandsOverItsNameAndTheEnvironment) {
  file("[models.\"gpt-oss:20b\"]\nwire = 'ollama'\nbase_url = 'http://127.0.0.1:9'\ncontext = 9\n");
  env["OPENAI_BASE_URL"] = "https://proxy.example/v1";
  flags.model = "gpt-oss:20b";
  EXPECT_EQ(*config().wire, Wire::ollama);
  EXPECT_EQ(*config().base_url, "http://127.0.0.1:9");
  flags.model = "openai/gpt-oss:20b";
  EXPECT_EQ(*config().context, 9u) << "the table is found without the prefix";
}

TEST_F(ConfigWire, OtherwiseTheEnvironmentDecides) {
  flags.model = "qwen3";
  EXPECT_TRUE(has(config().unusable, "--wire"));
  env["GOOGLE_API_KEY"] = "g";
  EXPECT_EQ(*config().wire, Wire::gemini);
  env["ANTHROPIC_AUTH_TOKEN"] = "a";
  EXPECT_EQ(*config().wire, Wire::anthropic);
  env["OPENAI_API_KEY"] = "o";
  EXPECT_EQ(*config().wire, Wire::openai_responses);
  env["OLLAMA_HOST"] = "gpu";
  EXPECT_EQ(*config().wire, Wire::ollama);
  EXPECT_EQ(describe(config().wire.source), "OLLAMA_HOST");
  env["OPENAI_BASE_URL"] = "http://localhost:8000/v1";
  EXPECT_EQ(*config().wire, Wire::openai_chat);
  EXPECT_EQ(*config().base_url, "http://localhost:8000/v1");
  flags.base_url = "http://localhost:8001/v1";
  EXPECT_EQ(describe(config().wire.source), "--base-url");
}

TEST_F(ConfigWire, TheEnvironmentsBaseUrlStandsOverTheFileOnes) {
  file("model = 'claude-x'\nbase_url = 'https://file.example'\n");
  EXPECT_EQ(*config().base_url, "https://file.example");
  env["ANTHROPIC_BASE_URL"] = "https://env.example/";
  EXPECT_EQ(*config().base_url, "https://env.example");
  EXPECT_EQ(describe(config().base_url.source), "ANTHROPIC_BASE_URL");
  env["OPENAI_BASE_URL"] = "not read for this wire";
  EXPECT_EQ(*config().base_url, "https://env.example");
}

TEST_F(ConfigWire, OllamasHostIsReadAsOllamaReadsIt) {
  flags.model = "ollama/m";
  for (const auto& [text, url] : std::map<std::string, std::string>{
           {"gpu", "http://gpu:11434"},
           {"gpu:8080", "http://gpu:8080"},
           {":8080", "http://127.0.0.1:8080"},
           {"0.0.0.0", "http://127.0.0.1:11434"},
           {"0.0.0.0:81", "http://127.0.0.1:81"},
           {"http://gpu", "http://gpu"},
           {"https://gpu.example", "https://gpu.example"},
           {"https://gpu.example:9/ollama/", "https://gpu.example:9/ollama"},
           {"[::1]:9", "http://[::1]:9"},
           {"[::]", "http://[::1]:11434"},
           {"::1", "http://[::1]:11434"},
           {" \"gpu\" ", "http://gpu:11434"},
       }) {
    env["OLLAMA_HOST"] = text;
    EXPECT_EQ(*config().base_url, url) << text;
  }
  env["OLLAMA_HOST"] = "gpu:port";
  EXPECT_TRUE(has(describe(problem()), "OLLAMA_HOST: expected a port"));
}

TEST_F(ConfigWire, SecretsAreNotStreamed) {
  std::ostringstream out;
  out << Secret("sk-12345") << "|" << Secret();
  EXPECT_EQ(out.str(), "***|");
}

}  // namespace
}  // namespace belay::config
