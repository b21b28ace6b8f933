// Which key goes where, and which does not.
#include "config_stage.h"

namespace belay::config {
namespace {

using Level = Source::Level;

class ConfigKey : public Stage {
 protected:
  /// The key that would be sent, and no sign of any other anywhere that a person or a log could see.
  std::string sent() {
    const Config c = config();
    for (const auto& [name, value] : env) {
      EXPECT_FALSE(value.starts_with("sk-") && has(all_text(c), value)) << all_text(c);
    }
    return c.key->reveal();
  }
  bool noted(std::string_view part) { return has(all_text(config()), part); }
};

TEST_F(ConfigKey, TheProvidersKeyGoesToTheProvidersHost) {
  env = {{"OPENAI_API_KEY", "sk-o"}, {"ANTHROPIC_API_KEY", "sk-a"}, {"GEMINI_API_KEY", "sk-g"}};
  flags.model = "gpt-5";
  EXPECT_EQ(sent(), "sk-o");
  EXPECT_EQ(line(config(), "key"), (Line{"key", "set", {Level::environment, "OPENAI_API_KEY"}}));
  flags.model = "openai-chat/x";
  EXPECT_EQ(sent(), "sk-o");
  flags.model = "claude-x";
  EXPECT_EQ(sent(), "sk-a");
  EXPECT_FALSE(config().bearer);
  flags.model = "gemini-x";
  EXPECT_EQ(sent(), "sk-g");
  flags.model = "ollama/x";
  EXPECT_EQ(sent(), "");
  EXPECT_TRUE(config().notes.empty());
}

TEST_F(ConfigKey, AnAuthTokenIsABearersAndComesFirst) {
  env = {{"ANTHROPIC_API_KEY", "sk-a"}, {"ANTHROPIC_AUTH_TOKEN", "sk-t"}};
  flags.model = "claude-x";
  EXPECT_EQ(sent(), "sk-t");
  EXPECT_TRUE(config().bearer);
  env.erase("ANTHROPIC_AUTH_TOKEN");
  EXPECT_EQ(sent(), "sk-a");
  EXPECT_FALSE(config().bearer);
}

TEST_F(ConfigKey, GeminisKeyHasTwoNames) {
  flags.model = "gemini-x";
  env["GOOGLE_API_KEY"] = "sk-2";
  EXPECT_EQ(sent(), "sk-2");
  env["GEMINI_API_KEY"] = "sk-1";
  EXPECT_EQ(sent(), "sk-1");
}

TEST_F(ConfigKey, AKeyFollowsTheBaseUrlOfItsOwnVariable) {
  env = {{"OPENAI_API_KEY", "sk-o"}, {"OPENAI_BASE_URL", "https://proxy.example/v1"}};
  flags.model = "gpt-5";
  EXPECT_EQ(sent(), "sk-o");
  EXPECT_EQ(*config().base_url, "https://proxy.example/v1");
}

TEST_F(ConfigKey, AFlagsBaseUrlDoesNotDrawAKeyOfTheEnvironmentToIt) {
  env["OPENAI_API_KEY"] = "sk-o";
  flags.model = "gpt-5";
  flags.base_url = "https://elsewhere.example/v1";
  EXPECT_EQ(sent(), "");
  EXPECT_TRUE(noted("the key from OPENAI_API_KEY is not sent to https://elsewhere.example:443"));
  EXPECT_TRUE(noted("--key-env OPENAI_API_KEY"));
  flags.key_env = "OPENAI_API_KEY";
  EXPECT_EQ(sent(), "sk-o");
  EXPECT_TRUE(config().notes.empty());
}

TEST_F(ConfigKey, TheSameHostIsTheSameHostHoweverItIsWritten) {
  env["OPENAI_API_KEY"] = "sk-o";
  flags.model = "gpt-5";
  for (const char* url : {"https://api.openai.com/v1", "https://API.openai.com:443/other", "HTTPS://api.openai.com"}) {
    flags.base_url = url;
    EXPECT_EQ(sent(), "sk-o") << url;
  }
  // Another scheme, port or name is another place, however alike it looks.
  for (const char* url :
       {"http://api.openai.com/v1", "https://api.openai.com:8443", "https://api.openai.com.evil.example",
        "https://api.openai.co", "https://evil.example/api.openai.com"}) {
    flags.base_url = url;
    EXPECT_EQ(sent(), "") << url;
  }
}

TEST_F(ConfigKey, AFilesBaseUrlDoesNotDrawAKeyOfTheEnvironmentToIt) {
  env["OPENAI_API_KEY"] = "sk-o";
  file("model = 'm'\nbase_url = 'https://other.example/v1'\n");
  EXPECT_EQ(sent(), "");
  EXPECT_TRUE(noted("is not sent"));
  file("model = 'm'\nbase_url = 'https://other.example/v1'\nkey_env = 'OPENAI_API_KEY'\n");
  EXPECT_EQ(sent(), "sk-o");
  file("model = 'm'\n[models.m]\nbase_url = 'https://other.example/v1'\n");
  EXPECT_EQ(sent(), "");
  file("model = 'm'\n[models.m]\nbase_url = 'https://other.example/v1'\nkey_env = 'OPENAI_API_KEY'\n");
  EXPECT_EQ(sent(), "sk-o");
}

TEST_F(ConfigKey, AFilesKeyDoesNotFollowTheBaseUrlOfAFlagOrOfTheEnvironment) {
  env["MINE"] = "sk-m";
  file("model = 'gpt-5'\nkey_env = 'MINE'\n");
  EXPECT_EQ(sent(), "sk-m");
  EXPECT_EQ(describe(config().key.source), "MINE");
  env["OPENAI_BASE_URL"] = "https://proxy.example/v1";
  EXPECT_EQ(sent(), "");
  EXPECT_TRUE(noted("not sent to https://proxy.example:443: it belongs to https://api.openai.com:443"));
  env.erase("OPENAI_BASE_URL");
  flags.base_url = "https://flag.example/v1";
  EXPECT_EQ(sent(), "");
  flags.base_url.reset();
  file("model = 'gpt-5'\nkey = 'sk-file'\n");
  EXPECT_EQ(sent(), "sk-file");
  EXPECT_EQ(describe(config().key.source), path() + ":2");
  flags.base_url = "https://flag.example/v1";
  EXPECT_EQ(sent(), "");
  EXPECT_FALSE(noted("sk-file"));
}

TEST_F(ConfigKey, AKeyForOneProviderDoesNotGoToAnother) {
  env["MINE"] = "sk-m";
  file("model = 'claude-x'\nkey_env = 'MINE'\n");
  EXPECT_EQ(sent(), "sk-m");
  flags.model = "gpt-5";
  EXPECT_EQ(sent(), "") << "the file's key is for the file's model";
  EXPECT_TRUE(noted("it belongs to https://api.anthropic.com:443"));
}

TEST_F(ConfigKey, AKeyWhoseHostIsNotKnownIsRefused) {
  env["OPENAI_BASE_URL"] = "http://localhost:8000/v1";
  const Problem p = problem_with("model = 'qwen'\nkey_env = 'MINE'\n");
  EXPECT_EQ(describe(p), path() + ":2:1: key_env: whom is the key for? add base_url or wire beside it");
}

TEST_F(ConfigKey, OrderOfKeysIsFlagModelEnvironmentFile) {
  env = {{"OPENAI_API_KEY", "sk-env"}, {"MODEL_KEY", "sk-model"}, {"FILE_KEY", "sk-file"}, {"FLAG_KEY", "sk-flag"}};
  flags.model = "gpt-5";
  const std::string top = "wire = 'openai-responses'\nkey_env = 'FILE_KEY'\n";
  file(top);
  EXPECT_EQ(sent(), "sk-env");
  file(top + "[models.gpt-5]\nkey_env = 'MODEL_KEY'\n");
  EXPECT_EQ(sent(), "sk-model");
  flags.key_env = "FLAG_KEY";
  EXPECT_EQ(sent(), "sk-flag");
  env.erase("OPENAI_API_KEY");
  flags.key_env.reset();
  file(top);
  EXPECT_EQ(sent(), "sk-file");
}

TEST_F(ConfigKey, ANamedVariableThatIsNotSetIsSaid) {
  flags.model = "gpt-5";
  flags.key_env = "NOT_THERE";
  EXPECT_TRUE(has(describe(problem()), "--key-env: the environment variable 'NOT_THERE' is not set"));
  flags.key_env.reset();
  file("[models.gpt-5]\nkey_env = 'NOT_THERE'\n");
  EXPECT_EQ(sent(), "");
  EXPECT_TRUE(has(config().unusable, "'NOT_THERE'")) << config().unusable;
  file("[models.gpt-5]\nkey_env = 'NOT_THERE'\nbase_url = 'https://own.example/v1'\n");
  EXPECT_TRUE(has(config().unusable, "'NOT_THERE'")) << "on every host";
  file("[models.gpt-5]\nkey_env = 'NOT_THERE'\n");
  env["OPENAI_API_KEY"] = "sk-1";
  EXPECT_EQ(sent(), "sk-1");
  EXPECT_EQ(config().unusable, "") << "another key goes there";
  EXPECT_TRUE(noted("'NOT_THERE'"));
}

TEST_F(ConfigKey, AProviderIsNotAskedWithoutAKey) {
  struct Case {
    std::string_view model, variable;
  };
  for (const Case& one : {Case{"claude-x", "ANTHROPIC_API_KEY"}, Case{"gpt-5", "OPENAI_API_KEY"},
                          Case{"openai/qwen", "OPENAI_API_KEY"}, Case{"gemini-x", "GEMINI_API_KEY"}}) {
    flags = {};
    env.clear();
    flags.model = std::string(one.model);
    EXPECT_TRUE(has(config().unusable, "set " + std::string(one.variable))) << config().unusable;
    flags.headers = {"X-Title: mine"};
    EXPECT_TRUE(has(config().unusable, one.variable)) << "no key is in it";
    flags.headers = {"Authorization: Bearer t"};
    EXPECT_EQ(config().unusable, "");
    flags.headers = {"x-goog-api-key: t"};
    EXPECT_EQ(config().unusable, "");
    flags.headers = {};
    env[std::string(one.variable)] = "sk-1";
    EXPECT_EQ(config().unusable, "");
    env.clear();
    flags.base_url = "https://own.example/v1";
    EXPECT_EQ(config().unusable, "") << "others may want none";
  }
  flags = {};
  flags.model = "ollama/qwen3:8b";
  EXPECT_EQ(config().unusable, "");
}

TEST_F(ConfigKey, AKeyWithALineEndIsRefusedAndNotShown) {
  flags.model = "gpt-5";
  for (const char* bad : {"sk-secret\r\nX-Evil: 1", "sk-secret\n", "sk secret", "sk-\x80secret"}) {
    env["OPENAI_API_KEY"] = bad;
    const std::string said = describe(problem());
    EXPECT_TRUE(has(said, "OPENAI_API_KEY")) << said;
    EXPECT_FALSE(has(said, "secret")) << said;
  }
}

TEST_F(ConfigKey, NoKeyGoesOverPlainHttpToAnotherMachine) {
  env = {{"OPENAI_API_KEY", "sk-o"}, {"OPENAI_BASE_URL", "http://gpu.example:8000/v1"}};
  flags.model = "gpt-5";
  EXPECT_EQ(sent(), "");
  EXPECT_TRUE(has(config().unusable, "insecure_http = true"));
  EXPECT_TRUE(has(config().unusable, "OPENAI_API_KEY"));
  file("insecure_http = true\n");
  EXPECT_EQ(sent(), "sk-o");
  EXPECT_EQ(config().unusable, "");
  EXPECT_TRUE(noted("plain http"));
  // Without a key there is nothing to keep.
  env.erase("OPENAI_API_KEY");
  file("");
  EXPECT_EQ(config().unusable, "");
}

TEST_F(ConfigKey, NamesThatOnlyLookLikeThisMachineAreOthers) {
  env["OPENAI_API_KEY"] = "sk-o";
  flags.model = "gpt-5";
  for (const char* own :
       {"http://localhost:1/v1", "http://127.0.0.1:1", "http://127.9.9.9", "http://[::1]:1", "http://a.localhost"}) {
    env["OPENAI_BASE_URL"] = own;
    EXPECT_EQ(sent(), "sk-o") << own;
    EXPECT_EQ(config().unusable, "");
  }
  for (const char* other : {"http://localhost.example", "http://127.0.0.1.example", "http://127.1", "http://0x7f000001",
                            "http://[::2]", "http://10.0.0.1", "http://xlocalhost"}) {
    env["OPENAI_BASE_URL"] = other;
    EXPECT_EQ(sent(), "") << other;
    EXPECT_NE(config().unusable, "");
  }
}

TEST_F(ConfigKey, BaseUrlsAreReadStrictly) {
  flags.model = "gpt-5";
  for (const char* bad :
       {"", "ftp://x", "api.openai.com", "https://", "https://sk-secret@api.openai.com", "https://a b",
        "https://a\\@evil", "https://a?key=sk-secret", "https://a#b", "https://a:0", "https://a:99999", "https://a:b",
        "https://[::1", "https://\xc3\xa4.example", "https://a\n.b", "file:///etc"}) {
    flags.base_url = bad;
    const std::string said = describe(problem());
    EXPECT_TRUE(said.starts_with("--base-url: expected ")) << said;
    EXPECT_FALSE(has(said, "secret")) << said;
  }
}

TEST_F(ConfigKey, HeadersStayWithTheirHostToo) {
  file("model = 'gpt-5'\n[headers]\nX-Team = 'tok-1'\n[models.gpt-5.headers]\nx-team = 'tok-2'\nX-Other = 'tok-3'\n");
  Config c = config();
  ASSERT_EQ(c.headers.size(), 2u);
  EXPECT_EQ(c.headers[0].name, "X-Other");
  EXPECT_EQ(c.headers[1].value.reveal(), "tok-2") << "the model's own stands over the rest, in whatever case";
  EXPECT_FALSE(has(all_text(c), "tok-"));
  env["OPENAI_BASE_URL"] = "https://proxy.example";
  c = config();
  EXPECT_TRUE(c.headers.empty());
  EXPECT_TRUE(has(all_text(c), "are not sent to https://proxy.example:443"));
  flags.headers = {"X-Mine:  hello there"};
  c = config();
  ASSERT_EQ(c.headers.size(), 1u);
  EXPECT_EQ(c.headers[0].value.reveal(), "hello there");
  EXPECT_EQ(describe(c.headers[0].source), "--header");
}

TEST_F(ConfigKey, HeadersThatWouldChangeTheRequestAreRefused) {
  flags.model = "gpt-5";
  for (const char* bad : {"Host: evil", "content-length: 1", "a b: c", "novalue", "Empty:", ": x", "a: b\r\nc: d"}) {
    flags.headers = {bad};
    EXPECT_TRUE(has(describe(problem()), "--header: ")) << bad;
  }
}

TEST_F(ConfigKey, AKeyMayStandOnlyInAFileForItsOwnersEyes) {
  for (const char* text :
       {"model = 'gpt-5'\nkey = 'sk-secret'\n", "model = 'ollama/y'\n[models.x]\nwire = 'ollama'\nkey = 'sk-secret'\n",
        "model = 'ollama/y'\n[profiles.x]\nwire = 'ollama'\nkey = 'sk-secret'\n",
        "model = 'gpt-5'\n[headers]\nAuthorization = 'Basic sk-secret'\n"}) {
    file(text, 0644);
    const std::string said = describe(problem());
    EXPECT_TRUE(has(said, "chmod 600 '" + path() + "'")) << said;
    EXPECT_FALSE(has(said, "secret")) << said;
    file(text, 0600);
    EXPECT_EQ(config().unusable, "");
  }
  env["X"] = "sk-secret";
  file("model = 'gpt-5'\nkey_env = 'X'\n", 0644);
  EXPECT_EQ(config().unusable, "");
}

TEST_F(ConfigKey, KeyAndKeyEnvExcludeEachOther) {
  const Problem p = problem_with("model = 'gpt-5'\nkey = 'sk-secret'\nkey_env = 'X'\n");
  EXPECT_TRUE(has(p.message, "not both"));
  EXPECT_EQ(p.line, 3u);
}

}  // namespace
}  // namespace belay::config
