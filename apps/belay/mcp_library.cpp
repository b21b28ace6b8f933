// What servers have beside tools: resources to read, and prompts.
#include "mcp.h"

#include <belay/json.h>

#include "interrupt.h"
#include "json_string.h"
#include "result_json.h"
#include "terminal.h"

#include <algorithm>
#include <chrono>

namespace belay::cli {
namespace {

using Action = McpOptions::Action;
constexpr std::int64_t kNoMethod = -32601;

// One member after the other, those that are empty left out.
class Object {
 public:
  Object& text(std::string_view key, std::string_view value) {
    return value.empty() ? *this : raw(key, json_string(value));
  }
  Object& raw(std::string_view key, std::string_view json) {
    if (text_.size() > 1) text_ += ',';
    ((text_ += json_string(key)) += ':') += json;
    return *this;
  }
  [[nodiscard]] std::string json() const { return text_ + "}"; }

 private:
  std::string text_ = "{";
};

template <class Items, class Each>
std::string list_of(const Items& items, Each each) {
  std::string out = "[";
  for (const auto& item : items) (out += out.size() > 1 ? "," : "") += each(item);
  return out + "]";
}

std::string json_of(const mcp::Content& content) {
  constexpr std::string_view kinds[] = {"text", "image", "audio", "resource_link", "resource", "other"};
  Object out;
  out.text("type", kinds[static_cast<std::size_t>(content.kind)]).text("uri", content.uri).text("name", content.name);
  return out.text("mimeType", content.mime_type).text("text", content.text).text("data", content.data).json();
}

std::string json_of(const mcp::Prompt& prompt) {
  const auto one = [](const mcp::PromptArgument& a) {
    Object out;
    out.text("name", a.name).text("description", a.description).raw("required", a.required ? "true" : "false");
    return out.json();
  };
  Object out;
  out.text("name", prompt.name).text("title", prompt.title).text("description", prompt.description);
  return out.raw("arguments", list_of(prompt.arguments, one)).json();
}

std::string json_of(const mcp::Resource& resource) {
  Object out;
  out.text("uri", resource.uri).text("name", resource.name).text("title", resource.title);
  out.text("description", resource.description).text("mimeType", resource.mime_type);
  if (resource.size) out.raw("size", std::to_string(*resource.size));
  return out.json();
}

std::string json_of(const mcp::ResourceTemplate& t) {
  Object out;
  out.text("uriTemplate", t.uri_template).text("name", t.name).text("title", t.title);
  return out.text("description", t.description).text("mimeType", t.mime_type).json();
}

const auto each = [](const auto& item) { return json_of(item); };

using Json = std::expected<std::string, mcp::Failure>;

// `cuts`: what of the lists is not in the answer.
using Cuts = std::vector<std::string>;

Json resources(mcp::Servers& servers, const std::string& server, const std::stop_token& stop, Cuts& cuts) {
  cuts.resize(2);
  const auto all = servers.resources(server, stop, &cuts[0]);
  if (!all) return std::unexpected(all.error());
  const auto templates = servers.templates(server, stop, &cuts[1]);
  // Servers without any often do not know the question.
  if (!templates && !(templates.error().kind == mcp::Failure::Kind::answered && templates.error().code == kNoMethod))
    return std::unexpected(templates.error());
  Object out;
  out.raw("resources", list_of(*all, each));
  out.raw("templates", templates ? list_of(*templates, each) : "[]");
  return out.json();
}

Json asked(mcp::Servers& servers, const McpOptions& options, const std::stop_token& stop, Cuts& cuts) {
  const auto failed = [](const auto& answer) { return std::unexpected(answer.error()); };
  Object out;
  if (options.action == Action::resources) return resources(servers, options.server, stop, cuts);
  if (options.action == Action::prompts) {
    const auto all = servers.prompts(options.server, stop, &cuts.emplace_back());
    return all ? Json(out.raw("prompts", list_of(*all, each)).json()) : failed(all);
  }
  if (options.action == Action::read) {
    const auto contents = servers.read(options.server, options.tool, stop);
    return contents ? Json(out.text("uri", options.tool).raw("contents", list_of(*contents, each)).json())
                    : failed(contents);
  }
  const auto prompt = servers.prompt(options.server, options.tool, options.arguments, stop);
  if (!prompt) return failed(prompt);
  const auto message = [](const mcp::PromptMessage& m) {
    return Object().text("role", m.role).raw("content", json_of(m.content)).json();
  };
  return out.text("description", prompt->description).raw("messages", list_of(prompt->messages, message)).json();
}

}  // namespace

Exit ask_mcp_library(const McpOptions& options, McpSetting setting, Output& out, Output& err) {
  auto& configs = setting.configuration.servers;
  std::erase_if(configs, [&](const mcp::ServerConfig& c) { return c.name != options.server; });
  if (configs.empty()) return no_such_server(options, setting, err);
  if (options.action == Action::prompt) {
    json::ReaderOptions strict;
    strict.mode = json::Mode::strict;
    const json::Reading arguments = json::read(options.arguments, strict);
    if (arguments.verdict.word() != json::Word::valid || !arguments.document.root().is_object())
      return mcp_trouble(err, "the arguments are no JSON object", Exit::usage);
  }
  const Interrupt interrupt;
  const auto servers = mcp::Servers::make(configs, mcp_servers_options(options.workspace));
  servers->wait(std::chrono::milliseconds(static_cast<std::int64_t>(configs[0].startup_timeout * 1000) + 10'000),
                interrupt.token());
  const mcp::Status status = servers->status().at(0);
  if (status.state != mcp::State::ready)
    return mcp_trouble(err, options.server + " is " + std::string(mcp::name(status.state)) + ": " + status.reason,
                       Exit::failed);
  // One that says it has none would answer with an error of the protocol, which tells a person nothing.
  const bool prompts = options.action == Action::prompts || options.action == Action::prompt;
  if (!(prompts ? status.capabilities.prompts : status.capabilities.resources))
    return mcp_trouble(err, options.server + ": the server offers no " + (prompts ? "prompts" : "resources"),
                       Exit::failed);
  Cuts cuts;
  const Json answer = asked(*servers, options, interrupt.token(), cuts);
  if (!answer) return mcp_trouble(err, options.server + ": " + mcp::shown(answer.error().message), Exit::failed);
  out << quiet_json(*answer) << "\n";
  for (const std::string& cut : cuts)
    if (!cut.empty()) err << "note: " << options.server << ": " << cut << "\n";
  return end_mcp(out, err, Exit::done);
}

}  // namespace belay::cli
