// Each event is a whole answer of its own, with some more parts; calls come whole, or in pieces over several parts.
#include "wire/body.h"
#include "wire/gemini.h"
#include "wire/gemini_pieces.h"
#include "wire/stop_words.h"

#include <belay/json/writer.h>

#include <charconv>
#include <limits>

namespace BELAY_NAMESPACE::wire::gemini {
namespace {

using Place = delta::Place;

std::string_view said_at(json::Value object, std::string_view camel) {
  auto v = at(object, camel);
  return v ? v->as_string() : std::string_view{};
}
std::optional<json::Value> object_of(json::Value object, std::string_view camel) {
  auto v = at(object, camel);
  return v && v->is_object() ? v : std::nullopt;
}

// As much of a candidate as came holds something of the answer, or may.
bool says_more(const json::Partial& candidate) {
  json::MaybePartial content = candidate.find("content");
  if (!content) return !candidate.seems_closed();
  json::MaybePartial parts = content->find("parts");
  if (!parts) return !content->seems_closed();
  bool any = false;
  parts->each_item([&](const json::Partial&) { any = true; });
  return any || !parts->seems_closed();
}

class Reader final : public Dialect {
 public:
  using Dialect::Dialect;
  void on_event(json::Value value, std::string_view event) override;
  void on_done() override;
  void on_unfinished(const json::Partial& event) override;
  void on_over() override;

 private:
  [[nodiscard]] std::string_view wire_name() const override { return kName; }
  void on_answer(json::Value answer);
  void on_block_reason(json::Value feedback);
  void on_candidate(json::Value candidate);
  void on_part(json::Value part);
  void on_prose(json::Value part);
  void on_call(json::Value call, json::Value part);
  void on_whole_call(json::Value call, bool disputed);
  void begin_pieces(json::Value call, bool disputed);
  void on_pieces(json::Value call);
  void cut_open_call();
  [[nodiscard]] delta::CallKey open_key() const { return {.index = calls_ - 1, .id = open_id_}; }
  void on_usage(json::Value usage);
  void on_finish(std::string_view raw, json::Value candidate);
  void on_error(json::Value error);

  // Parts have no names, and a text goes on over many of them: a block ends where another kind begins, and behind its
  // signature.
  void next_block() { block_ = std::to_string(++blocks_); }

  void take_back(std::string_view kind, std::string_view message);

  bool started_ = false;
  bool stopped_ = false;  // there was a finish reason
  bool goes_on_ = false;  // and more of the answer behind it
  std::string raw_stop_;
  std::int64_t calls_ = 0;
  std::string arguments_;
  bool open_ = false;  // the last call came in pieces, and goes on
  bool pieces_seen_ = false;
  std::string open_id_, open_name_;
  ArgumentPieces pieces_;
  enum class Said : std::uint8_t { nothing, text, reasoning, other };
  Said said_ = Said::nothing;  // what the open block is
  std::size_t blocks_ = 0;
  std::string block_;
};

void Reader::on_event(json::Value value, std::string_view) {
  if (ended_ || failed_) return;
  if (value.is_object()) return on_answer(value);
  // Without alt=sse the stream is one list; read as one event when it came in one.
  for (json::Value answer : value.items()) {
    if (ended_ || failed_) return;
    if (answer.is_object()) on_answer(answer);
  }
  if (!value.is_array()) notice("ignored_event", "an event that is no object");
}

void Reader::on_answer(json::Value answer) {
  if (auto error = error_at(answer)) return on_error(*error);
  auto candidates = array_at(answer, "candidates");
  auto feedback = object_of(answer, "promptFeedback");
  auto counts = object_of(answer, "usageMetadata");
  if (!candidates && !feedback && !counts) return notice("ignored_event", "an event without candidates");
  recognised_ = true;
  if (!started_) {
    started_ = true;
    start(said_at(answer, "responseId"), said_at(answer, "modelVersion"));
  }
  std::optional<json::Value> first;
  if (candidates)
    for (json::Value candidate : candidates->items()) {
      // Only one answer was asked for; others would mix with it.
      if (auto index = index_at(candidate, "index"); (index && *index != 0) || first) {
        notice("ignored_choice", "a further candidate was ignored");
        continue;
      }
      first = candidate;
      on_candidate(candidate);
    }
  if (failed_) return;
  if (counts) on_usage(*counts);
  if (first) {
    std::string_view raw = said_at(*first, "finishReason");
    if (!raw.empty() && raw != "FINISH_REASON_UNSPECIFIED") on_finish(raw, *first);
  } else if (feedback) {
    on_block_reason(*feedback);
  }
}

void Reader::on_block_reason(json::Value feedback) {
  std::string_view raw = said_at(feedback, "blockReason");
  if (raw.empty()) return;
  if (auto why = said_at(feedback, "blockReasonMessage"); !why.empty()) notice("blocked", why);
  cut_open_call();
  stop(chat::StopReason::content_filter, raw);
  end();
}

// Servers that speak several wires put this behind the last event.
void Reader::on_done() {
  if (!stopped_) return notice("ignored_event", "[DONE] before a finish reason");
  on_over();
}

// A finish reason is the end marker, but servers give one in every event. So the last one counts, and only when nothing
// of the answer comes behind it.
void Reader::on_over() {
  cut_open_call();
  if (!stopped_) return;
  if (goes_on_)
    return take_back("no_end_marker", "the answer went on behind its finish reason, and has none at its end");
  end();
}

void Reader::on_unfinished(const json::Partial& event) {
  if (!stopped_) return;
  bool more = false;
  if (json::MaybePartial candidates = event.find("candidates"))
    candidates->each_item([&](const json::Partial& candidate) { more |= says_more(candidate); });
  if (more)
    take_back("unfinished_event",
              "the stream was cut off inside an event behind the finish reason; it was not the end");
}

void Reader::take_back(std::string_view kind, std::string_view message) {
  stopped_ = false;
  stop(chat::StopReason::none, raw_stop_);
  notice(kind, message);
}

void Reader::on_candidate(json::Value candidate) {
  auto content = object_at(candidate, "content");
  auto parts = content ? content->find("parts") : std::nullopt;
  if (parts && parts->is_object()) {
    notice("mended_event", "parts that are one object, not a list of them, were read as one part");
    return on_part(*parts);
  }
  if (parts && !parts->is_array() && !parts->is_null()) notice("ignored_fragment", "parts that are no list");
  if (!parts) return;
  for (json::Value part : parts->items()) {
    if (failed_) return;
    on_part(part);
  }
}

void Reader::on_part(json::Value part) {
  if (!part.is_object()) return notice("ignored_fragment", "a part that is no object");
  auto said = part.find("text");
  if (auto call = object_of(part, "functionCall")) {
    // A part is one thing or the other; where it is both, nothing of it is lost.
    if (said && !said->as_string().empty()) on_prose(part);
    return on_call(*call, part);
  }
  if (auto odd = at(part, "functionCall"); odd && !odd->is_null())
    notice("ignored_fragment", "a call that is no object");
  std::string_view kind;
  for (json::Member m : part.members())
    if (m.key != "text" && m.key != "thought" && !same_name("thoughtSignature", m.key) && kind.empty()) kind = m.key;
  if (said || kind.empty()) return on_prose(part);
  // Code that the server ran, media, and what may come: not for us, but to be sent back.
  goes_on_ = true;
  said_ = Said::other;
  next_block();
  opaque(kind, part, {Place::Kind::other, block_});
}

void Reader::on_prose(json::Value part) {
  const auto flag = part.find("thought");
  const bool thought = flag && flag->as_bool();
  const Said kind = thought ? Said::reasoning : Said::text;
  auto signature = at(part, "thoughtSignature");
  bool is_signed = signature && signature->is_string();
  std::string_view piece = text_at(part, "text");
  if (piece.empty() && !is_signed) return;
  if (std::exchange(said_, kind) != kind) next_block();
  if (!piece.empty()) {
    goes_on_ = true;
    thought ? reasoning(piece, block_) : text(piece, block_);
  }
  // In a stream the signature may come alone, behind the text that it signs.
  if (!is_signed) return;
  opaque("thoughtSignature", *signature, {thought ? Place::Kind::reasoning : Place::Kind::text, block_});
  said_ = Said::other;
}

void Reader::on_call(json::Value call, json::Value part) {
  const auto flag = at(call, "willContinue"), pieces = at(call, "partialArgs");
  const bool more = flag && flag->as_bool();
  const bool in_pieces = more || (pieces && !pieces->is_null() && !(pieces->is_array() && pieces->size() == 0));
  const std::string_view name = text_at(call, "name"), id = text_at(call, "id");
  goes_on_ = true;
  said_ = Said::other;
  if (!name.empty()) {
    // The call before never ended. Where this is the same tool, it may go on with that one.
    const bool disputed = open_ && open_name_ == name;
    cut_open_call();
    in_pieces ? begin_pieces(call, disputed) : on_whole_call(call, disputed);
  } else if (open_ ? !id.empty() && id != open_id_ && !open_id_.empty() : in_pieces) {
    pieces_seen_ = true;
    return lost("ignored_fragment", "a piece of the arguments of a call that did not begin");
  } else if (open_) {
    if (open_id_.empty()) open_id_ = id;
  } else {
    // One end too many, of a call that came in pieces, says nothing.
    const auto args = call.find("args");
    if (pieces_seen_ && id.empty() && (!args || args->size() == 0)) return;
    on_whole_call(call, false);
  }
  const delta::CallKey key{.index = calls_ - 1, .id = open_ ? std::string_view(open_id_) : id};
  if (open_) on_pieces(call);
  if (auto signature = at(part, "thoughtSignature"); signature && signature->is_string())
    opaque("thoughtSignature", *signature, key);
}

void Reader::on_whole_call(json::Value call, bool disputed) {
  const auto args = call.find("args");
  arguments_ = args ? arguments_text(*args) : std::string();
  // Each part is a call of its own, with or without an id.
  send({.key = {.index = calls_++, .id = text_at(call, "id")},
        .name = text_at(call, "name"),
        .arguments = arguments_,
        .whole = true,
        .closed = true,
        .disputed = disputed});
}

void Reader::begin_pieces(json::Value call, bool disputed) {
  open_ = pieces_seen_ = true;
  ++calls_;
  open_id_ = text_at(call, "id");
  open_name_ = text_at(call, "name");
  send({.key = open_key(), .name = open_name_, .awaits_end = true, .disputed = disputed});
}

// A part of the call that is open; the last one has no willContinue.
void Reader::on_pieces(json::Value call) {
  const auto flag = at(call, "willContinue"), pieces = at(call, "partialArgs");
  const bool more = flag && flag->as_bool();
  arguments_.clear();
  bool placed = !pieces || pieces->is_null() || pieces_.add(*pieces, arguments_);
  if (!more) placed &= pieces_.finish(arguments_);
  delta::Call d{.key = open_key(), .arguments = arguments_, .awaits_end = true};
  if (!arguments_.empty()) send(d);
  if (!placed) lost("ignored_fragment", "a piece of arguments that cannot be placed", d.key);
  const auto args = call.find("args");
  arguments_ = args ? arguments_text(*args) : std::string();
  if (!arguments_.empty() && arguments_ != "{}") {
    d.whole = true;
    d.arguments = arguments_;
    send(d);
  }
  if (more) return;
  open_ = false;
  send(delta::CallEnd{d.key});
}

// Nothing says that all of it came.
void Reader::cut_open_call() {
  if (!std::exchange(open_, false)) return;
  pieces_ = {};
  send({.key = open_key(), .cut = true, .awaits_end = true});
}

// Thoughts are counted beside the candidates, and what server-side tools put into the prompt beside the prompt.
void Reader::on_usage(json::Value u) {
  auto sum = [](std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
    if (!a || !b) return a ? a : b;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    return std::optional(*a > kMost - *b ? kMost : *a + *b);
  };
  auto count = [&](std::string_view name) {
    auto v = at(u, name);
    return v ? v->as_uint64() : std::nullopt;
  };
  chat::Usage said;
  said.reasoning_tokens = count("thoughtsTokenCount");
  said.input_tokens = sum(count("promptTokenCount"), count("toolUsePromptTokenCount"));
  said.output_tokens = sum(count("candidatesTokenCount"), said.reasoning_tokens);
  said.cached_tokens = count("cachedContentTokenCount");
  if (said != chat::Usage{}) usage(said);
}

void Reader::on_finish(std::string_view raw, json::Value candidate) {
  // For a malformed call it holds what the model wrote.
  if (auto message = said_at(candidate, "finishMessage"); !message.empty()) notice("finish_message", message);
  stop(stop_of(raw, calls_ > 0), raw);
  stopped_ = true;
  goes_on_ = false;
  raw_stop_ = raw;
}

void Reader::on_error(json::Value error) {
  if (error.is_string()) return fail(classify("", "", error.as_string()));
  std::string_view type = text_at(error, "status"), code = text_at(error, "code"), message = text_at(error, "message");
  if (auto number = error.find("code"); number && number->is_number()) code = number->number_text();
  const ErrorDetails details = details_of(error);
  chat::Failure failure = classify(details.type.empty() ? type : details.type, code, message);
  if (details.wait) failure.retry_after = details.wait;
  fail(failure);
}

}  // namespace

std::optional<json::Value> at(json::Value object, std::string_view camel) {
  if (auto v = object.find(camel)) return v;
  if (!object.is_object()) return std::nullopt;
  for (json::Member m : object.members())
    if (same_name(camel, m.key)) return m.value;
  return std::nullopt;
}

chat::StopReason stop_of(std::string_view raw, bool calls) {
  using chat::StopReason;
  if (raw == "STOP" || raw == "stop") return calls ? StopReason::tool_calls : StopReason::end;
  if (raw == "CONTINUATION") return StopReason::pause;
  // OTHER, LANGUAGE, those about images, and what may come: only STOP is an end of the model's own will.
  const std::optional<StopReason> known = stop_word(raw);
  return known && chat::cuts(*known) ? *known : StopReason::content_filter;
}

std::unique_ptr<Dialect> reader(chat::DeltaSink& sink) { return std::make_unique<Reader>(sink); }

}  // namespace BELAY_NAMESPACE::wire::gemini
