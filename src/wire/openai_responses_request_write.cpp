// Requests of OpenAI Responses, written.
#include "wire/openai_parts.h"
#include "wire/openai_responses.h"

#include <algorithm>
#include <set>
#include <utility>

namespace BELAY_NAMESPACE::wire {
namespace openai_responses {
namespace {

using chat::Block;
using chat::Role;

class RequestWriter {
 public:
  explicit RequestWriter(const chat::Request& request) : request_(request), json_(out_) {}
  std::string write();

 private:
  void write_input();
  bool write_instructions(const chat::Message& message);
  void write_message(const chat::Message& message);
  void write_assistant(const chat::Message& message);
  void write_said(const std::vector<Block>& blocks, std::size_t& i);
  void write_call(const Block& call);
  void write_result(const Block& result);
  void write_content(const std::vector<const Block*>& blocks, std::string_view text_type);
  void write_part(const Block& block, std::string_view text_type);
  void write_tools();
  void write_tool(const chat::Tool& tool);
  void write_options();

  const chat::Request& request_;
  std::string out_;
  JsonText json_;
  std::set<std::string, std::less<>> custom_calls_;
  bool instructed_ = false;
};

bool is_said(const Block& block) {
  return block.kind == Block::Kind::text || block.kind == Block::Kind::refusal ||
         (block.kind == Block::Kind::other && !opaque_of(block.opaque, kWire, kPart).empty());
}

bool is_part(const Block& block) { return is_said(block) || block.kind == Block::Kind::image; }

std::string RequestWriter::write() {
  json_.open('{').member("model", request_.model);
  write_input();
  write_tools();
  if (request_.tool_choice) write_tool_choice(json_, *request_.tool_choice, false);
  write_options();
  // What was of the wrong kind stands there as it came, unless something took its place.
  const chat::Request& r = request_;
  write_rest(json_, r.opaque, kWire,
             {r.tool_choice ? "tool_choice" : "", instructed_ ? "instructions" : "",
              r.parallel_calls ? "parallel_tool_calls" : "", r.temperature ? "temperature" : "", r.top_p ? "top_p" : "",
              r.reasoning_effort.empty() ? "" : "reasoning", r.stream ? "stream" : "",
              r.max_output_tokens ? "max_output_tokens" : ""});
  json_.close('}');
  return std::move(out_);
}

void RequestWriter::write_input() {
  auto message = request_.messages.begin();
  if (message != request_.messages.end() && write_instructions(*message)) ++message;
  // Nothing at all is what a request for a stored prompt has.
  if (message == request_.messages.end()) return;
  json_.key("input").open('[');
  for (; message != request_.messages.end(); ++message) {
    if (message->role == Role::assistant)
      write_assistant(*message);
    else
      write_message(*message);
  }
  json_.close(']');
}

// The first message of the system stands outside the input, unless it came from there.
bool RequestWriter::write_instructions(const chat::Message& message) {
  if (message.role != Role::system || !opaque_of(message.opaque, kWire, kRole).empty()) return false;
  std::string text;
  for (const Block& block : message.blocks) {
    if (block.kind != Block::Kind::text) return false;
    if (!text.empty()) text += "\n\n";
    text += block.text;
  }
  instructed_ = !text.empty();
  if (instructed_) json_.member("instructions", text);
  return true;
}

void RequestWriter::write_message(const chat::Message& message) {
  std::vector<const Block*> parts;
  for (const Block& block : message.blocks) {
    if (block.kind == Block::Kind::tool_result)
      write_result(block);
    else if (is_part(block))
      parts.push_back(&block);
    else if (std::string_view item = opaque_of(block.opaque, kWire, kItem); !item.empty())
      json_.raw(item);
  }
  // A message that holds only what this wire cannot say is not said.
  if (parts.empty() && !message.blocks.empty()) return;
  std::string_view role = opaque_of(message.opaque, kWire, kRole);
  json_.open('{').member("type", "message").key("role");
  if (message.role == Role::system)
    json_.raw(role.empty() ? R"("system")" : role);
  else
    json_.string("user");
  json_.key("content");
  write_content(parts, "input_text");
  write_rest(json_, message.opaque, kWire, {"type", "role", "content"});
  json_.close('}');
}

void RequestWriter::write_assistant(const chat::Message& message) {
  for (std::size_t i = 0; i < message.blocks.size(); ++i) {
    const Block& block = message.blocks[i];
    if (is_said(block)) {
      write_said(message.blocks, i);
    } else if (block.kind == Block::Kind::tool_call) {
      write_call(block);
    } else if (block.kind == Block::Kind::reasoning) {
      // Without the item that it was, it is another model's.
      if (std::string_view item = opaque_of(block.opaque, kWire, kReasoningNote); !item.empty()) json_.raw(item);
    } else if (std::string_view item = opaque_of(block.opaque, kWire, kItem); !item.empty()) {
      json_.raw(item);
    }
  }
}

// The block at i, and those behind it that stood in the same item.
void RequestWriter::write_said(const std::vector<Block>& blocks, std::size_t& i) {
  std::string_view members = opaque_of(blocks[i].opaque, kWire, kMessageNote);
  std::vector<const Block*> parts = {&blocks[i]};
  while (i + 1 < blocks.size() && is_said(blocks[i + 1]) &&
         opaque_of(blocks[i + 1].opaque, kWire, kMessageNote) == "{}")
    parts.push_back(&blocks[++i]);
  json_.open('{').member("type", "message").member("role", "assistant");
  write_members(json_, members, {"type", "role", "content"});
  // One that has an id has this too; it was left out where it says nothing.
  if (!text_in(members, "id").empty() && !has_member(members, "status")) json_.member("status", "completed");
  json_.key("content");
  // One text without an id is what clients write that did not get it from here.
  if (members.empty() && parts.size() == 1) {
    write_content(parts, "output_text");
  } else {
    json_.open('[');
    for (const Block* part : parts) write_part(*part, "output_text");
    json_.close(']');
  }
  json_.close('}');
}

void RequestWriter::write_call(const Block& call) {
  std::string_view custom = opaque_of(call.opaque, kWire, kCustomCallNote);
  if (custom.empty()) {
    json_.open('{').member("type", kFunctionCall);
    write_members(json_, opaque_of(call.opaque, kWire, kCallNote), {"type", "call_id", "name", "arguments"});
    json_.member("call_id", call.id).member("name", call.name);
    json_.member("arguments", call.arguments.empty() ? "{}" : call.arguments).close('}');
  } else {
    custom_calls_.insert(call.id);
    json_.open('{').member("type", kCustomCall);
    write_members(json_, custom, {"type", "call_id", "name", "input"});
    json_.member("call_id", call.id).member("name", call.name);
    json_.member("input", input_of_arguments(call.arguments)).close('}');
  }
}

void RequestWriter::write_result(const Block& result) {
  std::string_view custom = opaque_of(result.opaque, kWire, kCustomOutputNote);
  const bool is_custom = !custom.empty() || custom_calls_.contains(result.id);
  json_.open('{').member("type", is_custom ? kCustomOutput : kFunctionOutput);
  write_members(json_, is_custom ? custom : opaque_of(result.opaque, kWire, kOutputNote),
                {"type", "call_id", "output"});
  json_.member("call_id", result.id).key("output");
  std::vector<const Block*> parts;
  for (const Block& block : result.content)
    if (is_part(block)) parts.push_back(&block);
  write_content(parts, "input_text");
  json_.close('}');
}

void RequestWriter::write_content(const std::vector<const Block*>& blocks, std::string_view text_type) {
  const bool plain =
      blocks.size() == 1 && blocks[0]->kind == Block::Kind::text && !has_opaque_of(blocks[0]->opaque, kWire);
  if (blocks.empty() || plain) {
    json_.string(plain ? blocks[0]->text : "");
    return;
  }
  json_.open('[');
  for (const Block* block : blocks) write_part(*block, text_type);
  json_.close(']');
}

void RequestWriter::write_part(const Block& block, std::string_view text_type) {
  if (block.kind == Block::Kind::other) {
    json_.raw(opaque_of(block.opaque, kWire, kPart));
    return;
  }
  std::string_view detail = opaque_of(block.opaque, kWire, "detail");
  json_.open('{');
  if (block.kind == Block::Kind::image)
    json_.member("type", "input_image")
        .member("image_url", image_url(block))
        .key("detail")
        .raw(detail.empty() ? R"("auto")" : detail);
  else if (block.kind == Block::Kind::refusal && text_type == "output_text")
    json_.member("type", "refusal").member("refusal", block.text);
  else
    json_.member("type", text_type).member("text", block.text);
  // Answers always have it, if only an empty one.
  if (block.kind == Block::Kind::text && text_type == "output_text" &&
      opaque_of(block.opaque, kWire, "annotations").empty())
    json_.key("annotations").raw("[]");
  write_rest(json_, block.opaque, kWire,
             {"type", "text", "refusal", "image_url", block.kind == Block::Kind::image ? "detail" : ""});
  json_.close('}');
}

void RequestWriter::write_tools() {
  std::string_view others = opaque_of(request_.opaque, kWire, kTools);
  if (request_.tools.empty() && others.empty()) return;
  json_.key("tools").open('[');
  for (const chat::Tool& tool : request_.tools) write_tool(tool);
  if (others.size() > 2) json_.raw(others.substr(1, others.size() - 2));
  json_.close(']');
}

void RequestWriter::write_tool(const chat::Tool& tool) {
  std::string_view custom = opaque_of(tool.opaque, kWire, kCustom);
  json_.open('{').member("type", custom.empty() ? "function" : "custom").member("name", tool.name);
  if (!tool.description.empty()) json_.member("description", tool.description);
  if (!custom.empty()) {
    write_members(json_, custom);
    json_.close('}');
    return;
  }
  if (!tool.parameters.empty())
    json_.key("parameters").raw(tool.parameters);
  else if (opaque_of(tool.opaque, kWire, "parameters").empty())
    json_.key("parameters").null();
  // Strict is what this wire takes for granted, and what no other one does: a schema that was not made for it would be
  // refused.
  if (opaque_of(tool.opaque, kWire, "strict").empty())
    json_.key("strict").boolean(opaque_of(tool.opaque, "openai-chat", "strict") == "true");
  write_rest(json_, tool.opaque, kWire);
  json_.close('}');
}

void RequestWriter::write_options() {
  if (request_.parallel_calls) json_.key("parallel_tool_calls").boolean(*request_.parallel_calls);
  if (request_.max_output_tokens) json_.key("max_output_tokens").number(*request_.max_output_tokens);
  if (request_.temperature) json_.key("temperature").number(*request_.temperature);
  if (request_.top_p) json_.key("top_p").number(*request_.top_p);
  std::string_view rest = opaque_of(request_.opaque, kWire, kReasoningNote);
  if (!request_.reasoning_effort.empty() || !rest.empty()) {
    json_.key("reasoning").open('{');
    if (!request_.reasoning_effort.empty()) json_.member("effort", request_.reasoning_effort);
    write_members(json_, rest, {request_.reasoning_effort.empty() ? "" : "effort"});
    json_.close('}');
  }
  if (request_.stream) json_.key("stream").boolean(true);
}

}  // namespace
}  // namespace openai_responses

std::string write_openai_responses_request(const chat::Request& request) {
  return openai_responses::RequestWriter(request).write();
}

}  // namespace BELAY_NAMESPACE::wire
