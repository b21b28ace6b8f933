// What the decoder finds in the model's text.
#include "turn/repeats.h"
#include "turn/state.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::turn {

void Ledger::State::on_text(std::string_view piece) {
  ++clock;
  blocks.add_found(Block::Kind::text, source, piece);
  sink.on_text(piece);
}

void Ledger::State::on_reasoning(std::string_view piece) {
  ++clock;
  blocks.add_found(Block::Kind::reasoning, source, piece);
  sink.on_reasoning(piece);
}

void Ledger::State::on_call_start(std::size_t, std::string_view id, std::string_view name) {
  text_slots.push_back(Slots::kNone);
  if (ending.failed) return;
  if (name.size() > options.limits.name_bytes || id.size() > options.limits.name_bytes)
    return fail_limit("a call's name or id is longer than", "name_bytes", options.limits.name_bytes);
  if (calls.size() >= options.limits.calls) return fail_limit("the turn has more than", "calls", options.limits.calls);
  const std::size_t other = slots.with_id(id);
  const std::size_t slot = slots.add(other == Slots::kNone ? CallKey{.id = id} : CallKey{});
  calls.push_back(std::make_unique<OpenCall>(options.limits, options.certain_text));
  blocks.begin_call(slot, source);
  // What the wire says of its own calls never means this one.
  close(slot);
  text_slots.back() = slot;
  OpenCall& call = *calls[slot];
  call.since = call.until;
  call.name = name;
  call.text_call = text_slots.size() - 1;
  call.active = ++clock;
  if (other != Slots::kNone && calls[other]->found && calls[other]->name == name)
    call.repeats = other;
  else
    begin(call, slot);
}

void Ledger::State::on_call_delta(std::size_t call, std::string_view piece) {
  const std::size_t slot = text_slots[call];
  if (slot == Slots::kNone || ending.failed) return;
  OpenCall& open = *calls[slot];
  open.active = ++clock;
  const std::string_view kept = open.add_raw(piece, options.limits.bytes);
  if (!open.started) return;
  if (!kept.empty()) sink.on_call_delta(slot, kept);
  tell_certain(slot);
}

void Ledger::State::on_call_end(std::size_t call, text::Found found) {
  const std::size_t slot = text_slots[call];
  if (slot == Slots::kNone) return;
  OpenCall& open = *calls[slot];
  open.active = ++clock;
  // An id behind the name, if no other call of the turn has it.
  if (!found.id.empty() && found.id.size() <= options.limits.name_bytes && slots[slot].id.empty() &&
      !slots.has_id(found.id))
    slots.learn(slot, {.id = found.id});
  const bool closed = found.closed;
  open.found = std::move(found);
  if (open.repeats != Slots::kNone && leave_out(open)) return;
  begin(open, slot);
  if (closed) sink.on_call_closed(slot);
}

// A call in the text that was held, until it was known to be the same again.
bool Ledger::State::leave_out(OpenCall& call) {
  const json::Reading &first = calls[call.repeats]->found->reading, &again = call.found->reading;
  call.left_out = same_values(first.verdict, first.document.values(), again.verdict, again.document.values());
  if (call.left_out) tell_repeated();
  return call.left_out;
}

void Ledger::State::on_call_doubt(std::size_t call, json::Edit edit) {
  const std::size_t slot = text_slots[call];
  if (slot == Slots::kNone || !calls[slot]->found) return;
  json::Reading& reading = calls[slot]->found->reading;
  // One reason not to trust it is enough.
  if (reading.verdict.grade == json::Grade::guess) return;
  ++reading.edits_total;
  if (reading.edits.size() < options.limits.edits) reading.edits.push_back(edit);
  reading.verdict.grade = std::max(reading.verdict.grade, edit.grade);
}

void Ledger::State::on_call_place(std::size_t first, std::size_t last, std::uint64_t begin, std::uint64_t end) {
  for (std::size_t call = first; call < last && call < text_slots.size(); ++call) {
    if (text_slots[call] == Slots::kNone) continue;
    calls[text_slots[call]]->begin = begin;
    calls[text_slots[call]]->end = end;
  }
}

// Calls get their places in the list; blocks of calls that are none go, and those that stand in one text learn which
// bytes of it are theirs. Places are counted in the text as it came: where the wire's texts came mixed, they mean
// nothing.
void Ledger::State::place_blocks() {
  std::vector<std::size_t> at(calls.size(), Slots::kNone);
  for (std::size_t i = 0; i < answer.calls.size(); ++i) at[answer.calls[i].slot] = i;
  std::erase_if(answer.blocks,
                [&](const Block& b) { return b.kind == Block::Kind::call && at[b.call] == Slots::kNone; });
  const bool placed = blocks.in_order();
  std::uint64_t begin = 0;
  std::size_t first = 0, source_before = 0;
  auto end_at = [&](std::size_t block, std::uint64_t end) {
    for (; first < block; ++first)
      if (answer.blocks[first].source != 0 && placed)
        answer.blocks[first].begin = begin, answer.blocks[first].end = end;
  };
  for (std::size_t i = 0; i < answer.blocks.size(); ++i) {
    Block& block = answer.blocks[i];
    const bool call = block.kind == Block::Kind::call;
    if (call) block.call = at[block.call];
    if (block.source == 0) continue;
    if (block.source != source_before) {
      end_at(i, blocks.source_begin(block.source));
      begin = blocks.source_begin(block.source);
      source_before = block.source;
    }
    if (!call) continue;
    Call& one = answer.calls[block.call];
    if (!placed || one.end <= one.begin || one.end > answer.received.size()) {
      one.begin = one.end = 0;
      continue;
    }
    end_at(i, one.begin);
    block.begin = one.begin;
    block.end = begin = one.end;
    first = i + 1;
  }
  end_at(answer.blocks.size(), answer.received.size());
}

}  // namespace BELAY_NAMESPACE::turn
