// Requests of Gemini, read.
#include "wire/gemini.h"

#include <belay/json/writer.h>

namespace BELAY_NAMESPACE::wire::gemini {
namespace {

using chat::Block;
using chat::Message;
using chat::Role;
using Spelling = ObjectReader::Spelling;

// What the model said, piece by piece, as one block: clients keep every event of a stream as a content of its own.
bool continues(const Block& b, const Block& last) {
  bool prose = b.kind == Block::Kind::text || b.kind == Block::Kind::reasoning;
  return prose && b.kind == last.kind && last.opaque.empty();
}

// A content's parts. Results are a role of their own. Contents of the model that follow each other are one turn, and so
// are results.
std::optional<WireError> read_content(json::Value value, const std::string& path, Role role, CallIds& ids,
                                      std::vector<Message>& messages) {
  if (!value.is_object()) return WireError{path, "must be an object"};
  ObjectReader content(value, Spelling::camel_or_snake);
  std::string_view word = content.text("role").value_or("user");
  if (role != Role::system) {
    if (word != "user" && word != "model" && word != "function")
      return WireError{below(path, "role"), "must be user or model"};
    role = word == "model" ? Role::assistant : Role::user;
  }
  auto parts = content.any("parts");
  if (!parts || parts->is_null()) return std::nullopt;
  bool first = true;
  std::size_t at = 0;
  auto add = [&](json::Value part) -> std::optional<WireError> {
    if (!part.is_object()) return WireError{below(below(path, "parts"), at), "must be an object"};
    ++at;
    Block b = read_part(part, ids);
    Role mine = b.kind == Block::Kind::tool_result ? Role::tool : role;
    bool joins = !messages.empty() && messages.back().role == mine && (!first || mine != Role::user);
    if (!joins) messages.push_back({mine, {}, {}});
    std::vector<Block>& blocks = messages.back().blocks;
    if (mine == Role::assistant && !blocks.empty() && continues(b, blocks.back())) {
      blocks.back().text += b.text;
      blocks.back().opaque = std::move(b.opaque);
    } else {
      blocks.push_back(std::move(b));
    }
    first = false;
    return std::nullopt;
  };
  if (parts->is_object()) return add(*parts);
  if (!parts->is_array()) return WireError{below(path, "parts"), "must be a list of parts"};
  for (json::Value part : parts->items())
    if (auto error = add(part)) return error;
  return std::nullopt;
}

std::optional<WireError> read_contents(json::Value contents, CallIds& ids, std::vector<Message>& messages) {
  if (contents.is_object()) return read_content(contents, "/contents", Role::user, ids, messages);
  if (!contents.is_array()) return WireError{"/contents", "must be a list"};
  std::size_t at = 0;
  for (json::Value content : contents.items())
    if (auto error = read_content(content, below("/contents", at++), Role::user, ids, messages)) return error;
  return std::nullopt;
}

void read_declaration(json::Value value, std::vector<chat::Tool>& tools) {
  ObjectReader fields(value, Spelling::camel_or_snake);
  chat::Tool tool;
  tool.name = fields.text("name").value_or("");
  tool.description = fields.text("description").value_or("");
  if (auto schema = fields.object("parametersJsonSchema"))
    tool.parameters = json::to_string(*schema);
  else if (auto own = fields.object("parameters"))
    tool.parameters = json_schema(*own);
  fields.keep_rest(kName, tool.opaque);
  tools.push_back(std::move(tool));
}

// Declarations, and beside them tools that the server runs itself.
std::optional<WireError> read_tools(json::Value list, chat::Request& request) {
  std::string own;
  JsonText json(own);
  json.open('[');
  std::size_t at = 0;
  for (json::Value value : list.items()) {
    std::string path = below("/tools", at++);
    if (!value.is_object()) return WireError{path, "must be an object"};
    ObjectReader fields(value, Spelling::camel_or_snake);
    if (auto declarations = fields.array("functionDeclarations"))
      for (json::Value declaration : declarations->items()) {
        if (!declaration.is_object()) return WireError{below(path, "functionDeclarations"), "must hold objects"};
        read_declaration(declaration, request.tools);
      }
    Opaques rest;
    fields.keep_rest_as("tool", kName, rest);
    for (const chat::Opaque& o : rest) json.raw(o.json);
  }
  json.close(']');
  if (own != "[]") request.opaque.push_back({std::string(kName), "@tools", std::move(own)});
  return std::nullopt;
}

// AUTO, NONE, ANY, and ANY with one name are known to every wire; everything else is kept.
void read_calling(json::Value value, chat::Request& request) {
  using Kind = chat::ToolChoice::Kind;
  ObjectReader config(value, Spelling::camel_or_snake);
  // Arguments in parts cannot be read back; without the wish for it they come whole.
  config.boolean("streamFunctionCallArguments");
  ObjectReader all = config;
  std::string_view mode = config.text("mode").value_or("AUTO");
  std::vector<std::string> names = config.texts("allowedFunctionNames").value_or(std::vector<std::string>{});
  Opaques rest;
  config.keep_rest(kName, rest);
  bool known = rest.empty() && (mode == "ANY" ? names.size() < 2 : names.empty());
  if (mode == "ANY")
    request.tool_choice = {names.size() == 1 ? Kind::named : Kind::required, names.size() == 1 ? names[0] : ""};
  else if (mode == "NONE")
    request.tool_choice = {Kind::none, {}};
  else if (mode == "AUTO")
    request.tool_choice = {Kind::automatic, {}};
  else
    known = false;
  if (!known) all.keep_rest_as("@functionCallingConfig", kName, request.opaque);
}

void read_thinking(json::Value value, chat::Request& request) {
  ObjectReader thinking(value, Spelling::camel_or_snake);
  request.reasoning_tokens = thinking.count("thinkingBudget");
  // Kept as it came, and understood as well: other wires have a word for it.
  std::string level(ObjectReader(thinking).text("thinkingLevel").value_or(""));
  for (char& c : level)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (level == "minimal" || level == "low" || level == "medium" || level == "high") request.reasoning_effort = level;
  thinking.keep_rest_as("@thinkingConfig", kName, request.opaque);
}

void read_generation(json::Value value, chat::Request& request) {
  ObjectReader config(value, Spelling::camel_or_snake);
  request.max_output_tokens = config.count("maxOutputTokens");
  request.temperature = config.number("temperature");
  request.top_p = config.number("topP");
  if (auto stop = config.texts("stopSequences")) request.stop = std::move(*stop);
  if (auto thinking = config.object("thinkingConfig")) read_thinking(*thinking, request);
  config.keep_rest_as("@generationConfig", kName, request.opaque);
}

}  // namespace

std::expected<chat::Request, WireError> read_request(json::Value body, std::string_view model) {
  if (!body.is_object()) return wrong("", "must be an object");
  chat::Request request;
  ObjectReader fields(body, Spelling::camel_or_snake);
  request.model = model.empty() ? fields.text("model").value_or("") : model;
  CallIds ids;
  if (auto system = fields.any("systemInstruction"); system && !system->is_null()) {
    if (system->is_string())
      request.messages.push_back({Role::system, {chat::text_block(std::string(system->as_string()))}, {}});
    else if (auto error = read_content(*system, "/systemInstruction", Role::system, ids, request.messages))
      return std::unexpected(*error);
  }
  auto contents = fields.any("contents");
  if (!contents) return wrong("/contents", "is missing");
  if (auto error = read_contents(*contents, ids, request.messages)) return std::unexpected(*error);
  if (auto tools = fields.any("tools"); tools && !tools->is_null()) {
    if (!tools->is_array()) return wrong("/tools", "must be a list");
    if (auto error = read_tools(*tools, request)) return std::unexpected(*error);
  }
  if (auto config = fields.object("toolConfig")) {
    ObjectReader members(*config, Spelling::camel_or_snake);
    if (auto calling = members.object("functionCallingConfig")) read_calling(*calling, request);
    members.keep_rest_as("@toolConfig", kName, request.opaque);
  }
  if (auto generation = fields.object("generationConfig")) read_generation(*generation, request);
  fields.keep_rest(kName, request.opaque);
  return request;
}

}  // namespace BELAY_NAMESPACE::wire::gemini
