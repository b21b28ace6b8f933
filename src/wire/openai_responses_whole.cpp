// The object that an answer of OpenAI Responses is, whole or at the end of its stream.
#include "wire/openai_parts.h"
#include "wire/openai_responses_write.h"

namespace BELAY_NAMESPACE::wire {
namespace openai_responses {

void write_usage(JsonText& json, const chat::Usage& usage) {
  const std::uint64_t input = usage.input_tokens.value_or(0), output = usage.output_tokens.value_or(0);
  json.open('{').key("input_tokens").number(input).key("input_tokens_details").open('{');
  json.key("cached_tokens").number(usage.cached_tokens.value_or(0));
  if (usage.cache_write_tokens) json.key("cache_write_tokens").number(*usage.cache_write_tokens);
  json.close('}').key("output_tokens").number(output).key("output_tokens_details").open('{');
  json.key("reasoning_tokens").number(usage.reasoning_tokens.value_or(0)).close('}');
  json.key("total_tokens").number(input + output).close('}');
}

std::string_view incomplete_word(chat::StopReason reason, std::string_view raw) {
  using chat::StopReason;
  switch (reason) {
    case StopReason::content_filter:
    case StopReason::refusal: return "content_filter";
    // A call that the provider calls malformed must not look finished.
    case StopReason::malformed:
    case StopReason::length:
    case StopReason::none: return raw == "content_filter" ? "content_filter" : "max_output_tokens";
    case StopReason::end:
    case StopReason::tool_calls:
    case StopReason::pause: break;
  }
  return {};
}

// Clients expect all of these members; what only the request knows has the value of a request that does not say it.
void Writer::write_response(JsonText& json, std::string_view status, std::string_view incomplete,
                            const chat::Failure* failure) {
  json.open('{').member("id", head_.id).member("object", "response").key("created_at").number(head_.created);
  json.member("status", status).key("background").boolean(false).key("error");
  if (failure)
    json.open('{').member("code", openai_error(failure->kind).code).member("message", failure->message).close('}');
  else
    json.null();
  json.key("incomplete_details");
  if (incomplete.empty())
    json.null();
  else
    json.open('{').member("reason", incomplete).close('}');
  json.key("instructions").null().key("max_output_tokens").null().member("model", head_.model);
  json.key("output").open('[');
  if (!output_.empty()) json.raw(output_);
  json.close(']').key("parallel_tool_calls").boolean(true).key("previous_response_id").null();
  json.key("reasoning").raw(R"({"effort":null,"summary":null})").key("store").boolean(false);
  json.key("temperature").null().key("text").raw(R"({"format":{"type":"text"}})").member("tool_choice", "auto");
  json.key("tools").raw("[]").key("top_p").null().member("truncation", "disabled").key("usage");
  if (usage_ == chat::Usage{})
    json.null();
  else
    write_usage(json, usage_);
  json.key("user").null().key("metadata").raw("{}").close('}');
}

std::string Writer::whole(chat::StopReason reason, std::string_view raw) {
  std::string out;
  JsonText json(out);
  stop(reason == chat::StopReason::none ? chat::StopReason::length : reason, raw);
  std::string_view why = incomplete_word(reason, raw);
  write_response(json, why.empty() ? "completed" : "incomplete", why, nullptr);
  return out;
}

}  // namespace openai_responses

std::unique_ptr<Encoder> write_openai_responses(StreamEncoder::Head head) {
  return std::make_unique<openai_responses::Writer>(std::move(head));
}

std::string write_openai_responses_response(const chat::Response& response) {
  openai_responses::Writer writer({response.id, response.model, 0});
  for (const chat::Block& block : response.message.blocks) writer.block(block);
  writer.usage(response.usage);
  return writer.whole(response.stop, response.raw_stop);
}

const Codec kOpenaiResponses = {read_openai_responses, write_openai_responses, read_openai_responses_request,
                                write_openai_responses_request, write_openai_responses_response};

}  // namespace BELAY_NAMESPACE::wire
