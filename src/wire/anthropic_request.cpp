// Requests of Anthropic Messages, read.
#include "wire/anthropic.h"
#include "wire/body.h"

#include <belay/json/writer.h>

namespace BELAY_NAMESPACE::wire::anthropic {
namespace {

using chat::Block;
using chat::Message;
using chat::Role;

// A message with results is several: results are a role of their own in the neutral vocabulary.
void add_message(std::vector<Message>& messages, Role role, std::vector<Block> blocks, Opaques kept) {
  for (Block& b : blocks) {
    Role mine = role == Role::user && b.kind == Block::Kind::tool_result ? Role::tool : role;
    // Turns of one role that follow each other are one turn to the API.
    bool joins = !messages.empty() && messages.back().role == mine && mine != Role::system && kept.empty() &&
                 messages.back().opaque.empty();
    if (!joins) messages.push_back({mine, {}, std::exchange(kept, {})});
    messages.back().blocks.push_back(std::move(b));
  }
  if (!kept.empty()) messages.push_back({role, {}, std::move(kept)});
}

std::optional<WireError> read_messages(json::Value list, std::vector<Message>& messages) {
  std::size_t at = 0;
  for (json::Value value : list.items()) {
    std::string path = below("/messages", at++);
    if (!value.is_object()) return WireError{path, "must be an object"};
    ObjectReader fields(value);
    std::string_view role = fields.text("role").value_or("");
    if (role != "user" && role != "assistant" && role != "system")
      return WireError{below(path, "role"), "must be user, assistant or system"};
    auto content = fields.any("content");
    if (!content) return WireError{below(path, "content"), "is missing"};
    auto blocks = read_content(*content, below(path, "content"));
    if (!blocks) return blocks.error();
    Opaques kept;
    // Newer models take instructions in the middle; the mark says that this one belongs here and not at the top.
    if (role == "system") kept.push_back({std::string(kName), "@role", "\"system\""});
    fields.keep_rest(kName, kept);
    Role neutral = role == "user" ? Role::user : role == "system" ? Role::system : Role::assistant;
    add_message(messages, neutral, std::move(*blocks), std::move(kept));
  }
  return std::nullopt;
}

// Tools that the server runs itself. No call of them ever comes to a client.
bool runs_on_server(std::string_view type) {
  return type.starts_with("web_search_") || type.starts_with("web_fetch_") || type.starts_with("code_execution_") ||
         type.starts_with("tool_search_tool_") || type.starts_with("mcp_toolset");
}

// Tools that only this wire knows are kept in a list that has null for each of the others: the order is the cache's
// key.
std::optional<WireError> read_tools(json::Value list, chat::Request& request) {
  std::string places;
  JsonText json(places);
  json.open('[');
  bool own = false;
  std::size_t at = 0;
  for (json::Value value : list.items()) {
    if (!value.is_object()) return WireError{below("/tools", at), "must be an object"};
    ++at;
    ObjectReader fields(value);
    auto name = fields.text("name");
    if (!name || runs_on_server(text_at(value, "type"))) {
      json.raw(json::to_string(value));
      own = true;
      continue;
    }
    json.null();
    chat::Tool tool;
    tool.name = *name;
    tool.description = fields.text("description").value_or("");
    if (auto schema = fields.object("input_schema")) tool.parameters = json::to_string(*schema);
    fields.keep_rest(kName, tool.opaque);
    request.tools.push_back(std::move(tool));
  }
  json.close(']');
  if (own) request.opaque.push_back({std::string(kName), "@tools", std::move(places)});
  return std::nullopt;
}

bool read_tool_choice(json::Value choice, chat::Request& request) {
  using Kind = chat::ToolChoice::Kind;
  std::string_view type = text_at(choice, "type");
  if (type == "auto")
    request.tool_choice = {Kind::automatic, {}};
  else if (type == "any")
    request.tool_choice = {Kind::required, {}};
  else if (type == "none")
    request.tool_choice = {Kind::none, {}};
  else if (type == "tool" && !text_at(choice, "name").empty())
    request.tool_choice = {Kind::named, std::string(text_at(choice, "name"))};
  else
    return false;
  if (auto single = choice.find("disable_parallel_tool_use"); single && single->is_bool())
    request.parallel_calls = !single->as_bool();
  return true;
}

void read_thinking(ObjectReader& fields, json::Value body, chat::Request& request) {
  auto thinking = object_at(body, "thinking");
  if (thinking && text_at(*thinking, "type") == "enabled") {
    request.reasoning_tokens = count_at(*thinking, "budget_tokens");
    // What else it says stays, and then all of it.
    if (request.reasoning_tokens && thinking->size() == 2) fields.any("thinking");
  }
  // Kept as it came, and understood as well: other wires have a word for it.
  if (auto config = object_at(body, "output_config")) {
    std::string_view effort = text_at(*config, "effort");
    if (effort == "low" || effort == "medium" || effort == "high") request.reasoning_effort = effort;
    if (effort == "xhigh" || effort == "max") request.reasoning_effort = "high";
  }
}

}  // namespace

std::expected<chat::Request, WireError> read_request(json::Value body, std::string_view model) {
  if (!body.is_object()) return wrong("", "must be an object");
  chat::Request request;
  ObjectReader fields(body);
  request.model = fields.text("model").value_or(model);
  if (auto system = fields.any("system"); system && !system->is_null()) {
    auto blocks = read_content(*system, "/system");
    if (!blocks) return std::unexpected(blocks.error());
    if (!blocks->empty()) request.messages.push_back({Role::system, std::move(*blocks), {}});
  }
  auto messages = fields.array("messages");
  if (!messages) return wrong("/messages", "must be a list");
  if (auto error = read_messages(*messages, request.messages)) return std::unexpected(*error);
  if (auto tools = fields.any("tools"); tools && !tools->is_null()) {
    if (!tools->is_array()) return wrong("/tools", "must be a list");
    if (auto error = read_tools(*tools, request)) return std::unexpected(*error);
  }
  if (auto choice = object_at(body, "tool_choice"); choice && read_tool_choice(*choice, request))
    fields.any("tool_choice");
  read_thinking(fields, body, request);
  request.max_output_tokens = fields.count("max_tokens");
  request.temperature = fields.number("temperature");
  request.top_p = fields.number("top_p");
  if (auto stop = fields.texts("stop_sequences")) request.stop = std::move(*stop);
  request.stream = fields.boolean("stream").value_or(false);
  fields.keep_rest(kName, request.opaque);
  return request;
}

}  // namespace BELAY_NAMESPACE::wire::anthropic
