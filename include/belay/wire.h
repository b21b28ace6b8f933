// Providers' dialects, both ways: requests, answers and streams, read into the neutral vocabulary and written from it.
#pragma once

#include <belay/base.h>
#include <belay/chat.h>
#include <belay/json/value.h>
#include <belay/sse.h>

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::wire {
BELAY_API_BEGIN

enum class Wire : std::uint8_t { openai_chat, openai_responses, anthropic, gemini, ollama };
/// `openai-chat`, `openai-responses`, `anthropic`, `gemini`, `ollama`.
std::string_view name(Wire) noexcept;
std::optional<Wire> wire_named(std::string_view name) noexcept;

/// What is wrong with a body that was to be read.
struct WireError {
  std::string path{};  ///< JSON Pointer
  std::string message{};
  bool operator==(const WireError&) const = default;
};

/// Reads one answer, streamed or not, as its bytes arrive. Any bytes give deltas or a failure; any cut of them gives
/// the same ones. After the end marker or a failure everything is ignored.
class StreamDecoder {
 public:
  StreamDecoder(Wire wire, chat::DeltaSink& sink, Limits limits = {});
  ~StreamDecoder();
  StreamDecoder(StreamDecoder&&) noexcept;
  StreamDecoder& operator=(StreamDecoder&&) noexcept;

  void push(std::string_view bytes);
  /// Says that no more bytes come. A body that held no event of this wire becomes a failure here.
  void finish(sse::Ended ended = sse::Ended::eof);
  /// The wire's end marker was seen.
  [[nodiscard]] bool ended() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads an error body with its HTTP status: what kind it is, and whether and when to try again.
struct HttpFailure {
  std::string kind{}, message{};
  bool retryable = false;
  std::optional<double> retry_after{};
};
HttpFailure decode_failure(Wire wire, int status, std::string_view body, std::string_view retry_after_header = {});

/// The body of a request. For Gemini the model stands in the URL: give it as `model`.
std::expected<chat::Request, WireError> decode_request(Wire wire, json::Value body, std::string_view model = {});
std::string encode_request(Wire wire, const chat::Request& request);

/// A whole answer, not streamed, as deltas. turn::decode_response() puts them together.
std::expected<void, WireError> decode_answer(Wire wire, json::Value body, chat::DeltaSink& sink);
std::string encode_response(Wire wire, const chat::Response& response);

/// Writes an answer as a stream of this wire. Calls must come in the order of a turn: blocks one after the other, for a
/// call begin, arguments (JSON text in pieces of whole characters), end; then usage and stop. take() gives what is
/// ready to be sent.
class StreamEncoder {
 public:
  struct Head {
    std::string id{}, model{};
    std::int64_t created = 0;  ///< seconds since 1970, where the wire has it; the core knows no clock
  };
  StreamEncoder(Wire wire, Head head);
  ~StreamEncoder();
  StreamEncoder(StreamEncoder&&) noexcept;
  StreamEncoder& operator=(StreamEncoder&&) noexcept;

  void text(std::string_view piece);
  void reasoning(std::string_view piece);
  void refusal(std::string_view piece);
  void begin_call(std::string_view id, std::string_view name);
  void arguments(std::string_view piece);
  void end_call();
  /// Belongs to the block that is open, or to the last one.
  void opaque(const chat::Opaque& opaque);
  void usage(const chat::Usage& usage);
  /// Ends the stream. `raw` is used where this wire spells stops that way; otherwise its own word for `reason`.
  void stop(chat::StopReason reason, std::string_view raw = {});
  void failure(const chat::Failure& failure);

  /// The bytes that are ready, and forgets them.
  std::string take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The media type of a stream of this wire.
std::string_view stream_content_type(Wire) noexcept;

BELAY_API_END
}  // namespace BELAY_NAMESPACE::wire
