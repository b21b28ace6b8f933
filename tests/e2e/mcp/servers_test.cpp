// The reference servers of MCP, over stdio and over streamable HTTP. run.mjs installs them and says where they are.
#include <belay/mcp.h>
#include <belay/regex.h>

#include "mcp/process.h"
#include "scratch_folder.h"
#include "support/mcp_servers.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <future>
#include <latch>

namespace belay::mcp {
namespace {

using check::eventually;
using check::started;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  if (!value) ADD_FAILURE() << name << " is not set; run.mjs sets it";
  return value ? value : "";
}

ServerConfig node(std::string name, const std::string& package, std::vector<std::string> args = {}) {
  ServerConfig config;
  config.name = std::move(name);
  config.command = variable("BELAY_NODE");
  config.args = {variable("BELAY_MCP_FOLDER") + "/node_modules/@modelcontextprotocol/" + package + "/dist/index.js"};
  config.args.insert(config.args.end(), args.begin(), args.end());
  config.timeout = 30;
  config.startup_timeout = 60;
  return config;
}

const tool::Tool* find(const RemoteTools& all, std::string_view name) {
  const auto found = std::ranges::find_if(all.tools, [&](const tool::Tool& t) { return t.spec().name == name; });
  return found == all.tools.end() ? nullptr : &*found;
}
tool::Result run(const RemoteTools& all, std::string_view name, std::string_view arguments,
                 const std::function<void(std::string_view)>& progress = {}) {
  const tool::Tool* tool = find(all, name);
  if (!tool) return tool::error_result("there is no " + std::string(name));
  const json::Reading reading = json::read(arguments);
  EXPECT_TRUE(tool->parameters().valid(reading.document.root())) << name << arguments;
  return tool->run({reading.document.root(), {}, progress});
}
RemoteTools tools_of(const std::shared_ptr<Servers>& servers, const schema::Regexes& regexes) {
  RemoteToolOptions options;
  options.regexes = &regexes;
  RemoteTools all = remote_tools(servers, options);
  for (const ToolNote& note : all.notes) ADD_FAILURE() << note.server << " " << note.tool << ": " << note.text;
  return all;
}

// Everything that server-everything has, whatever the way to it.
void ask_everything(const std::shared_ptr<Servers>& servers) {
  const auto regexes = regex::make_regexes();
  const Status status = servers->status("every").value();
  ASSERT_EQ(status.state, State::ready) << status.reason << status.errors;
  EXPECT_EQ(status.version, Version::v2025_11_25);
  EXPECT_FALSE(status.instructions.empty());
  const RemoteTools all = tools_of(servers, *regexes);
  EXPECT_GE(all.tools.size(), 12u);
  EXPECT_EQ(tool::text_of(run(all, "every__echo", R"({"message":"hello"})")), "Echo: hello");
  EXPECT_NE(tool::text_of(run(all, "every__get-sum", R"({"a":2,"b":3})")).find("5"), std::string::npos);

  const tool::Result image = run(all, "every__get-tiny-image", "{}");
  EXPECT_TRUE(std::ranges::any_of(image.content, [](const chat::Block& b) {
    return b.kind == chat::Block::Kind::image && b.media_type == "image/png";
  }));
  const tool::Result links = run(all, "every__get-resource-links", R"({"count":2})");
  EXPECT_NE(tool::text_of(links).find("[resource "), std::string::npos) << tool::text_of(links);
  const tool::Result inside = run(all, "every__get-resource-reference", R"({"resourceType":"Text","resourceId":1})");
  EXPECT_NE(tool::text_of(inside).find("[resource "), std::string::npos) << tool::text_of(inside);
  const tool::Result weather = run(all, "every__get-structured-content", R"({"location":"New York"})");
  EXPECT_FALSE(weather.is_error);
  EXPECT_EQ(tool::text_of(weather).find("output schema"), std::string::npos) << tool::text_of(weather);

  int news = 0;
  const tool::Result slow = run(all, "every__trigger-long-running-operation", R"({"duration":0.3,"steps":3})",
                                [&](std::string_view) { ++news; });
  EXPECT_FALSE(slow.is_error) << tool::text_of(slow);
  EXPECT_GE(news, 1);

  const auto resources = servers->resources("every");
  ASSERT_TRUE(resources) << resources.error().message;
  ASSERT_FALSE(resources->empty());
  const auto content = servers->read("every", resources->front().uri);
  ASSERT_TRUE(content) << content.error().message;
  EXPECT_FALSE(content->empty());
  const auto templates = servers->templates("every");
  ASSERT_TRUE(templates);
  EXPECT_FALSE(templates->empty());
  const auto prompts = servers->prompts("every");
  ASSERT_TRUE(prompts);
  ASSERT_FALSE(prompts->empty());
  const auto simple = std::ranges::find_if(*prompts, [](const Prompt& p) { return p.arguments.empty(); });
  ASSERT_NE(simple, prompts->end());
  const auto prompt = servers->prompt("every", simple->name, "");
  ASSERT_TRUE(prompt) << prompt.error().message;
  EXPECT_FALSE(prompt->messages.empty());

  const tool::Result wrong = servers->call("every", "no-such-tool", "{}");
  EXPECT_TRUE(wrong.is_error);
}

void call_often(const std::shared_ptr<Servers>& servers, int calls) {
  std::vector<std::string> got(static_cast<std::size_t>(calls));
  std::latch all(calls);
  for (int i = 0; i < calls; ++i)
    servers->request("every", "tools/call", call_params("echo", R"({"message":")" + std::to_string(i) + "\"}"),
                     [&, i](Answer answer) {
                       got[static_cast<std::size_t>(i)] =
                           answer ? tool::text_of(to_result(*call_result(*answer))) : answer.error().message;
                       all.count_down();
                     });
  all.wait();
  for (int i = 0; i < calls; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], "Echo: " + std::to_string(i));
}

TEST(McpPeers, ServerEverythingOverStdio) {
  const auto servers = started({node("every", "server-everything", {"stdio"})});
  ask_everything(servers);
  call_often(servers, 1000);
}

TEST(McpPeers, ServerEverythingAsksThePersonAndTheRoots) {
  ServersOptions options = check::options();
  options.roots = {{"file:///tmp", "tmp"}};
  std::string asked;
  options.person = [&](const Question& q, const Reply& reply) {
    const auto wanted = elicitation_of(*q.params);
    asked = q.server + ": " + (wanted ? wanted->message : "");
    reply(elicitation_result(Choice::decline));
  };
  options.model = [&](const Question&, const Reply& reply) {
    reply(R"({"role":"assistant","content":{"type":"text","text":"forty-two"},"model":"m","stopReason":"endTurn"})");
  };
  const auto servers = started({node("every", "server-everything", {"stdio"})}, options);
  // It adds these tools when it knows what the client can do, and says so.
  ASSERT_TRUE(eventually([&] {
    const auto tools = servers->tools("every");
    return std::ranges::count_if(tools, [](const ToolDefinition& t) {
             return t.name == "trigger-elicitation-request" || t.name == "trigger-sampling-request" ||
                    t.name == "get-roots-list";
           }) == 3;
  }));
  EXPECT_FALSE(servers->call("every", "trigger-elicitation-request", "{}").is_error);
  EXPECT_TRUE(asked.starts_with("every: ")) << asked;
  const auto sampled = servers->call("every", "trigger-sampling-request", R"({"prompt":"what","maxTokens":5})");
  EXPECT_NE(tool::text_of(sampled).find("forty-two"), std::string::npos) << tool::text_of(sampled);
  const auto roots = servers->call("every", "get-roots-list", "{}");
  EXPECT_NE(tool::text_of(roots).find("file:///tmp"), std::string::npos) << tool::text_of(roots);
}

TEST(McpPeers, ServerFilesystemOverStdio) {
  const check::ScratchFolder folder;
  folder.put("a.txt", "from a file\n");
  const auto servers = started({node("files", "server-filesystem", {folder.ws()})});
  const auto regexes = regex::make_regexes();
  const RemoteTools all = tools_of(servers, *regexes);
  EXPECT_EQ(all.tools.size(), 14u);
  const std::string path = R"({"path":")" + folder.in("a.txt") + "\"}";
  EXPECT_NE(tool::text_of(run(all, "files__read_text_file", path)).find("from a file"), std::string::npos);
  EXPECT_FALSE(run(all, "files__write_file", R"({"path":")" + folder.in("b.txt") + R"(","content":"new"})").is_error);
  EXPECT_EQ(folder.get("b.txt"), "new");
  EXPECT_TRUE(run(all, "files__read_text_file", R"({"path":"/etc/passwd"})").is_error);
  for (const tool::Tool& tool : all.tools) EXPECT_EQ(tool.spec().effect, tool::Effect::execute);
}

TEST(McpPeers, ServerMemoryOverStdio) {
  const check::ScratchFolder folder;
  ServerConfig config = node("memory", "server-memory");
  config.env = {{"MEMORY_FILE_PATH", folder.in("memory.json")}};
  const auto regexes = regex::make_regexes();
  {
    const auto servers = started({config});
    const RemoteTools all = tools_of(servers, *regexes);
    const tool::Result r =
        run(all, "memory__create_entities",
            R"({"entities":[{"name":"Belay","entityType":"engine","observations":["reads what models write"]}]})");
    EXPECT_FALSE(r.is_error) << tool::text_of(r);
  }
  const auto servers = started({config});
  const RemoteTools all = tools_of(servers, *regexes);
  EXPECT_NE(tool::text_of(run(all, "memory__read_graph", "{}")).find("reads what models write"), std::string::npos);
}

TEST(McpPeers, SeveralServersStartAtTheSameTime) {
  const check::ScratchFolder folder;
  const auto servers = started({node("every", "server-everything", {"stdio"}),
                                node("files", "server-filesystem", {folder.ws()}), node("memory", "server-memory")});
  for (const Status& status : servers->status()) EXPECT_EQ(status.state, State::ready) << status.reason;
}

std::uint16_t free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    std::abort();
  ::close(fd);
  return ntohs(address.sin_port);
}

// A server that listens by itself.
struct Listening {
  explicit Listening(const std::string& how) : port(free_port()) {
    ServerConfig config = node("every", "server-everything", {how});
    config.env = {{"PORT", std::to_string(port)}};
    auto made = Process::start(config, check::options().environment);
    if (!made) std::abort();
    process.emplace(std::move(*made));
  }
  ServerConfig config(ServerConfig::Type type, const std::string& path) const {
    ServerConfig out;
    out.name = "every";
    out.type = type;
    out.url = "http://127.0.0.1:" + std::to_string(port) + path;
    out.timeout = 30;
    out.restarts = 200;  // until it listens
    return out;
  }
  std::uint16_t port;
  std::optional<Process> process;
};

std::shared_ptr<Servers> reached(const ServerConfig& config) {
  ServersOptions options = check::options();
  options.backoff_ms = options.backoff_most_ms = 100;
  auto servers = started({config}, options);
  EXPECT_TRUE(eventually([&] { return servers->status("every")->state == State::ready; }))
      << servers->status("every")->reason;
  return servers;
}

TEST(McpPeers, ServerEverythingOverStreamableHttp) {
  const Listening server("streamableHttp");
  const auto servers = reached(server.config(ServerConfig::Type::http, "/mcp"));
  ask_everything(servers);
  call_often(servers, 1000);
}

TEST(McpPeers, ServerEverythingOverTheOldHttpAndSse) {
  const Listening server("sse");
  const auto servers = reached(server.config(ServerConfig::Type::http, "/sse"));
  const tool::Result r = servers->call("every", "echo", R"({"message":"old"})");
  EXPECT_EQ(tool::text_of(r), "Echo: old");
  call_often(servers, 100);
}

}  // namespace
}  // namespace belay::mcp
