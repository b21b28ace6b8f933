// Which servers there are: files, precedence, variables, approval.
#include <belay/mcp.h>

#include "scratch_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>

namespace belay::mcp {
namespace {

Environment with(std::map<std::string, std::string, std::less<>> variables) {
  return [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

ServerConfig config_of(std::string_view definition, ServerConfig::Origin origin = ServerConfig::Origin::user,
                       const Environment& environment = {}) {
  auto all = servers_in("{\"mcpServers\":{\"s\":" + std::string(definition) + "}}", "f", origin, environment);
  EXPECT_TRUE(all) << (all ? "" : all.error());
  return all && !all->servers.empty() ? all->servers[0] : ServerConfig{};
}

TEST(McpConfig, ReadsProgramsAndAddresses) {
  const ServerConfig program =
      config_of(R"({"command":"npx","args":["-y","x",7],"env":{"A":"b","N":1},"cwd":"/w","timeout":5,
      "startup_timeout":2.5,"restarts":1,"limits":{"tools":7,"line_bytes":99,"write_ms":5},"disabled":true})");
  EXPECT_EQ(program.type, ServerConfig::Type::stdio);
  EXPECT_EQ(program.args, (std::vector<std::string>{"-y", "x", "7"}));
  EXPECT_EQ(program.env, (std::vector<std::pair<std::string, std::string>>{{"A", "b"}, {"N", "1"}}));
  EXPECT_EQ(program.cwd, "/w");
  EXPECT_EQ(program.timeout, 5);
  EXPECT_EQ(program.startup_timeout, 2.5);
  EXPECT_EQ(program.restarts, 1u);
  EXPECT_EQ(program.limits.tools, 7u);
  EXPECT_EQ(program.transport.line_bytes, 99u);
  EXPECT_EQ(program.transport.write_ms, 5);
  EXPECT_TRUE(program.disabled);
  EXPECT_EQ(program.withheld, "");
  EXPECT_EQ(config_of(R"({"url":"http://h","headers":{"X":"y"}})").type, ServerConfig::Type::http);
  EXPECT_EQ(config_of(R"({"url":"http://h","headers":{"X":"y"}})").headers.at(0).value, "y");
  EXPECT_EQ(config_of(R"({"type":"sse","url":"http://h"})").type, ServerConfig::Type::sse);
  EXPECT_EQ(config_of(R"({"type":"streamable-http","url":"http://h"})").type, ServerConfig::Type::http);
}

TEST(McpConfig, WhatRunsByAVariableIsApprovedWithItsValueAndKeysMayChange) {
  const auto hash = [](std::string_view definition, std::map<std::string, std::string, std::less<>> variables) {
    return config_of(definition, ServerConfig::Origin::workspace, with(std::move(variables))).hash;
  };
  for (const char* definition : {R"({"command":"${R:-true}"})", R"({"command":"sh","args":["-c","${R:-true}"]})",
                                 R"({"command":"sh","cwd":"${R:-true}"})", R"({"url":"http://h/${R:-true}"})"}) {
    EXPECT_EQ(hash(definition, {}), hash(definition, {{"R", "true"}})) << definition;
    EXPECT_NE(hash(definition, {}), hash(definition, {{"R", "sh"}})) << definition;
  }
  const char* with_token = R"({"command":"x","env":{"T":"${TOKEN}"}})";
  EXPECT_EQ(hash(with_token, {{"TOKEN", "old"}}), hash(with_token, {{"TOKEN", "new"}}));
}

TEST(McpConfig, ADefinitionIsShownAsItIsWritten) {
  const ServerConfig config = config_of(
      R"({"command":"${RUN:-a}","args":["${HOME}/x",7],"env":{"E":"${API_KEY}"},"headers":{"H":"b ${API_KEY} ${ZONE:-z}"}})",
      ServerConfig::Origin::workspace, with({{"HOME", "/h"}, {"API_KEY", "sk-1"}}));
  const AsWritten written = as_written(config);
  EXPECT_EQ(written.command, "${RUN:-a}");
  EXPECT_EQ(written.args, (std::vector<std::string>{"${HOME}/x", "7"}));
  EXPECT_EQ(written.env.at(0).second, "${API_KEY}");
  EXPECT_EQ(written.headers.at(0).second, "b ${API_KEY} ${ZONE:-z}");
  EXPECT_EQ(written.variables,
            (std::vector<UsedVariable>{
                {"RUN", false, false}, {"HOME", false, false}, {"API_KEY", true, true}, {"ZONE", false, true}}));
}

TEST(McpConfig, ReplacesVariables) {
  const Environment env = with({{"A", "1"}, {"EMPTY", ""}});
  EXPECT_EQ(expanded("x${A}y${A}", env), "x1y1");
  EXPECT_EQ(expanded("${B:-d}${EMPTY:-e}${EMPTY}${B:-}", env), "de");
  EXPECT_EQ(expanded("$A $(A) plain", env), "$A $(A) plain");
  EXPECT_NE(expanded("${B}", env).error().find("B is not set"), std::string::npos);
  EXPECT_FALSE(expanded("${A", env));
  const ServerConfig s = config_of(R"({"command":"${A}","args":["${A}"],"env":{"K":"${A}"},"headers":{"H":"${A}"}})",
                                   ServerConfig::Origin::user, env);
  EXPECT_EQ(s.command + s.args[0] + s.env[0].second + s.headers[0].value, "1111");
  EXPECT_EQ(config_of(R"({"url":"http://${A}"})", ServerConfig::Origin::user, env).url, "http://1");
  // As Cursor and VS Code write them.
  EXPECT_EQ(expanded("${env:A}${env:B:-d}${input:key:-e}", env), "1de");
  EXPECT_NE(expanded("${env:B}", env).error().find("variable B is not set"), std::string::npos);
  EXPECT_NE(expanded("${input:key}", with({{"input:key", "1"}})).error().find("${input:key} is not known"),
            std::string::npos);
  for (const auto& [origin, folder] :
       {std::pair(ServerConfig::Origin::workspace, "/w"), std::pair(ServerConfig::Origin::user, "")}) {
    const auto all = servers_in(R"({"mcpServers":{"s":{"command":"x","args":["${userHome}","${workspaceFolder:-}"]}}})",
                                "/w/.mcp.json", origin, with({{"HOME", "/h"}}));
    ASSERT_TRUE(all) << all.error();
    EXPECT_EQ(all->servers.at(0).args, (std::vector<std::string>{"/h", folder}));
  }
  // A value is not read again: it cannot name another variable.
  EXPECT_EQ(expanded("${A}", with({{"A", "${HOME}"}})), "${HOME}");
}

TEST(McpConfig, KeepsAServerThatIsWrongFromStartingAndSaysWhy) {
  for (const auto& [definition, words] :
       {std::pair(R"({})", "neither a command nor a url"), std::pair(R"({"command":7})", "has to be a string"),
        std::pair(R"({"type":"pigeon","command":"x"})", "pigeon"), std::pair(R"({"type":"http"})", "no url"),
        std::pair(R"({"command":"x","url":"http://h"})", "a command and a url"),
        std::pair(R"({"url":"h/mcp"})", "http:// or https://"), std::pair(R"({"command":"${NO}"})", "NO is not set"),
        std::pair(R"({"command":"x","timeout":-1})", "seconds"),
        std::pair(R"({"command":"x","limits":{"odd":1}})", "no limit odd"),
        std::pair(R"({"command":"x","limits":{"tools":0}})", "positive"), std::pair(R"({"command":"x\u0000y"})", "NUL"),
        std::pair(R"({"command":"x","args":["a","b\u0000c"]})", "NUL"),
        std::pair(R"({"command":"x","env":{"A":"b\u0000c"}})", "NUL"),
        std::pair(R"({"command":"x","env":{"A\u0000B":"c"}})", "NUL"),
        std::pair(R"({"url":"http://localhost/\u0000"})", "NUL"),
        std::pair(R"({"command":"x","env":{"A=B":"c"}})", "name is empty or has a ="),
        std::pair(R"({"command":"x","env":{"":"c"}})", "name is empty or has a =")})
    EXPECT_NE(config_of(definition).withheld.find(words), std::string::npos)
        << definition << ": " << config_of(definition).withheld;
}

TEST(McpConfig, TakesNoTrustAndNoApprovalFromTheWorkspace) {
  const std::string definition = R"({"command":"x","trust_annotations":true,"autoApprove":["*"],"odd":1})";
  EXPECT_TRUE(config_of(definition).trust_annotations);
  EXPECT_FALSE(config_of(definition, ServerConfig::Origin::workspace).trust_annotations);
  const auto all = servers_in("{\"mcpServers\":{\"s\":" + definition + "}}", "f", ServerConfig::Origin::workspace, {});
  EXPECT_EQ(all->notes.size(), 3u);
}

TEST(McpConfig, MendsWhatIsSafeAndRefusesTheRestWithItsPlace) {
  EXPECT_TRUE(
      servers_in("{\"mcpServers\":{ // mine\n\"s\":{\"command\":\"x\",},}}", "f", ServerConfig::Origin::user, {}));
  for (std::string_view text :
       {"", "[]", "{\"mcpServers\":{\"s\":", "no", "{\"mcpServers\":{\"s\":{\"command\":x y}}}"}) {
    const auto all = servers_in(text, "some/file", ServerConfig::Origin::user, {});
    ASSERT_FALSE(all) << text;
    EXPECT_TRUE(all.error().starts_with("some/file")) << all.error();
  }
  EXPECT_EQ(servers_in("{}", "f", ServerConfig::Origin::user, {})->notes.size(), 1u);
}

TEST(McpConfig, SaysWhatIsWrongWithAFileInPlainWords) {
  for (const auto& [text, words] :
       {std::pair("{\"mcpServers\":{\n \"s\":{\"command\":\"x\"}", "f: line 2, column 21: a bracket is not closed"),
        std::pair("[]", "an object is wanted: {\"mcpServers\""), std::pair(" \n", "it is empty"),
        std::pair("{\"servers\":{}}", "there is no \"mcpServers\""), std::pair("{\"mcpServers\":[]}", "is no object"),
        std::pair("no", "not one JSON object")}) {
    const auto all = servers_in(text, "f", ServerConfig::Origin::user, {});
    ASSERT_FALSE(all) << text;
    EXPECT_NE(all.error().find(words), std::string::npos) << all.error();
    EXPECT_EQ(all.error().find('_'), std::string::npos) << all.error();
  }
}

TEST(McpConfig, NamesTheServersThatItLeavesOutAndTakesSpaces) {
  const auto all = servers_in(R"({"mcpServers":{"a b":{"command":"x"}," c":{},"":{},"x":7,"q\"":{}}})", "f",
                              ServerConfig::Origin::user, {});
  ASSERT_TRUE(all);
  ASSERT_EQ(all->servers.size(), 1u);
  EXPECT_EQ(all->servers[0].name, "a b");
  ASSERT_EQ(all->notes.size(), 4u);
  EXPECT_EQ(all->notes[0], "f: the server \" c\" is left out: its name begins or ends with a space");
  EXPECT_NE(all->notes[2].find("\"x\" is left out: its definition has to be an object"), std::string::npos);
}

TEST(McpConfig, AFileThatCannotBeReadIsMarkedAsBroken) {
  const check::ScratchFolder folder;
  folder.put("user.json", "{\"mcpServers\":");
  folder.put("w/.mcp.json", R"({"mcpServers":{"d":{"command":"x"},"e":1}})");
  ConfigOptions options;
  options.user_file = folder.in("user.json");
  options.workspace = folder.in("w");
  const auto all = read_configuration(options, {});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->servers.size(), 1u);
  ASSERT_EQ(all->broken.size(), 1u);
  EXPECT_EQ(all->broken[0], all->notes[0]);
  EXPECT_EQ(all->notes.size(), 2u);
}

TEST(McpConfig, FilesCountInTheirOrderAndTheWorkspaceTakesNobodysPlace) {
  const check::ScratchFolder folder;
  folder.put("user.json", R"({"mcpServers":{"a":{"command":"user"},"b":{"command":"user"}}})");
  folder.put("one.json", R"({"mcpServers":{"b":{"command":"one"},"c":{"command":"one"}}})");
  folder.put("two.json", R"({"mcpServers":{"c":{"command":"two"}}})");
  folder.put("w/.mcp.json", R"({"mcpServers":{"a":{"command":"evil"},"d":{"command":"workspace"}}})");
  ConfigOptions options;
  options.user_file = folder.in("user.json");
  options.workspace = folder.in("w");
  options.given = {folder.in("one.json"), folder.in("two.json")};
  const auto all = read_configuration(options, {});
  ASSERT_TRUE(all);
  std::string commands;
  for (const ServerConfig& s : all->servers) commands += s.name + "=" + s.command + (s.withheld.empty() ? " " : "? ");
  EXPECT_EQ(commands, "c=two b=one a=user d=workspace? ");
  EXPECT_EQ(all->notes.size(), 3u);
  options.strict = true;
  EXPECT_EQ(read_configuration(options, {})->servers.size(), 2u);
  options.given.push_back(folder.in("missing.json"));
  EXPECT_FALSE(read_configuration(options, {}));
}

TEST(McpConfig, AServerOfTheWorkspaceStartsOnlyAsItWasApproved) {
  const check::ScratchFolder folder;
  folder.put("w/.mcp.json", R"({"mcpServers":{"d":{"command":"x","env":{"A":"${A:-1}"}}}})");
  ConfigOptions options;
  options.workspace = folder.in("w");
  const std::string kept = folder.in("data/belay/mcp-approved.json");
  Approvals approvals = Approvals::load(kept).value();
  auto first = read_configuration(options, approvals).value().servers.at(0);
  EXPECT_NE(first.withheld.find("belay mcp approve d"), std::string::npos);
  ASSERT_TRUE(approvals.update([&](Approvals& a) { a.approve_server(first.file, first.name, first.hash); }));
  struct stat s{};
  ASSERT_EQ(::stat(kept.c_str(), &s), 0);
  EXPECT_EQ(s.st_mode & 0777, 0600u);

  approvals = Approvals::load(kept).value();
  EXPECT_EQ(read_configuration(options, approvals).value().servers.at(0).withheld, "");
  folder.put("w/.mcp.json", R"({ "mcpServers": { "d": { "command": "x", "env": { "A": "${A:-1}" } } } })");
  EXPECT_EQ(read_configuration(options, approvals).value().servers.at(0).withheld, "");
  folder.put("w/.mcp.json", R"({"mcpServers":{"d":{"command":"x","args":["-e"],"env":{"A":"${A:-1}"}}}})");
  EXPECT_NE(read_configuration(options, approvals).value().servers.at(0).withheld, "");
  folder.put("v/.mcp.json", R"({"mcpServers":{"d":{"command":"x","env":{"A":"${A:-1}"}}}})");
  options.workspace = folder.in("v");
  EXPECT_NE(read_configuration(options, approvals).value().servers.at(0).withheld, "");
}

TEST(McpConfig, ADamagedFileOfApprovalsApprovesOfNothing) {
  const check::ScratchFolder folder;
  folder.put("a.json", R"({"servers":[{"file":"f","name":"n","hash":"h")");
  EXPECT_FALSE(Approvals::load(folder.in("a.json")));
  folder.put("b.json", R"({"servers":[{"file":"f","name":"n"},7],"tools":"x"})");
  EXPECT_FALSE(Approvals::load(folder.in("b.json"))->server("f", "n", ""));
}

TEST(McpConfig, ChangesOneServerOfAFileAndNothingElse) {
  const check::ScratchFolder folder;
  const std::string file = folder.in("config/mcp.json");
  EXPECT_EQ(change_file(file, "a", R"({"command":"x","args":["1"]})"), true);
  EXPECT_EQ(change_file(file, "b", R"({"url":"http://h"})"), true);
  EXPECT_EQ(change_file(file, "a", R"({"command":"y"})"), false);
  EXPECT_EQ(
      folder.get("config/mcp.json"),
      "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"x\",\n      \"args\": [\n        \"1\"\n      ]\n"
      "    },\n    \"b\": {\n      \"url\": \"http://h\"\n    }\n  }\n}\n");
  EXPECT_EQ(change_file(file, "a", ""), true);
  EXPECT_EQ(change_file(file, "a", ""), false);
  folder.put("other.json", R"({"theme":"x","mcpServers":{"a":{"command":"x"}},"z":[1]})");
  EXPECT_EQ(change_file(folder.in("other.json"), "b", R"({"command":"y"})"), true);
  const std::string text = folder.get("other.json");
  EXPECT_NE(text.find("\"theme\": \"x\""), std::string::npos);
  EXPECT_NE(text.find("\"z\""), std::string::npos);
  folder.put("comments.json", "{ // mine\n}");
  const auto refused = change_file(folder.in("comments.json"), "b", R"({"command":"y"})");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("line 1, column 3: "), std::string::npos) << refused.error();
  EXPECT_EQ(folder.get("comments.json"), "{ // mine\n}");
}

}  // namespace
}  // namespace belay::mcp
