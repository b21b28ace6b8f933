#include "tools_file.h"

#include "io.h"
#include "terminal.h"
#include "words.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>
#include <belay/regex.h>
#include <belay/wire.h>

#include <algorithm>

namespace belay::cli {
namespace {

using Done = std::expected<void, std::string>;

std::expected<std::string, std::string> read_all(const std::string& path) {
  auto input = Input::open(path, 0);
  if (!input) return std::unexpected(input.error());
  std::string text;
  while (true) {
    auto piece = input->next();
    if (!piece) return std::unexpected(piece.error());
    if (piece->empty()) return text;
    text += *piece;
  }
}

std::optional<json::Value> schema_of(json::Value tool) {
  for (std::string_view key : {"parameters", "input_schema", "inputSchema", "parametersJsonSchema"})
    if (auto v = tool.find(key); v && (v->is_object() || v->is_bool())) return v;
  return std::nullopt;
}

Done add(ToolSet& set, std::string_view name, std::optional<json::Value> parameters, const Limits& limits) {
  if (std::ranges::find(set.known, name, &turn::KnownTool::name) != set.known.end())
    return std::unexpected("the name " + clipped(name, 60) + " is taken by a tool before it; names must differ");
  turn::KnownTool known;
  known.name = name;
  text::Tool shape;
  shape.name = name;
  if (parameters) {
    schema::CompileOptions options;
    options.regexes = set.regexes.get();
    options.limits = limits;
    auto compiled = schema::Schema::compile(*parameters, options);
    if (!compiled)
      return std::unexpected(
          "the schema of " + known.name +
          " cannot be used: " + (compiled.error().where.empty() ? "" : compiled.error().where + ": ") +
          for_shell(compiled.error().message) + "; take that keyword out of it, or leave the tool out, and run again");
    set.schemas.push_back(std::move(*compiled));
    known.parameters = &set.schemas.back();
    shape.parameters = text::shape_of(*parameters);
  }
  set.shapes.push_back(std::move(shape));
  set.known.push_back(std::move(known));
  return {};
}

Done add_tool(ToolSet& set, json::Value tool, const Limits& limits) {
  if (auto function = tool.find("function"); function && function->is_object()) tool = *function;
  auto name = tool.find("name");
  if (!name || !name->is_string() || name->as_string().empty())
    return std::unexpected("it has no name; a tool is an object with a name");
  return add(set, name->as_string(), schema_of(tool), limits);
}

// Gemini's declarations: several in one object, and their schemas in words of their own. The wire knows those.
Done add_declarations(ToolSet& set, json::Value tool, const Limits& limits) {
  json::ReaderOptions options;
  options.limits = limits;
  options.limits.depth = kUnlimited;  // the file was inside its limit
  json::Reading body = json::read("{\"contents\":[],\"tools\":[" + json::to_string(tool) + "]}", options);
  auto request = wire::decode_request(wire::Wire::gemini, body.document.root());
  if (!request) return std::unexpected(request.error().path + ": " + request.error().message);
  for (const chat::Tool& one : request->tools) {
    if (one.name.empty()) return std::unexpected("one of its function declarations has no name");
    json::Reading schema = json::read(one.parameters, options);
    std::optional<json::Value> parameters;
    if (!one.parameters.empty()) parameters = schema.document.root();
    if (auto added = add(set, one.name, parameters, limits); !added) return added;
  }
  return {};
}

bool declares(json::Value tool) { return tool.find("functionDeclarations") || tool.find("function_declarations"); }

// The list of tools in a file: the file itself, a request's `tools`, what an MCP server answers to tools/list, or one
// tool.
json::Value list_in(json::Value root) {
  if (auto result = root.find("result"); result && result->is_object()) root = *result;
  if (auto inner = root.find("tools"); inner && inner->is_array()) return *inner;
  return root;
}

}  // namespace

std::expected<std::unique_ptr<ToolSet>, std::string> read_tools(const std::string& path, const Limits& limits) {
  auto text = read_all(path);
  if (!text) return std::unexpected(text.error());
  json::ReaderOptions options;
  options.mode = json::Mode::strict;
  options.limits = limits;
  json::Reading reading = json::read(*text, options);
  if (reading.verdict.word() != json::Word::valid)
    return std::unexpected(path + ": this is not JSON: " + for_shell(reading.error.message) + " (line " +
                           std::to_string(reading.error.position.line) + ", column " +
                           std::to_string(reading.error.position.column) + ")");
  const json::Value list = list_in(reading.document.root());
  auto set = std::make_unique<ToolSet>();
  set->regexes = regex::make_regexes();
  auto take = [&](json::Value tool) {
    return declares(tool) ? add_declarations(*set, tool, limits) : add_tool(*set, tool, limits);
  };
  if (list.is_object()) {
    if (auto added = take(list); !added) return std::unexpected(path + ": " + added.error());
    return set;
  }
  if (!list.is_array()) return std::unexpected(path + ": a JSON array of tools is wanted, or one tool");
  for (std::size_t n = 1; json::Value tool : list.items()) {
    if (auto added = take(tool); !added)
      return std::unexpected(path + ": tool " + std::to_string(n) + " of " + std::to_string(list.size()) + ": " +
                             added.error());
    ++n;
  }
  return set;
}

}  // namespace belay::cli
