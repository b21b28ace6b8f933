// One turn of a model as it was heard: its deltas, its events and its calls, and what must hold for all of them.
#pragma once

#include <support/watch.h>

#include <belay/turn.h>
#include <belay/wire.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belay::fuzz {

/// Listens to a turn from both sides of the ledger: to the deltas that go in and to the events that come out.
class Turn final : public chat::DeltaSink, private turn::EventSink {
 public:
  explicit Turn(turn::LedgerOptions options = {});

  void on(const chat::Delta& delta) override;
  /// The turn is over. A sentence about the first rule that does not hold, or nothing.
  std::string finish();

  /// Each delta as one line.
  [[nodiscard]] const std::vector<std::string>& deltas() const { return deltas_; }
  /// Each event as one line, with texts and arguments that stand side by side joined.
  [[nodiscard]] const std::vector<std::string>& events() const { return events_; }
  /// Both, for messages.
  [[nodiscard]] std::string story() const;
  [[nodiscard]] const std::vector<turn::Call>& calls() const { return calls_; }
  /// The turn ended with a stop and without a failure; every call is trusted, and is what it says without a mend.
  [[nodiscard]] bool sound() const;
  /// Writes the turn again as a stream: its texts and reasoning, its calls in the order of slots, usage, stop.
  [[nodiscard]] std::string written(wire::Wire wire) const;
  /// What a turn that was written by written() and read again says otherwise; nothing when it says the same. Another
  /// wire may lack a word for the stop.
  [[nodiscard]] std::string difference(const Turn& again, bool same_wire) const;

 private:
  // What was heard of one call before its end.
  struct Heard {
    std::string id, name, arguments;
    bool started = false, closed = false, ended = false;
    std::optional<check::Shown> shown;
  };

  void on_text(std::string_view) override;
  void on_reasoning(std::string_view) override;
  void on_call_start(std::size_t slot, std::string_view id, std::string_view name) override;
  void on_call_delta(std::size_t slot, std::string_view piece) override;
  void on_call_closed(std::size_t slot) override;
  void on_call_end(const turn::Call&) override;
  void on_usage(const chat::Usage&) override;
  void on_stop(chat::StopReason, std::string_view raw) override;
  void on_notice(std::string_view kind, std::string_view message) override;
  void on_failure(const chat::Failure&) override;

  void say(std::string event) { events_.push_back(std::move(event)); }
  void join(const std::string& kind, std::string_view more);
  void require(bool holds, const std::string& otherwise) {
    if (!holds && fault_.empty()) fault_ = otherwise;
  }
  void watch_partial();
  void check_call(const turn::Call& call);
  void check_trust(const turn::Call& call);
  void check_reading(const turn::Call& call, const Heard& heard);

  turn::LedgerOptions options_;
  turn::Ledger ledger_;
  std::vector<std::string> deltas_, events_;
  std::vector<turn::Call> calls_;
  std::string fault_, text_, reasoning_, raw_stop_;
  std::map<std::size_t, Heard> heard_;
  chat::Usage usage_;
  chat::StopReason stop_ = chat::StopReason::none;  // as the deltas said
  bool ended_ = false, failed_ = false, finished_ = false, stopped_ = false;
  bool told_ = false;                      // they said one
  bool strays_ = false;                    // fragments were left out
  bool replaced_ = false;                  // arguments of some call were: the sum of its deltas is not its text
  bool guessed_ = false;                   // some delta came in an event that had to be guessed
  std::optional<std::size_t> last_spoke_;  // the call whose arguments were the last thing that was said
};

}  // namespace belay::fuzz
