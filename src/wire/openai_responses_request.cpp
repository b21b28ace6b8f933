// Requests of OpenAI Responses, read.
#include "wire/body.h"
#include "wire/openai_parts.h"
#include "wire/openai_responses.h"
#include "wire/openai_responses_items.h"

#include <belay/json/writer.h>

namespace BELAY_NAMESPACE::wire {
namespace openai_responses {
namespace {

using chat::Block;
using chat::Role;

chat::Opaque mark(std::string_view key, std::string_view json) {
  return {std::string(kWire), std::string(key), std::string(json)};
}

class RequestReader {
 public:
  explicit RequestReader(json::Value body) : body_(body), top_(body) {}
  std::expected<chat::Request, WireError> read(std::string_view model);

 private:
  void read_input();
  void read_item(json::Value value, const std::string& path);
  void read_message(json::Value value, const std::string& path);
  void read_said(ObjectReader& message, const std::string& path);
  void read_call(json::Value value, bool custom);
  void read_result(json::Value value, bool custom, const std::string& path);
  void read_reasoning(json::Value value);
  std::vector<Block> read_content(std::optional<json::Value> content, const std::string& path);
  Block read_part(json::Value value, const std::string& path);
  void read_tools();
  chat::Tool read_tool(json::Value value, bool custom);
  void read_reasoning_options();
  chat::Message& last(Role role);
  void fail(std::string path, std::string message) {
    if (!error_) error_ = WireError{std::move(path), std::move(message)};
  }

  json::Value body_;
  ObjectReader top_;
  chat::Request out_;
  std::optional<WireError> error_;
};

std::expected<chat::Request, WireError> RequestReader::read(std::string_view model) {
  out_.model = text_of(top_, "model");
  if (out_.model.empty()) out_.model = model;
  if (auto instructions = top_.text("instructions"); instructions && !instructions->empty())
    out_.messages.push_back({Role::system, {chat::text_block(std::string(*instructions))}, {}});
  read_input();
  read_tools();
  // One of another form stays what it is.
  if (auto choice = body_.find("tool_choice")) out_.tool_choice = tool_choice_in(*choice);
  if (out_.tool_choice) top_.any("tool_choice");
  read_reasoning_options();
  out_.parallel_calls = top_.boolean("parallel_tool_calls");
  out_.max_output_tokens = top_.count("max_output_tokens");
  out_.temperature = top_.number("temperature");
  out_.top_p = top_.number("top_p");
  out_.stream = top_.boolean("stream").value_or(false);
  top_.keep_rest(kWire, out_.opaque);
  if (error_) return std::unexpected(std::move(*error_));
  return std::move(out_);
}

// What the model did in one turn, and what its tools gave back, are one message each.
chat::Message& RequestReader::last(Role role) {
  if (out_.messages.empty() || out_.messages.back().role != role) out_.messages.push_back({role, {}, {}});
  return out_.messages.back();
}

void RequestReader::read_input() {
  if (auto text = top_.text("input")) {
    out_.messages.push_back({Role::user, {}, {}});
    if (!text->empty()) out_.messages.back().blocks.push_back(chat::text_block(std::string(*text)));
    return;
  }
  auto input = top_.any("input");
  if (!input || input->is_null()) return;  // a stored prompt or conversation may stand for it
  if (!input->is_array()) return fail("/input", "must be a string or an array of items");
  std::size_t i = 0;
  for (json::Value item : input->items()) read_item(item, below("/input", i++));
}

void RequestReader::read_item(json::Value value, const std::string& path) {
  if (!value.is_object()) return fail(path, "must be an object");
  std::string_view type = text_at(value, "type");
  if (type.empty() && value.find("role")) type = "message";
  if (type == kFunctionOutput || type == kCustomOutput) return read_result(value, type == kCustomOutput, path);
  switch (item_type(type)) {
    case ItemType::message: return read_message(value, path);
    case ItemType::reasoning: return read_reasoning(value);
    case ItemType::function_call: return read_call(value, false);
    case ItemType::custom_call: return read_call(value, true);
    case ItemType::other: break;
  }
  Block block;
  block.kind = Block::Kind::other;
  keep(kItem, value, kWire, block.opaque);
  last(Role::assistant).blocks.push_back(std::move(block));
}

void RequestReader::read_message(json::Value value, const std::string& path) {
  ObjectReader message(value);
  message.any("type");
  std::string_view role = message.text("role").value_or("");
  if (role == "assistant") {
    if (text_at(value, "status") == "completed") message.any("status");
    return read_said(message, path);
  }
  if (role != "user" && role != "system" && role != "developer")
    return fail(below(path, "role"), "must be user, assistant, system or developer");
  chat::Message m{
      role == "user" ? Role::user : Role::system, read_content(message.any("content"), below(path, "content")), {}};
  // Those in `instructions` have no role.
  if (m.role == Role::system) m.opaque.push_back(mark(kRole, role == "system" ? R"("system")" : R"("developer")"));
  message.keep_rest(kWire, m.opaque);
  out_.messages.push_back(std::move(m));
}

void RequestReader::read_said(ObjectReader& message, const std::string& path) {
  std::vector<Block> blocks = read_content(message.any("content"), below(path, "content"));
  bool first = true;
  for (Block& block : blocks) {
    if (first)
      message.keep_rest_as(kMessageNote, kWire, block.opaque);
    else
      block.opaque.push_back(mark(kMessageNote, "{}"));  // in the same item as the one before
    first = false;
    last(Role::assistant).blocks.push_back(std::move(block));
  }
}

void RequestReader::read_call(json::Value value, bool custom) {
  ObjectReader item(value);
  item.any("type");
  Block block = chat::call_block(text_of(item, "call_id"), text_of(item, "name"), {});
  if (custom) {
    block.arguments = arguments_of_input(text_of(item, "input"));
    item.keep_rest_as(kCustomCallNote, kWire, block.opaque);
    if (block.opaque.empty()) block.opaque.push_back(mark(kCustomCallNote, "{}"));
  } else {
    if (auto arguments = item.any("arguments")) block.arguments = arguments_text(*arguments);
    if (block.arguments.empty()) block.arguments = "{}";
    item.keep_rest_as(kCallNote, kWire, block.opaque);
  }
  last(Role::assistant).blocks.push_back(std::move(block));
}

void RequestReader::read_result(json::Value value, bool custom, const std::string& path) {
  ObjectReader item(value);
  item.any("type");
  Block block;
  block.kind = Block::Kind::tool_result;
  block.id = text_of(item, "call_id");
  block.content = read_content(item.any("output"), below(path, "output"));
  item.keep_rest_as(custom ? kCustomOutputNote : kOutputNote, kWire, block.opaque);
  if (custom && block.opaque.empty()) block.opaque.push_back(mark(kCustomOutputNote, "{}"));
  last(Role::tool).blocks.push_back(std::move(block));
}

void RequestReader::read_reasoning(json::Value value) {
  Block block;
  block.kind = Block::Kind::reasoning;
  for (std::string_view list : {"summary", "content"})
    if (auto parts = array_at(value, list))
      for (json::Value part : parts->items()) {
        std::string_view text = text_at(part, "text");
        if (!block.text.empty() && !text.empty()) block.text += "\n\n";
        block.text += text;
      }
  keep(kReasoningNote, value, kWire, block.opaque);
  last(Role::assistant).blocks.push_back(std::move(block));
}

std::vector<Block> RequestReader::read_content(std::optional<json::Value> content, const std::string& path) {
  std::vector<Block> out;
  if (!content || content->is_null()) return out;
  if (content->is_string()) {
    if (!content->as_string().empty()) out.push_back(chat::text_block(std::string(content->as_string())));
  } else if (content->is_array()) {
    std::size_t i = 0;
    for (json::Value part : content->items()) {
      Block block = read_part(part, below(path, i++));
      if (block != Block{}) out.push_back(std::move(block));
    }
  } else {
    fail(path, "must be a string or an array of parts");
  }
  return out;
}

Block RequestReader::read_part(json::Value value, const std::string& path) {
  Block block;
  if (!value.is_object()) {
    fail(path, "must be an object");
    return block;
  }
  ObjectReader part(value);
  std::string_view type = part.text("type").value_or("");
  const bool is_text = type == "input_text" || type == "output_text" || type == "text";
  auto text = is_text ? part.text("text") : type == "refusal" ? part.text("refusal") : std::nullopt;
  auto image = type == "input_image" ? part.text("image_url") : std::nullopt;
  if (text) {
    if (type == "refusal") block.kind = Block::Kind::refusal;
    block.text = *text;
    // Empty lists, which every answer has, say nothing.
    for (std::string_view key : {"annotations", "logprobs"})
      if (auto list = array_at(value, key); list && list->size() == 0) part.any(key);
  } else if (image) {
    read_image_url(*image, block);
    if (text_at(value, "detail") == "auto") part.any("detail");  // as if it were left out
  } else {
    block.kind = Block::Kind::other;
    keep(kPart, value, kWire, block.opaque);
    return block;
  }
  part.keep_rest(kWire, block.opaque);
  return block;
}

void RequestReader::read_tools() {
  auto tools = top_.any("tools");
  if (!tools || tools->is_null()) return;
  if (!tools->is_array()) return fail("/tools", "must be an array");
  std::string others;  // those that the provider runs itself
  std::size_t i = 0;
  for (json::Value value : tools->items()) {
    std::string path = below("/tools", i++);
    if (!value.is_object()) return fail(path, "must be an object");
    std::string_view type = text_at(value, "type");
    if (type == "function" || type == "custom") {
      out_.tools.push_back(read_tool(value, type == "custom"));
      if (out_.tools.back().name.empty()) return fail(below(path, "name"), "must be a string");
    } else {
      others += others.empty() ? '[' : ',';
      json::write(value, others);
    }
  }
  if (!others.empty()) out_.opaque.push_back(mark(kTools, others + "]"));
}

chat::Tool RequestReader::read_tool(json::Value value, bool custom) {
  ObjectReader object(value);
  chat::Tool tool;
  object.any("type");
  tool.name = text_of(object, "name");
  tool.description = object.text("description").value_or("");
  if (custom) {
    tool.parameters = kInputSchema;
    object.keep_rest_as(kCustom, kWire, tool.opaque);
    if (tool.opaque.empty()) tool.opaque.push_back(mark(kCustom, "{}"));
    return tool;
  }
  if (auto schema = object.object("parameters"))
    tool.parameters = json::to_string(*schema);
  else if (auto none = value.find("parameters"); none && none->is_null())
    object.any("parameters");
  // Left out it is on; a tool that says nothing, from a wire where it is off, must stay apart from that.
  if (!value.find("strict")) tool.opaque.push_back(mark("strict", "null"));
  object.keep_rest(kWire, tool.opaque);
  return tool;
}

void RequestReader::read_reasoning_options() {
  auto options = top_.object("reasoning");
  if (!options) return;
  ObjectReader reasoning(*options);
  out_.reasoning_effort = reasoning.text("effort").value_or("");
  reasoning.keep_rest_as(kReasoningNote, kWire, out_.opaque);
}

}  // namespace
}  // namespace openai_responses

std::expected<chat::Request, WireError> read_openai_responses_request(json::Value body, std::string_view model) {
  return openai_responses::RequestReader(body).read(model);
}

}  // namespace BELAY_NAMESPACE::wire
