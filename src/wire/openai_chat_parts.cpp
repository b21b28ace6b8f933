// What requests and answers of OpenAI Chat Completions have in common.
#include "wire/openai_chat.h"
#include "wire/openai_parts.h"

namespace BELAY_NAMESPACE::wire::openai_chat {

std::string joined_texts(const std::vector<chat::Block>& blocks, chat::Block::Kind kind) {
  std::string out;
  bool beside = true;
  for (const chat::Block& block : blocks) {
    if (block.kind == kind && !block.text.empty()) {
      if (!beside && !out.empty()) out += "\n\n";
      out += block.text;
    }
    beside = block.kind == kind;
  }
  return out;
}

void write_message_rest(JsonText& json, const chat::Message& message) {
  std::string details;
  auto add = [&](const Opaques& opaques) {
    std::string_view list = opaque_of(opaques, kWire, kDetails);
    if (list.size() < 2) return;
    if (!details.empty()) details.back() = ',';
    details += details.empty() ? list : list.substr(1);
  };
  add(message.opaque);
  const std::size_t own = details.size();
  for (const chat::Block& block : message.blocks)
    if (block.kind == chat::Block::Kind::text || block.kind == chat::Block::Kind::reasoning) add(block.opaque);
  if (details.size() == own) return write_rest(json, message.opaque, kWire);
  write_rest(json, message.opaque, kWire, {kDetails});
  json.key(kDetails).raw(details);
}

void write_call(JsonText& json, const chat::Block& call) {
  json.member("id", call.id);
  if (std::string_view custom = opaque_of(call.opaque, kWire, kCustom); !custom.empty()) {
    json.member("type", "custom").key("custom").open('{').member("name", call.name);
    json.member("input", input_of_arguments(call.arguments));
    write_members(json, custom, {"name", "input"});
  } else {
    json.member("type", "function").key("function").open('{').member("name", call.name);
    json.member("arguments", call.arguments.empty() ? "{}" : call.arguments);
    write_members(json, opaque_of(call.opaque, kWire, kInner), {"name", "arguments"});
  }
  json.close('}');
  write_rest(json, call.opaque, kWire, {"id", "type", "function", "custom"});
}

void write_usage(JsonText& json, const chat::Usage& usage) {
  const std::uint64_t input = usage.input_tokens.value_or(0), output = usage.output_tokens.value_or(0);
  json.open('{').key("prompt_tokens").number(input).key("completion_tokens").number(output);
  json.key("total_tokens").number(input + output);
  if (usage.cached_tokens || usage.cache_write_tokens) {
    json.key("prompt_tokens_details").open('{');
    if (usage.cached_tokens) json.key("cached_tokens").number(*usage.cached_tokens);
    if (usage.cache_write_tokens) json.key("cache_write_tokens").number(*usage.cache_write_tokens);
    json.close('}');
  }
  if (usage.reasoning_tokens)
    json.key("completion_tokens_details").open('{').key("reasoning_tokens").number(*usage.reasoning_tokens).close('}');
  json.close('}');
}

}  // namespace BELAY_NAMESPACE::wire::openai_chat
