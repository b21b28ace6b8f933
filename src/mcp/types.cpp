#include <belay/mcp/types.h>

#include "mcp/fields.h"
#include "mcp/object.h"

#include <algorithm>

namespace BELAY_NAMESPACE::mcp {
namespace {

constexpr std::array<std::string_view, 5> kVersions = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                                       "2026-07-28"};
constexpr std::size_t kManyVersions = 64;

Peer peer_of(json::Value v) { return {text_in(v, "name"), text_in(v, "title"), text_in(v, "version")}; }

ServerCapabilities capabilities_of(json::Value v) {
  ServerCapabilities c;
  auto part = [&](std::string_view key, bool& there) {
    const auto found = object_in(v, key);
    there = found.has_value();
    return found;
  };
  if (const auto tools = part("tools", c.tools)) c.tools_list_changed = flag_in(*tools, "listChanged").value_or(false);
  if (const auto resources = part("resources", c.resources)) {
    c.resources_list_changed = flag_in(*resources, "listChanged").value_or(false);
    c.resources_subscribe = flag_in(*resources, "subscribe").value_or(false);
  }
  if (const auto prompts = part("prompts", c.prompts))
    c.prompts_list_changed = flag_in(*prompts, "listChanged").value_or(false);
  part("logging", c.logging);
  part("completions", c.completions);
  return c;
}

std::vector<std::string> texts_of(json::Value list) {
  std::vector<std::string> out;
  for (json::Value item : list.items()) {
    if (out.size() >= kManyVersions) break;
    if (item.is_string()) out.emplace_back(item.as_string());
  }
  return out;
}

std::string client_capabilities(const ClientFacts& facts) {
  Object o;
  if (facts.roots) o.raw("roots", "{}");
  if (facts.sampling) o.raw("sampling", "{}");
  // Servers of before 2025-11-25 look only whether it is there; for later ones an empty object means forms alone.
  if (facts.elicitation) o.raw("elicitation", R"({"form":{},"url":{}})");
  return o.done();
}

std::string peer_json(const Peer& peer) {
  Object o;
  o.text("name", peer.name);
  if (!peer.title.empty()) o.text("title", peer.title);
  return o.text("version", peer.version).done();
}

}  // namespace

std::string_view name(Version v) noexcept { return kVersions[static_cast<std::size_t>(v)]; }

std::optional<Version> version_named(std::string_view text) noexcept {
  const auto found = std::ranges::find(kVersions, text);
  if (found == kVersions.end()) return std::nullopt;
  return static_cast<Version>(found - kVersions.begin());
}

std::optional<Introduction> introduction_of(json::Value result) {
  if (!result.is_object()) return std::nullopt;
  Introduction out;
  if (const auto version = result.find("protocolVersion"); version && version->is_string())
    out.versions.emplace_back(version->as_string());
  else if (const auto list = result.find("supportedVersions"); list && list->is_array())
    out.versions = texts_of(*list);
  else
    return std::nullopt;
  if (const auto info = object_in(result, "serverInfo")) out.server = peer_of(*info);
  if (const auto meta = object_in(result, "_meta"))
    if (const auto info = object_in(*meta, "io.modelcontextprotocol/serverInfo")) out.server = peer_of(*info);
  if (const auto c = object_in(result, "capabilities")) out.capabilities = capabilities_of(*c);
  out.instructions = text_in(result, "instructions");
  return out;
}

std::vector<std::string> supported_versions(json::Value data) {
  const auto list = data.find("supported");
  return list ? texts_of(*list) : std::vector<std::string>{};
}

std::string roots_result(const std::vector<Root>& roots) {
  std::string list = "[";
  for (const Root& root : roots) {
    if (list.size() > 1) list += ',';
    Object o;
    o.text("uri", root.uri);
    if (!root.name.empty()) o.text("name", root.name);
    list += o.done();
  }
  return Object().raw("roots", list + "]").done();
}

std::optional<Progress> progress_of(json::Value params) {
  const auto token = params.find("progressToken");
  const auto progress = params.find("progress");
  if (!token || !progress || !progress->is_number()) return std::nullopt;
  Progress out;
  if (token->is_string())
    out.token = {Id::Kind::string, std::string(token->as_string())};
  else if (const auto n = token->as_int64())
    out.token = {Id::Kind::number, std::to_string(*n)};
  else
    return std::nullopt;
  out.progress = progress->as_double();
  if (const auto total = params.find("total"); total && total->is_number()) out.total = total->as_double();
  out.message = text_in(params, "message");
  return out;
}

std::optional<LogLine> log_line(json::Value params) {
  const auto data = params.find("data");
  if (!params.is_object() || !data) return std::nullopt;
  return LogLine{text_in(params, "level"), text_in(params, "logger"),
                 data->is_string() ? std::string(data->as_string()) : json::to_string(*data)};
}

std::optional<Elicitation> elicitation_of(json::Value params) {
  if (!params.is_object()) return std::nullopt;
  Elicitation out;
  out.url_mode = text_in(params, "mode") == "url";
  out.message = text_in(params, "message");
  out.schema = json_in(params, "requestedSchema");
  out.url = text_in(params, "url");
  if (out.url_mode ? out.url.empty() : out.schema.empty()) return std::nullopt;
  return out;
}

std::string elicitation_result(Choice choice, std::string_view content) {
  constexpr std::string_view names[] = {"accept", "decline", "cancel"};
  Object o;
  o.text("action", names[static_cast<std::size_t>(choice)]);
  if (choice == Choice::accept && !content.empty()) o.raw("content", content);
  return o.done();
}

bool is_accepted(std::string_view result) {
  const json::Reading reading = json::read(result);
  return !reading.document.empty() && text_in(reading.document.root(), "action") == "accept";
}

std::vector<Payload> required_pages(const Payload& data) {
  std::vector<Payload> out;
  const auto list = data ? data->find("elicitations") : std::nullopt;
  if (!list || !list->is_array()) return out;
  for (json::Value page : list->items())
    if (const auto wanted = elicitation_of(page); wanted && wanted->url_mode) out.push_back(data.with(page));
  return out;
}

std::optional<InputRequired> input_required(const Payload& result) {
  if (!result || text_in(*result, "resultType") != "input_required") return std::nullopt;
  InputRequired out;
  if (const auto requests = object_in(*result, "inputRequests"))
    for (const json::Member& member : requests->members()) {
      const auto params = member.value.find("params");
      out.requests.push_back(
          {std::string(member.key), text_in(member.value, "method"), params ? result.with(*params) : Payload{}});
    }
  if (const auto state = result->find("requestState"); state && state->is_string())
    out.state = std::string(state->as_string());
  return out;
}

bool known_result_type(json::Value result) {
  const auto type = result.find("resultType");
  return !type || type->as_string() == "complete" || type->as_string() == "input_required";
}

std::string initialize_params(const ClientFacts& facts, Version version) {
  return Object()
      .text("protocolVersion", name(version))
      .raw("capabilities", client_capabilities(facts))
      .raw("clientInfo", peer_json(facts.peer))
      .done();
}

std::string request_meta(const ClientFacts& facts, Version version, const Id& progress) {
  Object o;
  if (progress) o.raw("progressToken", to_json(progress));
  if (stateless(version))
    o.text("io.modelcontextprotocol/protocolVersion", name(version))
        .raw("io.modelcontextprotocol/clientInfo", peer_json(facts.peer))
        .raw("io.modelcontextprotocol/clientCapabilities", client_capabilities(facts));
  return o.empty() ? std::string() : o.done();
}

std::string with_meta(std::string_view params, std::string_view meta) {
  if (meta.empty()) return std::string(params);
  std::string out = "{\"_meta\":" + std::string(meta);
  if (params.size() > 2) (out += ',') += params.substr(1, params.size() - 2);
  return out + '}';
}

std::string call_params(std::string_view tool, std::string_view arguments) {
  return Object().text("name", tool).raw("arguments", arguments.empty() ? "{}" : arguments).done();
}

}  // namespace BELAY_NAMESPACE::mcp
