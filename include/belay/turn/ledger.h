// The ledger of one turn: deltas in; at any time its blocks and calls, at the end their verdicts.
#pragma once

#include <belay/base.h>
#include <belay/chat.h>
#include <belay/json.h>
#include <belay/text.h>
#include <belay/turn/answer.h>
#include <belay/turn/call.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::turn {
BELAY_API_BEGIN

/// What happens in a turn, in order. Views are valid during EventSink's calls only.
class EventSink {
 public:
  virtual void on_text(std::string_view) {}
  virtual void on_reasoning(std::string_view) {}
  virtual void on_refusal(std::string_view piece) { on_text(piece); }
  /// A call that may only repeat another one, by its id and name, is told at the end of the turn, or not at all.
  virtual void on_call_start(std::size_t /*slot*/, std::string_view /*id*/, std::string_view /*name*/) {}
  /// A piece of its arguments, as they came.
  virtual void on_call_delta(std::size_t /*slot*/, std::string_view /*piece*/) {}
  /// With LedgerOptions::certain_text: the next piece of Call::certain.
  virtual void on_call_certain(std::size_t /*slot*/, std::string_view /*piece*/) {}
  /// It is closed; only the end of the turn says whether it is trusted.
  virtual void on_call_closed(std::size_t /*slot*/) {}
  /// At the end of the turn, in the order of slots.
  virtual void on_call_end(const Call&) {}
  virtual void on_usage(const chat::Usage&) {}
  virtual void on_stop(chat::StopReason, std::string_view /*raw*/) {}
  virtual void on_notice(std::string_view /*kind*/, std::string_view /*message*/) {}
  virtual void on_failure(const chat::Failure&) {}

 protected:
  ~EventSink() = default;
};

struct LedgerOptions {
  /// The tools that were offered. Empty and `any_tool`: every name that is not empty counts as known.
  std::vector<KnownTool> tools{};
  bool any_tool = true;
  /// Calls that the model writes into its text: a name of text::formats(), `auto`, or `none`. Any other name is a
  /// failure of the kind `unknown_format`.
  std::string format = "none";
  bool raw_text = false;  ///< text can be any bytes, not only whole characters of valid UTF-8
  /// Shapes of the tools' parameters, for the formats whose values are raw text.
  std::vector<text::Tool> shapes{};
  std::string prompt_tail{};        ///< what the prompt ended with
  std::string made_ids = "belay_";  ///< what an id begins with where the provider gave none; the slot follows
  text::InReasoning in_reasoning = text::InReasoning::unless_closed;
  bool certain_text = false;  ///< make Call::certain
  Limits limits{};
};

/// Puts the deltas of one turn together. State belongs to this object; it does no I/O. Work for a delta is constant
/// beside its bytes; once buffers are warm a delta of arguments allocates nothing. Memory: the answer, and the values
/// of its calls.
class Ledger final : public chat::DeltaSink {
 public:
  Ledger(EventSink& sink, LedgerOptions options = {});
  ~Ledger();

  void on(const chat::Delta& delta) override;
  /// For callers that feed text themselves.
  void text(std::string_view piece);
  /// The stream is over; whether it ended as it should, its deltas said. Gives all that came, after all events were
  /// sent. Call once.
  Answer finish();
  /// The same for callers that feed text themselves: the turn ended, for this reason.
  Answer finish(chat::StopReason stop);

  /// The arguments of a call so far, readable after every delta without a copy.
  [[nodiscard]] json::MaybePartial partial(std::size_t slot) const;
  /// Calls that have begun.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool ended() const;
  [[nodiscard]] bool failed() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::turn
