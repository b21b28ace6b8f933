// The deltas of one answer as a whole message.
#pragma once

#include <belay/turn.h>

namespace belay::check {

class Collecting final : public chat::DeltaSink, private turn::EventSink {
 public:
  explicit Collecting(turn::LedgerOptions options = {}) : ledger_(*this, std::move(options)) {}

  void on(const chat::Delta& delta) override { ledger_.on(delta); }
  /// Call once.
  [[nodiscard]] chat::Response take() { return turn::response_of(ledger_.finish()); }
  [[nodiscard]] bool ended() const { return ledger_.ended(); }
  [[nodiscard]] bool failed() const { return ledger_.failed(); }

 private:
  turn::Ledger ledger_;
};

}  // namespace belay::check
