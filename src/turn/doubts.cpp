// What speaks against the calls of a stream: fragments that are lost, that contradict each other, or that belong to no
// call.
#include "turn/state.h"

#include <algorithm>

namespace BELAY_NAMESPACE::turn {
void Ledger::State::check_keys(OpenCall& call, std::size_t slot, const delta::Call& d) {
  const bool named = !d.key.empty(), fragment = !d.whole && !d.arguments.empty();
  if (call.name.empty() && !d.arguments.empty()) strays.add(slot);
  if (d.guess) call.doubt_part(*d.guess, call.size, d.arguments.size());
  // A fragment for a call that is over was meant for another, or the call was not over.
  const bool late = slots[slot].closed && fragment;
  if (d.disputed && !named) call.lose();
  if ((d.disputed && named) || late) dispute(call, call.size, d.arguments.size());
  if (d.disputed && named && fragment) lose_middles(slot);
  if (late) strays.add(Strays::kNowhere);
  // Nor does one follow all arguments, unless they come again, or were {}.
  if (call.whole && call.raw == "{}" && fragment) call.whole = false;
  if (!call.whole || late || !fragment || call.lost) return;
  sink.on_notice("contradiction",
                 "a fragment follows the arguments as a whole; the call is not trusted unless they come again");
  call.lose();
}

void Ledger::State::dispute(OpenCall& call, std::uint64_t at, std::uint64_t length) {
  if (!call.doubt)
    sink.on_notice("contradiction", "events of the stream contradict each other about a call; it cannot be trusted");
  call.doubt_part(json::EditKind::stray_bytes, at, length);
}

// Something of a call came that the wire cannot read. It may be of any call when nothing says of which.
void Ledger::State::on_lost(const delta::Call& d) {
  const std::size_t slot = d.key.empty() ? Slots::kNone : slots.find(d.key);
  if (slot != Slots::kNone)
    calls[slot]->lose();
  else
    lose_open(true);
}

// A fragment that names no call goes on with the last one. Where another lacks something too, it may be for that one.
void Ledger::State::on_nameless(std::size_t slot, bool disputed) {
  if (disputed) return lose_open(false);
  if (sole) return;
  for (std::size_t other = 0; other < calls.size(); ++other) {
    if (other == slot || slots[other].closed || depth_zero(calls[other]->reader)) continue;
    sink.on_notice("stray_fragment", "a fragment of arguments names no call, and several are open; none is trusted");
    return lose_open(false);
  }
  sole = true;
}

// One that is whole already lacks nothing in its middle.
void Ledger::State::lose_open(bool whole_too) {
  for (std::size_t slot = 0; slot < calls.size(); ++slot)
    if (!slots[slot].closed && (whole_too || !depth_zero(calls[slot]->reader))) calls[slot]->lose();
}

// Calls whose arguments have begun and go on, other than that one: a fragment that may not be for it may be for them.
void Ledger::State::lose_middles(std::size_t but) {
  for (std::size_t slot = 0; slot < calls.size(); ++slot)
    if (slot != but && !slots[slot].closed && calls[slot]->size > 0 && !depth_zero(calls[slot]->reader))
      calls[slot]->lose();
}

void Ledger::State::keep_stray(std::string_view piece) {
  const std::uint64_t room = options.limits.bytes - std::min<std::uint64_t>(options.limits.bytes, answer.stray.size());
  answer.stray += piece.substr(0, static_cast<std::size_t>(room));
}

// Fragments that belong to no call may be those of any that was open when they came.
void Ledger::State::doubt_strays() {
  strays.leave_out([&](std::size_t slot) { return !calls[slot]->name.empty(); });
  const bool some = std::ranges::any_of(calls, [](const auto& call) { return call->is_stray(); });
  if (some) sink.on_notice("stray_fragment", "fragments of arguments that belong to no call were left out");
  bool told = strays.any_nowhere(), any = false;
  for (const auto& call : calls) {
    told |= call->is_stray();
    if (call->is_stray()) keep_stray(call->raw);
    if (call->name.empty() || !strays.any_between(call->since, call->until)) continue;
    any = true;
    call->doubt_part(json::EditKind::stray_bytes, 0, call->size);
  }
  if (any && !told)
    sink.on_notice("stray_fragment", "arguments came for a call without a name; none that was open then is trusted");
}

}  // namespace BELAY_NAMESPACE::turn
