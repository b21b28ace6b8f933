// The file itself: what is said about a wrong one, who may have written it, and where it is.
#include "config_stage.h"

#include <unistd.h>

namespace belay::config {
namespace {

class ConfigFile : public Stage {
 protected:
  std::string said_of(std::string_view text) {
    std::string out = describe(problem_with(text));
    EXPECT_TRUE(out.starts_with(path() + ":")) << out;
    return out.substr(path().size() + 1);
  }
};
class ConfigPlaces : public Stage {};

TEST_F(ConfigFile, AnUnknownKeyIsAnErrorWithTheOneThatWasMeant) {
  EXPECT_EQ(said_of("\n  modle = 'x'\n"), "2:3: no key 'modle'; did you mean model?");
  EXPECT_EQ(said_of("max-turns = 3\n"), "1:1: no key 'max-turns'; did you mean max_turns?");
  EXPECT_EQ(said_of("[breakers]\nrepeat = 3\n"), "2:1: no key 'breakers.repeat'; did you mean breakers.repeats?");
  EXPECT_EQ(said_of("[models.x]\ncontexts = 3\n"), "2:1: no key 'contexts'; did you mean context?");
  EXPECT_EQ(said_of("[models.x.price]\ninputs = 3\n"), "2:1: no key 'price.inputs'; did you mean price.input?");
  EXPECT_EQ(said_of("[model.x]\n"), "1:1: model: expected a text in quotes");
  EXPECT_EQ(said_of("[profile.x]\n"), "1:2: no key 'profile'; did you mean profiles?");
  EXPECT_EQ(said_of("zzzzzz = 1\n"), "1:1: no key 'zzzzzz'; belay config --help lists the keys");
}

TEST_F(ConfigFile, AKeyInTheWrongTableIsToldWhereItBelongs) {
  EXPECT_EQ(said_of("context = 3\n"), "1:1: context is about one model: put it under [models.\"NAME\"]");
  EXPECT_EQ(said_of("[models.x]\nmax_turns = 3\n"),
            "2:1: max_turns is not about one model: put it at the top, or under [profiles.NAME]");
  EXPECT_EQ(said_of("[profiles.p]\ncontext = 3\n"), "2:1: context is about one model: put it under [models.\"NAME\"]");
}

TEST_F(ConfigFile, AWrongValueIsToldWhatWasExpected) {
  EXPECT_EQ(said_of("max_turns = 'x'\n"), "1:13: max_turns: expected a whole number from 1 to 1000000000000000");
  EXPECT_EQ(said_of("max_turns = 0\n"), "1:13: max_turns: expected a whole number from 1 to 1000000000000000");
  EXPECT_EQ(said_of("max_turns = 1.5\n"), "1:13: max_turns: expected a whole number from 1 to 1000000000000000");
  EXPECT_EQ(said_of("max_cost = nan\n"), "1:12: max_cost: expected a number from 0 to 1000000000");
  EXPECT_EQ(said_of("max_cost = -1\n"), "1:12: max_cost: expected a number from 0 to 1000000000");
  EXPECT_EQ(said_of("network = 'yes'\n"), "1:11: network: expected true or false");
  EXPECT_EQ(said_of("network = 1979-05-27\n"), "1:11: network: expected true or false");
  EXPECT_EQ(said_of("model = 3\n"), "1:9: model: expected a text in quotes");
  EXPECT_EQ(said_of("model = ''\n"), "1:9: model: expected a text that is not empty");
  EXPECT_EQ(said_of("model = \"a\\u001bb\"\n"), "1:9: model: expected a text without control characters");
  EXPECT_EQ(said_of("wire = 'openai'\n"),
            "1:8: wire: expected openai-chat, openai-responses, anthropic, gemini or ollama, not 'openai'");
  EXPECT_EQ(said_of("sandbox = 'none'\n"),
            "1:11: sandbox: expected read-only, workspace-write or danger-full-access, not 'none'");
  EXPECT_EQ(said_of("[permissions]\nallow = 'x'\n"),
            "2:9: permissions.allow: expected a list of texts: [\"...\", \"...\"]");
  EXPECT_EQ(said_of("[permissions]\nallow = ['x', 3]\n"),
            "2:9: permissions.allow: expected a list of texts: [\"...\", \"...\"]");
  EXPECT_EQ(said_of("headers = ['x']\n"), "1:11: headers: expected a table of texts: { Name = \"value\" }");
  EXPECT_EQ(said_of("format = 'nonsense'\n"),
            "1:10: format: expected native or a format of calls in text (docs/formats.md lists them), not 'nonsense'");
  EXPECT_EQ(said_of("permissions = 3\n"), "1:15: permissions: expected a table");
  EXPECT_EQ(said_of("models = 3\n"), "1:10: expected tables: [models.\"NAME\"]");
  EXPECT_EQ(said_of("models.x = 3\n"),
            "1:12: expected a table, as [models.\"NAME\"]; a name with dots in it needs quotes");
  EXPECT_TRUE(has(said_of("base_url = 'ftp://x'\n"), "1:12: base_url: expected a URL that begins with https://"));
}

TEST_F(ConfigFile, ARuleThatCannotBeReadIsShownWithItsPlace) {
  const std::string said = said_of("[permissions]\n\ndeny = ['read_file(a']\n");
  EXPECT_TRUE(said.starts_with("3:1: permissions.deny: 'read_file(a': ")) << said;
}

TEST_F(ConfigFile, AFlagThatIsWrongIsNamed) {
  flags.max_turns = "many";
  EXPECT_EQ(describe(problem()), "--max-turns: expected a whole number from 1 to 1000000000000000, not 'many'");
  flags.max_turns = "3x";
  EXPECT_TRUE(has(describe(problem()), "not '3x'"));
  flags = {};
  flags.wire = "telex";
  EXPECT_TRUE(has(describe(problem()), "--wire: expected openai-chat"));
  flags = {};
  flags.allow = {"read_file("};
  EXPECT_TRUE(has(describe(problem()), "--allow: 'read_file(': "));
  flags = {};
  env["BELAY_MODEL"] = "a\x1b[31m";
  EXPECT_EQ(describe(problem()), "BELAY_MODEL: expected a text without control characters");
}

TEST_F(ConfigFile, ColourMayBeSpelledInTwoWaysButOnlyOnce) {
  file("color = 'never'\n");
  EXPECT_EQ(*config().colour, "never");
  EXPECT_TRUE(has(describe(problem_with("color = 'never'\ncolour = 'always'\n")), "one setting"));
  EXPECT_TRUE(has(describe(problem_with("[models.x]\ncolor = 'never'\n")), "not about one model"));
  file("");
  flags.color = "pink";
  EXPECT_TRUE(describe(problem()).starts_with("--color: "));
  flags.color.reset();
  flags.colour = "pink";
  EXPECT_TRUE(describe(problem()).starts_with("--colour: "));
}

TEST_F(ConfigFile, AProfileThatIsNotThereIsNamedWithTheNearest) {
  file("[profiles.cheap]\nmax_turns = 3\n");
  flags.profile = "cheep";
  EXPECT_EQ(describe(problem()), "--profile: there is no [profiles.cheep] in " + path() + "; did you mean cheap?");
}

TEST_F(ConfigFile, WhatIsNoTomlIsSaidWithItsPlace) {
  EXPECT_TRUE(said_of("model = \"x\nmax_turns = 3\n").starts_with("1:"));
  EXPECT_TRUE(said_of("model = 'a'\nmodel = 'b'\n").starts_with("2:"));
  EXPECT_EQ(said_of("a = [1,\n2\n\n"), "3:2: Error while parsing array: encountered end-of-file");
  EXPECT_TRUE(said_of(std::string_view("model = 'a'\0\n", 13)).starts_with("1:"));
  EXPECT_TRUE(said_of("model = '\xff\xfe'\n").starts_with("1:"));
}

TEST_F(ConfigFile, AKeyThatIsWrittenWrongIsNotShown) {
  for (const char* text : {"key = sk-secret\n", "key = 'sk-secret\n", "key = \"sk-secret\n", "key = 'sk-secret' x\n",
                           "key = 'sk-secret'key\n", "key = 0xsk-secret\n", "key = 12secret\n", "key = tsecret\n",
                           "key = ['sk-secret']\n", "key = {a='sk-secret'}\n", "key = \"sk-\\usecret\"\n",
                           "key 'sk-secret'\n", "key = 'sk-secret'\nkey = 'sk-secret2'\n",
                           "model = 'gpt-5'\nkey = 'sk secret'\n", "key = 2secret\n", "key = 1.secret\n"})
    EXPECT_FALSE(has(said_of(text), "secret")) << said_of(text);
}

TEST_F(ConfigFile, HostileTextsGiveAnAnswer) {
  auto many = [](std::string_view text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += text;
    return out;
  };
  const std::string dotted = said_of(many("a.", 1'000'000) + "a = 1\n");
  EXPECT_EQ(dotted, "1:34: this nests deeper than any setting");
  EXPECT_TRUE(has(said_of("[" + many("a.", 1'000'000) + "a]\n"), "deeper"));
  EXPECT_TRUE(has(said_of("x = " + many("[", 1'000'000)), "deeper"));
  EXPECT_TRUE(has(said_of("x = " + many("{a=", 1'000'000)), "deeper"));
  EXPECT_TRUE(has(said_of("x = {" + many("a.", 100) + "a=1}"), "deeper"));
  EXPECT_TRUE(has(said_of(many("[[a]]\n", 100'000)), "no key 'a'"));
  EXPECT_TRUE(has(said_of(many("\"a\".", 100) + "a = 1"), "deeper"));
  said_of(many("[", 30) + many("'", 30));
  said_of("x = '''" + many("a", 1'000'000));
  said_of("x = \"\"\"\\");
  said_of("\"\\");
  said_of("x = \"" + many("\\U0010FFFF", 1000));
  said_of(many("k = 1\n", 1000));
  said_of("x = 1" + many("0", 100'000));
  said_of("x = 0." + many("1", 100'000));
  said_of("model = '" + many("x", 5000) + "'");
  // What stands in strings and comments does not nest.
  file("# " + many(".[{", 1000) + "\nmodel = 'a" + many(".", 1000) + "'\n[models.\"" + many("[.", 500) +
       "\"]\ncontext = 1\n");
  EXPECT_EQ(config().model->size(), 1001u);
  file("model = \"\"\"" + many(".[", 100) + "\"\"\"\"\n");
  EXPECT_EQ(*config().model, many(".[", 100) + "\"");
}

TEST_F(ConfigFile, RandomBytesGiveAnAnswer) {
  constexpr std::string_view kAlphabet = "model=[]{}.,\"'\\#\n \t1-:axTu\xc3\xa9\xff\0";
  std::uint64_t state = 7;
  for (int round = 0; round < 1000; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      text += kAlphabet[(state >> 33) % kAlphabet.size()];
    }
    file(text);
    const auto got = loaded();
    EXPECT_TRUE(got || !got.error().message.empty()) << text;
  }
}

TEST_F(ConfigFile, AFileBeyondTheLimitIsRefusedAndOneWithinItIsRead) {
  std::string text = "model = 'gpt-5'\n#";
  text.resize(kFileBytes, 'x');
  file(text);
  EXPECT_EQ(*config().model, "gpt-5");
  file(text + "x");
  EXPECT_TRUE(has(problem().message, "more than 10000000 bytes"));
  EXPECT_TRUE(has(problem().message, "LoadOptions::file_bytes"));
  EXPECT_TRUE(load(flags, environment(), Places{path(), ""}, {.file_bytes = kFileBytes + 1}).has_value());
}

TEST_F(ConfigFile, AFileThatOthersCanChangeIsRefused) {
  for (const mode_t mode : {0620u, 0602u, 0666u}) {
    file("max_turns = 3\n", mode);
    EXPECT_TRUE(has(problem().message, "chmod go-w '" + path() + "'")) << problem().message;
  }
  file("max_turns = 3\n", 0644);
  EXPECT_EQ(*config().max_turns, 3u);
}

TEST_F(ConfigFile, AFolderThatOthersCanChangeIsRefusedUnlessItIsSticky) {
  file("max_turns = 3\n");
  ::chmod(folder_.ws().c_str(), 0777);
  EXPECT_TRUE(has(problem().message, "its folder can be changed by others"));
  ::chmod(folder_.ws().c_str(), 01777);
  EXPECT_EQ(*config().max_turns, 3u);
}

TEST_F(ConfigFile, AFileOfSomebodyElseIsRefusedAndOneOfRootIsNot) {
  file("max_turns = 3\n", 0644);
  ::chmod(folder_.ws().c_str(), 0755);
  if (::geteuid() == 0) {
    const std::string said = check::as_ordinary_user([&] {
      auto got = loaded();
      return got ? std::to_string(*got->max_turns) : describe(got.error());
    });
    EXPECT_EQ(said, "3") << "a file of root is as good as one's own";
    ASSERT_EQ(::chown(path().c_str(), check::kNobody, check::kNobody), 0);
    EXPECT_TRUE(has(problem().message, "belongs to another user (65534)"));
    EXPECT_TRUE(has(problem().message, "chown"));
    ASSERT_EQ(::chown(path().c_str(), 0, 0), 0);
    ASSERT_EQ(::chown(folder_.ws().c_str(), check::kNobody, check::kNobody), 0);
    EXPECT_TRUE(has(problem().message, "its folder belongs to another user"));
  } else {
    EXPECT_EQ(*config().max_turns, 3u);
  }
}

TEST_F(ConfigFile, WhatALinkLeadsToIsWhatCounts) {
  folder_.put("real/there.toml", "max_turns = 3\n");
  folder_.link("real/there.toml", "config.toml");
  EXPECT_EQ(*config().max_turns, 3u);
  ::chmod(folder_.in("real/there.toml").c_str(), 0666);
  EXPECT_TRUE(has(problem().message, "changed by others"));
}

TEST_F(ConfigFile, EveryFolderOnTheWayOfALinkCounts) {
  folder_.put("real/there.toml", "max_turns = 3\n");
  folder_.put("open/other.toml", "");
  folder_.link("real/there.toml", "config.toml");
  ::chmod(folder_.in("real").c_str(), 0777);
  EXPECT_TRUE(has(problem().message, "the folder that it leads to can be changed by others")) << problem().message;
  ::chmod(folder_.in("real").c_str(), 0755);
  EXPECT_EQ(*config().max_turns, 3u);
  // A link in the middle can be replaced as well.
  ::unlink(path().c_str());
  ::chmod(folder_.in("open").c_str(), 0777);
  folder_.link("../real/there.toml", "open/link.toml");
  folder_.link("open/link.toml", "config.toml");
  EXPECT_TRUE(has(problem().message, "the folder that it leads to can be changed by others")) << problem().message;
  ::chmod(folder_.in("open").c_str(), 0755);
  EXPECT_EQ(*config().max_turns, 3u);
}

TEST_F(ConfigFile, AnythingButAFileIsRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  EXPECT_TRUE(has(problem().message, "expected a file"));
  ::unlink(path().c_str());
  folder_.folder("config.toml");
  EXPECT_TRUE(has(problem().message, "expected a file"));
}

TEST_F(ConfigFile, AnEmptyFileAndOneWithAByteOrderMarkAreFine) {
  file("");
  EXPECT_TRUE(config().file_found);
  file("\xef\xbb\xbfmax_turns = 3\r\n");
  EXPECT_EQ(*config().max_turns, 3u);
}

TEST_F(ConfigPlaces, BelayHomeHoldsEverything) {
  env = {{"BELAY_HOME", "/b/"}, {"XDG_CONFIG_HOME", "/x"}, {"XDG_STATE_HOME", "/y"}, {"HOME", "/h"}};
  EXPECT_EQ(places(environment()), (Places{"/b/config.toml", "/b"}));
  env.erase("BELAY_HOME");
  EXPECT_EQ(places(environment()), (Places{"/x/belay/config.toml", "/y/belay"}));
  env = {{"HOME", "/h/"}};
  EXPECT_EQ(places(environment()), (Places{"/h/.config/belay/config.toml", "/h/.local/state/belay"}));
}

TEST_F(ConfigPlaces, NoRelativeFolderIsUsed) {
  env = {{"BELAY_HOME", ".belay"}, {"HOME", "/h"}};
  EXPECT_TRUE(has(places(environment()).error().message, "BELAY_HOME must be an absolute path"));
  env = {{"XDG_CONFIG_HOME", "conf"}, {"HOME", "/h"}};
  const auto got = places(environment());
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(got->config_file, "/h/.config/belay/config.toml");
  ASSERT_EQ(got->notes.size(), 1u);
  EXPECT_EQ(load({}, environment(), *got)->notes, got->notes);
  env = {{"HOME", "here"}};
  EXPECT_TRUE(has(places(environment()).error().message, "HOME"));
}

TEST_F(ConfigPlaces, FoldersAreMadeForTheirOwnerOnly) {
  const std::string path = folder_.in("a/b/c");
  ASSERT_TRUE(make_folder(path).has_value());
  for (const char* made : {"a", "a/b", "a/b/c"}) {
    struct stat s{};
    ASSERT_EQ(::stat(folder_.in(made).c_str(), &s), 0);
    EXPECT_EQ(s.st_mode & 07777, 0700u) << made;
  }
  EXPECT_TRUE(make_folder(path).has_value()) << "it may be there";
  ::chmod(path.c_str(), 0777);
  EXPECT_TRUE(has(make_folder(path).error().message, "chmod go-w"));
  folder_.put("file", "");
  EXPECT_FALSE(make_folder(folder_.in("file")).has_value());
  EXPECT_FALSE(make_folder(folder_.in("file/x")).has_value());
}

}  // namespace
}  // namespace belay::config
