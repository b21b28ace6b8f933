// Where everything that a text holds goes out: whole characters of valid UTF-8, in order.
#pragma once

#include "text/characters.h"

#include <belay/text/decoder.h>

#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::text {

class Output {
 public:
  Output(Sink& sink, const Limits& limits) : sink_(sink), limits_(limits) {}

  void text(std::string_view bytes);
  void reasoning(std::string_view bytes);
  void notice(std::string_view kind, std::string_view message) { sink_.on_notice(kind, message); }

  /// A call begins. Only one is open at a time.
  void begin();
  /// Its name is known, or known to be missing.
  void name(std::string_view id, std::string_view name);
  [[nodiscard]] bool named() const { return named_; }
  /// Bytes of its arguments; they wait until it has a name.
  void delta(std::string_view bytes);
  void end(Found found);
  /// All calls from `first` on stand there.
  void place(std::size_t first, std::uint64_t begin, std::uint64_t end) {
    if (first < calls_) sink_.on_call_place(first, calls_, begin, end);
  }
  /// The last call may have ended too early.
  void doubt(json::Edit edit) { sink_.on_call_doubt(calls_ - 1, edit); }
  /// A call that has ended may be shown, not meant.
  void doubt(std::size_t call, json::Edit edit) { sink_.on_call_doubt(call, edit); }

  /// The call before the last one, though that is not given yet.
  void doubt_before(json::Edit edit) {
    if (calls_ > 1) sink_.on_call_doubt(calls_ - 2, edit);
  }

  [[nodiscard]] std::size_t calls() const { return calls_; }
  [[nodiscard]] bool open() const { return open_; }
  /// The first call with a string that never ended: what follows may still be that string.
  [[nodiscard]] std::optional<std::size_t> left_open() const { return left_open_; }
  void forget_open() { left_open_.reset(); }
  /// Ends what is written: half a character at the end of a text is no character.
  void flush();

 private:
  enum class Kind : std::uint8_t { none, text, reasoning, delta };
  void give(std::string_view piece);
  void to(Kind kind);

  Sink& sink_;
  const Limits& limits_;
  Kind kind_ = Kind::none;
  Characters characters_;
  std::string waiting_;
  std::size_t calls_ = 0;  // that have begun
  bool open_ = false;
  std::string id_, name_;  // of the open call, once it has a name
  bool named_ = false;
  std::optional<std::size_t> left_open_;
};

}  // namespace BELAY_NAMESPACE::text
