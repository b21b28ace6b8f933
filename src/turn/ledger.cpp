// Deltas as they come, and the end.
#include <belay/turn/ledger.h>

#include "turn/state.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::turn {
namespace {

// What is set in `more` replaces what was.
void merge(chat::Usage& usage, const chat::Usage& more) {
  for (auto field : {&chat::Usage::input_tokens, &chat::Usage::output_tokens, &chat::Usage::cached_tokens,
                     &chat::Usage::cache_write_tokens, &chat::Usage::reasoning_tokens})
    if (more.*field) usage.*field = more.*field;
}

}  // namespace

Ledger::State::State(EventSink& s, LedgerOptions o) : sink(s), options(std::move(o)) {
  unknown_format = !text::known_format(options.format);
  if (options.format != "none" || options.raw_text)
    decoder.emplace(*this, text::Options{.format = options.format,
                                         .tools = options.shapes,
                                         .prompt_tail = options.prompt_tail,
                                         .in_reasoning = options.in_reasoning,
                                         .limits = options.limits});
}

// Told with the first delta, or at the end: the sink may not be ready before.
void Ledger::State::check_format() {
  if (!std::exchange(unknown_format, false)) return;
  std::string names = "auto, none";
  for (std::string_view name : text::formats()) names += ", " + std::string(name);
  const std::string message =
      "there is no format " + options.format + " of calls in text (LedgerOptions::format); known are " + names;
  take(chat::Failure{"unknown_format", message, false, std::nullopt});
}

void Ledger::State::on(const chat::Delta& d) {
  check_format();
  if (finished || ending.failed) return;
  // That there was more behind the end is said; nothing else of it counts.
  if (ending.ended && !std::holds_alternative<delta::Notice>(d)) return;
  std::visit([this](const auto& piece) { take(piece); }, d);
}

void Ledger::State::take(const delta::Start& d) {
  if (std::exchange(started, true)) return;
  answer.id = d.id;
  answer.model = d.model;
}

void Ledger::State::take(const delta::Text& d) {
  if (!decoder) {
    ++clock;
    blocks.add(Block::Kind::text, d.block, d.text);
    return sink.on_text(d.text);
  }
  const std::size_t now = blocks.source(d.block, d.text.size());
  // What is held back belongs to the text before.
  if (source != 0 && source != now) decoder->boundary();
  source = now;
  answer.received += d.text;
  decoder->push(d.text);
}

void Ledger::State::take(const delta::Reasoning& d) {
  add_beside(Block::Kind::reasoning, d.block, d.text);
  sink.on_reasoning(d.text);
}

void Ledger::State::take(const delta::Refusal& d) {
  add_beside(Block::Kind::refusal, d.block, d.text);
  sink.on_refusal(d.text);
}

// What the text before it held back stands before it.
void Ledger::State::add_beside(Block::Kind kind, std::string_view block, std::string_view piece) {
  if (decoder && !piece.empty()) decoder->boundary();
  ++clock;
  blocks.add(kind, block, piece);
}

void Ledger::State::take(const delta::Call& d) {
  if (decoder) decoder->boundary();
  on_call(d);
}

void Ledger::State::take(const delta::CallOpaque& d) {
  if (d.key.empty()) return blocks.attach_last(*d.opaque);
  const std::size_t slot = slots.find_any(d.key);
  if (slot == Slots::kNone) return;
  OpenCall& call = *calls[slot];
  call.opaque_bytes += d.opaque->key.size() + d.opaque->json.size();
  if (call.opaque_bytes > options.limits.bytes)
    return fail_limit("what a provider wants back with a call has more than", "bytes", options.limits.bytes);
  attach(call.opaque, *d.opaque);
}

void Ledger::State::take(const delta::BlockOpaque& d) {
  using Where = delta::Place::Kind;
  switch (d.place.kind) {
    case Where::open: return blocks.attach_last(*d.opaque);
    case Where::message: return blocks.attach_message(*d.opaque);
    case Where::text: return blocks.attach(Block::Kind::text, d.place.block, *d.opaque);
    case Where::reasoning: return blocks.attach(Block::Kind::reasoning, d.place.block, *d.opaque);
    case Where::refusal: return blocks.attach(Block::Kind::refusal, d.place.block, *d.opaque);
    case Where::other: return blocks.attach(Block::Kind::other, d.place.block, *d.opaque);
  }
}

void Ledger::State::take(const delta::Usage& d) {
  merge(answer.usage, *d.usage);
  usage_seen = true;
}

// What was cut off stays so, whatever else is said of its end.
void Ledger::State::take(const delta::Stop& d) {
  if (stop_seen && chat::cuts(ending.stop) && !chat::cuts(d.reason)) {
    sink.on_notice("contradiction", "the answer was cut off, and then said to have ended; it stays cut off");
    return;
  }
  stop_seen = true;
  ending.stop = d.reason;
  answer.raw_stop = d.raw;
}

void Ledger::State::take(const chat::Failure& failure) {
  if (ending.failed) return;
  ending.failed = true;
  answer.failure =
      Failure{std::string(failure.kind), std::string(failure.message), failure.retryable, failure.retry_after};
  sink.on_failure(failure);
}

void Ledger::State::fail_limit(std::string what, std::string_view limit, std::uint64_t most) {
  what += " " + std::to_string(most) + (limit == "calls" ? " calls" : " bytes") + "; raise the limit with --limit " +
          std::string(limit) + "=N (Limits::" + std::string(limit) + ")";
  if (std::exchange(ending.failed, true)) return;
  sink.on_failure({"limit", what, false, std::nullopt});
}

Answer Ledger::State::finish() {
  if (finished) return {};
  check_format();
  if (decoder) decoder->finish();
  finished = true;
  answer.calls = judge_all();
  answer.blocks = std::move(blocks.list());
  answer.opaque = std::move(blocks.message());
  place_blocks();
  answer.stop = ending.stop;
  answer.ended = ending.ended;
  for (Call& call : answer.calls) {
    begin(*calls[call.slot], call.slot);
    complete_certain(call);
  }
  for (const Call& call : answer.calls) sink.on_call_end(call);
  if (usage_seen) sink.on_usage(answer.usage);
  sink.on_stop(answer.stop, answer.raw_stop);
  return std::move(answer);
}

Ledger::Ledger(EventSink& sink, LedgerOptions options) : state_(std::make_unique<State>(sink, std::move(options))) {}
Ledger::~Ledger() = default;

void Ledger::on(const chat::Delta& d) { state_->on(d); }

void Ledger::text(std::string_view piece) { state_->on(delta::Text{piece}); }

Answer Ledger::finish() { return state_->finish(); }

Answer Ledger::finish(chat::StopReason stop) {
  state_->take(delta::Stop{stop});
  state_->ending.ended = stop != chat::StopReason::none;
  return state_->finish();
}

json::MaybePartial Ledger::partial(std::size_t slot) const {
  const OpenCall& call = *state_->calls[slot];
  if (call.text_call == Slots::kNone) return call.reader.value();
  return state_->decoder->partial(call.text_call);
}

std::size_t Ledger::size() const { return state_->calls.size(); }
bool Ledger::ended() const { return state_->ending.ended; }
bool Ledger::failed() const { return state_->ending.failed; }

}  // namespace BELAY_NAMESPACE::turn
