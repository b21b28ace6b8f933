// What a stream says, piece by piece, in the neutral vocabulary: wires give these, the ledger takes them.
#pragma once

#include <belay/chat/message.h>
#include <belay/json/edit.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace belay::chat {

/// An error that a provider reported, or that its stream is.
struct Failure {
  std::string_view
      kind{};  ///< `overloaded`, `rate_limit`, `server_error`, `invalid_request`, `authentication`, `quota`,
               ///< `not_a_stream`, `malformed_event`, `limit`, `compressed`, ... (docs/wires.md lists them)
  std::string_view message{};
  bool retryable = false;
  std::optional<double> retry_after{};  ///< seconds
};

/// One piece. Which fields count depends on the kind. Views are valid during DeltaSink::on() only.
struct Delta {
  enum class Kind : std::uint8_t {
    start,       ///< `id` and `name` (the model) of the answer
    text,        ///< `text`
    reasoning,   ///< `text`
    refusal,     ///< `text`
    call,        ///< a fragment of a call: any of `index`, `id`, `item`, `name`, `text` (of the arguments)
    call_whole,  ///< as `call`, but `text` is the arguments as a whole, whatever came before
    call_end,    ///< the wire says that the call of `index`, `id` or `item` is closed
    opaque,      ///< `opaque` belongs to the call of `index`, `id` or `item` where one is given; otherwise to the block
                 ///< of the kind `name` (text, reasoning, refusal, other, or message for all of it) that is called
                 ///< `text`, and begins it when there is none; without a `name` to the block that is open
    usage,       ///< `usage`: what is set replaces what was
    stop,        ///< `stop` and `text` (as the wire spells it)
    end,         ///< the wire's end marker; what follows is ignored, but a notice may say that there was something
    failure,     ///< `failure`
    notice,      ///< `name` (its kind) and `text`: something was ignored or odd
  };
  Kind kind = Kind::text;
  std::string_view text{};
  std::optional<std::int64_t> index{};  ///< a key, never a size
  std::string_view id{};                ///< the call's id as the model's history will name it
  std::string_view item{};              ///< another name that the wire has for the same call; for texts, of their block
  std::string_view name{};
  bool closed = false;      ///< call_whole: nothing more can come for it
  bool cut = false;         ///< call, call_whole: the wire says that the call was cut off, however whole it looks
  bool from_start = false;  ///< call_whole: this stood where the call began, so it is said late and follows nothing
  /// Calls: this wire always says when one is over (`call_end`, or `closed`). One that never was, and for which no
  /// arguments came, is not a call without arguments: they may be missing.
  bool awaits_end = false;
  /// Calls: what the event names its call by contradicts itself, so that it may be about another one.
  bool disputed = false;
  /// call: goes on with a call that should have begun before. When it never did, and nobody names it, it is no call.
  bool fragment = false;
  /// call: the wire says that a call begins here. One that is found under the same names began before.
  bool begins = false;
  /// How sure the reading of the event was that this came in. Below `guess` nothing needs to be known of it.
  json::Grade grade = json::Grade::strict;
  json::EditKind guess = json::EditKind::invalid_utf8;  ///< of the grade `guess`: what had to be guessed there first
  StopReason stop = StopReason::none;
  const Usage* usage = nullptr;
  const Failure* failure = nullptr;
  const Opaque* opaque = nullptr;
};

class DeltaSink {
 public:
  virtual void on(const Delta& delta) = 0;

 protected:
  ~DeltaSink() = default;
};

}  // namespace belay::chat
