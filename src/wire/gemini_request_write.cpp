// Requests of Gemini, written.
#include "wire/gemini.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>

#include <algorithm>
#include <map>

namespace BELAY_NAMESPACE::wire::gemini {
namespace {

using chat::Block;
using chat::Message;
using chat::Role;
using Spelling = ObjectReader::Spelling;

// Google's own word for calls that its model did not make: Gemini 3 refuses calls without a signature.
constexpr std::string_view kForeignSignature = R"("skip_thought_signature_validator")";

class RequestWriter {
 public:
  explicit RequestWriter(const chat::Request& request) : request_(request), out_(body_) {}
  std::string write();

 private:
  // Parts that stand in one content. The results of one turn stand together, as the API demands, and apart from the
  // rest; so does what the model said in one turn.
  struct Content {
    Role role;
    std::vector<const Block*> blocks;
  };
  [[nodiscard]] std::vector<Content> contents();
  void write_system();
  void write_contents();
  void write_tools();
  void write_tool_config();
  void write_generation();
  void write_thinking(JsonText& json) const;
  [[nodiscard]] std::string_view kept(std::string_view key) const { return opaque_of(request_.opaque, kName, key); }

  const chat::Request& request_;
  std::string body_;
  JsonText out_;
  std::map<std::string, std::string, std::less<>> names_;  // of the calls, by id
};

std::vector<RequestWriter::Content> RequestWriter::contents() {
  std::vector<Content> out;
  for (const Message& m : request_.messages) {
    if (m.role == Role::system) continue;
    bool first = true;
    for (const Block& b : m.blocks) {
      if (b.kind == Block::Kind::tool_call) names_[b.id] = b.name;
      if (!has_form(b)) continue;
      Role role = b.kind == Block::Kind::tool_result ? Role::tool : m.role;
      bool joins = !out.empty() && out.back().role == role && (!first || role != Role::user);
      if (!joins) out.push_back({role, {}});
      out.back().blocks.push_back(&b);
      first = false;
    }
  }
  return out;
}

void RequestWriter::write_system() {
  bool any = false;
  for (const Message& m : request_.messages)
    for (const Block& b : m.blocks) {
      bool call = b.kind == Block::Kind::tool_call || b.kind == Block::Kind::tool_result;
      if (m.role != Role::system || !has_form(b) || call) continue;
      if (!std::exchange(any, true)) out_.key("systemInstruction").open('{').key("parts").open('[');
      write_part(out_, b);
    }
  if (any) out_.close(']').close('}');
}

void RequestWriter::write_contents() {
  bool signs = model_version(request_.model, "gemini-") >= ModelVersion{3, 0};
  out_.key("contents").open('[');
  for (const Content& content : contents()) {
    out_.open('{').member("role", content.role == Role::assistant ? "model" : "user").key("parts").open('[');
    auto is_signed = [](const Block* b) {
      return b->kind == Block::Kind::tool_call && !opaque_of(b->opaque, kName, "thoughtSignature").empty();
    };
    // Of calls that were made together only the first has one.
    bool wants = signs && content.role == Role::assistant && std::ranges::none_of(content.blocks, is_signed);
    for (const Block* b : content.blocks) {
      auto name = b->kind == Block::Kind::tool_result ? names_.find(b->id) : names_.end();
      bool first_call = b->kind == Block::Kind::tool_call && std::exchange(wants, false);
      write_part(out_, *b, name == names_.end() ? "unknown" : std::string_view(name->second),
                 first_call ? kForeignSignature : std::string_view{});
    }
    out_.close(']').close('}');
  }
  out_.close(']');
}

void RequestWriter::write_tools() {
  json::Reading own = json::read(kept("@tools"));
  if (own.document.empty() && request_.tools.empty()) return;
  out_.key("tools").open('[');
  if (!request_.tools.empty()) {
    out_.open('{').key("functionDeclarations").open('[');
    for (const chat::Tool& tool : request_.tools) {
      out_.open('{').member("name", tool.name);
      if (!tool.description.empty()) out_.member("description", tool.description);
      if (!tool.parameters.empty()) {
        json::Reading schema = json::read(tool.parameters);
        bool plain = !schema.document.empty() && in_subset(schema.document.root());
        out_.key(plain ? "parameters" : "parametersJsonSchema").raw(tool.parameters);
      }
      write_rest(out_, tool.opaque, kName);
      out_.close('}');
    }
    out_.close(']').close('}');
  }
  if (!own.document.empty())
    for (json::Value tool : own.document.root().items()) out_.raw(json::to_string(tool));
  out_.close(']');
}

void RequestWriter::write_tool_config() {
  using Kind = chat::ToolChoice::Kind;
  std::string_view calling = kept("@functionCallingConfig"), rest = kept("@toolConfig");
  bool choice = request_.tool_choice && !request_.tools.empty();
  if (calling.empty() && rest.empty() && !choice) return;
  out_.key("toolConfig").open('{');
  if (!calling.empty()) {
    out_.key("functionCallingConfig").raw(calling);
  } else if (choice) {
    Kind kind = request_.tool_choice->kind;
    out_.key("functionCallingConfig").open('{');
    out_.member("mode", kind == Kind::automatic ? "AUTO" : kind == Kind::none ? "NONE" : "ANY");
    if (kind == Kind::named) out_.key("allowedFunctionNames").open('[').string(request_.tool_choice->name).close(']');
    out_.close('}');
  }
  write_members(out_, rest);
  out_.close('}');
}

// How much to think. Gemini 3 is told a level, the models before it a budget, and those before 2.5 do not think. The
// budgets are those that Google's OpenAI-compatible endpoint gives to the same words.
void RequestWriter::write_thinking(JsonText& json) const {
  std::string_view rest = kept("@thinkingConfig"), effort = request_.reasoning_effort;
  ModelVersion version = model_version(request_.model, "gemini-");
  json::Reading reading = json::read(rest);
  bool level = !reading.document.empty() &&
               ObjectReader(reading.document.root(), Spelling::camel_or_snake).any("thinkingLevel").has_value();
  bool thinks = version == ModelVersion{} || version >= ModelVersion{2, 5};
  bool derived = !request_.reasoning_tokens && !effort.empty() && !level && thinks;
  if (!request_.reasoning_tokens && rest.empty() && !derived) return;
  json.key("thinkingConfig").open('{');
  if (request_.reasoning_tokens) json.key("thinkingBudget").number(*request_.reasoning_tokens);
  if (derived && version >= ModelVersion{3, 0})
    json.member("thinkingLevel", effort == "high" ? "HIGH" : effort == "medium" ? "MEDIUM" : "LOW");
  else if (derived)
    json.key("thinkingBudget").number(std::uint64_t{effort == "high" ? 24576u : effort == "medium" ? 8192u : 1024u});
  write_members(json, rest);
  json.close('}');
}

void RequestWriter::write_generation() {
  const chat::Request& r = request_;
  std::string config;
  JsonText json(config);
  json.open('{');
  if (r.max_output_tokens) json.key("maxOutputTokens").number(*r.max_output_tokens);
  if (r.temperature) json.key("temperature").number(*r.temperature);
  if (r.top_p) json.key("topP").number(*r.top_p);
  if (!r.stop.empty()) {
    json.key("stopSequences").open('[');
    for (const std::string& s : r.stop) json.string(s);
    json.close(']');
  }
  write_thinking(json);
  write_members(json, kept("@generationConfig"));
  json.close('}');
  if (config != "{}") out_.key("generationConfig").raw(config);
}

std::string RequestWriter::write() {
  out_.open('{');
  write_contents();
  write_system();
  write_tools();
  write_tool_config();
  write_generation();
  write_rest(out_, request_.opaque, kName);
  out_.close('}');
  return std::move(body_);
}

}  // namespace

std::string write_request(const chat::Request& request) { return RequestWriter(request).write(); }

}  // namespace BELAY_NAMESPACE::wire::gemini
