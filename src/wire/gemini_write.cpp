#include "wire/gemini.h"

#include <belay/json/reader.h>

#include <algorithm>
#include <array>
#include <utility>

namespace BELAY_NAMESPACE::wire {
namespace gemini {
namespace {

std::string_view finish_word(chat::StopReason reason, std::string_view raw) {
  using chat::StopReason;
  constexpr std::array<std::string_view, 19> kWords = {"STOP",
                                                       "MAX_TOKENS",
                                                       "SAFETY",
                                                       "RECITATION",
                                                       "LANGUAGE",
                                                       "OTHER",
                                                       "BLOCKLIST",
                                                       "PROHIBITED_CONTENT",
                                                       "SPII",
                                                       "MALFORMED_FUNCTION_CALL",
                                                       "MALFORMED_RESPONSE",
                                                       "UNEXPECTED_TOOL_CALL",
                                                       "TOO_MANY_TOOL_CALLS",
                                                       "IMAGE_SAFETY",
                                                       "IMAGE_PROHIBITED_CONTENT",
                                                       "IMAGE_RECITATION",
                                                       "IMAGE_OTHER",
                                                       "NO_IMAGE",
                                                       "CONTINUATION"};
  // Only where it means the reason: a prompt's block reason may be spelled like the end of an answer.
  const bool calls = reason == StopReason::tool_calls;
  if (stop_of(raw, calls) == reason && std::ranges::find(kWords, raw) != kWords.end()) return raw;
  switch (reason) {
    case StopReason::end:
    case StopReason::tool_calls: return "STOP";
    case StopReason::length: return "MAX_TOKENS";
    case StopReason::content_filter:
    case StopReason::refusal: return "SAFETY";
    case StopReason::malformed: return "MALFORMED_FUNCTION_CALL";
    case StopReason::pause: return "OTHER";  // CONTINUATION would promise a token to go on with
    case StopReason::none: break;
  }
  return {};
}

struct ErrorWord {
  std::uint64_t code;
  std::string_view status;
};

ErrorWord error_word(std::string_view kind) {
  if (kind == "rate_limit" || kind == "quota") return {429, "RESOURCE_EXHAUSTED"};
  if (kind == "overloaded") return {503, "UNAVAILABLE"};
  if (kind == "authentication") return {401, "UNAUTHENTICATED"};
  if (kind == "permission") return {403, "PERMISSION_DENIED"};
  if (kind == "not_found") return {404, "NOT_FOUND"};
  if (kind == "timeout") return {504, "DEADLINE_EXCEEDED"};
  if (kind == "invalid_request" || kind == "context_length" || kind == "too_large" || kind == "content_filter")
    return {400, "INVALID_ARGUMENT"};
  return {500, "INTERNAL"};
}

// Thoughts are counted beside the candidates here, and as part of the output in the neutral vocabulary.
void write_usage(JsonText& out, const chat::Usage& usage) {
  if (usage == chat::Usage{}) return;
  out.key("usageMetadata").open('{');
  if (usage.input_tokens) out.key("promptTokenCount").number(*usage.input_tokens);
  std::uint64_t output = usage.output_tokens.value_or(0);
  output -= std::min(output, usage.reasoning_tokens.value_or(0));
  if (usage.output_tokens) out.key("candidatesTokenCount").number(output);
  if (usage.reasoning_tokens) out.key("thoughtsTokenCount").number(*usage.reasoning_tokens);
  if (usage.cached_tokens) out.key("cachedContentTokenCount").number(*usage.cached_tokens);
  out.key("totalTokenCount").number(usage.input_tokens.value_or(0) + usage.output_tokens.value_or(0));
  out.close('}');
}

// One answer with these parts (JSON text, a list's inside).
std::string answer(std::string_view parts, std::string_view finish, const chat::Usage& usage, std::string_view id,
                   std::string_view model) {
  std::string text;
  JsonText out(text);
  out.open('{').key("candidates").open('[').open('{').key("content").open('{').key("parts").open('[');
  // SDKs take a content without parts for a broken one.
  out.raw(parts.empty() ? R"({"text":""})" : parts);
  out.close(']').member("role", "model").close('}');
  if (!finish.empty()) out.member("finishReason", finish);
  out.key("index").number(std::uint64_t{0}).close('}').close(']');
  write_usage(out, usage);
  if (!model.empty()) out.member("modelVersion", model);
  if (!id.empty()) out.member("responseId", id);
  out.close('}');
  return text;
}

class Writer final : public Encoder {
 public:
  using Encoder::Encoder;
  void text(std::string_view piece) override { say(chat::Block::Kind::text, piece); }
  void reasoning(std::string_view piece) override { say(chat::Block::Kind::reasoning, piece); }
  void begin_call(std::string_view id, std::string_view name) override;
  void arguments(std::string_view piece) override { held_.arguments += piece; }
  void end_call() override { whole_ = holding_; }
  void opaque(const chat::Opaque& opaque) override;
  void usage(const chat::Usage& usage) override;
  void stop(chat::StopReason reason, std::string_view raw) override;
  void failure(const chat::Failure& failure) override;

 private:
  void say(chat::Block::Kind kind, std::string_view piece);
  void send(std::string_view parts);
  std::string take_call();

  chat::Block::Kind last_ = chat::Block::Kind::text;
  bool holding_ = false;  // a call waits in held_: parts are whole, and its signature may still come
  bool whole_ = false;    // it has ended. One that did not was cut, and clients run whatever comes
  chat::Block held_;
  chat::Usage usage_;
};

// The call that waits, as a part; empty when there is none.
std::string Writer::take_call() {
  std::string part;
  bool whole = std::exchange(whole_, false);
  if (!std::exchange(holding_, false) || !whole) return part;
  JsonText out(part);
  write_part(out, held_);
  return part;
}

void Writer::send(std::string_view parts) {
  if (!parts.empty()) sse::append_event(out_, answer(parts, {}, {}, head_.id, head_.model));
}

void Writer::say(chat::Block::Kind kind, std::string_view piece) {
  if (piece.empty()) return;
  send(take_call());
  last_ = kind;
  chat::Block b = chat::text_block(std::string(piece));
  b.kind = kind;
  std::string part;
  JsonText out(part);
  write_part(out, b);
  send(part);
}

void Writer::begin_call(std::string_view id, std::string_view name) {
  send(take_call());
  holding_ = true;
  last_ = chat::Block::Kind::tool_call;
  held_ = chat::call_block(std::string(id), std::string(name), {});
}

void Writer::opaque(const chat::Opaque& o) {
  if (o.wire != kName || o.key.starts_with('@')) return;
  if (holding_ && o.key == "thoughtSignature") {
    held_.opaque.push_back(o);
    return;
  }
  send(take_call());
  chat::Block b;
  // Everything but a signature is a part of its own; a signature goes behind the text that it signs.
  b.kind = o.key != "thoughtSignature"             ? chat::Block::Kind::other
           : last_ == chat::Block::Kind::reasoning ? chat::Block::Kind::reasoning
                                                   : chat::Block::Kind::text;
  b.opaque.push_back(o);
  std::string part;
  JsonText out(part);
  write_part(out, b);
  send(part);
}

void Writer::usage(const chat::Usage& u) {
  if (u.input_tokens) usage_.input_tokens = u.input_tokens;
  if (u.output_tokens) usage_.output_tokens = u.output_tokens;
  if (u.cached_tokens) usage_.cached_tokens = u.cached_tokens;
  if (u.reasoning_tokens) usage_.reasoning_tokens = u.reasoning_tokens;
}

void Writer::stop(chat::StopReason reason, std::string_view raw) {
  if (reason == chat::StopReason::none) return;  // the stream broke off, and so does this one
  sse::append_event(out_, answer(take_call(), finish_word(reason, raw), usage_, head_.id, head_.model));
}

void Writer::failure(const chat::Failure& f) {
  ErrorWord word = error_word(f.kind);
  std::string text;
  JsonText out(text);
  out.open('{').key("error").open('{').key("code").number(word.code).member("message", f.message);
  out.member("status", word.status);
  if (f.retry_after) {
    std::string delay;
    JsonText(delay).number(*f.retry_after);
    out.key("details").open('[').open('{').member("@type", "type.googleapis.com/google.rpc.RetryInfo");
    out.member("retryDelay", delay + "s").close('}').close(']');
  }
  out.close('}').close('}');
  sse::append_event(out_, text);
}

}  // namespace

std::unique_ptr<Encoder> writer(StreamEncoder::Head head) { return std::make_unique<Writer>(std::move(head)); }

std::string write_response(const chat::Response& response) {
  std::string parts;
  JsonText out(parts);
  for (const chat::Block& b : response.message.blocks)
    if (has_form(b)) write_part(out, b);
  return answer(parts, finish_word(response.stop, response.raw_stop), response.usage, response.id, response.model);
}

}  // namespace gemini

const Codec kGemini = {gemini::reader, gemini::writer, gemini::read_request, gemini::write_request,
                       gemini::write_response};

}  // namespace BELAY_NAMESPACE::wire
