// A call while its turn lasts.
#pragma once

#include "turn/growing.h"
#include "turn/slots.h"

#include <belay/base.h>
#include <belay/chat/message.h>
#include <belay/json.h>
#include <belay/text/decoder.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::turn {

inline json::ReaderOptions arguments_options(const Limits& limits, bool text = false) {
  json::ReaderOptions options;
  options.root = json::Root::object;
  options.text = text;
  options.limits = limits;
  return options;
}

/// The reader's value is an object that is closed, as far as one can know.
inline bool depth_zero(const json::Reader& reader) {
  json::MaybePartial value = reader.value();
  return value && value->kind() == json::Kind::object && value->seems_closed();
}

struct OpenCall {
  OpenCall(const Limits& limits, bool text) : reader(arguments_options(limits, text)) {}

  // what came
  std::string name;
  std::string raw;         // its arguments, at most Limits::bytes of them
  std::uint64_t size = 0;  // of all of them
  json::Reader reader;     // of a native call
  std::vector<chat::Opaque> opaque;
  std::uint64_t opaque_bytes = 0;
  std::string certain;
  json::TextSoFar certain_text;

  // what was told
  bool started = false;      // on_call_start was sent
  bool owes_closed = false;  // on_call_closed is to follow it

  // what the wire said of its end
  std::uint64_t active = 0;  // when its last fragment came
  bool whole = false;        // its arguments came as a whole
  bool replaced = false;     // and others than its fragments said
  bool cut = false;          // it was cut off
  bool awaits_end = false;   // the wire says when it is over

  // what speaks against it
  bool stray = false;                 // nothing but fragments came for it, which should have had a beginning
  std::optional<std::uint64_t> lost;  // a part may be missing here, unless its arguments come as a whole
  std::optional<json::Edit> doubt;    // a part of it had to be guessed by the event, or events contradict each other
  std::optional<json::Edit> mend;     // {} stood in front of its arguments
  Growing growing;                    // its fragments, if each repeats the one before it
  std::uint64_t since = 0;            // when it began, or its arguments came as a whole: a time of Strays
  std::uint64_t until = kUnlimited;   // when it was closed
  std::size_t began = Slots::kNone;   // the call that began before it under the same names

  // of a call in the text
  std::size_t text_call = Slots::kNone;  // which of them it is
  std::optional<text::Found> found;      // how it was read, once it is over
  std::uint64_t begin = 0, end = 0;      // where it stands
  std::size_t repeats = Slots::kNone;    // a call in the text before it with its id and name
  bool left_out = false;                 // and with its arguments

  /// Gives what of the piece is within the limit, and was kept.
  std::string_view add_raw(std::string_view piece, std::uint64_t limit) {
    size += piece.size();
    const std::uint64_t room = limit - std::min<std::uint64_t>(limit, raw.size());
    const std::string_view kept =
        piece.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(room, piece.size())));
    raw += kept;
    return kept;
  }
  [[nodiscard]] bool all_raw() const { return raw.size() == size; }
  /// It has no arguments; white space is none.
  [[nodiscard]] bool empty() const { return all_raw() && raw.find_first_not_of(" \t\r\n") == raw.npos; }
  /// It stands for no call.
  [[nodiscard]] bool is_stray() const { return stray && name.empty(); }

  void lose() {
    if (!lost) lost = size;
  }
  void doubt_part(json::EditKind kind, std::uint64_t at, std::uint64_t length) {
    if (!doubt)
      doubt = json::Edit{kind, json::Grade::guess, at, length};
    else
      doubt->length = std::max(doubt->length, at + length - std::min(at + length, doubt->offset));
  }
};

}  // namespace BELAY_NAMESPACE::turn
