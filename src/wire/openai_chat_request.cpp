// Requests of OpenAI Chat Completions, read.
#include "wire/body.h"
#include "wire/openai_chat.h"
#include "wire/openai_parts.h"

#include <belay/json/writer.h>

namespace BELAY_NAMESPACE::wire {
namespace openai_chat {
namespace {

using chat::Block;

chat::Opaque mark(std::string_view key, std::string_view json) {
  return {std::string(kWire), std::string(key), std::string(json)};
}

class RequestReader {
 public:
  explicit RequestReader(json::Value body) : body_(body), top_(body) {}
  std::expected<chat::Request, WireError> read(std::string_view model);

 private:
  void read_messages();
  void read_message(json::Value value, const std::string& path);
  void read_system_or_user(json::Value value, std::string_view role, const std::string& path);
  void read_assistant(json::Value value, const std::string& path);
  void read_result(json::Value value, const std::string& path);
  std::vector<Block> read_content(ObjectReader& message, const std::string& path);
  Block read_part(json::Value value, const std::string& path);
  Block read_call(json::Value value);
  void read_tools();
  chat::Tool read_tool(json::Value value);
  void read_options();
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
  read_messages();
  read_tools();
  // One of another form stays what it is.
  if (auto choice = body_.find("tool_choice")) out_.tool_choice = tool_choice_in(*choice);
  if (out_.tool_choice) top_.any("tool_choice");
  read_options();
  top_.keep_rest(kWire, out_.opaque);
  if (error_) return std::unexpected(std::move(*error_));
  return std::move(out_);
}

void RequestReader::read_messages() {
  auto messages = top_.array("messages");
  if (!messages) return fail("/messages", "must be an array");
  std::size_t i = 0;
  for (json::Value message : messages->items()) read_message(message, below("/messages", i++));
}

void RequestReader::read_message(json::Value value, const std::string& path) {
  if (!value.is_object()) return fail(path, "must be an object");
  std::string_view role = text_at(value, "role");
  if (role == "assistant") return read_assistant(value, path);
  if (role == "tool") return read_result(value, path);
  if (role == "system" || role == "developer" || role == "user") return read_system_or_user(value, role, path);
  if (role.empty()) return fail(below(path, "role"), "must be a string");
  // `function`, and roles to come: other wires cannot say them, but this one gets them back.
  chat::Message m;
  m.blocks.emplace_back().kind = Block::Kind::other;
  keep(kMessage, value, kWire, m.blocks.back().opaque);
  out_.messages.push_back(std::move(m));
}

void RequestReader::read_system_or_user(json::Value value, std::string_view role, const std::string& path) {
  ObjectReader message(value);
  chat::Message m;
  m.role = role == "user" ? chat::Role::user : chat::Role::system;
  message.text("role");
  m.blocks = read_content(message, path);
  if (role == "developer") m.opaque.push_back(mark(kRole, R"("developer")"));
  if (m.role == chat::Role::system && m.blocks.size() > 1) m.opaque.push_back(mark(kParts, "true"));
  message.keep_rest(kWire, m.opaque);
  out_.messages.push_back(std::move(m));
}

void RequestReader::read_assistant(json::Value value, const std::string& path) {
  ObjectReader message(value);
  chat::Message m{chat::Role::assistant, {}, {}};
  auto add = [&](Block::Kind kind, std::optional<std::string_view> text) {
    if (!text || text->empty()) return;
    m.blocks.push_back(chat::text_block(std::string(*text)));
    m.blocks.back().kind = kind;
  };
  message.text("role");
  add(Block::Kind::reasoning, message.text("reasoning_content"));
  std::vector<Block> content = read_content(message, path);
  if (content.size() > 1) m.opaque.push_back(mark(kParts, "true"));
  for (Block& block : content) m.blocks.push_back(std::move(block));
  add(Block::Kind::refusal, message.text("refusal"));
  if (auto calls = message.array("tool_calls")) {
    std::size_t i = 0;
    for (json::Value call : calls->items()) {
      if (!call.is_object()) return fail(below(path + "/tool_calls", i), "must be an object");
      m.blocks.push_back(read_call(call));
      ++i;
    }
  }
  message.keep_rest(kWire, m.opaque);
  out_.messages.push_back(std::move(m));
}

void RequestReader::read_result(json::Value value, const std::string& path) {
  ObjectReader message(value);
  Block result;
  result.kind = Block::Kind::tool_result;
  message.text("role");
  result.id = text_of(message, "tool_call_id");
  result.content = read_content(message, path);
  if (result.content.size() > 1) result.opaque.push_back(mark(kParts, "true"));
  message.keep_rest(kWire, result.opaque);
  // The results of one turn stand in one message.
  if (out_.messages.empty() || out_.messages.back().role != chat::Role::tool)
    out_.messages.push_back({chat::Role::tool, {}, {}});
  out_.messages.back().blocks.push_back(std::move(result));
}

std::vector<Block> RequestReader::read_content(ObjectReader& message, const std::string& path) {
  std::vector<Block> out;
  auto content = message.any("content");
  if (!content || content->is_null()) return out;
  if (content->is_string()) {
    if (!content->as_string().empty()) out.push_back(chat::text_block(std::string(content->as_string())));
  } else if (content->is_array()) {
    std::size_t i = 0;
    for (json::Value part : content->items()) {
      Block block = read_part(part, below(path + "/content", i++));
      if (block != Block{}) out.push_back(std::move(block));
    }
  } else {
    fail(below(path, "content"), "must be a string or an array of parts");
  }
  return out;
}

Block RequestReader::read_part(json::Value value, const std::string& path) {
  if (value.is_string()) return chat::text_block(std::string(value.as_string()));
  Block block;
  if (!value.is_object()) {
    fail(path, "must be an object");
    return block;
  }
  ObjectReader part(value);
  std::string_view type = part.text("type").value_or("");
  auto text = type == "text" || type == "refusal" ? part.text(type) : std::nullopt;
  auto image = type == "image_url" ? part.any("image_url") : std::nullopt;
  if (text) {
    if (type == "refusal") block.kind = Block::Kind::refusal;
    block.text = *text;
  } else if (image) {
    ObjectReader source(*image);
    read_image_url(image->is_string() ? std::string(image->as_string()) : text_of(source, "url"), block);
    source.keep_rest_as(kInner, kWire, block.opaque);
  } else {
    block.kind = Block::Kind::other;
    keep(kPart, value, kWire, block.opaque);
    return block;
  }
  part.keep_rest(kWire, block.opaque);
  return block;
}

Block RequestReader::read_call(json::Value value) {
  ObjectReader call(value);
  Block block = chat::call_block(text_of(call, "id"), {}, {});
  call.any("type");
  if (auto object = call.object("function")) {
    ObjectReader function(*object);
    block.name = text_of(function, "name");
    if (auto arguments = function.any("arguments")) block.arguments = arguments_text(*arguments);
    if (block.arguments.empty()) block.arguments = "{}";
    function.keep_rest_as(kInner, kWire, block.opaque);
  } else if (auto custom = call.object("custom")) {
    block.name = text_at(*custom, "name");
    block.arguments = arguments_of_input(text_at(*custom, "input"));
    std::string rest = rest_of(*custom, {"name", "input"});
    block.opaque.push_back(mark(kCustom, rest.empty() ? "{}" : rest));
  } else {
    block = Block{};
    block.kind = Block::Kind::other;
    keep(kToolCall, value, kWire, block.opaque);
    return block;
  }
  call.keep_rest(kWire, block.opaque);
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
    if (object_at(value, "function") || object_at(value, "custom")) {
      out_.tools.push_back(read_tool(value));
      if (out_.tools.back().name.empty()) return fail(path, "must have a name");
    } else {
      others += others.empty() ? '[' : ',';
      json::write(value, others);
    }
  }
  if (!others.empty()) out_.opaque.push_back(mark(kTools, others + "]"));
}

chat::Tool RequestReader::read_tool(json::Value value) {
  ObjectReader outer(value);
  outer.any("type");
  auto function = outer.object("function");
  const bool custom = !function;
  const json::Value object = function ? *function : outer.object("custom").value_or(value);
  ObjectReader inner(object);
  chat::Tool tool;
  tool.name = text_of(inner, "name");
  tool.description = inner.text("description").value_or("");
  if (custom) {
    tool.parameters = kInputSchema;
    std::string rest = rest_of(object, {"name", "description"});
    tool.opaque.push_back(mark(kCustom, rest.empty() ? "{}" : rest));
  } else {
    if (auto schema = inner.object("parameters")) tool.parameters = json::to_string(*schema);
    inner.keep_rest(kWire, tool.opaque);
  }
  outer.keep_rest_as(kOuter, kWire, tool.opaque);
  return tool;
}

void RequestReader::read_options() {
  out_.parallel_calls = top_.boolean("parallel_tool_calls");
  out_.temperature = top_.number("temperature");
  out_.top_p = top_.number("top_p");
  out_.reasoning_effort = top_.text("reasoning_effort").value_or("");
  if (auto stop = top_.text("stop"))
    out_.stop.emplace_back(*stop);
  else
    out_.stop = top_.texts("stop").value_or(std::vector<std::string>{});
  out_.max_output_tokens = top_.count("max_completion_tokens");
  // Many servers know only the older name, and OpenAI's newer models only the newer one: it stays as it was.
  if (auto older = top_.count("max_tokens"); older && !out_.max_output_tokens) {
    out_.max_output_tokens = older;
    out_.opaque.push_back(mark(kMaxTokens, "true"));
  }
  out_.stream = top_.boolean("stream").value_or(false);
  // Usage is asked for when a request is written. Only what differs from that has to be remembered.
  if (auto options = object_at(body_, "stream_options"))
    if (json::to_string(*options) == kUsageWanted) top_.any("stream_options");
  if (out_.stream && !body_.find("stream_options")) out_.opaque.push_back(mark(kNoOptions, "true"));
}

}  // namespace
}  // namespace openai_chat

std::expected<chat::Request, WireError> read_openai_chat_request(json::Value body, std::string_view model) {
  return openai_chat::RequestReader(body).read(model);
}

}  // namespace BELAY_NAMESPACE::wire
