// Answers of OpenAI Chat Completions, written: as a stream of chunks, and whole.
#include "wire/openai_chat.h"
#include "wire/openai_parts.h"

namespace BELAY_NAMESPACE::wire {
namespace openai_chat {
namespace {

using chat::Block;
using chat::StopReason;

// The wire's word for a stop. Clients look for calls only where this says so.
std::string_view word_of(StopReason reason, std::string_view raw, bool calls) {
  const bool ended = reason == StopReason::end || reason == StopReason::tool_calls;
  if (calls && ended && raw != "function_call") return "tool_calls";
  for (std::string_view known : {"stop", "length", "tool_calls", "content_filter", "function_call"})
    if (raw == known) return known;
  switch (reason) {
    case StopReason::tool_calls: return "tool_calls";
    // A call that the provider calls malformed must not look finished.
    case StopReason::malformed:
    case StopReason::length: return "length";
    case StopReason::content_filter:
    case StopReason::refusal: return "content_filter";
    case StopReason::end:
    case StopReason::pause:
    case StopReason::none: break;
  }
  return "stop";
}

bool is_set(const chat::Usage& usage) { return usage != chat::Usage{}; }

class ChatWriter final : public Encoder {
 public:
  using Encoder::Encoder;
  void text(std::string_view piece) override { say("content", piece); }
  void reasoning(std::string_view piece) override { say("reasoning_content", piece); }
  void refusal(std::string_view piece) override { say("refusal", piece); }
  void begin_call(std::string_view id, std::string_view name) override;
  void arguments(std::string_view piece) override;
  void end_call() override;
  void opaque(const chat::Opaque& opaque) override;
  void usage(const chat::Usage& usage) override { usage_ = usage; }
  void stop(StopReason reason, std::string_view raw) override;
  void failure(const chat::Failure& failure) override;

 private:
  // Writes one chunk; `body` writes the members of its delta.
  template <class Body>
  void chunk(Body body, std::string_view finish_reason = {});
  void head(JsonText& json, std::string_view object) const;
  template <class Body>
  void call_chunk(Body body);
  void begin(bool with_text);
  void say(std::string_view key, std::string_view piece);

  std::uint64_t calls_ = 0;
  bool begun_ = false;
  bool empty_call_ = false;  // the last call has no arguments yet
  chat::Usage usage_;
  std::string data_;
};

void ChatWriter::head(JsonText& json, std::string_view object) const {
  json.member("id", head_.id).member("object", object).key("created").number(head_.created);
  json.member("model", head_.model);
}

template <class Body>
void ChatWriter::chunk(Body body, std::string_view finish_reason) {
  data_.clear();
  JsonText json(data_);
  json.open('{');
  head(json, "chat.completion.chunk");
  json.key("choices").open('[').open('{').key("index").number(std::uint64_t{0}).key("delta").open('{');
  body(json);
  json.close('}').key("logprobs").null().key("finish_reason");
  if (finish_reason.empty())
    json.null();
  else
    json.string(finish_reason);
  json.close('}').close(']').close('}');
  sse::append_event(out_, data_);
}

template <class Body>
void ChatWriter::call_chunk(Body body) {
  chunk([&](JsonText& json) {
    json.key("tool_calls").open('[').open('{').key("index").number(calls_ - 1);
    body(json);
    json.close('}').close(']');
  });
}

void ChatWriter::begin(bool with_text) {
  if (begun_) return;
  begun_ = true;
  chunk([&](JsonText& json) {
    json.member("role", "assistant").key("content");
    if (with_text)
      json.string("");
    else
      json.null();
    json.key("refusal").null();
  });
}

void ChatWriter::say(std::string_view key, std::string_view piece) {
  begin(key == "content");
  chunk([&](JsonText& json) { json.member(key, piece); });
}

void ChatWriter::begin_call(std::string_view id, std::string_view name) {
  begin(false);
  ++calls_;
  empty_call_ = true;
  std::string made;
  if (id.empty()) id = made = "call_" + stem_of(head_.id) + "_" + std::to_string(calls_ - 1);
  call_chunk([&](JsonText& json) {
    json.member("id", id).member("type", "function").key("function").open('{');
    json.member("name", name).member("arguments", "").close('}');
  });
}

// Clients parse the arguments, and no arguments are no JSON.
void ChatWriter::end_call() {
  if (empty_call_) arguments("{}");
}

void ChatWriter::arguments(std::string_view piece) {
  if (calls_ == 0) return;
  empty_call_ = false;
  call_chunk([&](JsonText& json) { json.key("function").open('{').member("arguments", piece).close('}'); });
}

void ChatWriter::opaque(const chat::Opaque& opaque) {
  if (opaque.wire != kWire || opaque.json.empty()) return;
  if (opaque.key == kDetails) {
    begin(false);
    chunk([&](JsonText& json) { json.key(opaque.key).raw(opaque.json); });
  } else if (opaque.key == "extra_content" && calls_ > 0) {
    call_chunk([&](JsonText& json) { json.key(opaque.key).raw(opaque.json); });
  }
}

void ChatWriter::stop(StopReason reason, std::string_view raw) {
  // A stream that was cut ends here too, without the end that it did not have.
  if (reason == StopReason::none) return;
  begin(true);
  chunk([](JsonText&) {}, word_of(reason, raw, calls_ > 0));
  if (is_set(usage_)) {
    data_.clear();
    JsonText json(data_);
    json.open('{');
    head(json, "chat.completion.chunk");
    json.key("choices").open('[').close(']').key("usage");
    write_usage(json, usage_);
    json.close('}');
    sse::append_event(out_, data_);
  }
  sse::append_event(out_, "[DONE]");
}

void ChatWriter::failure(const chat::Failure& failure) {
  ErrorWords words = openai_error(failure.kind);
  data_.clear();
  JsonText json(data_);
  json.open('{').key("error").open('{').member("message", failure.message).member("type", words.type);
  json.key("param").null().member("code", words.code).close('}').close('}');
  sse::append_event(out_, data_);
}

std::string whole_answer(const chat::Response& response) {
  std::string out;
  JsonText json(out);
  const std::vector<Block>& blocks = response.message.blocks;
  const std::string text = joined_texts(blocks, Block::Kind::text);
  const std::string thought = joined_texts(blocks, Block::Kind::reasoning);
  const std::string refusal = joined_texts(blocks, Block::Kind::refusal);
  std::uint64_t calls = 0;
  for (const Block& block : blocks) calls += block.kind == Block::Kind::tool_call;

  json.open('{').member("id", response.id).member("object", "chat.completion").key("created").number(std::uint64_t{0});
  json.member("model", response.model).key("choices").open('[').open('{').key("index").number(std::uint64_t{0});
  json.key("message").open('{').member("role", "assistant").key("content");
  if (text.empty() && (calls > 0 || !refusal.empty()))
    json.null();
  else
    json.string(text);
  if (!thought.empty()) json.member("reasoning_content", thought);
  json.key("refusal");
  if (refusal.empty())
    json.null();
  else
    json.string(refusal);
  if (calls > 0) {
    json.key("tool_calls").open('[');
    std::uint64_t n = 0;
    for (const Block& block : blocks) {
      if (block.kind != Block::Kind::tool_call) continue;
      Block call = block;
      if (call.id.empty()) call.id = "call_" + stem_of(response.id) + "_" + std::to_string(n);
      ++n;
      json.open('{');
      write_call(json, call);
      json.close('}');
    }
    json.close(']');
  }
  write_message_rest(json, response.message);
  json.close('}').key("logprobs").null().key("finish_reason");
  if (response.stop == StopReason::none)
    json.null();
  else
    json.string(word_of(response.stop, response.raw_stop, calls > 0));
  json.close('}').close(']');
  if (is_set(response.usage)) {
    json.key("usage");
    write_usage(json, response.usage);
  }
  write_rest(json, response.opaque, kWire);
  json.close('}');
  return out;
}

}  // namespace
}  // namespace openai_chat

std::unique_ptr<Encoder> write_openai_chat(StreamEncoder::Head head) {
  return std::make_unique<openai_chat::ChatWriter>(std::move(head));
}

std::string write_openai_chat_response(const chat::Response& response) { return openai_chat::whole_answer(response); }

const Codec kOpenaiChat = {read_openai_chat, write_openai_chat, read_openai_chat_request, write_openai_chat_request,
                           write_openai_chat_response};

}  // namespace BELAY_NAMESPACE::wire
