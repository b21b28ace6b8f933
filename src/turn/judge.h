// What a call is worth at the end of its turn.
#pragma once

#include <belay/turn/call.h>
#include <belay/turn/ledger.h>

namespace BELAY_NAMESPACE::turn {

/// How the turn ended.
struct Ending {
  chat::StopReason stop = chat::StopReason::none;
  bool ended = false;   // by the wire's end marker
  bool failed = false;  // by an error inside the stream
  /// What came last may not be whole.
  [[nodiscard]] bool cut() const { return failed || !ended || chat::cuts(stop); }
};

/// What is known of a call's argument text beside its reading.
struct Arguments {
  std::uint64_t size = 0;
  std::optional<json::Edit>
      doubt{};  // some of it came in an event that had to be guessed, or events contradict each other
  std::optional<json::Edit> mend{};  // something that was left out of it, for sure
  std::string_view text{};           // all of it, when it was kept
  std::string_view repeating{};      // the last fragment, where each of several repeats all before it
  bool never_closed = false;         // though the wire says when a call is over
};

/// Fills in verdict, value, error and trust. `followed`: the model said something after the call's last fragment.
void judge(Call& call, const Arguments& arguments, const Ending& end, bool followed, const LedgerOptions& options);

/// A doubt that came up after the call was judged.
void doubt(Call& call, const json::Edit& edit);

/// True when `{}` cannot be the arguments of the tool of this name.
bool needs_arguments(std::string_view name, const LedgerOptions& options);

}  // namespace BELAY_NAMESPACE::turn
