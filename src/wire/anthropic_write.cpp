#include "wire/anthropic.h"
#include "wire/body.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>

#include <algorithm>
#include <array>

namespace BELAY_NAMESPACE::wire {
namespace anthropic {
namespace {

std::string_view stop_word(chat::StopReason reason, std::string_view raw, bool calls) {
  using chat::StopReason;
  constexpr std::array<std::string_view, 7> kWords = {
      "end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded"};
  if (std::ranges::find(kWords, raw) != kWords.end()) return raw;
  switch (reason) {
    case StopReason::tool_calls: return "tool_use";
    case StopReason::length:
    case StopReason::malformed: return "max_tokens";  // no word for a malformed call, but nobody runs one that was cut
    case StopReason::content_filter:
    case StopReason::refusal: return "refusal";
    case StopReason::pause: return "pause_turn";
    case StopReason::none: return {};
    case StopReason::end: break;
  }
  return calls ? "tool_use" : "end_turn";  // clients look at the word before they look for calls
}

std::string_view error_word(std::string_view kind) {
  if (kind == "overloaded") return "overloaded_error";
  if (kind == "rate_limit") return "rate_limit_error";
  if (kind == "quota") return "billing_error";
  if (kind == "authentication") return "authentication_error";
  if (kind == "permission") return "permission_error";
  if (kind == "not_found") return "not_found_error";
  if (kind == "too_large") return "request_too_large";
  if (kind == "timeout") return "timeout_error";
  if (kind == "invalid_request" || kind == "context_length" || kind == "content_filter") return "invalid_request_error";
  return "api_error";
}

// The neutral count of the input is all of it; Anthropic counts what the cache gave or took apart. SDKs add these
// numbers up, so the two main ones are always there.
void write_usage(JsonText& out, const chat::Usage& usage, bool with_input) {
  out.open('{');
  if (with_input) {
    std::uint64_t input = usage.input_tokens.value_or(0);
    for (auto part : {usage.cached_tokens, usage.cache_write_tokens}) input -= std::min(input, part.value_or(0));
    out.key("input_tokens").number(input);
    if (usage.cache_write_tokens) out.key("cache_creation_input_tokens").number(*usage.cache_write_tokens);
    if (usage.cached_tokens) out.key("cache_read_input_tokens").number(*usage.cached_tokens);
  }
  out.key("output_tokens").number(usage.output_tokens.value_or(0));
  if (usage.reasoning_tokens)
    out.key("output_tokens_details").open('{').key("thinking_tokens").number(*usage.reasoning_tokens).close('}');
  out.close('}');
}

// What an answer says about its end beside the reason.
constexpr std::array<std::string_view, 3> kAboutTheEnd = {"stop_sequence", "stop_details", "container"};

void write_stop(JsonText& out, std::string_view word, const Opaques& about) {
  out.key("stop_reason");
  if (word.empty())
    out.null();
  else
    out.string(word);
  for (std::string_view key : kAboutTheEnd) {
    std::string_view value = opaque_of(about, kName, key);
    if (!value.empty() || key == "stop_sequence") out.key(key).raw(value.empty() ? "null" : value);
  }
}

class Writer final : public Encoder {
 public:
  using Encoder::Encoder;
  void text(std::string_view piece) override { add(Open::text, "text_delta", "text", piece); }
  void reasoning(std::string_view piece) override {
    if (signed_) close();  // a signature is the last thing of its block
    add(Open::thinking, "thinking_delta", "thinking", piece);
  }
  void begin_call(std::string_view id, std::string_view name) override;
  void arguments(std::string_view piece) override {
    if (open_ == Open::call) add(Open::call, "input_json_delta", "partial_json", piece);
  }
  void end_call() override { close(); }
  void opaque(const chat::Opaque& opaque) override;
  void usage(const chat::Usage& usage) override;
  void stop(chat::StopReason reason, std::string_view raw) override;
  void failure(const chat::Failure& failure) override;

 private:
  enum class Open : std::uint8_t { none, text, thinking, call };
  void begin();
  void open(Open what);
  void close();
  void add(Open what, std::string_view type, std::string_view key, std::string_view piece);
  void delta(std::string_view type, std::string_view key, std::string_view json);
  void whole_block(std::string_view json);

  // One event. `write` adds the members behind `type`.
  template <class Write>
  void event(std::string_view type, Write write) {
    std::string data;
    JsonText json(data);
    json.open('{').member("type", type);
    write(json);
    json.close('}');
    sse::append_event(out_, data, type);
  }

  Open open_ = Open::none;
  std::uint64_t index_ = 0;  // of the block that is open, or of the next one
  bool begun_ = false, signed_ = false, calls_ = false;
  chat::Usage usage_;
  Opaques about_;  // the end
};

void Writer::begin() {
  if (std::exchange(begun_, true)) return;
  event("message_start", [&](JsonText& json) {
    json.key("message").open('{').member("id", head_.id).member("type", "message").member("role", "assistant");
    json.member("model", head_.model).key("content").open('[').close(']');
    write_stop(json, {}, {});
    json.key("usage");
    write_usage(json, usage_, true);
    json.close('}');
  });
}

void Writer::open(Open what) {
  if (open_ == what) return;
  close();
  begin();
  open_ = what;
  event("content_block_start", [&](JsonText& json) {
    json.key("index").number(index_).key("content_block").open('{');
    if (what == Open::text)
      json.member("type", "text").member("text", "");
    else
      json.member("type", "thinking").member("thinking", "").member("signature", "");
    json.close('}');
  });
}

void Writer::close() {
  if (std::exchange(open_, Open::none) == Open::none) return;
  signed_ = false;
  event("content_block_stop", [&](JsonText& json) { json.key("index").number(index_++); });
}

void Writer::delta(std::string_view type, std::string_view key, std::string_view raw) {
  event("content_block_delta", [&](JsonText& json) {
    json.key("index").number(index_).key("delta").open('{').member("type", type).key(key).raw(raw).close('}');
  });
}

void Writer::add(Open what, std::string_view type, std::string_view key, std::string_view piece) {
  if (piece.empty()) return;
  open(what);
  std::string quoted;
  JsonText(quoted).string(piece);
  delta(type, key, quoted);
}

void Writer::begin_call(std::string_view id, std::string_view name) {
  close();
  begin();
  open_ = Open::call;
  calls_ = true;
  event("content_block_start", [&](JsonText& json) {
    json.key("index").number(index_).key("content_block").open('{').member("type", "tool_use");
    json.member("id", id.empty() ? made_id(head_.id, index_) : std::string(id));
    json.member("name", name).key("input").open('{').close('}').close('}');
  });
}

// A block that has no deltas.
void Writer::whole_block(std::string_view block) {
  close();
  begin();
  event("content_block_start",
        [&](JsonText& json) { json.key("index").number(index_).key("content_block").raw(block); });
  event("content_block_stop", [&](JsonText& json) { json.key("index").number(index_++); });
}

void Writer::opaque(const chat::Opaque& o) {
  if (o.wire != kName) return;
  if (o.key == "signature") {
    if (signed_) close();
    open(Open::thinking);
    delta("signature_delta", "signature", o.json);
    signed_ = true;
  } else if (o.key == "citations") {
    open(Open::text);
    json::Reading list = json::read(o.json);
    if (list.document.empty()) return;
    for (json::Value c : list.document.root().items()) delta("citations_delta", "citation", json::to_string(c));
  } else if (o.key == "data") {
    std::string block;
    JsonText(block).open('{').member("type", "redacted_thinking").key("data").raw(o.json).close('}');
    whole_block(block);
  } else if (std::ranges::find(kAboutTheEnd, o.key) != kAboutTheEnd.end()) {
    about_.push_back(o);
  } else {
    // A block of its own has its type as key. Further members of a call would have had to stand in its start.
    json::Reading reading = json::read(o.json);
    if (!reading.document.empty() && text_at(reading.document.root(), "type") == o.key) whole_block(o.json);
  }
}

void Writer::usage(const chat::Usage& u) {
  if (u.input_tokens) usage_.input_tokens = u.input_tokens;
  if (u.output_tokens) usage_.output_tokens = u.output_tokens;
  if (u.cached_tokens) usage_.cached_tokens = u.cached_tokens;
  if (u.cache_write_tokens) usage_.cache_write_tokens = u.cache_write_tokens;
  if (u.reasoning_tokens) usage_.reasoning_tokens = u.reasoning_tokens;
}

void Writer::stop(chat::StopReason reason, std::string_view raw) {
  if (reason == chat::StopReason::none) return;  // the stream broke off, and so does this one
  begin();
  // A call that nobody ended was cut. Clients run what is announced as done.
  if (open_ != Open::call) close();
  event("message_delta", [&](JsonText& json) {
    json.key("delta").open('{');
    write_stop(json, stop_word(reason, raw, calls_), about_);
    json.close('}').key("usage");
    write_usage(json, usage_, usage_.input_tokens.has_value());
  });
  event("message_stop", [](JsonText&) {});
}

void Writer::failure(const chat::Failure& f) {
  event("error", [&](JsonText& json) {
    json.key("error").open('{').member("type", error_word(f.kind)).member("message", f.message).close('}');
  });
}

}  // namespace

std::unique_ptr<Encoder> writer(StreamEncoder::Head head) { return std::make_unique<Writer>(std::move(head)); }

std::string write_response(const chat::Response& response) {
  std::string body;
  JsonText out(body);
  out.open('{').member("id", response.id).member("type", "message").member("role", "assistant");
  out.member("model", response.model).key("content").open('[');
  std::uint64_t place = 0;
  for (const chat::Block& b : response.message.blocks) {
    // An answer may hold reasoning without a signature: it is for reading.
    if (b.kind == chat::Block::Kind::reasoning && !has_form(b) && !b.text.empty()) {
      out.open('{').member("type", "thinking").member("thinking", b.text).member("signature", "").close('}');
    } else if (b.kind == chat::Block::Kind::tool_call && b.id.empty()) {
      chat::Block named = b;
      named.id = made_id(response.id, place);
      write_block(out, named);
    } else if (has_form(b)) {
      write_block(out, b);
    } else {
      continue;
    }
    ++place;
  }
  out.close(']');
  auto is_call = [](const chat::Block& b) { return b.kind == chat::Block::Kind::tool_call; };
  bool calls = std::ranges::any_of(response.message.blocks, is_call);
  write_stop(out, stop_word(response.stop, response.raw_stop, calls), response.message.opaque);
  out.key("usage");
  write_usage(out, response.usage, true);
  out.close('}');
  return body;
}

}  // namespace anthropic

const Codec kAnthropic = {anthropic::reader, anthropic::writer, anthropic::read_request, anthropic::write_request,
                          anthropic::write_response};

}  // namespace BELAY_NAMESPACE::wire
