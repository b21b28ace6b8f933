// What tools, resources and prompts give.
#include <belay/mcp/types.h>

#include "mcp/fields.h"

namespace BELAY_NAMESPACE::mcp {
namespace {

// The inside of an embedded resource, or an item of resources/read.
std::optional<Content> resource_content(json::Value v) {
  Content c;
  c.kind = Content::Kind::resource;
  c.uri = text_in(v, "uri");
  c.mime_type = text_in(v, "mimeType");
  const auto text = v.find("text");
  const auto blob = v.find("blob");
  if (text && text->is_string()) {
    c.text = text->as_string();
  } else if (blob && blob->is_string()) {
    c.data = blob->as_string();
    c.binary = true;
  } else {
    return std::nullopt;
  }
  return c;
}

std::optional<Content> content_of(json::Value v) {
  const std::string type = text_in(v, "type");
  if (!v.is_object() || type.empty()) return std::nullopt;
  Content c;
  if (type == "text") {
    const auto text = v.find("text");
    if (!text || !text->is_string()) return std::nullopt;
    c.text = text->as_string();
  } else if (type == "image" || type == "audio") {
    c.kind = type == "image" ? Content::Kind::image : Content::Kind::audio;
    c.data = text_in(v, "data");
    c.mime_type = text_in(v, "mimeType");
    if (c.data.empty()) return std::nullopt;
  } else if (type == "resource_link") {
    c.kind = Content::Kind::resource_link;
    c.uri = text_in(v, "uri");
    c.name = text_in(v, "name");
    c.text = text_in(v, "description");
    c.mime_type = text_in(v, "mimeType");
    if (c.uri.empty()) return std::nullopt;
  } else if (type == "resource") {
    const auto inside = object_in(v, "resource");
    return inside ? resource_content(*inside) : std::nullopt;
  } else {
    c.kind = Content::Kind::other;
    c.name = type;
  }
  return c;
}

}  // namespace

std::optional<CallResult> call_result(const Payload& result, std::size_t most) {
  if (!result || !result->is_object()) return std::nullopt;
  const auto content = result->find("content");
  const auto structured = result->find("structuredContent");
  CallResult out;
  // A server that gives "true" means an error, and what it means by another value nobody knows.
  const auto flag = result->find("isError");
  out.is_error = flag && !flag->is_null() && !(flag->is_bool() && !flag->as_bool());
  if (structured && !structured->is_null()) out.structured = result.with(*structured);
  if (content && content->is_array()) {
    for (json::Value item : content->items()) {
      if (out.content.size() >= most) {
        out.left_out = content->size() - out.content.size() - out.unusable;
        break;
      }
      if (auto read = content_of(item))
        out.content.push_back(std::move(*read));
      else
        ++out.unusable;
    }
    return out;
  }
  // 2024-10-07, and servers that still give it.
  if (const auto old = result->find("toolResult")) {
    Content c;
    c.text = old->is_string() ? std::string(old->as_string()) : json::to_string(*old);
    out.content.push_back(std::move(c));
    return out;
  }
  if (out.structured) return out;
  return std::nullopt;
}

std::optional<std::vector<Content>> resource_contents(json::Value result, std::size_t most) {
  const auto list = result.find("contents");
  if (!list || !list->is_array()) return std::nullopt;
  std::vector<Content> out;
  for (json::Value item : list->items()) {
    if (out.size() >= most) break;
    if (auto read = resource_content(item)) out.push_back(std::move(*read));
  }
  return out;
}

std::optional<PromptResult> prompt_result(json::Value result, std::size_t most) {
  const auto list = result.find("messages");
  if (!list || !list->is_array()) return std::nullopt;
  PromptResult out;
  out.description = text_in(result, "description");
  for (json::Value item : list->items()) {
    if (out.messages.size() >= most) break;
    const auto content = item.find("content");
    std::optional<Content> read = content ? content_of(*content) : std::nullopt;
    if (read) out.messages.push_back({text_in(item, "role"), std::move(*read)});
  }
  return out;
}

}  // namespace BELAY_NAMESPACE::mcp
