// Requests of Ollama's /api/chat, written.
#include "wire/body.h"
#include "wire/ollama.h"

#include <algorithm>
#include <map>

namespace BELAY_NAMESPACE::wire::ollama {
namespace {

using chat::Block;
using chat::Message;
using chat::Role;
using Kind = chat::Block::Kind;

class RequestWriter {
 public:
  explicit RequestWriter(const chat::Request& request) : request_(request), out_(body_) {}
  std::string write();

 private:
  void write_message(const Message& message);
  void write_result(const Block& result, const Message& message);
  void write_tools();
  void write_options();
  void write_think();

  const chat::Request& request_;
  std::string body_;
  JsonText out_;
  std::map<std::string, std::string, std::less<>> names_;  // of the calls, by id
};

bool is_image(const Block& b) { return b.kind == Kind::image && image_data(b).has_value(); }

// Pictures travel as base64 beside the text. One that has only an address is named in it. Blocks in what a model said
// are where its wire cut it.
std::string content_text(const std::vector<Block>& blocks, Role role) {
  std::string text = joined_text(blocks, role == Role::assistant ? "" : "\n");
  for (const Block& b : blocks)
    if (b.kind == Kind::image && !is_image(b) && !b.url.empty())
      text += (text.empty() ? "[image: " : "\n[image: ") + b.url + "]";
  return text;
}

void write_images(JsonText& out, const std::vector<Block>& blocks) {
  if (std::ranges::none_of(blocks, is_image)) return;
  out.key("images").open('[');
  for (const Block& b : blocks)
    if (auto image = b.kind == Kind::image ? image_data(b) : std::nullopt) out.string(image->data);
  out.close(']');
}

// There is no flag for errors here: the text has to say it.
void RequestWriter::write_result(const Block& b, const Message& message) {
  std::string text = content_text(b.content, Role::tool);
  if (b.is_error && !text.starts_with("Error") && !text.starts_with("error")) text = "Error: " + text;
  out_.open('{').member("role", "tool").member("content", text);
  std::string_view name = b.name;
  if (auto call = names_.find(b.id); name.empty() && call != names_.end()) name = call->second;
  if (!name.empty()) out_.member("tool_name", name);
  if (!b.id.empty() && opaque_of(b.opaque, kName, kId).empty()) out_.member("tool_call_id", b.id);
  write_images(out_, b.content);
  if (message.blocks.size() == 1) write_rest(out_, message.opaque, kName);
  out_.close('}');
}

void RequestWriter::write_message(const Message& m) {
  bool rest = m.role != Role::tool && m.blocks.empty();
  for (const Block& b : m.blocks) {
    if (b.kind == Kind::tool_result)
      write_result(b, m);
    else
      rest = true;
  }
  if (!rest) return;
  std::string thinking, calls;
  JsonText list(calls);
  std::uint64_t index = 0;
  for (const Block& b : m.blocks) {
    // Not what other wires signed: it is theirs.
    if (b.kind == Kind::reasoning && b.opaque.empty()) thinking += b.text;
    if (b.kind != Kind::tool_call) continue;
    names_[b.id] = b.name;
    write_call(list, b, index++);
  }
  std::string_view role = m.role == Role::assistant ? "assistant" : m.role == Role::system ? "system" : "user";
  out_.open('{').member("role", role).member("content", content_text(m.blocks, m.role));
  if (!thinking.empty()) out_.member("thinking", thinking);
  write_images(out_, m.blocks);
  if (!calls.empty()) out_.key("tool_calls").open('[').raw(calls).close(']');
  write_rest(out_, m.opaque, kName);
  out_.close('}');
}

void RequestWriter::write_tools() {
  // Without a word for it, a model that must not call is not told of tools.
  bool none = request_.tool_choice && request_.tool_choice->kind == chat::ToolChoice::Kind::none;
  if (request_.tools.empty() || none) return;
  out_.key("tools").open('[');
  for (const chat::Tool& tool : request_.tools) {
    out_.open('{');
    if (opaque_of(tool.opaque, kName, "type").empty()) out_.member("type", "function");
    out_.key("function").open('{').member("name", tool.name);
    if (!tool.description.empty()) out_.member("description", tool.description);
    std::string_view members = opaque_of(tool.opaque, kName, "@function");
    if (!tool.parameters.empty())
      out_.key("parameters").raw(tool.parameters);
    else if (!has_member(members, "parameters"))
      out_.key("parameters").raw(R"({"type":"object","properties":{}})");
    write_members(out_, members);
    out_.close('}');
    write_rest(out_, tool.opaque, kName);
    out_.close('}');
  }
  out_.close(']');
}

void RequestWriter::write_options() {
  const chat::Request& r = request_;
  std::string options;
  JsonText json(options);
  json.open('{');
  if (r.max_output_tokens) json.key("num_predict").number(*r.max_output_tokens);
  if (r.temperature) json.key("temperature").number(*r.temperature);
  if (r.top_p) json.key("top_p").number(*r.top_p);
  if (!r.stop.empty()) {
    json.key("stop").open('[');
    for (const std::string& s : r.stop) json.string(s);
    json.close(']');
  }
  write_members(json, opaque_of(r.opaque, kName, "@options"));
  json.close('}');
  if (options != "{}") out_.key("options").raw(options);
}

void RequestWriter::write_think() {
  const std::string& effort = request_.reasoning_effort;
  if (effort.empty() || !opaque_of(request_.opaque, kName, "think").empty()) return;
  out_.member("think", effort == "high" || effort == "medium" ? effort : "low");
}

std::string RequestWriter::write() {
  out_.open('{').member("model", request_.model).key("messages").open('[');
  for (const Message& m : request_.messages) write_message(m);
  out_.close(']');
  write_tools();
  write_options();
  write_think();
  out_.key("stream").boolean(request_.stream);  // true is the default there
  write_rest(out_, request_.opaque, kName);
  out_.close('}');
  return std::move(body_);
}

}  // namespace

void write_call(JsonText& out, const Block& call, std::uint64_t index) {
  out.open('{');
  if (!call.id.empty() && opaque_of(call.opaque, kName, kId).empty()) out.member("id", call.id);
  out.key("function").open('{').key("index").number(index).member("name", call.name);
  out.key("arguments").raw(object_text(call.arguments));
  write_members(out, opaque_of(call.opaque, kName, "@function"));
  out.close('}');
  write_rest(out, call.opaque, kName);
  out.close('}');
}

std::string write_request(const chat::Request& request) { return RequestWriter(request).write(); }

}  // namespace BELAY_NAMESPACE::wire::ollama
