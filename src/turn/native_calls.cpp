// Calls that the wire gives: which call a fragment is for, and what it adds.
#include "turn/state.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::turn {
namespace {

// True when the fragments were arguments of their own, and other ones than the whole: both cannot be right.
bool contradicts(const json::Reading& fragments, std::string_view whole, const Limits& limits) {
  if (fragments.verdict.end != json::End::complete || fragments.verdict.grade == json::Grade::guess) return false;
  const json::Reading reading = json::read(whole, arguments_options(limits));
  if (reading.document.empty()) return true;
  // The same ones twice, or {} in front of them, are known faults of servers and say nothing else.
  bool same = false;
  for (json::Value v : fragments.document.values()) {
    const bool equal = v == reading.document.root();
    if (!equal && v.size() > 0) return true;
    same |= equal;
  }
  return !same;
}

// Nothing but {}, with which servers begin calls.
bool only_empty(const json::Reading& reading) {
  for (json::Value v : reading.document.values())
    if (!v.is_object() || v.size() > 0) return false;
  return true;
}

}  // namespace

// A call on the same index and without an id of its own may still be another one: when the last one is whole and a name
// comes again.
bool Ledger::State::begins_another(std::size_t slot, const delta::Call& d) const {
  const OpenCall& call = *calls[slot];
  if (d.name.empty() || call.name.empty()) return false;
  if (!d.key.id.empty() && slots[slot].id == d.key.id) return false;
  if (!d.key.item.empty() && slots[slot].item == d.key.item) return false;
  if (call.whole && (d.whole || d.name != call.name)) return true;
  if (call.reader.failed() || !depth_zero(call.reader)) return false;
  // A name that only repeats itself is no call, unless arguments begin beside it: what may stand behind the last ones
  // is no beginning.
  return d.name != call.name || d.arguments.find_first_not_of(" \t\r\n}]") != d.arguments.npos;
}

// The wire says that the call of this slot begins, and it has begun: twice the same, which says nothing new, or another
// call under the same names.
bool Ledger::State::begins_again(std::size_t slot, const delta::Call& d) const {
  return d.begins && (calls[slot]->size > 0 || slots[slot].closed);
}

std::optional<std::size_t> Ledger::State::new_slot(const delta::Call& d) {
  if (calls.size() >= options.limits.calls) {
    fail_limit("the turn has more than", "calls", options.limits.calls);
    return std::nullopt;
  }
  // An id that another call of the turn has cannot name this one too.
  if (!d.key.id.empty() && slots.has_id(d.key.id))
    sink.on_notice("repeated_id", "two calls have the same id; the second gets one of its own");
  calls.push_back(std::make_unique<OpenCall>(options.limits, options.certain_text));
  calls.back()->stray = d.fragment;
  calls.back()->since = strays.change();
  const std::size_t slot = slots.add(d.key);
  blocks.begin_call(slot, 0);
  return slot;
}

void Ledger::State::on_call(const delta::Call& d) {
  if (d.name.size() > options.limits.name_bytes || d.key.id.size() > options.limits.name_bytes)
    return fail_limit("a call's name or id is longer than", "name_bytes", options.limits.name_bytes);
  if (d.disputed && !d.whole && d.arguments.empty() && d.name.empty()) return on_lost(d);
  // What is said again begins nothing.
  std::size_t slot = slots.find(d.key, !d.name.empty() && !repeats(d));
  if (slot == Slots::kNone && repeats(d)) {
    sink.on_notice("ignored_fragment", "a call is repeated that did not come; none that is open is trusted");
    keep_stray(d.arguments);
    return lose_open(true);
  }
  const std::size_t before = slot;
  if (slot != Slots::kNone && !repeats(d) && (begins_another(slot, d) || begins_again(slot, d))) {
    close(slot);
    slot = Slots::kNone;
  }
  if (!d.key.empty() || !d.name.empty())
    sole = false;
  else if (!d.arguments.empty())
    on_nameless(slot, d.disputed);
  const bool begins = slot == Slots::kNone;
  if (begins) {
    if (d.key.empty() && d.name.empty()) {
      sink.on_notice("stray_fragment", "a fragment of arguments that belongs to no call was ignored");
      keep_stray(d.arguments);
      if (!d.arguments.empty()) strays.add(Strays::kNowhere);
      return;
    }
    const std::optional<std::size_t> made = new_slot(d);
    if (!made) return;
    slot = *made;
    if (before != Slots::kNone) {
      // Fragments under its names that came too early may be its own.
      if (calls[before]->stray)
        calls[slot]->lose();
      else if (!begins_another(before, d))
        calls[slot]->began = before;
    }
  } else {
    slots.learn(slot, d.key);
    slots.set_last(slot);
  }
  OpenCall& call = *calls[slot];
  call.stray &= d.fragment;
  // What says again what was said, or nothing, does not follow anything: a list of all calls at the end of a cut turn
  // must not make the last one look whole.
  if (begins || (!d.whole && (!d.arguments.empty() || !d.name.empty()))) call.active = ++clock;
  call.awaits_end |= d.awaits_end;
  call.cut |= d.cut;
  const std::size_t name_size = call.name.size();
  take_name(call, d);
  if (ending.failed) return;
  check_keys(call, slot, d);
  const bool news = take_arguments(call, slot, d) || call.name.size() != name_size;
  // A whole that says something new came last, so nothing followed this call. It does not end another one either: it
  // may stand in that list at the end.
  if (news && !d.from_start) call.active = clock;
  if (!call.name.empty()) begin(call, slot);
  if (d.closed) close_and_tell(slot);
}

void Ledger::State::take_name(OpenCall& call, const delta::Call& d) {
  const std::string_view name = d.name;
  if (name.empty() || call.name == name) return;
  // A name comes before the arguments, if in pieces; with all of them it is whole.
  const bool grows = call.size == 0 && !d.whole;
  if (call.name.empty() || (grows && name.starts_with(call.name))) {
    call.name = name;  // the first, or longer ones that hold what came before
  } else if (grows) {
    if (call.name.size() + name.size() > options.limits.name_bytes)
      return fail_limit("a call's name or id is longer than", "name_bytes", options.limits.name_bytes);
    call.name += name;  // a name in fragments
  } else {
    sink.on_notice("name_changed", "a fragment gives a call another name; the first one stands, and is not trusted");
    call.doubt_part(json::EditKind::stray_bytes, call.size, 0);
  }
}

// True when they say something new.
bool Ledger::State::take_arguments(OpenCall& call, std::size_t slot, const delta::Call& d) {
  if (d.whole) return take_whole(call, slot, d);
  call.growing.add(d.arguments, options.limits.bytes);
  return add(call, slot, d.arguments);
}

// The arguments as a whole: they win over what came in fragments, with a doubt where those say something else and look
// whole too.
bool Ledger::State::take_whole(OpenCall& call, std::size_t slot, const delta::Call& d) {
  const bool again = repeats(d);
  call.whole |= !again;
  call.growing.stop();
  const bool stray = !strays.empty() && strays.last().at >= call.since &&
                     (strays.last().slot == Slots::kNone || calls[strays.last().slot]->name.empty());
  const bool lost = call.lost.has_value() || stray;
  if (!d.arguments.empty() && !d.disputed) {
    call.lost.reset();
    call.since = strays.change();
  }
  if (call.all_raw() && call.raw == d.arguments) return false;
  if (call.size == 0) return add(call, slot, d.arguments);
  if (d.arguments.empty()) {
    sink.on_notice("empty_snapshot", "the arguments as a whole came empty; the fragments stand");
    return false;
  }
  sink.on_notice("snapshot_differs", "the arguments as a whole are not the sum of their fragments; the whole stands");
  const json::Reading& fragments = call.reader.finish_in_place();
  const bool partial = fragments.verdict.end != json::End::complete || fragments.verdict.grade == json::Grade::guess;
  // Where a fragment is known to be missing, they differ for that reason.
  const bool differs = (again && partial) || ((again || !lost) && contradicts(fragments, d.arguments, options.limits));
  if (differs && !partial && only_empty(fragments) && needs_arguments(call.name, options))
    call.mend = json::Edit{json::EditKind::stray_bytes, json::Grade::safe, 0, 0};
  else if (differs)
    dispute(call, 0, d.arguments.size());
  call.replaced = true;
  call.reader.reset();
  call.reader.push(d.arguments);
  call.raw.clear();
  call.size = 0;
  call.add_raw(d.arguments, options.limits.bytes);
  return true;
}

bool Ledger::State::add(OpenCall& call, std::size_t slot, std::string_view piece) {
  if (piece.empty()) return false;
  const std::string_view kept = call.add_raw(piece, options.limits.bytes);
  call.reader.push(piece);
  if (call.started) {
    if (!kept.empty()) sink.on_call_delta(slot, kept);
    tell_certain(slot);
  }
  return true;
}

void Ledger::State::take(const delta::CallEnd& d) {
  if (const std::size_t slot = slots.find(d.key); slot != Slots::kNone) close_and_tell(slot);
}

}  // namespace BELAY_NAMESPACE::turn
