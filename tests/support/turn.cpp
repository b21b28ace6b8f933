#include "turn.h"

#include "outcome.h"

#include <belay/json.h>

#include <algorithm>
#include <set>

namespace belay::check {
namespace {

// Collects the events of a turn, and looks after every piece at what can be read of its call by then.
class Log final : public turn::EventSink {
 public:
  explicit Log(Turn& turn) : turn_(turn) {}
  void watch(const turn::Ledger& ledger) { ledger_ = &ledger; }

  void on_text(std::string_view piece) override {
    turn_.text += piece;
    say(Segment::Kind::text, piece);
    join("text ", piece);
  }
  void on_reasoning(std::string_view piece) override {
    turn_.reasoning += piece;
    say(Segment::Kind::reasoning, piece);
    join("reasoning ", piece);
  }
  void on_call_start(std::size_t slot, std::string_view id, std::string_view name) override {
    if (id.empty()) fault("a call starts without an id");
    if (!started_.insert(slot).second) fault("a call starts twice");
    turn_.segments.push_back({Segment::Kind::call, {}, slot});
    line("start " + std::to_string(slot) + " " + json_string(id) + " " + json_string(name));
  }
  void on_call_delta(std::size_t slot, std::string_view piece) override {
    if (!started_.contains(slot)) fault("a piece of a call that did not start");
    if (piece.empty()) fault("an empty piece");
    deltas_[slot] += piece;
    join("delta " + std::to_string(slot) + " ", piece);
    json::MaybePartial partial = ledger_->partial(slot);
    if (partial && partial->kind() != json::Kind::object) fault("what can be read of the arguments is no object");
  }
  void on_call_certain(std::size_t slot, std::string_view piece) override {
    if (!started_.contains(slot)) fault("certain text of a call that did not start");
    certain_[slot] += piece;
  }
  void on_call_closed(std::size_t slot) override {
    if (!closed_.insert(slot).second) fault("a call is closed twice");
    line("closed " + std::to_string(slot));
  }
  void on_call_end(const turn::Call& call) override;
  void on_usage(const chat::Usage& usage) override {
    turn_.usage = usage;
    std::string text = "usage";
    for (const auto& n : {usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.cache_write_tokens,
                          usage.reasoning_tokens})
      text += n ? " " + std::to_string(*n) : " -";
    line(text);
  }
  void on_stop(chat::StopReason reason, std::string_view raw) override {
    if (std::exchange(stopped_, true)) fault("two stops");
    turn_.stop = chat::name(reason);
    turn_.raw_stop = raw;
    line("stop " + turn_.stop + " " + json_string(raw));
  }
  void on_notice(std::string_view kind, std::string_view message) override {
    turn_.notices.emplace_back(kind);
    if (kind.empty() || message.empty()) fault("a notice that says nothing");
    line("notice " + std::string(kind) + " " + json_string(message));
  }
  void on_failure(const chat::Failure& failure) override {
    if (!turn_.failure.empty()) fault("two failures");
    if (failure.kind.empty() || failure.message.empty()) fault("a failure that says nothing");
    turn_.failure = failure.kind;
    line("failure " + turn_.failure + (failure.retryable ? " retry " : " ") + json_string(failure.message) +
         (failure.retry_after ? " " + std::to_string(*failure.retry_after) : ""));
  }

  void finish() {
    flush();
    if (!stopped_) fault("no stop");
    if (started_.size() != turn_.calls.size()) fault("a call that started did not end");
    const auto trusted = std::ranges::count(turn_.calls, true, &TurnCall::trusted);
    if (trusted > 0 && (!turn_.ended || !turn_.failure.empty())) fault("a trusted call of a broken turn");
    // Behind an end marker without a reason, only calls that something followed keep their verdict.
    const bool all = trusted > 0 && static_cast<std::size_t>(trusted) == turn_.calls.size();
    if (turn_.stop == "none" && all && turn_.segments.back().kind == Segment::Kind::call)
      fault("all calls of a cut turn are trusted");
  }
  void fault(std::string sentence) {
    if (turn_.fault.empty()) turn_.fault = std::move(sentence);
  }

 private:
  void say(Segment::Kind kind, std::string_view piece) {
    if (turn_.segments.empty() || turn_.segments.back().kind != kind) turn_.segments.push_back({kind, {}, 0});
    turn_.segments.back().text += piece;
  }
  void join(std::string kind, std::string_view piece) {
    if (stopped_ || !turn_.calls.empty()) fault("a piece behind the end");
    if (kind != joined_) {
      flush();
      joined_ = std::move(kind);
    }
    text_ += piece;
  }
  void line(std::string text) {
    flush();
    turn_.lines.push_back(std::move(text));
  }
  void flush() {
    if (joined_.empty()) return;
    turn_.lines.push_back(joined_ + json_string(text_));
    joined_.clear();
    text_.clear();
  }

  Turn& turn_;
  const turn::Ledger* ledger_ = nullptr;
  std::string joined_, text_;
  std::set<std::size_t> started_, closed_;
  std::map<std::size_t, std::string> deltas_, certain_;
  std::size_t next_slot_ = 0;
  bool stopped_ = false;
};

void Log::on_call_end(const turn::Call& call) {
  if (stopped_) fault("a call ends behind the stop");
  if (call.slot < next_slot_) fault("calls do not end in the order of their slots");
  next_slot_ = call.slot + 1;
  if (call.id.empty()) fault("a call without an id");
  for (const TurnCall& other : turn_.calls)
    if (other.id == call.id) fault("two calls with the id " + call.id);
  if (!started_.contains(call.slot)) fault("a call ends that did not start");

  TurnCall out;
  out.id = call.id;
  out.slot = call.slot;
  out.made_id = call.made_id;
  out.name = call.name;
  out.verdict = json::name(call.verdict.word());
  out.trusted = call.trusted;
  out.deltas = deltas_[call.slot];
  auto value = call.arguments();
  if (value && call.verdict.end != json::End::broken) out.arguments = to_tree(*value);
  if (call.verdict.count > 1 && call.verdict.end != json::End::broken)
    for (json::Value one : call.values()) out.values.push_back(to_tree(one));
  for (const json::Edit& e : call.reading.edits)
    out.edits.push_back(std::string(json::name(e.kind)) + " " + std::string(json::name(e.grade)));
  for (const schema::AlignEdit& e : call.aligned)
    out.edits.push_back(std::string(schema::name(e.kind)) + " " + std::string(json::name(e.grade)));
  if (call.error) out.error = call.error->kind;
  if (call.error) out.error_at = call.error->position.offset;
  out.tool = call.tool;

  if (call.trusted) {
    const bool sound = out.verdict == "valid" || out.verdict == "mended" || out.verdict == "split";
    if (!sound) fault("trusted, and " + out.verdict);
    if (call.error) fault("trusted, with an error");
    if (!call.closed) fault("trusted, and not closed");
    if (call.name.empty()) fault("trusted, without a name");
    if (!value || value->kind() != json::Kind::object) fault("trusted, and no object");
  } else if (out.verdict == "valid" && !out.edits.empty()) {
    fault("valid, with edits");
  }
  if (out.verdict == "mended" && out.edits.empty()) fault("mended, without an edit");
  if (out.verdict == "guessed" && out.edits.empty()) fault("guessed, without an edit");

  if (certain_[call.slot] != call.certain) fault("the pieces of certain text are not " + call.certain);
  if (call.certain_whole && !(root_of(json::read(call.certain).document) == call.reading.document.root()))
    fault("the certain text is whole, and another one: " + call.certain);
  // Where later events replace what came, its text cannot become theirs.
  const bool replaced = out.deltas != call.raw || std::ranges::find(out.edits, "stray_bytes safe") != out.edits.end();
  if (call.trusted && !call.certain_whole && !replaced) fault("trusted, and its certain text is only " + call.certain);

  std::string text = "end " + std::to_string(call.slot) + " " + json_string(call.id) + " " + json_string(call.name) +
                     " " + out.verdict + (call.trusted ? " trusted" : "") + (call.closed ? " closed " : " ");
  text += value ? json::to_string(*value) : "nothing";
  text += " of " + std::to_string(call.verdict.count);
  for (const json::Edit& e : call.reading.edits) text += " " + describe(e);
  for (const schema::AlignEdit& e : call.aligned)
    text += " " + std::string(schema::name(e.kind)) + "@" + e.path + " " + e.note;
  text += " edits " + std::to_string(call.reading.edits_total);
  if (call.error)
    text += " " + call.error->kind + " " + json_string(call.error->message) + " at " +
            std::to_string(call.error->position.offset) + "," + std::to_string(call.error->position.line) + "," +
            std::to_string(call.error->position.column);
  for (const chat::Opaque& o : call.opaque) text += " " + o.key + "=" + o.json;
  turn_.calls.push_back(std::move(out));
  line(std::move(text));
}

// A body that is the model's text and nothing else.
void read_plain(const Pieces& pieces, sse::Ended ended, chat::DeltaSink& sink) {
  for (std::string_view piece : pieces) sink.on(chat::delta::Text{piece});
  if (ended != sse::Ended::eof) return;
  sink.on(chat::delta::Stop{chat::StopReason::end});
  sink.on(chat::delta::End{});
}

}  // namespace

Turn read_turn(const Pieces& pieces, const TurnOptions& options) {
  Turn turn;
  Log log(turn);
  turn::LedgerOptions assembling;
  assembling.limits = options.limits;
  if (options.tools) {
    assembling.tools = *options.tools;
    assembling.any_tool = false;
  }
  assembling.format = options.format;
  assembling.prompt_tail = options.prompt_tail;
  assembling.shapes = options.shapes;
  assembling.raw_text = options.plain;
  assembling.certain_text = true;
  turn::Ledger ledger(log, std::move(assembling));
  log.watch(ledger);
  if (options.plain) {
    read_plain(pieces, options.ended, ledger);
    turn.ended = options.ended == sse::Ended::eof;
  } else {
    wire::StreamDecoder decoder(options.wire, ledger, options.limits);
    for (std::string_view piece : pieces) decoder.push(piece);
    decoder.finish(options.ended);
    turn.ended = decoder.ended();
  }
  const std::vector<turn::Call> calls = ledger.finish().calls;
  if (calls.size() != turn.calls.size()) log.fault("finish() gives other calls than it tells");
  log.finish();
  return turn;
}

Turn read_turn(std::string_view body, const TurnOptions& options) { return read_turn(Pieces{body}, options); }

std::string turn_cut_difference(std::string_view body, const TurnOptions& options, const Turn& whole,
                                std::size_t max_splits, std::size_t shift) {
  auto differs = [&](const Pieces& pieces) {
    Turn turn = read_turn(pieces, options);
    std::string difference = lines_difference(whole.lines, turn.lines);
    return difference.empty() && turn.ended != whole.ended ? "the end marker was seen in one of them" : difference;
  };
  if (std::string d = differs(chop(body, 1)); !d.empty()) return "byte by byte: " + d;
  const std::size_t step = std::max<std::size_t>(1, body.size() / std::max<std::size_t>(1, max_splits));
  for (std::size_t at = 1 + shift % step; at < body.size(); at += step)
    if (std::string d = differs({body.substr(0, at), body.substr(at)}); !d.empty())
      return "cut at " + std::to_string(at) + ": " + d;
  return {};
}

std::string lines_difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string& x = i < a.size() ? a[i] : "nothing";
    const std::string& y = i < b.size() ? b[i] : "nothing";
    if (x != y) return "event " + std::to_string(i) + " is " + y + " and not " + x;
  }
  return {};
}

std::string describe(const Turn& turn) {
  std::string out;
  for (const std::string& line : turn.lines) out += "\n  " + line.substr(0, 2000);
  return out;
}

}  // namespace belay::check
