// OpenAI Chat Completions, and the many servers that speak it nearly.
#include "wire/dialect.h"
#include "wire/openai_chat.h"
#include "wire/openai_parts.h"

#include <belay/json/writer.h>

#include <charconv>
#include <utility>

namespace BELAY_NAMESPACE::wire {
namespace {

// Some servers write members empty where others leave them out.
bool is_empty(const json::Partial& value) {
  bool empty = value.seems_closed();
  switch (value.kind()) {
    case json::Kind::null: return true;
    case json::Kind::string: return value.as_string().empty();
    case json::Kind::array: value.each_item([&](const json::Partial&) { empty = false; }); return empty;
    case json::Kind::object:
      value.each_member([&](std::string_view, const json::Partial& v) {
        empty &= v.kind() == json::Kind::null || (v.kind() == json::Kind::string && v.as_string().empty());
      });
      return empty;
    default: return false;
  }
}

// A delta that is not whole, or was not counted, and holds something that belongs to the answer.
bool says_more(const json::Partial& delta) {
  bool more = false;
  delta.each_member(
      [&](std::string_view key, const json::Partial& value) { more |= key != "role" && !is_empty(value); });
  return more;
}

// A call whose function is none, or has nothing that a function has.
bool is_odd(json::Value call) {
  auto function = call.find("function");
  if (!function || function->is_null()) return false;
  if (!function->is_object()) return !(function->is_string() && function->as_string().empty());
  return function->size() > 0 && !function->find("name") && !function->find("arguments");
}

class ChatReader final : public Dialect {
 public:
  using Dialect::Dialect;
  void on_event(json::Value value, std::string_view event) override;
  void on_unfinished(const json::Partial& event) override;
  void on_done() override;
  // A finish_reason ends an answer too, where nothing follows it.
  void on_over() override {
    if (stopped_) end();
  }

 private:
  [[nodiscard]] std::string_view wire_name() const override { return "openai-chat"; }
  void on_choice(json::Value choice, std::int64_t at);
  void on_further(json::Value choice);
  void on_other(json::Value value, std::string_view event);
  void on_message(json::Value message, bool whole);
  void on_words(json::Value message);
  void on_content(json::Value content);
  void on_message_again(json::Value message);
  void on_calls(json::Value message, bool whole);
  void on_function_call(json::Value call, bool whole);
  void on_call(json::Value call, bool whole);
  void add_arguments(json::Value function, delta::Call& d);
  void note_custom(json::Value custom, const delta::CallKey& call);
  void on_usage(json::Value usage);
  void on_error(json::Value error);
  bool started_ = false;
  bool stopped_ = false;
  std::string raw_stop_;
  bool streamed_ = false;       // a delta had something
  bool said_ = false;           // there were words
  bool mended_ = false;         // content of another kind was told of
  bool calls_ = false;          // there were tool_calls
  bool any_call_ = false;       // or a function_call
  bool further_calls_ = false;  // a further choice has calls
  bool again_ = false;          // calls are being repeated that came in deltas
  bool several_ = false;        // the list of calls has more than one
  std::int64_t at_ = 0;         // the place of a call in it
  std::string scratch_;
};

void ChatReader::on_event(json::Value value, std::string_view event) {
  if (!value.is_object()) {
    lost("ignored_event", "an event that is no object");
    return;
  }
  if (auto error = error_at(value)) return on_error(*error);
  // FastAPI and the like say what is wrong in `detail`, Mistral's gateway in `message` with `object: error`.
  if (event == "error" || text_at(value, "object") == "error") return on_error(value);
  auto choices = array_at(value, "choices");
  if (auto odd = value.find("choices"); odd && !choices && !odd->is_null())
    lost("ignored_fragment", "choices that are no list");
  auto usage = object_at(value, "usage");
  // Other wires have a usage too, with other counts.
  const bool ours = choices || (usage && (usage->find("prompt_tokens") || usage->find("completion_tokens")));
  recognised_ |= ours;
  if (!ours && !usage && !value.find("choices")) return on_other(value, event);
  if (!started_ && recognised_) {
    started_ = true;
    start(text_at(value, "id"), text_at(value, "model"));
  }
  if (choices) {
    std::int64_t at = 0;
    for (json::Value choice : choices->items()) on_choice(choice, at++);
  }
  if (usage) on_usage(*usage);
}

// Nothing that this wire has. Gateways say in such events why they give up, and that they are still there.
void ChatReader::on_other(json::Value value, std::string_view event) {
  std::string_view message = text_at(value, "message");
  for (std::string_view key : {"code", "status"}) {
    const std::optional<json::Value> code = value.find(key);
    if (!code || message.empty()) continue;
    const std::string_view digits = code->is_string() ? code->as_string() : code->number_text();
    int status = 0;
    if (digits.size() == 3) std::from_chars(digits.data(), digits.data() + digits.size(), status);
    if (status >= 400) return fail(classify(text_at(value, "type"), digits, message));
  }
  // A body that is no answer of this wire is told so at its end.
  if (!recognised_ || value.size() == 0 || event == "ping" || text_at(value, "type") == "ping") return;
  if (value.find("delta") || value.find("tool_calls") || value.find("function_call") || object_at(value, "message"))
    return lost("ignored_event", "an event without choices; it may be a part of a call");
  notice("ignored_event", "an event without choices");
}

// [DONE] ends an answer as well as a finish_reason does.
void ChatReader::on_done() {
  if (recognised_ && !stopped_) stop(any_call_ ? chat::StopReason::tool_calls : chat::StopReason::end, {});
  end();
}

// Some servers send the arguments behind the finish_reason. When the stream ends inside an event that says something
// more, or could, that reason was not the end; in one that only counts tokens, it was.
void ChatReader::on_unfinished(const json::Partial& event) {
  if (!stopped_) return;
  bool more = false;
  json::MaybePartial choices = event.find("choices");
  if (!choices) return;
  choices->each_item([&](const json::Partial& choice) {
    json::MaybePartial delta = choice.find("delta");
    if (!delta)
      more |= !choice.seems_closed();
    else
      more |= !delta->seems_closed() || says_more(*delta);
  });
  if (!more) return;
  stopped_ = false;
  stop(chat::StopReason::none, raw_stop_);
  notice("unfinished_event", "the stream was cut off inside an event behind the finish_reason; it was not the end");
}

void ChatReader::on_choice(json::Value choice, std::int64_t at) {
  if (!choice.is_object()) {
    if (!choice.is_null()) lost("ignored_fragment", "a choice that is no object");
    return;
  }
  // Only one answer was asked for; others would mix with it.
  if (index_at(choice, "index").value_or(at) != 0) {
    notice("ignored_choice", "a further choice was ignored");
    return on_further(choice);
  }
  if (auto delta = object_at(choice, "delta")) {
    streamed_ |= delta->size() > 0;
    on_message(*delta, false);
  } else if (auto odd = choice.find("delta"); odd && !odd->is_null()) {
    lost("ignored_fragment", "a delta that is no object");
  }
  // The older completions have nothing but a text. Some servers repeat there what the delta says (Together).
  if (!choice.find("delta") && !choice.find("message")) text(text_at(choice, "text"));
  // Perplexity repeats all that was said so far beside each delta.
  if (auto message = object_at(choice, "message")) streamed_ ? on_message_again(*message) : on_message(*message, true);
  if (std::string_view raw = text_at(choice, "finish_reason"); !raw.empty()) {
    stop(stop_reason(raw), raw);
    stopped_ = true;  // usage and [DONE] may still come
    raw_stop_ = raw;
  }
  if (auto error = object_at(choice, "error")) on_error(*error);
}

// A fragment of a call, in a choice where none began: it may be of a call of this answer.
void ChatReader::on_further(json::Value choice) {
  const std::optional<json::Value> delta = object_at(choice, "delta");
  const std::optional<json::Value> calls = delta ? array_at(*delta, "tool_calls") : std::nullopt;
  if (!calls) return;
  for (json::Value call : calls->items()) {
    json::Value function = object_at(call, "function").value_or(call);
    further_calls_ |= !text_at(call, "id").empty() || !text_at(function, "name").empty();
    if (!further_calls_ && !text_at(function, "arguments").empty()) lose();
  }
}

void ChatReader::on_message(json::Value message, bool whole) {
  on_words(message);
  on_calls(message, whole);
}

void ChatReader::on_words(json::Value message) {
  for (std::string_view key : {"reasoning_content", "reasoning", "reasoning_text"})
    if (std::string_view piece = text_at(message, key); !piece.empty()) {
      said_ = true;
      reasoning(piece);
      break;  // some servers send several, with the same words
    }
  if (auto details = array_at(message, "reasoning_details")) opaque("reasoning_details", *details);
  if (auto content = message.find("content")) on_content(*content);
  const std::string_view refused = text_at(message, "refusal");
  said_ |= !refused.empty();
  refusal(refused);
}

void ChatReader::on_content(json::Value content) {
  auto say = [&](std::string_view piece) {
    said_ |= !piece.empty();
    text(piece);
  };
  auto on_part = [&](json::Value part) {
    const std::string_view type = text_at(part, "type");
    if (part.is_string()) {
      say(part.as_string());
    } else if (type.empty() || type == "text" || type == "output_text") {
      say(text_at(part, "text"));
    } else if (type == "thinking") {
      if (auto thinking = array_at(part, "thinking"))
        for (json::Value t : thinking->items()) reasoning(text_at(t, "text"));
      reasoning(text_at(part, "thinking"));
    }
  };
  if (content.is_string()) return say(content.as_string());
  if (content.is_null()) return;
  // Mistral and others send parts.
  if (content.is_array()) {
    for (json::Value part : content.items()) on_part(part);
    return;
  }
  // A piece of text that happens to be a number or a literal is written as one by some servers.
  if (!std::exchange(mended_, true))
    notice("mended_event", content.is_object() ? "content that is one part, not a list of them, was read as one"
                                               : "content that is neither text nor parts was read as its text");
  if (content.is_object()) return on_part(content);
  scratch_.clear();
  json::write(content, scratch_);
  say(scratch_);
}

// What was said in deltas is said once more, if anything was. Where that is not the same about a call, it must not go
// unseen.
void ChatReader::on_message_again(json::Value message) {
  if (!said_) on_words(message);
  again_ = any_call_;
  on_calls(message, true);
  again_ = false;
}

void ChatReader::on_calls(json::Value message, bool whole) {
  const std::optional<json::Value> calls = message.find("tool_calls");
  if (calls && calls->is_array()) {
    at_ = 0;
    several_ = calls->size() > 1;
    for (json::Value call : calls->items()) {
      if (call.is_object())
        on_call(call, whole);
      else
        lost("ignored_fragment", "a fragment of a call that is no object");
      ++at_;
    }
  } else if (calls && calls->is_object()) {
    if (calls->size() > 0) on_call(*calls, whole);
  } else if (calls && !calls->is_null() && !(calls->is_string() && calls->as_string().empty())) {
    lost("ignored_fragment", "calls that are no list");
  }
  // The older form: one call, without an id. Some servers send both, and mean one call.
  auto call = object_at(message, "function_call");
  if (!call) return;
  const std::optional<json::Value> arguments = call->find("arguments");
  const bool none = !arguments || arguments->is_null() || (arguments->is_string() && arguments->as_string().empty());
  if (none && (calls_ || text_at(*call, "name").empty())) return;
  if (!calls_) return on_function_call(*call, whole);
  bool same = false;
  if (calls)
    for (json::Value one : calls->items()) {
      const std::optional<json::Value> said = object_at(one, "function").value_or(one).find("arguments");
      same |= said && *said == *arguments;
    }
  if (!same && !whole) lost("ignored_fragment", "a function_call that says something else than tool_calls");
}

void ChatReader::on_function_call(json::Value call, bool whole) {
  any_call_ = true;
  delta::Call d{.key = {.index = 0}, .name = text_at(call, "name"), .whole = whole, .fragment = again_};
  add_arguments(call, d);
  send(d);
}

void ChatReader::on_call(json::Value call, bool whole) {
  delta::Call d{.whole = whole, .fragment = again_, .closed = whole && !again_};
  d.key.index = index_at(call, "index");
  d.key.id = text_at(call, "id");
  // The place in a list tells calls apart that nothing else does, and in a whole answer also those of one id.
  const bool placed = d.key.id.empty() ? again_ || several_ : whole && several_ && !again_;
  if (placed && !d.key.index && !odd_index_at(call, "index")) d.key.index = at_;
  // Some servers leave `function` out and put its members beside it.
  json::Value function = object_at(call, "function").value_or(call);
  std::optional<json::Value> custom = whole ? object_at(call, "custom") : std::nullopt;
  if (custom && text_at(*custom, "name").empty() && text_at(*custom, "input").empty()) custom.reset();
  if (custom) {
    d.name = text_at(*custom, "name");
    d.arguments = scratch_ = arguments_of_input(text_at(*custom, "input"));
  } else {
    d.name = text_at(function, "name");
    add_arguments(function, d);
  }
  if (is_odd(call))
    return lost("ignored_fragment", "a fragment of a call without anything that is known of calls", d.key);
  const std::optional<json::Value> extra = object_at(call, "extra_content");
  // Some servers write an empty call beside words.
  if (!any_call_ && d.key.id.empty() && d.name.empty() && d.arguments.empty() && !extra) return;
  calls_ = any_call_ = true;
  if (d.key.id.empty() && (!d.arguments.empty() || !d.name.empty()) && odd_index_at(call, "index")) {
    notice("unusable_index", "a fragment of a call has an index that names none");
    d.disputed = true;
  }
  send(d);
  if (custom) note_custom(*custom, d.key);
  // Gemini's signatures come this way through its compatible endpoint.
  if (extra) opaque("extra_content", *extra, d.key);
}

// That it was one, so that it goes back as one.
void ChatReader::note_custom(json::Value custom, const delta::CallKey& call) {
  std::string rest = rest_of(custom, {"name", "input"});
  const chat::Opaque o{std::string(openai_chat::kWire), std::string(openai_chat::kCustom), rest.empty() ? "{}" : rest};
  send(delta::CallOpaque{call, &o});
}

void ChatReader::add_arguments(json::Value function, delta::Call& d) {
  auto arguments = function.find("arguments");
  if (!arguments || arguments->is_null()) return;
  if (arguments->is_string()) {
    d.arguments = arguments->as_string();
    return;
  }
  // An object where a string belongs: its text is what the string would have held, and all of it.
  scratch_.clear();
  json::write(*arguments, scratch_);
  d.arguments = scratch_;
  d.whole = true;
}

void ChatReader::on_usage(json::Value u) {
  chat::Usage usage_read;
  usage_read.input_tokens = count_at(u, "prompt_tokens");
  usage_read.output_tokens = count_at(u, "completion_tokens");
  if (auto details = object_at(u, "prompt_tokens_details"))
    usage_read.cached_tokens = count_at(*details, "cached_tokens");
  if (!usage_read.cached_tokens) usage_read.cached_tokens = count_at(u, "prompt_cache_hit_tokens");
  if (auto details = object_at(u, "completion_tokens_details"))
    usage_read.reasoning_tokens = count_at(*details, "reasoning_tokens");
  if (usage_read != chat::Usage{}) usage(usage_read);
}

void ChatReader::on_error(json::Value error) {
  if (error.is_string()) return fail(classify("", "", error.as_string()));
  std::string_view type = text_at(error, "type"), code = text_at(error, "code"), message = text_at(error, "message");
  if (message.empty()) message = text_at(error, "detail");
  if (auto number = error.find("code"); number && number->is_number()) code = number->number_text();
  fail(classify(type, code, message));
}

}  // namespace

std::unique_ptr<Dialect> read_openai_chat(chat::DeltaSink& sink) { return std::make_unique<ChatReader>(sink); }

}  // namespace BELAY_NAMESPACE::wire
