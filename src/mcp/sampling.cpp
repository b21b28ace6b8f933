#include <belay/mcp/sampling.h>

#include "mcp/fields.h"
#include "mcp/object.h"

#include <algorithm>

namespace BELAY_NAMESPACE::mcp {
namespace {

using Wrong = std::unexpected<std::string>;

std::expected<std::string, std::string> text_of(json::Value content) {
  if (content.is_object()) {
    const std::string type = text_in(content, "type");
    if (type != "text") return Wrong("only texts can be asked about here, not " + type.substr(0, 40));
    return text_in(content, "text");
  }
  if (!content.is_array()) return Wrong("a message has no content");
  std::string out;
  for (json::Value part : content.items()) {
    auto text = text_of(part);
    if (!text) return text;
    out += (out.empty() ? "" : "\n") + *text;
  }
  return out;
}

}  // namespace

std::expected<Sampling, std::string> sampling_of(json::Value params, const SamplingLimits& limits) {
  const auto messages = params.find("messages");
  if (!messages || !messages->is_array()) return Wrong("there are no messages");
  if (const auto tools = params.find("tools"); tools && tools->is_array() && !tools->items().empty())
    return Wrong("tools are not offered in sampling");
  Sampling out;
  out.system = text_in(params, "systemPrompt");
  std::size_t bytes = out.system.size();
  for (json::Value message : messages->items()) {
    if (out.messages.size() >= limits.messages)
      return Wrong("it has more than " + std::to_string(limits.messages) + " messages");
    const std::string role = text_in(message, "role");
    if (role != "user" && role != "assistant") return Wrong("a message is neither the user's nor the assistant's");
    const auto content = message.find("content");
    if (!content) return Wrong("a message has no content");
    auto text = text_of(*content);
    if (!text) return std::unexpected(std::move(text.error()));
    bytes += text->size();
    if (bytes > limits.bytes) return Wrong("its texts are larger than " + std::to_string(limits.bytes) + " bytes");
    out.messages.push_back({role == "assistant", std::move(*text)});
  }
  if (out.messages.empty()) return Wrong("there are no messages");
  const auto wanted = params.find("maxTokens");
  const auto n = wanted ? wanted->as_int64() : std::nullopt;
  out.max_tokens = n && *n > 0 ? std::min(limits.tokens, static_cast<std::uint64_t>(*n)) : limits.tokens;
  if (const auto t = params.find("temperature"); t && t->is_number()) out.temperature = t->as_double();
  if (const auto stop = params.find("stopSequences"); stop && stop->is_array())
    for (json::Value s : stop->items())
      if (s.is_string() && !s.as_string().empty() && out.stop.size() < 4) out.stop.emplace_back(s.as_string());
  return out;
}

std::string sampling_result(std::string_view text, std::string_view model, std::string_view stop) {
  return Object()
      .text("role", "assistant")
      .raw("content", Object().text("type", "text").text("text", text).done())
      .text("model", model)
      .text("stopReason", stop)
      .done();
}

}  // namespace BELAY_NAMESPACE::mcp
