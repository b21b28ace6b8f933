// Requests of OpenAI Chat Completions, written.
#include "wire/openai_chat.h"
#include "wire/openai_parts.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::wire {
namespace openai_chat {
namespace {

using chat::Block;
using chat::Role;

class RequestWriter {
 public:
  explicit RequestWriter(const chat::Request& request) : request_(request), json_(out_) {}
  std::string write();

 private:
  void write_messages();
  void write_system(const chat::Message& message);
  void write_assistant(const chat::Message& message);
  void write_said(const chat::Message& message, bool calls);
  void write_thoughts(const chat::Message& message);
  void write_user(const chat::Message& message);
  void write_result(const Block& result);
  void write_waiting_images();
  void write_part(const Block& block);
  void write_parts(const std::vector<const Block*>& blocks);
  void write_tools();
  void write_tool(const chat::Tool& tool);
  void write_numbers();

  const chat::Request& request_;
  std::string out_;
  JsonText json_;
  std::vector<const Block*> waiting_;  // results whose images are still to be sent
};

// What a content part can be made of. Things of other wires are left out.
bool is_part(const Block& block) {
  switch (block.kind) {
    case Block::Kind::text:
    case Block::Kind::image: return true;
    case Block::Kind::other: return !opaque_of(block.opaque, kWire, kPart).empty();
    default: return false;
  }
}

bool is_plain_text(const Block& block) {
  return block.kind == Block::Kind::text && std::none_of(block.opaque.begin(), block.opaque.end(), [](const auto& o) {
           return o.wire == kWire && o.key != kDetails;
         });
}

std::string RequestWriter::write() {
  json_.open('{').member("model", request_.model);
  write_messages();
  write_tools();
  if (request_.tool_choice) write_tool_choice(json_, *request_.tool_choice, true);
  write_numbers();
  // What was of the wrong kind stands there as it came, unless something took its place.
  const chat::Request& r = request_;
  write_rest(json_, r.opaque, kWire,
             {r.tool_choice ? "tool_choice" : "", r.parallel_calls ? "parallel_tool_calls" : "",
              r.temperature ? "temperature" : "", r.top_p ? "top_p" : "", r.stop.empty() ? "" : "stop",
              r.reasoning_effort.empty() ? "" : "reasoning_effort", r.stream ? "stream" : "",
              r.max_output_tokens ? "max_tokens" : "", r.max_output_tokens ? "max_completion_tokens" : ""});
  json_.close('}');
  return std::move(out_);
}

void RequestWriter::write_messages() {
  json_.key("messages").open('[');
  for (const chat::Message& message : request_.messages) {
    // Results have to follow their calls at once; what they showed comes behind the last of them.
    if (message.role != Role::tool) write_waiting_images();
    switch (message.role) {
      case Role::system: write_system(message); break;
      case Role::assistant: write_assistant(message); break;
      case Role::user:
      case Role::tool: write_user(message); break;
    }
  }
  write_waiting_images();
  json_.close(']');
}

void RequestWriter::write_system(const chat::Message& message) {
  std::vector<const Block*> parts;
  std::string text;
  bool plain = opaque_of(message.opaque, kWire, kParts).empty();
  for (const Block& block : message.blocks) {
    if (!is_part(block)) continue;
    plain = plain && is_plain_text(block);
    if (!text.empty()) text += "\n\n";
    text += block.text;
    parts.push_back(&block);
  }
  std::string_view role = opaque_of(message.opaque, kWire, kRole);
  json_.open('{').key("role").raw(role.empty() ? R"("system")" : role).key("content");
  if (plain)
    json_.string(text);
  else
    write_parts(parts);
  write_rest(json_, message.opaque, kWire);
  json_.close('}');
}

void RequestWriter::write_assistant(const chat::Message& message) {
  std::vector<const Block*> calls;
  for (const Block& block : message.blocks)
    if (block.kind == Block::Kind::tool_call || !opaque_of(block.opaque, kWire, kToolCall).empty())
      calls.push_back(&block);
  json_.open('{').member("role", "assistant");
  write_said(message, !calls.empty());
  write_thoughts(message);
  if (!calls.empty()) {
    json_.key("tool_calls").open('[');
    for (const Block* call : calls) {
      if (call->kind == Block::Kind::other) {
        json_.raw(opaque_of(call->opaque, kWire, kToolCall));
      } else {
        json_.open('{');
        write_call(json_, *call);
        json_.close('}');
      }
    }
    json_.close(']');
  }
  write_message_rest(json_, message);
  json_.close('}');
}

void RequestWriter::write_said(const chat::Message& message, bool calls) {
  const bool listed = !opaque_of(message.opaque, kWire, kParts).empty();
  std::vector<const Block*> parts;
  bool plain = !listed;
  for (const Block& block : message.blocks) {
    // Images have no place in what the model said.
    if (block.kind == Block::Kind::image) continue;
    if (!is_part(block) && !(listed && block.kind == Block::Kind::refusal)) continue;
    plain = plain && is_plain_text(block);
    parts.push_back(&block);
  }
  json_.key("content");
  if (!plain)
    write_parts(parts);
  else if (parts.empty() && calls)
    json_.null();
  else
    json_.string(joined_texts(message.blocks, Block::Kind::text));
  std::string refusal = listed ? std::string() : joined_texts(message.blocks, Block::Kind::refusal);
  if (!refusal.empty()) json_.member("refusal", refusal);
}

void RequestWriter::write_thoughts(const chat::Message& message) {
  std::string thought;
  for (const Block& block : message.blocks) {
    // What another wire signed is that wire's; here it would be an unknown member at best.
    const bool foreign =
        std::any_of(block.opaque.begin(), block.opaque.end(), [](const chat::Opaque& o) { return o.wire != kWire; });
    if (block.kind == Block::Kind::reasoning && !foreign) thought += block.text;
  }
  if (!thought.empty()) json_.member("reasoning_content", thought);
}

void RequestWriter::write_user(const chat::Message& message) {
  std::vector<const Block*> parts;
  bool results = false, whole = false;
  for (const Block& block : message.blocks) {
    if (block.kind == Block::Kind::tool_result) {
      write_result(block);
      results = true;
    } else if (is_part(block)) {
      parts.push_back(&block);
    } else if (std::string_view raw = opaque_of(block.opaque, kWire, kMessage); !raw.empty()) {
      json_.raw(raw);
      whole = true;
    }
  }
  // A message that holds only what this wire cannot say is not said.
  if (parts.empty() && (results || whole || !message.blocks.empty())) return;
  if (results) write_waiting_images();
  json_.open('{').member("role", "user").key("content");
  if (parts.empty())
    json_.string("");
  else if (parts.size() == 1 && is_plain_text(*parts[0]))
    json_.string(parts[0]->text);
  else
    write_parts(parts);
  write_rest(json_, message.opaque, kWire);
  json_.close('}');
}

void RequestWriter::write_result(const Block& result) {
  std::vector<const Block*> parts;
  std::string text;
  bool plain = opaque_of(result.opaque, kWire, kParts).empty(), images = false;
  for (const Block& block : result.content) {
    images |= block.kind == Block::Kind::image;
    if (!is_part(block) || block.kind == Block::Kind::image) continue;
    plain = plain && is_plain_text(block);
    if (!text.empty()) text += '\n';
    text += block.text;
    parts.push_back(&block);
  }
  if (images) waiting_.push_back(&result);
  if (images && parts.empty()) text = "The result is an image; it follows in the next message.";
  json_.open('{').member("role", "tool").member("tool_call_id", result.id).key("content");
  if (plain || parts.empty())
    json_.string(text);
  else
    write_parts(parts);
  write_rest(json_, result.opaque, kWire);
  json_.close('}');
}

// This wire takes no image in a result: the images of a turn's results follow as one message of the user.
void RequestWriter::write_waiting_images() {
  if (waiting_.empty()) return;
  json_.open('{').member("role", "user").key("content").open('[');
  for (const Block* result : waiting_) {
    json_.open('{').member("type", "text").member("text", "Image of the tool result " + result->id + ":").close('}');
    for (const Block& block : result->content)
      if (block.kind == Block::Kind::image) write_part(block);
  }
  json_.close(']').close('}');
  waiting_.clear();
}

void RequestWriter::write_part(const Block& block) {
  if (block.kind == Block::Kind::other) {
    json_.raw(opaque_of(block.opaque, kWire, kPart));
    return;
  }
  json_.open('{');
  if (block.kind == Block::Kind::image) {
    json_.member("type", "image_url").key("image_url").open('{').member("url", image_url(block));
    write_members(json_, opaque_of(block.opaque, kWire, kInner), {"url"});
    json_.close('}');
  } else {
    std::string_view type = block.kind == Block::Kind::refusal ? "refusal" : "text";
    json_.member("type", type).member(type, block.text);
  }
  write_rest(json_, block.opaque, kWire, {kDetails});
  json_.close('}');
}

void RequestWriter::write_parts(const std::vector<const Block*>& blocks) {
  json_.open('[');
  for (const Block* block : blocks) write_part(*block);
  json_.close(']');
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
  std::string_view type = custom.empty() ? "function" : "custom";
  json_.open('{').member("type", type).key(type).open('{').member("name", tool.name);
  if (!tool.description.empty()) json_.member("description", tool.description);
  if (custom.empty()) {
    if (!tool.parameters.empty()) json_.key("parameters").raw(tool.parameters);
    write_rest(json_, tool.opaque, kWire);
    // Both of OpenAI's wires mean the same by it.
    if (opaque_of(tool.opaque, kWire, "strict").empty())
      if (opaque_of(tool.opaque, "openai-responses", "strict") == "true") json_.key("strict").boolean(true);
  } else {
    write_members(json_, custom);
  }
  json_.close('}');
  write_members(json_, opaque_of(tool.opaque, kWire, kOuter), {"type", "function", "custom"});
  json_.close('}');
}

void RequestWriter::write_numbers() {
  const Opaques& opaques = request_.opaque;
  if (request_.parallel_calls) json_.key("parallel_tool_calls").boolean(*request_.parallel_calls);
  if (request_.max_output_tokens)
    json_.key(opaque_of(opaques, kWire, kMaxTokens).empty() ? "max_completion_tokens" : "max_tokens")
        .number(*request_.max_output_tokens);
  if (request_.temperature) json_.key("temperature").number(*request_.temperature);
  if (request_.top_p) json_.key("top_p").number(*request_.top_p);
  if (!request_.stop.empty()) {
    json_.key("stop").open('[');
    for (const std::string& stop : request_.stop) json_.string(stop);
    json_.close(']');
  }
  if (!request_.reasoning_effort.empty()) json_.member("reasoning_effort", request_.reasoning_effort);
  if (request_.stream) json_.key("stream").boolean(true);
  const bool said =
      !opaque_of(opaques, kWire, "stream_options").empty() || !opaque_of(opaques, kWire, kNoOptions).empty();
  if (request_.stream && !said) json_.key("stream_options").raw(kUsageWanted);
}

}  // namespace
}  // namespace openai_chat

std::string write_openai_chat_request(const chat::Request& request) {
  return openai_chat::RequestWriter(request).write();
}

}  // namespace BELAY_NAMESPACE::wire
