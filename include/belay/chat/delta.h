// What a stream says, piece by piece, in the neutral vocabulary: wires give these, the ledger takes them.
#pragma once

#include <belay/chat/message.h>
#include <belay/json/edit.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace BELAY_NAMESPACE::chat {
BELAY_API_BEGIN

/// An error that a provider reported, or that its stream is.
struct Failure {
  std::string_view
      kind{};  ///< `overloaded`, `rate_limit`, `server_error`, `invalid_request`, `authentication`, `quota`,
               ///< `not_a_stream`, `malformed_event`, `limit`, `compressed`, ... (docs/wires.md lists them)
  std::string_view message{};
  bool retryable = false;
  std::optional<double> retry_after{};  ///< seconds
};

/// The pieces. Views and pointers are valid during DeltaSink::on() only; pointers are never null there.
namespace delta {

struct Start {
  std::string_view id{}, model{};  ///< of the answer
};

/// Words. Those that have another `block`, or are of another kind, are another block; "" is the one that is open.
struct Text {
  std::string_view text{}, block{};
};
struct Reasoning {
  std::string_view text{}, block{};
};
struct Refusal {
  std::string_view text{}, block{};
};

/// What a wire names a call by, as far as it does.
struct CallKey {
  std::optional<std::int64_t> index{};  ///< a key, never a size
  std::string_view id{};                ///< the call's id as the model's history will name it
  std::string_view item{};              ///< another name that the wire has for the same call
  [[nodiscard]] bool empty() const { return !index && id.empty() && item.empty(); }
};

/// A fragment of a call, or all of its arguments. Any of it may be missing.
struct Call {
  CallKey key{};
  std::string_view name{};
  std::string_view arguments{};
  bool whole = false;   ///< `arguments` are all of them, whatever came before
  bool begins = false;  ///< the wire says that a call begins here. One under the same names began before, and is over
  bool fragment =
      false;            ///< it goes on with a call that should have begun. If none did and nobody names it, it is none
  bool closed = false;  ///< nothing more can come for it
  bool cut = false;     ///< the wire says that the call was cut off, however whole it looks
  bool from_start = false;  ///< this stood where the call began, so it is said late and follows nothing
  /// This wire always says when a call is over (CallEnd, or `closed`). One that never was, and for which no arguments
  /// came, is not a call without arguments: they may be missing.
  bool awaits_end = false;
  /// What the event names its call by contradicts itself, so that it may be about another one. With neither name nor
  /// arguments: a part of the call, or of any when nothing names it, was lost.
  bool disputed = false;
  std::optional<json::EditKind> guess{};  ///< the event could be read by guessing only: what was guessed there first
};

/// The wire says that the call is over.
struct CallEnd {
  CallKey key{};
};

/// Something of the provider's own that belongs to a call; without a key to what came last.
struct CallOpaque {
  CallKey key{};
  const Opaque* opaque = nullptr;
};

/// Where something belongs that is no call's: in the block that is open, in the message, or in the block of this kind
/// and name, which begins with it when there is none.
struct Place {
  enum class Kind : std::uint8_t { open, message, text, reasoning, refusal, other };
  Kind kind = Kind::open;
  std::string_view block{};
};
struct BlockOpaque {
  Place place{};
  const Opaque* opaque = nullptr;
};

/// What is set replaces what was.
struct Usage {
  const chat::Usage* usage = nullptr;
};

struct Stop {
  StopReason reason = StopReason::none;
  std::string_view raw{};  ///< as the wire spells it
};

/// The wire's end marker. What follows is ignored, but a notice may say that there was something.
struct End {};

/// Something was ignored or odd.
struct Notice {
  std::string_view kind{}, message{};
};

}  // namespace delta

/// One piece.
using Delta =
    std::variant<delta::Start, delta::Text, delta::Reasoning, delta::Refusal, delta::Call, delta::CallEnd,
                 delta::CallOpaque, delta::BlockOpaque, delta::Usage, delta::Stop, delta::End, Failure, delta::Notice>;

class DeltaSink {
 public:
  virtual void on(const Delta& delta) = 0;

 protected:
  ~DeltaSink() = default;
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::chat
