// What a server gives, as each version writes it.
#include <belay/mcp/server_session.h>

#include "mcp/object.h"

#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

std::string annotations_text(const OfferedTool& tool) {
  Object out;
  if (!tool.title.empty()) out.text("title", tool.title);
  const std::pair<std::string_view, std::optional<bool>> hints[] = {{"readOnlyHint", tool.hints.read_only},
                                                                    {"destructiveHint", tool.hints.destructive},
                                                                    {"idempotentHint", tool.hints.idempotent},
                                                                    {"openWorldHint", tool.hints.open_world}};
  for (const auto& [key, value] : hints)
    if (value) out.boolean(key, *value);
  return out.empty() ? std::string() : out.done();
}

std::string block_text(const chat::Block& block) {
  if (block.kind == chat::Block::Kind::image)
    return Object().text("type", "image").text("data", block.data).text("mimeType", block.media_type).done();
  return Object().text("type", "text").text("text", block.text).done();
}

}  // namespace

std::string tools_result(const std::vector<OfferedTool>& tools, Version version) {
  std::string list = "[";
  for (const OfferedTool& tool : tools) {
    if (list.size() > 1) list += ',';
    Object one;
    one.text("name", tool.name);
    if (version >= Version::v2025_06_18 && !tool.title.empty()) one.text("title", tool.title);
    one.text("description", tool.description).raw("inputSchema", tool.input_schema);
    if (version >= Version::v2025_06_18 && !tool.output_schema.empty()) one.raw("outputSchema", tool.output_schema);
    if (const std::string hints = annotations_text(tool); version >= Version::v2025_03_26 && !hints.empty())
      one.raw("annotations", hints);
    list += one.done();
  }
  Object out;
  if (stateless(version)) out.text("resultType", "complete");
  return out.raw("tools", list + "]").done();
}

std::string call_result_text(const CallOutcome& outcome, Version version) {
  std::string content = "[";
  for (const chat::Block& block : outcome.result.content) {
    if (content.size() > 1) content += ',';
    content += block_text(block);
  }
  Object out;
  if (stateless(version)) out.text("resultType", "complete");
  out.raw("content", content + "]");
  if (version >= Version::v2025_06_18 && !outcome.structured.empty()) out.raw("structuredContent", outcome.structured);
  return out.boolean("isError", outcome.result.is_error).done();
}

}  // namespace BELAY_NAMESPACE::mcp
