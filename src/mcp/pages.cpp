// Lists: tools, resources, templates and prompts, a page at a time.
#include <belay/mcp/types.h>

#include "mcp/fields.h"

#include <functional>

namespace BELAY_NAMESPACE::mcp {
namespace {

template <class T, class F>
std::optional<Page<T>> page(json::Value result, std::string_view key, std::size_t most, bool& more, F&& item_of) {
  more = false;
  const auto list = result.find(key);
  if (!list || !list->is_array()) return std::nullopt;
  Page<T> out;
  for (json::Value item : list->items()) {
    if (out.items.size() >= most) {
      more = true;
      break;
    }
    if (std::optional<T> read = item.is_object() ? item_of(item) : std::nullopt)
      out.items.push_back(std::move(*read));
    else
      ++out.unusable;
  }
  out.next_cursor = text_in(result, "nextCursor");
  return out;
}

std::optional<ToolDefinition> tool_of(json::Value v) {
  ToolDefinition t;
  t.name = text_in(v, "name");
  if (t.name.empty()) return std::nullopt;
  t.title = text_in(v, "title");
  t.description = text_in(v, "description");
  t.input_schema = json_in(v, "inputSchema");
  t.output_schema = json_in(v, "outputSchema");
  if (const auto a = object_in(v, "annotations")) {
    t.annotations = json::to_string(*a);
    t.hints = {flag_in(*a, "readOnlyHint"), flag_in(*a, "destructiveHint"), flag_in(*a, "idempotentHint"),
               flag_in(*a, "openWorldHint")};
    if (t.title.empty()) t.title = text_in(*a, "title");
  }
  return t;
}

std::optional<Resource> resource_of(json::Value v) {
  Resource r{text_in(v, "uri"),         text_in(v, "name"),     text_in(v, "title"),
             text_in(v, "description"), text_in(v, "mimeType"), {}};
  if (r.uri.empty()) return std::nullopt;
  if (const auto size = v.find("size")) r.size = size->as_uint64();
  return r;
}

std::optional<ResourceTemplate> template_of(json::Value v) {
  ResourceTemplate r{text_in(v, "uriTemplate"), text_in(v, "name"), text_in(v, "title"), text_in(v, "description"),
                     text_in(v, "mimeType")};
  if (r.uri_template.empty()) return std::nullopt;
  return r;
}

std::optional<Prompt> prompt_of(json::Value v) {
  Prompt p{text_in(v, "name"), text_in(v, "title"), text_in(v, "description"), {}};
  if (p.name.empty()) return std::nullopt;
  if (const auto list = v.find("arguments"))
    for (json::Value a : list->items())
      p.arguments.push_back({text_in(a, "name"), text_in(a, "description"), flag_in(a, "required").value_or(false)});
  return p;
}

}  // namespace

std::size_t bytes_of(const ToolDefinition& t) {
  return t.name.size() + t.title.size() + t.description.size() + t.input_schema.size() + t.output_schema.size() +
         t.annotations.size();
}
std::size_t bytes_of(const Resource& r) {
  return r.uri.size() + r.name.size() + r.title.size() + r.description.size() + r.mime_type.size();
}
std::size_t bytes_of(const ResourceTemplate& r) {
  return r.uri_template.size() + r.name.size() + r.title.size() + r.description.size() + r.mime_type.size();
}
std::size_t bytes_of(const Prompt& p) {
  std::size_t out = p.name.size() + p.title.size() + p.description.size();
  for (const PromptArgument& a : p.arguments) out += sizeof a + a.name.size() + a.description.size();
  return out;
}

std::optional<Page<ToolDefinition>> tools_page(json::Value result, std::size_t most, bool& more) {
  return page<ToolDefinition>(result, "tools", most, more, tool_of);
}
std::optional<Page<Resource>> resources_page(json::Value result, std::size_t most, bool& more) {
  return page<Resource>(result, "resources", most, more, resource_of);
}
std::optional<Page<ResourceTemplate>> templates_page(json::Value result, std::size_t most, bool& more) {
  return page<ResourceTemplate>(result, "resourceTemplates", most, more, template_of);
}
std::optional<Page<Prompt>> prompts_page(json::Value result, std::size_t most, bool& more) {
  return page<Prompt>(result, "prompts", most, more, prompt_of);
}

}  // namespace BELAY_NAMESPACE::mcp
