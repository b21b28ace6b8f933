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

ServerConfig one(std::string_view definition, ServerConfig::Origin origin = ServerConfig::Origin::user,
                 const Environment& environment = {}) {
  auto all = servers_in("{\"mcpServers\":{\"s\":" + std::string(definition) + "}}", "f", origin, environment);
  EXPECT_TRUE(all) << (all ? "" : all.error());
  return all && !all->servers.empty() ? all->servers[0] : ServerConfig{};
}

TEST(McpConfig, ReadsProgramsAndAddresses) {
  const ServerConfig program = one(R"({"command":"npx","args":["-y","x",7],"env":{"A":"b","N":1},"cwd":"/w","timeout":5,
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
  EXPECT_EQ(one(R"({"url":"http://h","headers":{"X":"y"}})").type, ServerConfig::Type::http);
  EXPECT_EQ(one(R"({"url":"http://h","headers":{"X":"y"}})").headers.at(0).value, "y");
  EXPECT_EQ(one(R"({"type":"sse","url":"http://h"})").type, ServerConfig::Type::sse);
  EXPECT_EQ(one(R"({"type":"streamable-http","url":"http://h"})").type, ServerConfig::Type::http);
}

TEST(McpConfig, ReplacesVariables) {
  const Environment env = with({{"A", "1"}, {"EMPTY", ""}});
  EXPECT_EQ(expanded("x${A}y${A}", env), "x1y1");
  EXPECT_EQ(expanded("${B:-d}${EMPTY:-e}${EMPTY}${B:-}", env), "de");
  EXPECT_EQ(expanded("$A $(A) plain", env), "$A $(A) plain");
  EXPECT_NE(expanded("${B}", env).error().find("B is not set"), std::string::npos);
  EXPECT_FALSE(expanded("${A", env));
  const ServerConfig s =
      one(R"({"command":"${A}","args":["${A}"],"env":{"K":"${A}"},"url":"${A}","headers":{"H":"${A}"}})",
          ServerConfig::Origin::user, env);
  EXPECT_EQ(s.command + s.args[0] + s.env[0].second + s.url + s.headers[0].value, "11111");
  // A value is not read again: it cannot name another variable.
  EXPECT_EQ(expanded("${A}", with({{"A", "${HOME}"}})), "${HOME}");
}

TEST(McpConfig, KeepsAServerThatIsWrongFromStartingAndSaysWhy) {
  for (const auto& [definition, words] :
       {std::pair(R"({})", "neither a command nor a url"), std::pair(R"({"command":7})", "has to be a string"),
        std::pair(R"({"type":"pigeon","command":"x"})", "pigeon"), std::pair(R"({"type":"http"})", "no url"),
        std::pair(R"({"command":"${NO}"})", "NO is not set"), std::pair(R"({"command":"x","timeout":-1})", "seconds"),
        std::pair(R"({"command":"x","limits":{"odd":1}})", "no limit odd"),
        std::pair(R"({"command":"x","limits":{"tools":0}})", "positive")})
    EXPECT_NE(one(definition).withheld.find(words), std::string::npos)
        << definition << ": " << one(definition).withheld;
}

TEST(McpConfig, TakesNoTrustAndNoApprovalFromTheWorkspace) {
  const std::string definition = R"({"command":"x","trust_annotations":true,"autoApprove":["*"],"odd":1})";
  EXPECT_TRUE(one(definition).trust_annotations);
  EXPECT_FALSE(one(definition, ServerConfig::Origin::workspace).trust_annotations);
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
  EXPECT_EQ(
      servers_in("{\"mcpServers\":{\"a b\":{},\"\":{},\"x\":7}}", "f", ServerConfig::Origin::user, {})->notes.size(),
      3u);
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
  EXPECT_FALSE(change_file(folder.in("comments.json"), "b", R"({"command":"y"})"));
  EXPECT_EQ(folder.get("comments.json"), "{ // mine\n}");
}

}  // namespace
}  // namespace belay::mcp
