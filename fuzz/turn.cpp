#include "turn.h"

#include <support/independent.h>
#include <support/outcome.h>

#include <algorithm>
#include <set>

namespace belay::fuzz {
namespace {

namespace delta = chat::delta;

std::string text(std::string_view s) { return std::string(s); }

std::string shown(const delta::CallKey& key) {
  std::string out;
  if (key.index) out += " #" + std::to_string(*key.index);
  for (std::string_view part : {key.id, key.item}) out += " <" + check::printable(part) + ">";
  return out;
}

struct Line {
  std::string words(std::string_view kind, std::string_view words, std::string_view block) const {
    return text(kind) + " <" + check::printable(block) + "> " + check::printable(words);
  }
  std::string operator()(const delta::Start& d) const { return "start " + text(d.id) + " " + text(d.model); }
  std::string operator()(const delta::Text& d) const { return words("text", d.text, d.block); }
  std::string operator()(const delta::Reasoning& d) const { return words("reasoning", d.text, d.block); }
  std::string operator()(const delta::Refusal& d) const { return words("refusal", d.text, d.block); }
  std::string operator()(const delta::Call& d) const {
    std::string out = (d.whole ? "whole" : "call") + shown(d.key) + " <" + check::printable(d.name) + "> " +
                      check::printable(d.arguments);
    if (d.begins) out += " begins";
    if (d.fragment) out += " fragment";
    if (d.closed) out += " closed";
    if (d.cut) out += " cut";
    if (d.from_start) out += " from start";
    if (d.awaits_end) out += " awaits end";
    if (d.disputed) out += " disputed";
    if (d.guess) out += " guess " + text(json::name(*d.guess));
    return out;
  }
  std::string operator()(const delta::CallEnd& d) const { return "call end" + shown(d.key); }
  std::string operator()(const delta::CallOpaque& d) const { return "opaque" + shown(d.key) + opaque(*d.opaque); }
  std::string operator()(const delta::BlockOpaque& d) const {
    return "opaque " + std::to_string(static_cast<int>(d.place.kind)) + " <" + check::printable(d.place.block) + ">" +
           opaque(*d.opaque);
  }
  std::string operator()(const delta::Usage& d) const {
    std::string out = "usage";
    for (auto n : {d.usage->input_tokens, d.usage->output_tokens, d.usage->cached_tokens, d.usage->cache_write_tokens,
                   d.usage->reasoning_tokens})
      out += " " + (n ? std::to_string(*n) : "-");
    return out;
  }
  std::string operator()(const delta::Stop& d) const {
    return "stop " + text(chat::name(d.reason)) + " " + text(d.raw);
  }
  std::string operator()(const delta::End&) const { return "end"; }
  std::string operator()(const chat::Failure& d) const {
    return "failure " + text(d.kind) + " " + text(d.message) + (d.retryable ? " retry" : "") +
           (d.retry_after ? " after " + std::to_string(*d.retry_after) : "");
  }
  std::string operator()(const delta::Notice& d) const { return "notice " + text(d.kind) + " " + text(d.message); }
  static std::string opaque(const chat::Opaque& o) { return " " + o.wire + " " + o.key + " " + o.json; }
};

bool speaks(const chat::Delta& d) {
  return std::holds_alternative<delta::Text>(d) || std::holds_alternative<delta::Reasoning>(d) ||
         std::holds_alternative<delta::Refusal>(d) || std::holds_alternative<delta::Call>(d);
}

std::vector<std::string> values_of(const json::Document& document) {
  std::vector<std::string> out;
  for (json::Value v : document.values()) out.push_back(json::to_string(v));
  return out;
}

// Wires have one word for an end with calls and one without, and not all have one for a refusal or a malformed call.
chat::StopReason spelled(chat::StopReason stop) {
  using chat::StopReason;
  if (stop == StopReason::tool_calls || stop == StopReason::pause) return StopReason::end;
  return chat::cuts(stop) ? StopReason::length : stop;
}

}  // namespace

Turn::Turn(turn::LedgerOptions options) : options_(options), ledger_(*this, std::move(options)) {}

void Turn::join(const std::string& kind, std::string_view more) {
  if (!events_.empty() && events_.back().starts_with(kind))
    events_.back() += more;
  else
    say(kind + text(more));
}

void Turn::on(const chat::Delta& d) {
  require(!finished_, "a delta after the end");
  deltas_.push_back(std::visit(Line{}, d));
  const auto* call = std::get_if<delta::Call>(&d);
  const bool from_start = call && call->from_start;
  if (!ended_ && !failed_) {
    // What was cut off stays so.
    if (const auto* stop = std::get_if<delta::Stop>(&d);
        stop && !(std::exchange(told_, true) && chat::cuts(stop_) && !chat::cuts(stop->reason)))
      stop_ = stop->reason;
    ended_ = std::holds_alternative<delta::End>(d);
    failed_ = std::holds_alternative<chat::Failure>(d);
    if (speaks(d) && !from_start) last_spoke_.reset();
    guessed_ |= call && call->guess;
  }
  const std::optional<std::size_t> before = last_spoke_;
  ledger_.on(d);
  watch_partial();
  // What stood where a call began was said there.
  if (from_start) last_spoke_ = before;
}

// What is shown of the call that spoke last only grows, unless a snapshot took its place.
void Turn::watch_partial() {
  if (!last_spoke_) return;
  Heard& heard = heard_[*last_spoke_];
  json::MaybePartial partial = ledger_.partial(*last_spoke_);
  if (!partial) return;
  check::Shown shown = check::copy(*partial);
  if (std::string f = check::unlawful(shown); !f.empty()) require(false, f);
  if (heard.shown && !replaced_)
    if (std::string f = check::regression(*heard.shown, shown); !f.empty()) require(false, f);
  heard.shown = std::move(shown);
}

std::string Turn::finish() {
  calls_ = ledger_.finish().calls;
  finished_ = true;
  require(stopped_, "a turn without a stop");
  require(calls_.size() == heard_.size(), "calls were heard of that are not there at the end");
  // Fragments without a name belong to no call; they are left out, and that is said.
  require(calls_.size() == ledger_.size() || (strays_ && calls_.size() < ledger_.size()),
          "calls were left out, and nothing was said");
  std::set<std::string> ids;
  for (const turn::Call& call : calls_) {
    require(!call.id.empty() && ids.insert(call.id).second, "two calls have the id " + call.id);
    check_call(call);
  }
  return fault_.empty() ? fault_ : fault_ + "\n" + story();
}

std::string Turn::story() const {
  std::string out;
  for (const std::string& line : deltas_) out += "< " + line + "\n";
  for (const std::string& line : events_) out += "> " + line + "\n";
  return out;
}

void Turn::on_text(std::string_view piece) {
  require(!stopped_, "a text after the stop");
  text_ += piece;
  join("text ", piece);
}
void Turn::on_reasoning(std::string_view piece) {
  require(!stopped_, "reasoning after the stop");
  reasoning_ += piece;
  join("reasoning ", piece);
}

void Turn::on_call_start(std::size_t slot, std::string_view id, std::string_view name) {
  Heard& heard = heard_[slot];
  require(!heard.started && !heard.ended, "a call starts twice, or after its end");
  heard.started = true;
  heard.id = id;
  heard.name = name;
  require(!id.empty(), "a call starts without an id");
  say("start " + std::to_string(slot) + " <" + text(id) + "> <" + text(name) + ">");
}

void Turn::on_call_delta(std::size_t slot, std::string_view piece) {
  Heard& heard = heard_[slot];
  require(heard.started && !heard.ended, "arguments outside of a call");
  heard.arguments += piece;
  last_spoke_ = slot;
  join("delta " + std::to_string(slot) + " ", piece);
}

void Turn::on_call_closed(std::size_t slot) {
  Heard& heard = heard_[slot];
  require(!std::exchange(heard.closed, true), "a call is closed twice");
  say("closed " + std::to_string(slot));
}

void Turn::on_call_end(const turn::Call& call) {
  Heard& heard = heard_[call.slot];
  require(heard.started && !heard.ended, "a call ends without a start, or twice");
  require(std::all_of(heard_.begin(), heard_.find(call.slot), [](const auto& one) { return one.second.ended; }),
          "calls do not end in the order of their slots");
  require(!stopped_, "a call ends after the stop");
  heard.ended = true;
  std::string line = "end " + std::to_string(call.slot) + " <" + call.id + "> <" + call.name + "> " +
                     text(json::name(call.verdict.word())) + (call.trusted ? " trusted" : "") +
                     (call.closed ? " closed" : "") + (call.made_id ? " made" : "");
  if (auto arguments = call.arguments()) line += " " + json::to_string(*arguments);
  for (const std::string& value : values_of(call.reading.document)) line += " | " + value;
  for (const json::Edit& e : call.reading.edits) line += " " + check::describe(e);
  if (call.error) line += " " + call.error->kind + " " + call.error->message;
  for (const chat::Opaque& o : call.opaque) line += " " + o.key + "=" + o.json;
  say(std::move(line));
}

void Turn::on_usage(const chat::Usage& usage) {
  usage_ = usage;
  say("usage");
}

void Turn::on_stop(chat::StopReason reason, std::string_view raw) {
  require(!std::exchange(stopped_, true), "two stops");
  require(reason == stop_, "the stop is " + text(chat::name(reason)) + ", and was " + text(chat::name(stop_)));
  raw_stop_ = raw;
  say("stop " + text(chat::name(reason)) + " " + text(raw));
}

void Turn::on_notice(std::string_view kind, std::string_view message) {
  if (kind == "snapshot_differs") replaced_ = true;
  if (kind == "stray_fragment") strays_ = true;
  say("notice " + text(kind) + " " + text(message));
}

void Turn::on_failure(const chat::Failure& failure) {
  failed_ = true;
  say("failure " + text(failure.kind) + " " + text(failure.message));
}

void Turn::check_call(const turn::Call& call) {
  const Heard& heard = heard_[call.slot];
  require(heard.started && heard.ended, "a call without a start and an end");
  // An id or the rest of a name may come late; nothing that was said is taken back.
  require(heard.id == call.id || heard.id.starts_with("belay_"), "a call's id changed");
  require(call.name.starts_with(heard.name), "a call's name changed");
  check_trust(call);
  if (!replaced_) check_reading(call, heard);
}

// Design, section 4.
void Turn::check_trust(const turn::Call& call) {
  if (!call.trusted) return;
  const json::Word word = call.verdict.word();
  require(ended_ && !failed_, "trusted in a turn that did not end properly");
  require(call.closed, "trusted without being closed");
  require(word == json::Word::valid || word == json::Word::mended || word == json::Word::split,
          "trusted though " + text(json::name(word)));
  require(!(chat::cuts(stop_) && last_spoke_ == call.slot), "the last call of a turn that was cut is trusted");
  require(!call.name.empty(), "trusted without a name");
  require(!call.error, "trusted with an error");
  auto arguments = call.arguments();
  require(arguments && arguments->is_object(), "trusted without an object");
  auto tool = std::ranges::find(options_.tools, call.name, &turn::KnownTool::name);
  require(tool != options_.tools.end() || options_.any_tool, "trusted though nobody knows it");
  if (tool == options_.tools.end() || tool->parameters == nullptr || !arguments) return;
  require(tool->parameters->valid(*arguments), "trusted against its schema");
  if (word == json::Word::split)
    for (json::Value v : call.values())
      require(tool->parameters->valid(v), "one of several objects is trusted against its schema");
}

// The arguments are what their pieces say when they are put together and read at once.
void Turn::check_reading(const turn::Call& call, const Heard& heard) {
  const std::string& all = heard.arguments;
  const std::size_t first = all.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || all[first] == '"' || call.reading.error.kind == json::ErrorKind::limit) return;
  json::ReaderOptions options;
  options.root = json::Root::object;
  options.limits = options_.limits;
  json::Reading whole = json::read(all, options), cut = json::read(all, options, json::Ending::cut);
  const json::Word word = call.reading.verdict.word();
  auto same = [&](const json::Reading& r) {
    return r.verdict.word() == word && values_of(r.document) == values_of(call.reading.document);
  };
  require(same(whole) || same(cut), "the arguments are not what their pieces say together");
  if (!call.trusted) return;
  require(same(whole), "trusted, and not what the pieces say together");
  if (call.verdict.word() != json::Word::valid || guessed_) return;
  check::Independent other = check::parse_independently(all);
  if (other.opinion == check::Opinion::unsure) return;
  require(other.opinion == check::Opinion::accepted, "valid, but not to an independent parser");
  if (call.aligned.empty())
    require(check::to_tree(*call.arguments()) == other.tree, "an independent parser reads other arguments");
}

bool Turn::sound() const {
  return ended_ && !failed_ && !guessed_ && stop_ != chat::StopReason::none &&
         std::ranges::all_of(calls_, [](const turn::Call& call) {
           return call.trusted && call.verdict.word() == json::Word::valid && call.aligned.empty();
         });
}

std::string Turn::written(wire::Wire wire) const {
  wire::StreamEncoder encoder(wire, {"answer", "model", 1});
  encoder.reasoning(reasoning_);
  encoder.text(text_);
  for (const turn::Call& call : calls_) {
    encoder.begin_call(call.id, call.name);
    encoder.arguments(json::to_string(*call.arguments()));
    encoder.end_call();
  }
  encoder.usage(usage_);
  encoder.stop(stop_, raw_stop_);
  return encoder.take();
}

std::string Turn::difference(const Turn& again, bool same_wire) const {
  if (again.failed_) return "what was written reads as a failure";
  if (!again.ended_) return "what was written does not end";
  if (again.text_ != text_) return "the text was <" + text_ + "> and is <" + again.text_ + ">";
  if (again.reasoning_ != reasoning_) return "the reasoning was <" + reasoning_ + "> and is <" + again.reasoning_ + ">";
  if (again.calls_.size() != calls_.size()) return "there are more calls, or fewer";
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    const turn::Call &a = calls_[i], &b = again.calls_[i];
    if (a.id != b.id) return "the id was <" + a.id + "> and is <" + b.id + ">";
    if (a.name != b.name) return "the name was <" + a.name + "> and is <" + b.name + ">";
    if (!b.arguments()) return "arguments are gone";
    if (!(check::to_tree(*a.arguments()) == check::to_tree(*b.arguments())))
      return "the arguments were " + json::to_string(*a.arguments()) + " and are " + json::to_string(*b.arguments());
    // A wire may lack a word for a stop, and then says that the turn was cut; never the other way round.
    if (b.trusted != a.trusted && !(chat::cuts(again.stop_) && i + 1 == calls_.size())) return "trust was lost";
  }
  if (same_wire && spelled(again.stop_) != spelled(stop_))
    return "the stop was " + text(chat::name(stop_)) + " and is " + text(chat::name(again.stop_));
  return {};
}

}  // namespace belay::fuzz
