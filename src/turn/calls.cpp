// What all calls have in common: when they are told, and how they are judged at the end.
#include "turn/repeats.h"
#include "turn/state.h"

#include <belay/json/writer.h>

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::turn {
namespace {

// Its values, one a line.
std::string text_of(const json::Document& document) {
  std::string out;
  for (json::Value v : document.values()) {
    if (!out.empty()) out += '\n';
    json::write(v, out);
  }
  return out;
}

bool is_text_of(std::string_view text, const json::Document& document) {
  const json::Reading reading = json::read(text);
  auto it = reading.document.values().begin();
  const auto end = reading.document.values().end();
  for (json::Value v : document.values()) {
    if (it == end || !(*it == v)) return false;
    ++it;
  }
  return it == end;
}

}  // namespace

// A call under the id and name of another one may be that one again. Only the end says so, and then there is nothing to
// tell.
bool Ledger::State::is_held(std::size_t slot) const {
  const OpenCall& call = *calls[slot];
  std::size_t other = finished ? Slots::kNone : slots[slot].before;
  for (std::size_t n = 0; other != Slots::kNone && n < Repeats::kMost; ++n, other = slots[other].before) {
    const std::string& name = calls[other]->name;
    // A name may still grow before the arguments come.
    if (call.size == 0 ? name.starts_with(call.name) : name == call.name) return true;
  }
  return false;
}

void Ledger::State::begin(OpenCall& call, std::size_t slot) {
  if (call.started || is_held(slot)) return;
  call.started = true;
  const std::string_view id = slots.id(slot);
  sink.on_call_start(slot, id.empty() ? made_id(slot) : std::string(id), call.name);
  if (!call.raw.empty()) sink.on_call_delta(slot, call.raw);
  tell_certain(slot);
  if (std::exchange(call.owes_closed, false)) sink.on_call_closed(slot);
}

void Ledger::State::tell_certain(std::size_t slot) {
  OpenCall& call = *calls[slot];
  if (!options.certain_text || finished || call.replaced) return;
  std::string more;
  if (call.text_call == Slots::kNone)
    more = call.reader.take_text();
  else if (!decoder->guessed(call.text_call))
    call.certain_text.take(decoder->partial(call.text_call), more);
  if (more.empty()) return;
  call.certain += more;
  sink.on_call_certain(slot, more);
}

// The rest of it, where nothing had to be guessed and no later event said otherwise.
void Ledger::State::complete_certain(Call& call) {
  OpenCall& open = *calls[call.slot];
  const bool sound = call.verdict.end == json::End::complete && call.verdict.grade != json::Grade::guess;
  if (!options.certain_text || !sound) return;
  std::string text;
  if (!call.from_text && !open.replaced && !open.reader.text_stopped()) text = call.certain + open.reader.take_text();
  // The arguments may be others than their text says: {} for none, the last of several chunks.
  if (!is_text_of(text, call.reading.document)) text = text_of(call.reading.document);
  if (!text.starts_with(call.certain)) return;
  call.certain_whole = true;
  const std::size_t before = call.certain.size();
  call.certain = std::move(text);
  if (call.certain.size() > before) sink.on_call_certain(call.slot, std::string_view(call.certain).substr(before));
}

void Ledger::State::close(std::size_t slot) {
  if (slots[slot].closed) return;
  slots.close(slot);
  calls[slot]->until = strays.change();
}

void Ledger::State::close_and_tell(std::size_t slot) {
  if (slots[slot].closed) return;
  close(slot);
  if (calls[slot]->stray) return;
  if (is_held(slot))
    calls[slot]->owes_closed = true;
  else
    sink.on_call_closed(slot);
}

void Ledger::State::tell_repeated() {
  sink.on_notice("repeated_call", "a call came again with the same id, name and arguments; it counts once");
}

std::string Ledger::State::made_id(std::size_t slot) const {
  std::string id = options.made_ids + std::to_string(slot);
  while (slots.has_id(id)) id += "_";
  return id;
}

Call Ledger::State::judged(std::size_t slot) {
  OpenCall& open = *calls[slot];
  if (open.lost && !open.doubt) open.doubt_part(json::EditKind::stray_bytes, *open.lost, 0);
  Call call;
  call.slot = slot;
  call.id = slots.id(slot);
  call.made_id = call.id.empty();
  if (call.made_id) call.id = made_id(slot);
  call.name = open.name;
  call.opaque = std::move(open.opaque);
  call.certain = std::move(open.certain);
  const bool followed = open.active < clock && !open.cut;
  Ending end = ending;
  if (open.cut) end.stop = chat::StopReason::length;
  Arguments arguments{.size = open.empty() ? 0 : open.size,
                      .doubt = open.doubt,
                      .mend = open.mend,
                      .text = open.all_raw() ? std::string_view(open.raw) : std::string_view(),
                      .repeating = open.growing.newest(),
                      .never_closed = open.awaits_end && !slots[slot].closed && !open.whole};
  if (open.found) {
    call.from_text = true;
    call.reading = std::move(open.found->reading);
    call.closed = open.found->closed || followed;
    call.begin = open.begin;
    call.end = open.end;
    arguments = {.size = std::max<std::uint64_t>(1, open.size)};
  } else {
    call.closed = slots[slot].closed || followed;
    const bool cut = end.cut() && !followed;
    call.reading = open.reader.finish(cut ? json::Ending::cut : json::Ending::complete);
  }
  judge(call, arguments, end, followed, options);
  if (open.started)
    call.raw = std::move(open.raw);
  else
    call.raw = open.raw;  // it may still be told
  return call;
}

std::vector<Call> Ledger::State::judge_all() {
  const bool any_stray =
      std::ranges::any_of(calls, [](const auto& call) { return call->is_stray() && call->size > 0; });
  doubt_strays();
  bool any_nameless = false;  // arguments that neither a name nor an id came for
  for (std::size_t slot = 0; slot < calls.size(); ++slot)
    any_nameless |= calls[slot]->name.empty() && slots[slot].id.empty() && calls[slot]->size > 0;
  std::vector<Call> out;
  for (std::size_t slot = 0; slot < calls.size(); ++slot) {
    OpenCall& open = *calls[slot];
    if (open.is_stray() || open.left_out) continue;
    // They may have been meant for a call that now looks as if it had no arguments.
    if ((any_stray || (any_nameless && !slots[slot].closed)) && open.empty() && !open.found)
      open.doubt_part(json::EditKind::stray_bytes, 0, 0);
    out.push_back(judged(slot));
  }
  return leave_out_repeated(std::move(out));
}

// The same id, name and arguments are one call however often they come. Two calls that began under the same names and
// are not the same can neither be told apart nor be one.
std::vector<Call> Ledger::State::leave_out_repeated(std::vector<Call> all) {
  Repeats repeats;
  std::vector<Call> out;
  std::vector<std::size_t> at(calls.size(), Slots::kNone);  // where the call of a slot is in `out`
  auto doubt_at = [&](std::size_t i) {
    if (i < out.size()) doubt(out[i], {json::EditKind::stray_bytes, json::Grade::guess, 0, 0});
  };
  for (Call& call : all) {
    const std::size_t slot = call.slot;
    const OpenCall& open = *calls[slot];
    const std::string_view id = slots[slot].id;
    const std::size_t before = open.began == Slots::kNone ? Slots::kNone : at[open.began];
    const std::size_t same = open.started ? Slots::kNone : repeats.find(out, id, call);
    if (same != Repeats::kNone) {
      at[slot] = same;
      tell_repeated();
    } else {
      at[slot] = out.size();
      repeats.add(id, out.size());
      out.push_back(std::move(call));
    }
    if (open.began == Slots::kNone || before == same) continue;
    sink.on_notice("contradiction", "a call began again as another one; neither is trusted");
    doubt_at(before);
    if (same == Repeats::kNone) doubt_at(out.size() - 1);
  }
  return out;
}

}  // namespace BELAY_NAMESPACE::turn
