#include "wire/collect.h"

#include <utility>

namespace belay::wire {
namespace {

// What belongs to something is there once. Lists that come in pieces are one list; anything else is the newest.
void attach(std::vector<chat::Opaque>& to, const chat::Opaque& opaque) {
  // Nobody has so many; a hostile server's are kept without looking through all of them each time.
  constexpr std::size_t kLookedAt = 64;
  for (std::size_t i = 0; i < to.size() && i < kLookedAt; ++i) {
    chat::Opaque& old = to[i];
    if (old.wire != opaque.wire || old.key != opaque.key) continue;
    if (!old.json.starts_with('[') || !opaque.json.starts_with('[') || old.json == "[]") {
      old.json = opaque.json;
    } else if (opaque.json != "[]") {
      old.json.back() = ',';
      old.json.append(opaque.json, 1);
    }
    return;
  }
  to.push_back(opaque);
}

void merge(chat::Usage& into, const chat::Usage& from) {
  for (auto field : {&chat::Usage::input_tokens, &chat::Usage::output_tokens, &chat::Usage::cached_tokens,
                     &chat::Usage::cache_write_tokens, &chat::Usage::reasoning_tokens})
    if (from.*field) into.*field = from.*field;
}

std::optional<chat::Block::Kind> kind_named(std::string_view name) {
  using Kind = chat::Block::Kind;
  if (name == "text") return Kind::text;
  if (name == "reasoning") return Kind::reasoning;
  if (name == "refusal") return Kind::refusal;
  if (name == "other") return Kind::other;
  return std::nullopt;
}

}  // namespace

void Collector::on(const chat::Delta& d) {
  using Delta = chat::Delta;
  if (ended_ || failure_) return;
  switch (d.kind) {
    case Delta::Kind::start:
      if (std::exchange(started_, true)) break;
      response_.id = d.id;
      response_.model = d.name;
      break;
    case Delta::Kind::text: block_of(Kind::text, d.item).text += d.text; break;
    case Delta::Kind::reasoning: block_of(Kind::reasoning, d.item).text += d.text; break;
    case Delta::Kind::refusal: block_of(Kind::refusal, d.item).text += d.text; break;
    case Delta::Kind::call:
    case Delta::Kind::call_whole: on_call(d); break;
    case Delta::Kind::call_end:
      if (std::size_t call = find_call(d); call != kNone) calls_[call].closed = true;
      break;
    case Delta::Kind::opaque: on_opaque(d); break;
    case Delta::Kind::usage: merge(response_.usage, *d.usage); break;
    case Delta::Kind::stop:
      // What was cut off stays so.
      if (std::exchange(stop_seen_, true) && chat::cuts(response_.stop) && !chat::cuts(d.stop)) break;
      response_.stop = d.stop;
      response_.raw_stop = d.text;
      break;
    case Delta::Kind::end: ended_ = true; break;
    case Delta::Kind::failure:
      failure_ = HttpFailure{std::string(d.failure->kind), std::string(d.failure->message), d.failure->retryable,
                             d.failure->retry_after};
      break;
    case Delta::Kind::notice: break;
  }
}

chat::Response Collector::take() {
  chat::Response out = std::move(response_);
  *this = Collector(most_calls_);
  return out;
}

// The block that a piece belongs to: the one that has this name, or the last one if neither has a name; else a new one.
chat::Block& Collector::block_of(Kind kind, std::string_view name) {
  auto& blocks = response_.message.blocks;
  if (!blocks.empty() && blocks.back().kind == kind && open_name_ == name) return blocks.back();
  if (!name.empty()) {
    std::string key(1, static_cast<char>('0' + static_cast<int>(kind)));
    key += name;
    auto [it, is_new] = named_.try_emplace(std::move(key), blocks.size());
    if (!is_new) return blocks[it->second];
  }
  open_name_ = name;
  blocks.emplace_back();
  blocks.back().kind = kind;
  return blocks.back();
}

std::size_t Collector::find_call(const chat::Delta& d) const {
  if (!d.item.empty())
    if (auto it = by_item_.find(d.item); it != by_item_.end()) return it->second;
  auto anonymous = [&](std::size_t i) { return block(calls_[i]).id.empty() && !calls_[i].closed; };
  if (d.index) {
    auto it = by_index_.find(*d.index);
    if (it == by_index_.end()) return kNone;
    std::size_t call = it->second;
    if (d.id.empty()) return calls_[call].closed ? kNone : call;
    if (block(calls_[call]).id == d.id) return call;
    return anonymous(call) && !by_id_.contains(d.id) ? call : kNone;
  }
  if (!d.id.empty()) {
    if (auto it = by_id_.find(d.id); it != by_id_.end()) return it->second;
    return last_call_ != kNone && anonymous(last_call_) && !calls_[last_call_].index && d.name.empty() ? last_call_
                                                                                                       : kNone;
  }
  if (last_call_ == kNone || calls_[last_call_].closed) return kNone;
  return d.item.empty() || calls_[last_call_].item.empty() ? last_call_ : kNone;
}

void Collector::learn(std::size_t call, const chat::Delta& d) {
  Call& known = calls_[call];
  if (d.index && !known.index) {
    known.index = d.index;
    by_index_[*d.index] = call;
  }
  if (!d.item.empty() && known.item.empty()) {
    known.item = d.item;
    by_item_[known.item] = call;
  }
  if (std::string& id = block(known).id; !d.id.empty() && id.empty()) {
    id = d.id;
    by_id_[id] = call;
  }
}

void Collector::on_call(const chat::Delta& d) {
  const bool whole = d.kind == chat::Delta::Kind::call_whole;
  // Something of a call was lost; that is for whoever decides about trust.
  if (!whole && d.disputed && d.text.empty() && d.name.empty()) return;
  std::size_t call = find_call(d);
  // A call that is only repeated begins none.
  if (whole && d.fragment && !d.awaits_end) {
    if (call != kNone && !d.text.empty()) block(calls_[call]).arguments = d.text;
    return;
  }
  // Two whole calls are two calls, unless a name says that the second is only a newer snapshot.
  if (call != kNone && whole && calls_[call].whole && (d.item.empty() || calls_[call].item != d.item) &&
      (d.id.empty() || calls_[call].closed))
    call = kNone;
  if (call == kNone && calls_.size() >= most_calls_) {
    last_call_ = kNone;  // nor is what follows it without a name
    return;
  }
  if (call == kNone) {
    call = calls_.size();
    open_name_.clear();
    response_.message.blocks.push_back(chat::call_block({}, {}, {}));
    calls_.push_back({response_.message.blocks.size() - 1, {}, {}});
  }
  learn(call, d);
  last_call_ = call;
  Call& known = calls_[call];
  chat::Block& b = block(known);
  if (b.name.empty()) b.name = d.name;
  if (whole) {
    known.whole = true;
    if (!d.text.empty()) b.arguments = d.text;
    known.closed |= d.closed;
  } else {
    b.arguments += d.text;
  }
}

void Collector::on_opaque(const chat::Delta& d) {
  chat::Message& message = response_.message;
  if (d.index || !d.id.empty() || !d.item.empty()) {
    std::size_t call = find_call(d);
    if (call == kNone && !d.id.empty())
      if (auto it = by_id_.find(d.id); it != by_id_.end()) call = it->second;
    if (call == kNone && d.index)
      if (auto it = by_index_.find(*d.index); it != by_index_.end()) call = it->second;
    if (call != kNone) attach(block(calls_[call]).opaque, *d.opaque);
    return;
  }
  if (auto kind = kind_named(d.name)) {
    attach(block_of(*kind, d.text).opaque, *d.opaque);
  } else if (d.name == "message" || message.blocks.empty()) {
    attach(message.opaque, *d.opaque);
  } else {
    attach(message.blocks.back().opaque, *d.opaque);
  }
}

}  // namespace belay::wire
