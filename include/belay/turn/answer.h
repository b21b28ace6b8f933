// One answer of a model, whole: what it said, in order, with its calls.
#pragma once

#include <belay/chat.h>
#include <belay/turn/call.h>
#include <belay/wire.h>

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::turn {
BELAY_API_BEGIN

/// A part of an answer.
struct Block {
  enum class Kind : std::uint8_t {
    text,
    reasoning,
    refusal,
    call,   ///< `call`
    other,  ///< something of the provider's own, kept in `opaque`
  };
  Kind kind = Kind::text;
  std::string text{};    ///< as it was shown: of text in which calls are looked for, without markers and reasoning
  std::size_t call = 0;  ///< the place among Answer::calls
  /// Of what was found in the model's text: which of the wire's texts it is from, counted from 1; else 0. The bytes
  /// from `begin` to `end` of Answer::received are those of this block and of all blocks beside it that are from the
  /// same text, up to the next call; they are 0 where the wire's texts came mixed.
  std::size_t source = 0;
  std::uint64_t begin = 0, end = 0;
  std::vector<chat::Opaque> opaque{};
};

/// Why a stream failed.
struct Failure {
  std::string kind{}, message{};
  bool retryable = false;
  std::optional<double> retry_after{};  ///< seconds
};

struct Answer {
  std::string id{}, model{};
  std::vector<Block> blocks{};  ///< in the order in which they began; each call has one
  std::vector<Call> calls{};    ///< in the order in which they began
  std::string received{};       ///< all text as it came, where calls were looked for in it
  std::string stray{};          ///< fragments of arguments that belong to no call; at most Limits::bytes of them
  chat::StopReason stop = chat::StopReason::none;
  std::string raw_stop{};  ///< as the wire spells it
  bool ended = false;      ///< by the wire's end marker
  std::optional<Failure> failure{};
  chat::Usage usage{};
  std::vector<chat::Opaque> opaque{};  ///< of the message
};

/// The answer as a message, arguments as they came and ids as the wire gave them. Text in which calls were found stands
/// as it was shown.
chat::Response response_of(const Answer& answer);

/// The body of an answer that is not streamed, as a message.
std::expected<chat::Response, wire::WireError> decode_response(wire::Wire wire, json::Value body);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::turn
