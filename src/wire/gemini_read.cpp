// Each event is a whole answer of its own, with some more parts; calls come whole.
#include "wire/body.h"
#include "wire/gemini.h"

#include <belay/json/writer.h>

#include <charconv>
#include <limits>

namespace belay::wire::gemini {
namespace {

using DeltaKind = chat::Delta::Kind;

// "11s", "0.5s".
std::optional<double> seconds(std::string_view duration) {
  double n = 0;
  auto r = std::from_chars(duration.data(), duration.data() + duration.size(), n, std::chars_format::fixed);
  bool whole = r.ec == std::errc() && std::string_view(r.ptr, duration.data() + duration.size()) == "s";
  return whole && n >= 0 ? std::optional(n) : std::nullopt;
}

class Reader final : public Dialect {
 public:
  using Dialect::Dialect;
  void on_event(json::Value value, std::string_view event) override;
  // The end marker is a finish reason; servers that speak several wires put this behind it.
  void on_done() override { notice("ignored_event", "[DONE] before a finish reason"); }

 private:
  [[nodiscard]] std::string_view wire_name() const override { return kName; }
  void on_answer(json::Value answer);
  void on_candidate(json::Value candidate);
  void on_part(json::Value part);
  void on_prose(DeltaKind kind, json::Value part);
  void add(std::string_view kind, std::string_view key, json::Value value);
  void on_call(json::Value call, json::Value part);
  void on_usage(json::Value usage);
  void on_finish(std::string_view raw, json::Value candidate);
  void on_error(json::Value error);

  // Parts have no names, and a text goes on over many of them: a block ends where another kind begins, and behind its
  // signature.
  void next_block() { block_ = std::to_string(++blocks_); }

  bool started_ = false;
  std::int64_t calls_ = 0;
  std::string arguments_;
  DeltaKind said_ = DeltaKind::start;  // what the open block is
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
  if (auto error = answer.find("error"); error && !error->is_null()) return on_error(*error);
  auto candidates = array_at(answer, "candidates");
  auto feedback = object_at(answer, "promptFeedback");
  auto counts = object_at(answer, "usageMetadata");
  if (!candidates && !feedback && !counts) return notice("ignored_event", "an event without candidates");
  recognised_ = true;
  if (!started_) {
    started_ = true;
    start(text_at(answer, "responseId"), text_at(answer, "modelVersion"));
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
    std::string_view raw = text_at(*first, "finishReason");
    if (!raw.empty() && raw != "FINISH_REASON_UNSPECIFIED") on_finish(raw, *first);
  } else if (feedback) {
    std::string_view raw = text_at(*feedback, "blockReason");
    if (raw.empty()) return;
    if (auto why = text_at(*feedback, "blockReasonMessage"); !why.empty()) notice("blocked", why);
    stop(chat::StopReason::content_filter, raw);
    end();
  }
}

void Reader::on_candidate(json::Value candidate) {
  auto content = object_at(candidate, "content");
  auto parts = content ? array_at(*content, "parts") : std::nullopt;
  if (!parts) return;
  for (json::Value part : parts->items()) {
    if (failed_) return;
    on_part(part);
  }
}

void Reader::on_part(json::Value part) {
  if (!part.is_object()) return notice("ignored_fragment", "a part that is no object");
  if (auto call = object_at(part, "functionCall")) return on_call(*call, part);
  auto said = part.find("text");
  auto flag = part.find("thought");
  std::string_view kind;
  for (json::Member m : part.members())
    if (m.key != "text" && m.key != "thought" && m.key != "thoughtSignature" && kind.empty()) kind = m.key;
  if (said || kind.empty()) return on_prose(flag && flag->as_bool() ? DeltaKind::reasoning : DeltaKind::text, part);
  // Code that the server ran, media, and what may come: not for us, but to be sent back.
  said_ = DeltaKind::opaque;
  next_block();
  add("other", kind, part);
}

void Reader::on_prose(DeltaKind kind, json::Value part) {
  auto signature = part.find("thoughtSignature");
  bool is_signed = signature && signature->is_string();
  std::string_view piece = text_at(part, "text");
  if (piece.empty() && !is_signed) return;
  if (std::exchange(said_, kind) != kind) next_block();
  if (!piece.empty()) {
    chat::Delta d;
    d.kind = kind;
    d.item = block_;
    d.text = piece;
    send(d);
  }
  // In a stream the signature may come alone, behind the text that it signs.
  if (!is_signed) return;
  add(kind == DeltaKind::text ? "text" : "reasoning", "thoughtSignature", *signature);
  said_ = DeltaKind::opaque;
}

void Reader::add(std::string_view kind, std::string_view key, json::Value value) {
  chat::Delta where;
  where.name = kind;
  where.text = block_;
  opaque(key, value, where);
}

void Reader::on_call(json::Value call, json::Value part) {
  auto more = call.find("willContinue");
  if (call.find("partialArgs") || (more && more->as_bool())) {
    // Arguments by path, which only Vertex sends and only when asked to. Half of them must not look like all.
    chat::Failure failure{"unsupported", "the arguments of a call come in parts; turn streamFunctionCallArguments off",
                          false, std::nullopt};
    return fail(failure);
  }
  said_ = DeltaKind::call;
  chat::Delta d;
  d.kind = DeltaKind::call_whole;
  d.closed = true;
  d.index = calls_++;  // each part is a call of its own, with or without an id
  d.id = text_at(call, "id");
  d.name = text_at(call, "name");
  arguments_.clear();
  if (auto args = call.find("args")) arguments_ = arguments_text(*args);
  d.text = arguments_;
  send(d);
  if (auto signature = part.find("thoughtSignature"); signature && signature->is_string()) {
    chat::Delta where;
    where.index = d.index;
    where.id = d.id;
    opaque("thoughtSignature", *signature, where);
  }
}

// Thoughts are counted beside the candidates, and what server-side tools put into the prompt beside the prompt.
void Reader::on_usage(json::Value u) {
  auto sum = [](std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
    if (!a || !b) return a ? a : b;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    return std::optional(*a > kMost - *b ? kMost : *a + *b);
  };
  chat::Usage said;
  said.reasoning_tokens = count_at(u, "thoughtsTokenCount");
  said.input_tokens = sum(count_at(u, "promptTokenCount"), count_at(u, "toolUsePromptTokenCount"));
  said.output_tokens = sum(count_at(u, "candidatesTokenCount"), said.reasoning_tokens);
  said.cached_tokens = count_at(u, "cachedContentTokenCount");
  if (said != chat::Usage{}) usage(said);
}

void Reader::on_finish(std::string_view raw, json::Value candidate) {
  // For a malformed call it holds what the model wrote.
  if (auto message = text_at(candidate, "finishMessage"); !message.empty()) notice("finish_message", message);
  stop(stop_of(raw, calls_ > 0), raw);
  end();
}

void Reader::on_error(json::Value error) {
  if (error.is_string()) return fail(classify("", "", error.as_string()));
  std::string_view type = text_at(error, "status"), code = text_at(error, "code"), message = text_at(error, "message");
  if (auto number = error.find("code"); number && number->is_number()) code = number->number_text();
  std::optional<double> wait;
  if (auto details = array_at(error, "details"))
    for (json::Value detail : details->items()) {
      if (auto s = seconds(text_at(detail, "retryDelay"))) wait = s;
      // A wrong key is an INVALID_ARGUMENT here.
      if (text_at(detail, "reason").starts_with("API_KEY_")) type = "authentication";
    }
  chat::Failure failure = classify(type, code, message);
  if (wait) failure.retry_after = wait;
  fail(failure);
}

}  // namespace

chat::StopReason stop_of(std::string_view raw, bool calls) {
  using chat::StopReason;
  if (raw == "STOP") return calls ? StopReason::tool_calls : StopReason::end;
  if (raw == "MAX_TOKENS") return StopReason::length;
  if (raw == "CONTINUATION") return StopReason::pause;
  if (raw.starts_with("MALFORMED_") || raw == "UNEXPECTED_TOOL_CALL" || raw == "TOO_MANY_TOOL_CALLS")
    return StopReason::malformed;
  // SAFETY, RECITATION, BLOCKLIST, PROHIBITED_CONTENT, SPII, LANGUAGE, OTHER, those about images, and what may come:
  // only STOP is an end of the model's own will.
  return StopReason::content_filter;
}

std::unique_ptr<Dialect> reader(chat::DeltaSink& sink) { return std::make_unique<Reader>(sink); }

}  // namespace belay::wire::gemini
