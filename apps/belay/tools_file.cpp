#include "tools_file.h"

#include "io.h"

#include <belay/json/reader.h>
#include <belay/regex.h>

namespace belay::cli {
namespace {

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

std::expected<void, std::string> add_tool(ToolSet& set, json::Value tool, const Limits& limits) {
  if (auto function = tool.find("function"); function && function->is_object()) tool = *function;
  auto name = tool.find("name");
  if (!name || !name->is_string() || name->as_string().empty())
    return std::unexpected("a tool has no name; it must be an object with a name");
  call::KnownTool known;
  known.name = name->as_string();
  if (auto parameters = schema_of(tool)) {
    schema::CompileOptions options;
    options.regexes = set.regexes.get();
    options.limits = limits;
    auto compiled = schema::Schema::compile(*parameters, options);
    if (!compiled)
      return std::unexpected("the schema of " + known.name + " cannot be used: " +
                             (compiled.error().where.empty() ? "" : compiled.error().where + ": ") +
                             compiled.error().message);
    set.schemas.push_back(std::move(*compiled));
    known.parameters = &set.schemas.back();
  }
  text::Tool shape;
  shape.name = known.name;
  if (auto parameters = schema_of(tool)) shape.parameters = text::shape_of(*parameters);
  set.shapes.push_back(std::move(shape));
  set.known.push_back(std::move(known));
  return {};
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
    return std::unexpected(path + ": this is not JSON: " + reading.error.message + " (line " +
                           std::to_string(reading.error.position.line) + ", column " +
                           std::to_string(reading.error.position.column) + ")");
  json::Value list = reading.document.root();
  if (list.is_object())
    if (auto inner = list.find("tools")) list = *inner;
  if (!list.is_array()) return std::unexpected(path + ": a JSON array of tools is wanted");
  auto set = std::make_unique<ToolSet>();
  set->regexes = regex::make_regexes();
  for (json::Value tool : list.items()) {
    // Gemini lists several in one object.
    auto several = tool.find("functionDeclarations");
    if (several && several->is_array()) {
      for (json::Value one : several->items())
        if (auto added = add_tool(*set, one, limits); !added) return std::unexpected(path + ": " + added.error());
    } else if (auto added = add_tool(*set, tool, limits); !added) {
      return std::unexpected(path + ": " + added.error());
    }
  }
  return set;
}

}  // namespace belay::cli
