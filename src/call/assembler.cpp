#include <belay/call.h>

#include "call/growing.h"
#include "call/judge.h"
#include "call/repeats.h"
#include "call/slots.h"
#include "call/strays.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace belay::call {
namespace {

using Kind = chat::Delta::Kind;

json::ReaderOptions reader_options(const Limits& limits) {
  json::ReaderOptions options;
  options.root = json::Root::object;
  options.limits = limits;
  return options;
}

// Tells two long texts apart without keeping the first.
struct Fingerprint {
  std::uint64_t size = 0, a = 0x9e3779b97f4a7c15ull, b = 0xe7037ed1a0b428dbull;
  void add(std::string_view s) {
    size += s.size();
    // Byte by byte, so that cuts do not matter; fragments are short.
    for (char c : s) {
      a = (a ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
      b = (b + static_cast<unsigned char>(c)) * 0xff51afd7ed558ccdull;
    }
  }
  bool operator==(const Fingerprint&) const = default;
};

// True when the fragments were arguments of their own, and other ones than the whole: both cannot be right.
bool contradicts(const json::Reading& fragments, std::string_view whole, const Limits& limits) {
  if (fragments.verdict.end != json::End::complete || fragments.verdict.grade == json::Grade::guess) return false;
  const json::Reading reading = json::read(whole, reader_options(limits));
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

bool has_key(const chat::Delta& d) { return d.index || !d.id.empty() || !d.item.empty(); }

// A call that began before, said again as a whole: on a wire that does not close calls, so that nothing else tells.
bool repeats(const chat::Delta& d) { return d.kind == Kind::call_whole && d.fragment && !d.awaits_end; }

// A call while its turn lasts.
struct Open {
  explicit Open(const Limits& limits) : reader(reader_options(limits)) {}
  json::Reader reader;
  std::string name;
  std::string waiting;  // arguments that came before the name
  std::string text;     // all of them; none when they are more than Limits::bytes
  Fingerprint seen;
  std::uint64_t active = 0;           // when its last fragment came
  bool started = false;               // on_call_start was sent
  bool owes_closed = false;           // on_call_closed is to follow it
  bool whole = false;                 // a snapshot of its arguments came
  bool cut = false;                   // the wire says that it was cut off
  bool awaits_end = false;            // the wire says when it is over
  bool stray = false;                 // nothing but fragments came for it, which should have had a beginning
  std::optional<std::uint64_t> lost;  // a part may be missing here, unless its arguments come as a whole
  std::optional<json::Edit> doubt;    // a part of it had to be guessed by the event, or events contradict each other
  std::optional<json::Edit> mend;     // {} stood in front of its arguments
  Growing growing;                    // its fragments, if each repeats the one before it
  std::uint64_t since = 0;            // when it began, or its arguments came as a whole: a time of Strays
  std::uint64_t until = kUnlimited;   // when it was closed
  std::size_t began = Slots::kNone;   // the call that began before it under the same names
  std::vector<chat::Opaque> opaque;
  std::optional<text::Found> found;      // read in the model's text
  std::string written;                   // its arguments there
  std::uint64_t begin = 0, end = 0;      // where it stands there
  std::size_t text_call = Slots::kNone;  // which of the calls in the text it is
  std::size_t repeats = Slots::kNone;    // a call in the text before it with its id and name
  bool left_out = false;                 // and with its arguments
  std::uint64_t opaque_bytes = 0;
};

}  // namespace

struct Assembler::State final : text::Sink {
  State(EventSink& s, AssemblerOptions o) : sink(s), options(std::move(o)) {
    if (options.format != "none" || options.raw_text)
      decoder.emplace(*this, text::Options{.format = options.format,
                                           .tools = options.shapes,
                                           .prompt_tail = options.prompt_tail,
                                           .in_reasoning = options.in_reasoning,
                                           .limits = options.limits});
  }

  // What stands in the model's text.
  void on_text(std::string_view piece) override;
  void on_reasoning(std::string_view piece) override;
  void on_call_start(std::size_t call, std::string_view id, std::string_view name) override;
  void on_call_delta(std::size_t call, std::string_view piece) override;
  void on_call_end(std::size_t call, text::Found found) override;
  void on_call_doubt(std::size_t call, json::Edit edit) override;
  void on_call_place(std::size_t first, std::size_t last, std::uint64_t begin, std::uint64_t end) override;
  void on_notice(std::string_view kind, std::string_view message) override { sink.on_notice(kind, message); }

  void on_call(const chat::Delta& d);
  void on_snapshot(Open& call, std::size_t slot, const chat::Delta& d);
  void take_name(Open& call, const chat::Delta& d);
  bool is_held(std::size_t slot) const;
  void begin(Open& call, std::size_t slot);
  bool begins_again(std::size_t slot, const chat::Delta& d) const;
  void close(std::size_t slot);
  void close_and_tell(std::size_t slot);
  void add(Open& call, std::size_t slot, std::string_view piece);
  void doubt(Open& call, json::EditKind kind, std::uint64_t at, std::uint64_t length);
  void dispute(Open& call, std::uint64_t at, std::uint64_t length);
  void on_lost(const chat::Delta& d);
  void lose(Open& call);
  void lose_open(bool whole_too);
  void lose_middles(std::size_t but);
  void doubt_strays();
  bool leave_out(Open& call);
  void tell_repeated();
  std::vector<Call> leave_out_repeated(std::vector<Call> all);
  void on_nameless(std::size_t slot, bool disputed);
  void on_stop(const chat::Delta& d);
  std::size_t find(const chat::Delta& d) const;
  bool begins_another(std::size_t slot, const chat::Delta& d) const;
  void fail(std::string_view kind, std::string_view message);
  void fail_name();
  void keep(Open& call, const chat::Opaque& opaque);
  std::string made_id(std::size_t slot) const;

  EventSink& sink;
  AssemblerOptions options;
  Slots slots;
  Strays strays;
  std::vector<std::unique_ptr<Open>> calls;
  std::uint64_t clock = 0;  // counts what the model said, to know what followed what
  Turn turn;
  std::string raw_stop;
  bool stop_seen = false;
  bool sole = false;  // the last fragment named no call, and there was only one that it could be for
  chat::Usage usage;
  bool usage_seen = false;
  bool finished = false;
  std::optional<text::Decoder> decoder;
  std::vector<std::size_t> text_slots;  // of the calls in the text
};

void Assembler::State::fail(std::string_view kind, std::string_view message) {
  if (turn.failed) return;
  turn.failed = true;
  sink.on_failure({kind, message, false, std::nullopt});
}

void Assembler::State::fail_name() {
  fail("limit", "a call's name or id is longer than " + std::to_string(options.limits.name_bytes) +
                    " bytes; raise the limit with --limit name_bytes=N (Limits::name_bytes)");
}

std::size_t Assembler::State::find(const chat::Delta& d) const {
  if (!repeats(d)) return slots.find(d);
  chat::Delta key = d;
  key.name = {};  // it begins nothing
  return slots.find(key);
}

// A call on the same index and without an id of its own may still be another one: when the last one is whole and a name
// comes again.
bool Assembler::State::begins_another(std::size_t slot, const chat::Delta& d) const {
  const Open& call = *calls[slot];
  if (d.name.empty() || call.name.empty()) return false;
  if (!d.id.empty() && slots[slot].id == d.id) return false;
  if (!d.item.empty() && slots[slot].item == d.item) return false;
  if (d.kind == Kind::call_whole && call.whole) return true;
  if (call.reader.failed() || !depth_zero(call.reader)) return false;
  // A name that only repeats itself is no call, unless arguments begin beside it: what may stand behind the last ones
  // is no beginning.
  return d.name != call.name || d.text.find_first_not_of(" \t\r\n}]") != d.text.npos;
}

// The wire says that the call of this slot begins, and it has begun: twice the same, which says nothing new, or another
// call under the same names.
bool Assembler::State::begins_again(std::size_t slot, const chat::Delta& d) const {
  return d.begins && (calls[slot]->seen.size > 0 || slots[slot].closed);
}

void Assembler::State::close(std::size_t slot) {
  if (slots[slot].closed) return;
  slots.close(slot);
  calls[slot]->until = strays.change();
}

void Assembler::State::close_and_tell(std::size_t slot) {
  if (slots[slot].closed) return;
  close(slot);
  if (calls[slot]->stray) return;
  if (is_held(slot))
    calls[slot]->owes_closed = true;
  else
    sink.on_call_closed(slot);
}

void Assembler::State::take_name(Open& call, const chat::Delta& d) {
  const std::string_view name = d.name;
  if (name.empty() || call.name == name) return;
  // A name comes before the arguments, if in pieces; with all of them it is whole.
  const bool grows = call.seen.size == 0 && d.kind == Kind::call;
  if (call.name.empty() || (grows && name.starts_with(call.name))) {
    call.name = name;  // the first, or longer ones that hold what came before
  } else if (grows) {
    if (call.name.size() + name.size() > options.limits.name_bytes) return fail_name();
    call.name += name;  // a name in fragments
  } else {
    sink.on_notice("name_changed", "a fragment gives a call another name; the first one stands, and is not trusted");
    doubt(call, json::EditKind::stray_bytes, call.seen.size, 0);
  }
}

// A call under the id and name of another one may be that one again. Only the end says so, and then there is nothing to
// tell.
bool Assembler::State::is_held(std::size_t slot) const {
  const Open& call = *calls[slot];
  std::size_t other = finished ? Slots::kNone : slots[slot].before;
  for (std::size_t n = 0; other != Slots::kNone && n < Repeats::kMost; ++n, other = slots[other].before) {
    const std::string& name = calls[other]->name;
    // A name may still grow before the arguments come.
    if (call.seen.size == 0 ? name.starts_with(call.name) : name == call.name) return true;
  }
  return false;
}

void Assembler::State::begin(Open& call, std::size_t slot) {
  if (call.started || is_held(slot)) return;
  call.started = true;
  const std::string_view id = slots.id(slot);
  sink.on_call_start(slot, id.empty() ? made_id(slot) : std::string(id), call.name);
  if (!call.waiting.empty()) sink.on_call_delta(slot, call.waiting);
  call.waiting.clear();
  if (std::exchange(call.owes_closed, false)) sink.on_call_closed(slot);
}

void Assembler::State::add(Open& call, std::size_t slot, std::string_view piece) {
  if (piece.empty()) return;
  if (call.seen.size == 0 || !call.text.empty()) {
    if (call.text.size() + piece.size() <= options.limits.bytes)
      call.text += piece;
    else
      call.text.clear();
  }
  call.seen.add(piece);
  call.reader.push(piece);
  if (!call.started) {
    if (call.name.empty() || is_held(slot)) {
      // Kept only to be shown once the call is; the reader has it already.
      call.waiting +=
          piece.substr(0, options.limits.bytes - std::min<std::uint64_t>(options.limits.bytes, call.waiting.size()));
      return;
    }
    begin(call, slot);
  }
  sink.on_call_delta(slot, piece);
}

void Assembler::State::doubt(Open& call, json::EditKind kind, std::uint64_t at, std::uint64_t length) {
  if (!call.doubt)
    call.doubt = json::Edit{kind, json::Grade::guess, at, length};
  else
    call.doubt->length = std::max(call.doubt->length, at + length - std::min(at + length, call.doubt->offset));
}

void Assembler::State::dispute(Open& call, std::uint64_t at, std::uint64_t length) {
  if (!call.doubt)
    sink.on_notice("contradiction", "events of the stream contradict each other about a call; it cannot be trusted");
  doubt(call, json::EditKind::stray_bytes, at, length);
}

void Assembler::State::lose(Open& call) {
  if (!call.lost) call.lost = call.seen.size;
}

// One that is whole already lacks nothing in its middle.
void Assembler::State::lose_open(bool whole_too) {
  for (std::size_t slot = 0; slot < calls.size(); ++slot)
    if (!slots[slot].closed && (whole_too || !depth_zero(calls[slot]->reader))) lose(*calls[slot]);
}

// Calls whose arguments have begun and go on, other than that one: a fragment that may not be for it may be for them.
void Assembler::State::lose_middles(std::size_t but) {
  for (std::size_t slot = 0; slot < calls.size(); ++slot)
    if (slot != but && !slots[slot].closed && calls[slot]->seen.size > 0 && !depth_zero(calls[slot]->reader))
      lose(*calls[slot]);
}

// Fragments that belong to no call may be those of any that was open when they came.
void Assembler::State::doubt_strays() {
  strays.leave_out([&](std::size_t slot) { return !calls[slot]->name.empty(); });
  bool told = strays.any_nowhere(), any = false;
  for (std::size_t slot = 0; slot < calls.size(); ++slot) {
    Open& call = *calls[slot];
    told |= call.stray && call.name.empty();
    if (call.name.empty() || !strays.any_between(call.since, call.until)) continue;
    any = true;
    doubt(call, json::EditKind::stray_bytes, 0, call.seen.size);
  }
  if (any && !told)
    sink.on_notice("stray_fragment", "arguments came for a call without a name; none that was open then is trusted");
}

// Something of a call came that the wire cannot read. It may be of any call when nothing says of which.
void Assembler::State::on_lost(const chat::Delta& d) {
  const std::size_t slot = has_key(d) ? slots.find(d) : Slots::kNone;
  if (slot != Slots::kNone)
    lose(*calls[slot]);
  else
    lose_open(true);
}

// A fragment that names no call goes on with the last one. Where another lacks something too, it may be for that one.
void Assembler::State::on_nameless(std::size_t slot, bool disputed) {
  if (disputed) return lose_open(false);
  if (sole) return;
  for (std::size_t other = 0; other < calls.size(); ++other) {
    if (other == slot || slots[other].closed || depth_zero(calls[other]->reader)) continue;
    sink.on_notice("stray_fragment", "a fragment of arguments names no call, and several are open; none is trusted");
    return lose_open(false);
  }
  sole = true;
}

// What was cut off stays so, whatever else is said of its end.
void Assembler::State::on_stop(const chat::Delta& d) {
  if (stop_seen && chat::cuts(turn.stop) && !chat::cuts(d.stop)) {
    sink.on_notice("contradiction", "the answer was cut off, and then said to have ended; it stays cut off");
    return;
  }
  stop_seen = true;
  turn.stop = d.stop;
  raw_stop = d.text;
}

// The arguments as a whole: they win over what came in fragments, with a doubt where those say something else and look
// whole too.
void Assembler::State::on_snapshot(Open& call, std::size_t slot, const chat::Delta& d) {
  const bool again = repeats(d);
  call.whole |= !again;
  call.cut |= d.cut;
  call.growing.stop();
  const bool stray = !strays.empty() && strays.last().at >= call.since &&
                     (strays.last().slot == Slots::kNone || calls[strays.last().slot]->name.empty());
  const bool lost = call.lost.has_value() || stray;
  if (!d.text.empty() && !d.disputed) {
    call.lost.reset();
    call.since = strays.change();
  }
  Fingerprint whole;
  whole.add(d.text);
  if (call.seen == whole) return;
  if (call.seen.size == 0) return add(call, slot, d.text);
  if (d.text.empty()) {
    sink.on_notice("empty_snapshot", "the arguments as a whole came empty; the fragments stand");
    return;
  }
  sink.on_notice("snapshot_differs", "the arguments as a whole are not the sum of their fragments; the whole stands");
  const json::Reading& fragments = call.reader.finish_in_place();
  const bool partial = fragments.verdict.end != json::End::complete || fragments.verdict.grade == json::Grade::guess;
  // Where a fragment is known to be missing, they differ for that reason.
  const bool differs = (again && partial) || ((again || !lost) && contradicts(fragments, d.text, options.limits));
  if (differs && !partial && only_empty(fragments) && needs_arguments(call.name, options))
    call.mend = json::Edit{json::EditKind::stray_bytes, json::Grade::safe, 0, 0};
  else if (differs)
    dispute(call, 0, d.text.size());
  call.reader.reset();
  call.reader.push(d.text);
  call.seen = whole;
  call.text = d.text.size() <= options.limits.bytes ? d.text : std::string_view{};
}

void Assembler::State::keep(Open& call, const chat::Opaque& opaque) {
  call.opaque_bytes += opaque.key.size() + opaque.json.size();
  if (call.opaque_bytes > options.limits.bytes)
    return fail("limit", "what a provider wants back with a call has more than " +
                             std::to_string(options.limits.bytes) +
                             " bytes; raise the limit with --limit bytes=N (Limits::bytes)");
  call.opaque.push_back(opaque);
}

void Assembler::State::on_call(const chat::Delta& d) {
  if (d.name.size() > options.limits.name_bytes || d.id.size() > options.limits.name_bytes) return fail_name();
  const bool named = has_key(d);
  if (d.disputed && d.kind == Kind::call && d.text.empty() && d.name.empty()) return on_lost(d);
  std::size_t slot = find(d);
  bool begins = false;
  if (slot == Slots::kNone && repeats(d)) {
    sink.on_notice("ignored_fragment", "a call is repeated that did not come; none that is open is trusted");
    return lose_open(true);
  }
  std::size_t began = Slots::kNone;
  bool too_early = false;
  if (slot != Slots::kNone && !repeats(d) && (begins_another(slot, d) || begins_again(slot, d))) {
    if (calls[slot]->stray)
      too_early = true;
    else if (!begins_another(slot, d))
      began = slot;
    close(slot);
    slot = Slots::kNone;
  }
  if (named || !d.name.empty())
    sole = false;
  else if (!d.text.empty())
    on_nameless(slot, d.disputed);
  if (slot == Slots::kNone) {
    if (!named && d.name.empty()) {
      sink.on_notice("stray_fragment", "a fragment of arguments that belongs to no call was ignored");
      if (!d.text.empty()) strays.add(Strays::kNowhere);
      return;
    }
    if (calls.size() >= options.limits.calls)
      return fail("limit", "the turn has more than " + std::to_string(options.limits.calls) +
                               " calls; raise the limit with --limit calls=N (Limits::calls)");
    // An id that another call of the turn has cannot name this one too.
    if (!d.id.empty() && slots.has_id(d.id))
      sink.on_notice("repeated_id", "two calls have the same id; the second gets one of its own");
    slot = slots.add(d);
    begins = true;
    calls.push_back(std::make_unique<Open>(options.limits));
    calls.back()->stray = d.fragment;
    calls.back()->since = strays.change();
    calls.back()->began = began;
    // Fragments under its names came before it: they may be its own.
    if (too_early) lose(*calls.back());
  } else {
    slots.learn(slot, d);
    slots.set_last(slot);
  }
  Open& call = *calls[slot];
  call.stray &= d.fragment;
  // What says again what was said, or nothing, does not follow anything: a list of all calls at the end of a cut turn
  // must not make the last one look whole.
  if (begins || (d.kind == Kind::call && (!d.text.empty() || !d.name.empty()))) call.active = ++clock;
  call.awaits_end |= d.awaits_end;
  const Fingerprint said = call.seen;
  const std::size_t name_size = call.name.size();
  take_name(call, d);
  if (turn.failed) return;
  if (call.name.empty() && !d.text.empty()) strays.add(slot);
  if (d.grade == json::Grade::guess) doubt(call, d.guess, call.seen.size, d.text.size());
  // A fragment for a call that is over was meant for another, or the call was not over.
  const bool late = slots[slot].closed && d.kind == Kind::call && !d.text.empty();
  if (d.disputed && !named) lose(call);
  if ((d.disputed && named) || late) dispute(call, call.seen.size, d.text.size());
  if (d.disputed && named && d.kind == Kind::call && !d.text.empty()) lose_middles(slot);
  if (late) strays.add(Strays::kNowhere);
  // Nor does one follow all arguments, unless they come again, or were {}.
  if (call.whole && call.text == "{}" && d.kind == Kind::call && !d.text.empty()) call.whole = false;
  if (call.whole && !late && d.kind == Kind::call && !d.text.empty() && !call.lost) {
    sink.on_notice("contradiction",
                   "a fragment follows the arguments as a whole; the call is not trusted unless they come again");
    lose(call);
  }
  if (d.kind == Kind::call_whole) {
    on_snapshot(call, slot, d);
  } else {
    call.growing.add(d.text, options.limits.bytes);
    add(call, slot, d.text);
  }
  // A snapshot that says something new came last, so nothing followed this call. It does not end another one either: it
  // may stand in that list at the end.
  if ((call.seen != said || call.name.size() != name_size) && !d.from_start) call.active = clock;
  if (!call.name.empty()) begin(call, slot);
  if (d.closed) close_and_tell(slot);
}

void Assembler::State::on_text(std::string_view piece) {
  ++clock;
  sink.on_text(piece);
}

void Assembler::State::on_reasoning(std::string_view piece) {
  ++clock;
  sink.on_reasoning(piece);
}

void Assembler::State::on_call_start(std::size_t, std::string_view id, std::string_view name) {
  text_slots.push_back(Slots::kNone);
  if (turn.failed) return;
  if (name.size() > options.limits.name_bytes || id.size() > options.limits.name_bytes)
    return fail("limit", "a call's name or id is longer than " + std::to_string(options.limits.name_bytes) +
                             " bytes; raise the limit with --limit name_bytes=N (Limits::name_bytes)");
  if (calls.size() >= options.limits.calls)
    return fail("limit", "the turn has more than " + std::to_string(options.limits.calls) +
                             " calls; raise the limit with --limit calls=N (Limits::calls)");
  chat::Delta d;
  d.kind = Kind::call;
  const std::size_t other = slots.with_id(id);
  if (other == Slots::kNone) d.id = id;
  std::size_t slot = slots.add(d);
  calls.push_back(std::make_unique<Open>(options.limits));
  // What the wire says of its own calls never means this one.
  close(slot);
  calls.back()->since = calls.back()->until;
  text_slots.back() = slot;
  Open& call = *calls[slot];
  call.name = name;
  call.text_call = text_slots.size() - 1;
  call.active = ++clock;
  if (other != Slots::kNone && calls[other]->found && calls[other]->name == name)
    call.repeats = other;
  else
    begin(call, slot);
}

void Assembler::State::on_call_delta(std::size_t call, std::string_view piece) {
  std::size_t slot = text_slots[call];
  if (slot == Slots::kNone || turn.failed) return;
  calls[slot]->active = ++clock;
  calls[slot]->written += piece;
  if (calls[slot]->started)
    sink.on_call_delta(slot, piece);
  else
    calls[slot]->waiting += piece;
}

void Assembler::State::on_call_end(std::size_t call, text::Found found) {
  std::size_t slot = text_slots[call];
  if (slot == Slots::kNone) return;
  calls[slot]->active = ++clock;
  // An id behind the name, if no other call of the turn has it.
  if (!found.id.empty() && found.id.size() <= options.limits.name_bytes && slots[slot].id.empty() &&
      !slots.has_id(found.id)) {
    chat::Delta late;
    late.kind = Kind::call;
    late.id = found.id;
    slots.learn(slot, late);
  }
  const bool closed = found.closed;
  calls[slot]->found = std::move(found);
  if (calls[slot]->repeats != Slots::kNone && leave_out(*calls[slot])) return;
  begin(*calls[slot], slot);
  if (closed) sink.on_call_closed(slot);
}

// A call in the text that was held, until it was known to be the same again.
bool Assembler::State::leave_out(Open& call) {
  const json::Reading &first = calls[call.repeats]->found->reading, &again = call.found->reading;
  call.left_out = same_values(first.verdict, first.document.values(), again.verdict, again.document.values());
  if (call.left_out) tell_repeated();
  return call.left_out;
}

void Assembler::State::tell_repeated() {
  sink.on_notice("repeated_call", "a call came again with the same id, name and arguments; it counts once");
}

void Assembler::State::on_call_place(std::size_t first, std::size_t last, std::uint64_t begin, std::uint64_t end) {
  for (std::size_t call = first; call < last && call < text_slots.size(); ++call) {
    if (text_slots[call] == Slots::kNone) continue;
    calls[text_slots[call]]->begin = begin;
    calls[text_slots[call]]->end = end;
  }
}

void Assembler::State::on_call_doubt(std::size_t call, json::Edit edit) {
  std::size_t slot = text_slots[call];
  if (slot == Slots::kNone || !calls[slot]->found) return;
  json::Reading& reading = calls[slot]->found->reading;
  // One reason not to trust it is enough.
  if (reading.verdict.grade == json::Grade::guess) return;
  ++reading.edits_total;
  if (reading.edits.size() < options.limits.edits) reading.edits.push_back(edit);
  reading.verdict.grade = std::max(reading.verdict.grade, edit.grade);
}

// The same id, name and arguments are one call however often they come. Two calls that began under the same names and
// are not the same can neither be told apart nor be one.
std::vector<Call> Assembler::State::leave_out_repeated(std::vector<Call> all) {
  Repeats repeats;
  std::vector<Call> out;
  std::vector<std::size_t> at(calls.size(), Slots::kNone);  // where the call of a slot is in `out`
  auto doubt_at = [&](std::size_t i) {
    if (i < out.size()) call::doubt(out[i], {json::EditKind::stray_bytes, json::Grade::guess, 0, 0});
  };
  for (Call& call : all) {
    const Open& open = *calls[call.slot];
    const std::string_view id = slots[call.slot].id;
    const std::size_t before = open.began == Slots::kNone ? Slots::kNone : at[open.began];
    const std::size_t same = open.started ? Slots::kNone : repeats.find(out, id, call);
    if (same != Repeats::kNone) {
      at[call.slot] = same;
      tell_repeated();
    } else {
      at[call.slot] = out.size();
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

std::string Assembler::State::made_id(std::size_t slot) const {
  std::string id = options.made_ids + std::to_string(slot);
  while (slots.has_id(id)) id += "_";
  return id;
}

Assembler::Assembler(EventSink& sink, AssemblerOptions options)
    : state_(std::make_unique<State>(sink, std::move(options))) {}
Assembler::~Assembler() = default;

void Assembler::on(const chat::Delta& d) {
  State& s = *state_;
  if (s.finished || s.turn.failed) return;
  // That there was more behind the end is said; nothing else of it counts.
  if (s.turn.ended && d.kind != Kind::notice) return;
  switch (d.kind) {
    case Kind::start: break;
    case Kind::text:
      if (s.decoder)
        s.decoder->push(d.text);
      else
        s.on_text(d.text);
      break;
    case Kind::refusal: s.on_text(d.text); break;
    case Kind::reasoning: s.on_reasoning(d.text); break;
    case Kind::call:
    case Kind::call_whole:
      if (s.decoder) s.decoder->boundary();
      s.on_call(d);
      break;
    case Kind::call_end:
      if (std::size_t slot = s.slots.find(d); slot != Slots::kNone) s.close_and_tell(slot);
      break;
    case Kind::opaque:
      if (std::size_t slot = s.slots.find(d); slot != Slots::kNone && (d.index || !d.id.empty() || !d.item.empty()))
        s.keep(*s.calls[slot], *d.opaque);
      break;
    case Kind::usage:
      merge(s.usage, *d.usage);
      s.usage_seen = true;
      break;
    case Kind::stop: s.on_stop(d); break;
    case Kind::end: s.turn.ended = true; break;
    case Kind::failure:
      s.turn.failed = true;
      s.sink.on_failure(*d.failure);
      break;
    case Kind::notice: s.sink.on_notice(d.name, d.text); break;
  }
}

json::MaybePartial Assembler::partial(std::size_t slot) const {
  const Open& call = *state_->calls[slot];
  if (call.text_call == Slots::kNone) return call.reader.value();
  return state_->decoder->partial(call.text_call);
}
std::size_t Assembler::size() const { return state_->calls.size(); }

std::vector<Call> Assembler::finish() {
  State& s = *state_;
  std::vector<Call> out;
  if (s.finished) return out;
  if (s.decoder) s.decoder->finish();
  s.finished = true;
  auto is_stray = [](const std::unique_ptr<Open>& call) { return call->stray && call->name.empty(); };
  if (std::ranges::any_of(s.calls, is_stray))
    s.sink.on_notice("stray_fragment", "fragments of arguments that belong to no call were left out");
  const bool any_stray =
      std::ranges::any_of(s.calls, [&](const auto& call) { return is_stray(call) && call->seen.size > 0; });
  s.doubt_strays();
  bool any_nameless = false;  // arguments that neither a name nor an id came for
  for (std::size_t slot = 0; slot < s.calls.size(); ++slot)
    any_nameless |= s.calls[slot]->name.empty() && s.slots[slot].id.empty() && s.calls[slot]->seen.size > 0;
  for (std::size_t slot = 0; slot < s.calls.size(); ++slot) {
    if (is_stray(s.calls[slot]) || s.calls[slot]->left_out) continue;
    Open& open = *s.calls[slot];
    // White space is nothing.
    const bool none = open.text.size() == open.seen.size && open.text.find_first_not_of(" \t\r\n") == open.text.npos;
    // They may have been meant for a call that now looks as if it had no arguments.
    if ((any_stray || (any_nameless && !s.slots[slot].closed)) && none && !open.found)
      s.doubt(open, json::EditKind::stray_bytes, 0, 0);
    if (open.lost && !open.doubt) s.doubt(open, json::EditKind::stray_bytes, *open.lost, 0);
    Call call;
    call.slot = slot;
    call.id = s.slots.id(slot);
    call.made_id = call.id.empty();
    if (call.made_id) call.id = s.made_id(slot);
    call.name = open.name;
    call.opaque = std::move(open.opaque);
    const bool followed = open.active < s.clock && !open.cut;
    Turn turn = s.turn;
    if (open.cut) turn.stop = chat::StopReason::length;
    call.closed = s.slots[slot].closed || followed;
    Arguments arguments{.size = none ? 0 : open.seen.size,
                        .doubt = open.doubt,
                        .mend = open.mend,
                        .text = open.text,
                        .repeating = open.growing.newest(),
                        .never_closed = open.awaits_end && !s.slots[slot].closed && !open.whole};
    if (open.found) {
      call.from_text = true;
      call.reading = std::move(open.found->reading);
      call.closed = open.found->closed || followed;
      call.written = std::move(open.written);
      call.begin = open.begin;
      call.end = open.end;
      arguments.size = std::max<std::uint64_t>(1, call.written.size());
    } else {
      const bool cut = turn.cut() && !followed;
      call.reading = open.reader.finish(cut ? json::Ending::cut : json::Ending::complete);
    }
    judge(call, arguments, turn, followed, s.options);
    out.push_back(std::move(call));
  }
  out = s.leave_out_repeated(std::move(out));
  for (const Call& call : out) s.begin(*s.calls[call.slot], call.slot);
  for (const Call& call : out) s.sink.on_call_end(call);
  if (s.usage_seen) s.sink.on_usage(s.usage);
  s.sink.on_stop(s.turn.ended || s.turn.stop != chat::StopReason::none ? s.turn.stop : chat::StopReason::none,
                 s.raw_stop);
  return out;
}

}  // namespace belay::call
