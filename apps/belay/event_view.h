// Events for a person: each call as it grows, then what it is worth.
#pragma once

#include "io.h"
#include "terminal.h"

#include <belay/turn.h>

#include <string>
#include <vector>

namespace belay::cli {

/// Draws events at 80 columns. On a terminal a call is drawn again as its arguments fill in; elsewhere it is drawn
/// once, when the turn has ended. Nothing from the input reaches the terminal raw.
class EventView final : public turn::EventSink {
 public:
  explicit EventView(Output& out);
  /// Where the arguments so far are read from.
  void watch(const turn::Ledger& ledger) { ledger_ = &ledger; }

  void on_text(std::string_view piece) override { say("text", piece); }
  void on_reasoning(std::string_view piece) override { say("thinks", piece); }
  void on_call_start(std::size_t slot, std::string_view id, std::string_view name) override;
  void on_call_delta(std::size_t slot, std::string_view piece) override;
  void on_call_end(const turn::Call& call) override;
  void on_usage(const chat::Usage& usage) override;
  void on_stop(chat::StopReason reason, std::string_view raw) override;
  void on_notice(std::string_view kind, std::string_view message) override;
  void on_failure(const chat::Failure& failure) override;
  /// After each piece of input: draws what has changed.
  void update();
  void flush();
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  void say(std::string_view what, std::string_view piece);
  void line(std::string_view label, std::string_view text);
  /// A sentence over as many lines as it needs, the label before the first.
  enum class Tone : std::uint8_t { plain, dim, red };
  void sentence(std::string_view label, std::string_view text, Tone tone = Tone::plain);
  void draw_growing();
  void erase_growing();
  void draw_members(std::optional<json::Value> value);
  void draw_receipt(const turn::Call& call);

  Output& out_;
  bool live_;
  Style style_;
  const turn::Ledger* ledger_ = nullptr;
  std::string speech_;  // text or reasoning that is not drawn yet
  std::string speech_label_;
  bool failed_ = false;
  bool growing_ = false;
  bool changed_ = false;
  std::size_t slot_ = 0;
  std::size_t drawn_ = 0;  // lines of the call that grows
  std::vector<std::string> names_;
};

}  // namespace belay::cli
