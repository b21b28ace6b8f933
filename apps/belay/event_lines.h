// Events as lines of JSON.
#pragma once

#include "io.h"

#include <belay/turn.h>

#include <string>

namespace belay::cli {

/// Writes each event as one JSON object on a line. With `coalesce` adjacent text, reasoning and deltas of one call are
/// joined, so that the lines are the same however the input was cut. `end` follows each object.
class EventLines final : public turn::EventSink {
 public:
  EventLines(TextSink& out, bool coalesce, bool terminal, std::string_view end = "\n")
      : out_(out), coalesce_(coalesce), terminal_(terminal), end_(end) {}

  void on_text(std::string_view piece) override { piece_of(What::text, 0, piece); }
  void on_reasoning(std::string_view piece) override { piece_of(What::reasoning, 0, piece); }
  void on_call_start(std::size_t slot, std::string_view id, std::string_view name) override;
  void on_call_delta(std::size_t slot, std::string_view piece) override { piece_of(What::delta, slot, piece); }
  void on_call_end(const turn::Call& call) override;
  void on_usage(const chat::Usage& usage) override;
  void on_stop(chat::StopReason reason, std::string_view raw) override;
  void on_notice(std::string_view kind, std::string_view message) override;
  void on_failure(const chat::Failure& failure) override;
  /// What waits to be joined with more.
  void flush();

  [[nodiscard]] bool failed() const { return failed_; }

 private:
  enum class What : std::uint8_t { nothing, text, reasoning, delta };
  void piece_of(What what, std::size_t slot, std::string_view piece);
  void write_piece(What what, std::size_t slot, std::string_view piece);
  void write_line();
  TextSink& out_;
  bool coalesce_;
  bool terminal_;
  std::string_view end_;
  bool failed_ = false;
  What waiting_ = What::nothing;
  std::size_t slot_ = 0;
  std::string text_;
  std::string line_;
};

}  // namespace belay::cli
