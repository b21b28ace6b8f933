// A file of tools: names and schemas, in any of the forms that providers use.
#pragma once

#include <belay/base.h>
#include <belay/schema.h>
#include <belay/turn.h>

#include <deque>
#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace belay::cli {

/// Tools with compiled schemas. `known` points into `schemas`: keep the object still.
struct ToolSet {
  std::unique_ptr<const schema::Regexes> regexes;
  std::deque<schema::Schema> schemas;
  std::vector<turn::KnownTool> known;
  std::vector<text::Tool> shapes;
};

/// Reads a JSON array of OpenAI's, Anthropic's, Gemini's or MCP's tool objects, or plain {name, parameters}; also one
/// such tool, an object that has the array as `tools`, and an MCP server's answer to tools/list. The error names the
/// file, the tool, what is wrong and how to go on.
std::expected<std::unique_ptr<ToolSet>, std::string> read_tools(const std::string& path, const Limits& limits);

}  // namespace belay::cli
