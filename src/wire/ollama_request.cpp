// Requests of Ollama's /api/chat, read.
#include "wire/body.h"
#include "wire/ollama.h"

#include <belay/json/writer.h>

namespace BELAY_NAMESPACE::wire::ollama {
namespace {

using chat::Block;
using chat::Message;
using chat::Role;
using Kind = chat::Block::Kind;

void add_images(ObjectReader& message, std::vector<Block>& blocks) {
  auto images = message.texts("images");
  if (!images) return;
  for (std::string& data : *images) {
    Block b;
    b.kind = Kind::image;
    // Other wires want to be told what it is.
    b.media_type = sniffed_image(data);
    b.data = std::move(data);
    blocks.push_back(std::move(b));
  }
}

Block read_call(json::Value value, CallIds& ids) {
  ObjectReader call(value);
  Block b;
  b.kind = Kind::tool_call;
  if (auto function = call.object("function")) {
    ObjectReader fields(*function);
    b.name = fields.text("name").value_or("");
    if (auto arguments = fields.any("arguments")) b.arguments = arguments_text(*arguments);
    fields.count("index");  // its place, which it has anyway
    fields.keep_rest_as("@function", kName, b.opaque);
  }
  if (b.arguments.empty()) b.arguments = "{}";
  std::string_view id = call.text("id").value_or("");
  b.id = ids.call(id, b.name);
  if (id.empty()) b.opaque.push_back({std::string(kName), std::string(kId), "null"});
  call.keep_rest(kName, b.opaque);
  return b;
}

Block read_result(ObjectReader& message, std::string_view content, CallIds& ids) {
  Block b;
  b.kind = Kind::tool_result;
  b.name = message.text("tool_name").value_or("");
  std::string_view id = message.text("tool_call_id").value_or("");
  b.id = ids.result(id, b.name);
  if (id.empty()) b.opaque.push_back({std::string(kName), std::string(kId), "null"});
  if (!content.empty()) b.content.push_back(chat::text_block(std::string(content)));
  add_images(message, b.content);
  return b;
}

std::expected<Message, WireError> read_message(json::Value value, const std::string& path, CallIds& ids) {
  if (!value.is_object()) return wrong(path, "must be an object");
  ObjectReader fields(value);
  std::string_view role = fields.text("role").value_or("");
  if (auto content = value.find("content"); content && !content->is_string() && !content->is_null())
    return wrong(below(path, "content"), "must be a string");
  auto said = fields.any("content");
  std::string_view content = said ? said->as_string() : std::string_view{};
  Message m;
  if (role == "tool") {
    m.role = Role::tool;
    m.blocks.push_back(read_result(fields, content, ids));
    fields.keep_rest(kName, m.opaque);
    return m;
  }
  if (role != "system" && role != "user" && role != "assistant")
    return wrong(below(path, "role"), "must be system, user, assistant or tool");
  m.role = role == "system" ? Role::system : role == "user" ? Role::user : Role::assistant;
  if (auto thinking = fields.text("thinking"); thinking && !thinking->empty()) {
    m.blocks.push_back(chat::text_block(std::string(*thinking)));
    m.blocks.back().kind = Kind::reasoning;
  }
  if (!content.empty()) m.blocks.push_back(chat::text_block(std::string(content)));
  add_images(fields, m.blocks);
  if (auto calls = fields.array("tool_calls"))
    for (json::Value call : calls->items()) {
      if (!call.is_object()) return wrong(below(path, "tool_calls"), "must hold objects");
      m.blocks.push_back(read_call(call, ids));
    }
  fields.keep_rest(kName, m.opaque);
  return m;
}

std::optional<WireError> read_tools(json::Value list, chat::Request& request) {
  std::size_t at = 0;
  for (json::Value value : list.items()) {
    std::string path = below("/tools", at++);
    ObjectReader fields(value);
    auto function = fields.object("function");
    if (!function) return WireError{below(path, "function"), "must be an object"};
    ObjectReader members(*function);
    chat::Tool tool;
    tool.name = members.text("name").value_or("");
    tool.description = members.text("description").value_or("");
    if (auto schema = members.object("parameters")) tool.parameters = json::to_string(*schema);
    members.keep_rest_as("@function", kName, tool.opaque);
    if (text_at(value, "type") == "function") fields.any("type");
    fields.keep_rest(kName, tool.opaque);
    request.tools.push_back(std::move(tool));
  }
  return std::nullopt;
}

}  // namespace

std::expected<chat::Request, WireError> read_request(json::Value body, std::string_view model) {
  if (!body.is_object()) return wrong("", "must be an object");
  chat::Request request;
  ObjectReader fields(body);
  request.model = fields.text("model").value_or(model);
  CallIds ids;
  // Without messages a request loads the model.
  if (auto messages = fields.any("messages"); messages && !messages->is_null()) {
    if (!messages->is_array()) return wrong("/messages", "must be a list");
    for (json::Value value : messages->items()) {
      auto message = read_message(value, below("/messages", request.messages.size()), ids);
      if (!message) return std::unexpected(message.error());
      request.messages.push_back(std::move(*message));
    }
  }
  if (auto tools = fields.any("tools"); tools && !tools->is_null()) {
    if (!tools->is_array()) return wrong("/tools", "must be a list");
    if (auto error = read_tools(*tools, request)) return std::unexpected(*error);
  }
  if (auto options = fields.object("options")) {
    ObjectReader members(*options);
    request.max_output_tokens = members.count("num_predict");
    request.temperature = members.number("temperature");
    request.top_p = members.number("top_p");
    if (auto stop = members.texts("stop")) request.stop = std::move(*stop);
    members.keep_rest_as("@options", kName, request.opaque);
  }
  // Kept as it came, and understood as well: other wires have a word for it.
  std::string_view think = text_at(body, "think");
  if (think == "low" || think == "medium" || think == "high") request.reasoning_effort = think;
  if (think == "max") request.reasoning_effort = "high";
  request.stream = fields.boolean("stream").value_or(true);
  fields.keep_rest(kName, request.opaque);
  return request;
}

}  // namespace BELAY_NAMESPACE::wire::ollama
