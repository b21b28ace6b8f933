// The public functions, each passed on to the wire that it is about.
#include "wire/dialect.h"

#include <utility>

namespace BELAY_NAMESPACE::wire {

const Codec& codec_of(Wire wire) noexcept {
  switch (wire) {
    case Wire::openai_chat: return kOpenaiChat;
    case Wire::openai_responses: return kOpenaiResponses;
    case Wire::anthropic: return kAnthropic;
    case Wire::gemini: return kGemini;
    case Wire::ollama: return kOllama;
  }
  return kOpenaiChat;
}

std::string_view stream_content_type(Wire wire) noexcept {
  return wire == Wire::ollama ? "application/x-ndjson" : "text/event-stream";
}

std::expected<chat::Request, WireError> decode_request(Wire wire, json::Value body, std::string_view model) {
  if (!body.is_object()) return std::unexpected(WireError{"", "a request is an object"});
  return codec_of(wire).read_request(body, model);
}

std::string encode_request(Wire wire, const chat::Request& request) { return codec_of(wire).write_request(request); }

std::expected<void, WireError> decode_answer(Wire wire, json::Value body, chat::DeltaSink& sink) {
  // The failure is told by the sink, too; here it is the reason.
  struct Watch final : chat::DeltaSink {
    explicit Watch(chat::DeltaSink& s) : sink(s) {}
    void on(const chat::Delta& delta) override {
      if (const auto* failed = std::get_if<chat::Failure>(&delta)) failure = failed->message;
      sink.on(delta);
    }
    chat::DeltaSink& sink;
    std::string failure;
  } watch(sink);
  std::unique_ptr<Dialect> dialect = codec_of(wire).reader(watch);
  dialect->on_event(body, {});
  // An answer that is not streamed may lack what a stream has at its end.
  if (!dialect->ended() && !dialect->failed()) dialect->on_over();
  if (dialect->failed()) return std::unexpected(WireError{"", std::move(watch.failure)});
  if (!dialect->recognised())
    return std::unexpected(WireError{"", "the body is no answer of " + std::string(name(wire))});
  return {};
}

std::string encode_response(Wire wire, const chat::Response& response) {
  return codec_of(wire).write_response(response);
}

struct StreamEncoder::State {
  std::unique_ptr<Encoder> encoder;
  bool over = false;
};

StreamEncoder::StreamEncoder(Wire wire, Head head)
    : state_(std::make_unique<State>(codec_of(wire).writer(std::move(head)))) {}
StreamEncoder::~StreamEncoder() = default;
StreamEncoder::StreamEncoder(StreamEncoder&&) noexcept = default;
StreamEncoder& StreamEncoder::operator=(StreamEncoder&&) noexcept = default;

// What is said after the end would make the stream one that no client reads.
void StreamEncoder::text(std::string_view piece) {
  if (!state_->over && !piece.empty()) state_->encoder->text(piece);
}
void StreamEncoder::reasoning(std::string_view piece) {
  if (!state_->over && !piece.empty()) state_->encoder->reasoning(piece);
}
void StreamEncoder::refusal(std::string_view piece) {
  if (!state_->over && !piece.empty()) state_->encoder->refusal(piece);
}
void StreamEncoder::begin_call(std::string_view id, std::string_view name) {
  if (!state_->over) state_->encoder->begin_call(id, name);
}
void StreamEncoder::arguments(std::string_view piece) {
  if (!state_->over && !piece.empty()) state_->encoder->arguments(piece);
}
void StreamEncoder::end_call() {
  if (!state_->over) state_->encoder->end_call();
}
void StreamEncoder::opaque(const chat::Opaque& opaque) {
  if (!state_->over) state_->encoder->opaque(opaque);
}
void StreamEncoder::usage(const chat::Usage& usage) {
  if (!state_->over) state_->encoder->usage(usage);
}
void StreamEncoder::stop(chat::StopReason reason, std::string_view raw) {
  if (!std::exchange(state_->over, true)) state_->encoder->stop(reason, raw);
}
void StreamEncoder::failure(const chat::Failure& failure) {
  if (!std::exchange(state_->over, true)) state_->encoder->failure(failure);
}
std::string StreamEncoder::take() { return state_->encoder->take(); }

}  // namespace BELAY_NAMESPACE::wire
