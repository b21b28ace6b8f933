// What a client can ask of a server.
#include <belay/mcp/server_session.h>

#include "mcp/fields.h"
#include "mcp/object.h"

#include <algorithm>
#include <array>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

constexpr Version kNewest = Version::v2025_11_25;  // that has a handshake
constexpr std::string_view kVersionMember = "io.modelcontextprotocol/protocolVersion";

std::optional<json::Value> meta_of(const Message& message) {
  return message.payload ? object_in(*message.payload, "_meta") : std::nullopt;
}

// One that is longer than an id may be is none: it would be said again every second.
Id progress_token(const Message& message, std::size_t most) {
  const auto meta = meta_of(message);
  const auto token = meta ? meta->find("progressToken") : std::nullopt;
  if (!token) return {};
  if (token->is_string() && token->as_string().size() <= most)
    return {Id::Kind::string, std::string(token->as_string())};
  if (const auto n = token->as_int64()) return {Id::Kind::number, std::to_string(*n)};
  return {};
}

std::string all_versions() {
  std::string out;
  for (Version v :
       {Version::v2026_07_28, Version::v2025_11_25, Version::v2025_06_18, Version::v2025_03_26, Version::v2024_11_05})
    (out += out.empty() ? "[\"" : ",\"") += std::string(name(v)) + "\"";
  return out + "]";
}

std::string clipped(std::string_view text) {
  constexpr std::size_t kMost = 80;
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "...";
}

}  // namespace

void ServerSession::on_request(const Message& message, std::uint64_t turn) {
  // The id stands for the request until it is answered: two of them could not be told apart.
  if (std::ranges::any_of(calls_, [&](const auto& call) { return call.second.id == message.id; })) {
    Message nobody = message;
    nobody.id = {};
    return error(nobody, turn, kInvalidRequest,
                 "the id " + clipped(to_json(message.id)) + " belongs to a request that still runs");
  }
  Version version = version_.value_or(kNewest);
  bool introduced = version_.has_value();
  const auto meta = meta_of(message);
  if (const auto said = meta ? meta->find(kVersionMember) : std::nullopt) {
    const auto known = version_named(said->as_string());
    if (!known || !stateless(*known))
      return error(message, turn, kUnsupportedVersion, "requests without initialize are known of 2026-07-28",
                   Object().raw("supported", all_versions()).text("requested", clipped(said->as_string())).done());
    version = *known;
    introduced = true;
  }
  const std::string& method = message.method;
  if (method == "ping") return answer(turn, encode_result(message.id, "{}"));
  if (method == "initialize") return initialize(message, turn);
  if (method == "server/discover" && stateless(version))
    return answer(turn, encode_result(message.id, introduction_text(options_, version)));
  if (!introduced)
    return error(message, turn, kInvalidRequest,
                 "initialize comes first; " + clipped(method) + " is answered after it");
  if (method == "tools/list") return list_tools(message, turn, version);
  if (method == "tools/call") return call_tool(message, turn, version);
  if (method == "logging/setLevel" && !stateless(version)) return set_level(message, turn);
  error(message, turn, kMethodNotFound, "no method " + clipped(method) + " here: tools are all that is offered");
}

void ServerSession::initialize(const Message& message, std::uint64_t turn) {
  if (turns_[turn].batch) return error(message, turn, kInvalidRequest, "initialize cannot stand in a batch");
  if (version_) return error(message, turn, kInvalidRequest, "this session is initialized already");
  const auto wanted = message.payload ? message.payload->find("protocolVersion") : std::nullopt;
  if (!wanted || !wanted->is_string())
    return error(message, turn, kInvalidParams, "initialize needs protocolVersion, such as \"2025-11-25\"");
  const auto known = version_named(wanted->as_string());
  version_ = known && !stateless(*known) ? *known : kNewest;
  answer(turn, encode_result(message.id, introduction_text(options_, *version_)));
}

void ServerSession::list_tools(const Message& message, std::uint64_t turn, Version version) {
  // All of them fit on one page, so no cursor was ever given out.
  const auto cursor = message.payload ? message.payload->find("cursor") : std::nullopt;
  if (cursor && !cursor->is_null())
    return error(message, turn, kInvalidParams, "no such cursor: all tools are on the first page");
  answer(turn, encode_result(message.id, tools_result(*options_.tools, version)));
}

void ServerSession::call_tool(const Message& message, std::uint64_t turn, Version version) {
  const auto wanted = message.payload ? message.payload->find("name") : std::nullopt;
  if (!wanted || !wanted->is_string())
    return error(message, turn, kInvalidParams, "tools/call needs the name of a tool, a string");
  const OfferedTool* tool = tool_named(wanted->as_string());
  if (!tool) {
    std::string names;
    for (const OfferedTool& one : *options_.tools) (names += names.empty() ? "" : ", ") += one.name;
    return error(message, turn, kInvalidParams,
                 "Unknown tool: " + clipped(wanted->as_string()) + ". The tools are " + names);
  }
  const auto arguments = message.payload->find("arguments");
  std::string text = "{}";
  // Some clients hand on the text that a model wrote instead of the object; it is read like any model's.
  if (arguments && arguments->is_string())
    text = arguments->as_string();
  else if (arguments && arguments->is_object())
    text = json::to_string(*arguments);
  else if (arguments && !arguments->is_null())
    return error(message, turn, kInvalidParams, "the arguments of tools/call are an object");
  if (calls_.size() >= options_.limits.calls)
    return error(message, turn, -32000,
                 std::to_string(options_.limits.calls) +
                     " calls of this session run or wait, which is the limit calls: wait for some of them; "
                     "belay mcp serve --limit calls=N raises it");
  const CallNumber call = next_++;
  const Id token = progress_token(message, options_.codec.id_bytes);
  calls_[call] = {message.id, turn, version, token};
  outputs_.emplace_back(BeginCall{call, turns_[turn].exchange, tool->name, std::move(text), static_cast<bool>(token)});
}

void ServerSession::set_level(const Message& message, std::uint64_t turn) {
  const auto wanted = message.payload ? message.payload->find("level") : std::nullopt;
  for (std::uint8_t i = 0; wanted && i <= static_cast<std::uint8_t>(LogLevel::emergency); ++i)
    if (wanted->as_string() == name(static_cast<LogLevel>(i))) {
      level_ = static_cast<LogLevel>(i);
      return answer(turn, encode_result(message.id, "{}"));
    }
  error(message, turn, kInvalidParams, "level is debug, info, notice, warning, error, critical, alert or emergency");
}

const OfferedTool* ServerSession::tool_named(std::string_view name) const {
  for (const OfferedTool& tool : *options_.tools)
    if (tool.name == name || std::ranges::find(tool.aliases, name) != tool.aliases.end()) return &tool;
  return nullptr;
}

std::string introduction_text(const ServerSessionOptions& options, Version version) {
  Object server;
  server.text("name", options.peer.name);
  if (version >= Version::v2025_06_18 && !options.peer.title.empty()) server.text("title", options.peer.title);
  server.text("version", options.peer.version);
  Object out;
  if (stateless(version))
    out.text("resultType", "complete").raw("supportedVersions", all_versions()).raw("capabilities", R"({"tools":{}})");
  else
    out.text("protocolVersion", name(version)).raw("capabilities", R"({"tools":{},"logging":{}})");
  out.raw("serverInfo", server.done());
  if (!options.instructions.empty()) out.text("instructions", options.instructions);
  return out.done();
}

}  // namespace BELAY_NAMESPACE::mcp
