// Each line is a message with some more of the text; calls come whole.
#include "wire/body.h"
#include "wire/ollama.h"

namespace BELAY_NAMESPACE::wire::ollama {
namespace {

class Reader final : public Dialect {
 public:
  using Dialect::Dialect;
  void on_event(json::Value value, std::string_view event) override;
  // The end marker is `done`; servers that speak several wires put this behind it.
  void on_done() override { notice("ignored_event", "[DONE] before done"); }

 private:
  [[nodiscard]] std::string_view wire_name() const override { return kName; }
  void on_message(json::Value message);
  void on_call(json::Value call);
  void on_end(json::Value line);
  void on_error(json::Value error, json::Value line);

  bool started_ = false;
  std::int64_t calls_ = 0;
  std::string arguments_;
};

void Reader::on_event(json::Value value, std::string_view) {
  if (ended_ || failed_) return;
  if (!value.is_object()) return notice("ignored_event", "a line that is no object");
  if (auto error = error_at(value)) return on_error(*error, value);
  auto message = object_at(value, "message");
  auto done = value.find("done");
  // What /api/generate says in place of a message. Other wires have an object of that name.
  auto response = value.find("response");
  if (response && !response->is_string()) response.reset();
  // A line has no type; events of other wires that have a message do.
  if (((!message && !response) || value.find("type")) && !(done && done->is_bool()))
    return notice("ignored_event", "a line without a message");
  recognised_ = true;
  if (!started_) {
    started_ = true;
    start({}, text_at(value, "model"));
  }
  if (message) {
    on_message(*message);
  } else {
    reasoning(text_at(value, "thinking"));
    if (response) text(response->as_string());
  }
  if (done && done->as_bool()) on_end(value);
}

void Reader::on_message(json::Value message) {
  reasoning(text_at(message, "thinking"));
  text(text_at(message, "content"));
  if (auto calls = array_at(message, "tool_calls"))
    for (json::Value call : calls->items()) {
      if (call.is_object())
        on_call(call);
      else
        notice("ignored_fragment", "a call that is no object");
    }
  else if (auto odd = message.find("tool_calls"); odd && odd->is_object() && odd->size() > 0)
    on_call(*odd);
  else if (odd && !odd->is_object() && !odd->is_null() && !(odd->is_string() && odd->as_string().empty()))
    notice("ignored_fragment", "calls that are no list");
}

void Reader::on_call(json::Value call) {
  json::Value function = object_at(call, "function").value_or(call);
  const auto arguments = function.find("arguments");
  arguments_ = arguments ? arguments_text(*arguments) : std::string();
  // Each is a call of its own. The index that servers give begins again in every line, or is always 0.
  send({.key = {.index = calls_++, .id = text_at(call, "id")},
        .name = text_at(function, "name"),
        .arguments = arguments_,
        .whole = true,
        .closed = true});
}

void Reader::on_end(json::Value line) {
  chat::Usage said;
  said.input_tokens = count_at(line, "prompt_eval_count");
  said.output_tokens = count_at(line, "eval_count");
  if (said != chat::Usage{}) usage(said);
  std::string_view raw = text_at(line, "done_reason");
  // Older servers give no reason.
  chat::StopReason reason = raw.empty() ? chat::StopReason::end : stop_reason(raw);
  if (reason == chat::StopReason::end && calls_ > 0) reason = chat::StopReason::tool_calls;
  stop(reason, raw);
  end();
}

// Errors are a sentence, as a rule.
void Reader::on_error(json::Value error, json::Value line) {
  std::string_view message = error.is_string() ? error.as_string() : text_at(error, "message");
  std::string_view type = text_at(error, "type"), code;
  if (auto status = line.find("status"); status && status->is_number()) code = status->number_text();
  fail(classify(type, code, message));
}

}  // namespace

std::unique_ptr<Dialect> reader(chat::DeltaSink& sink) { return std::make_unique<Reader>(sink); }

}  // namespace BELAY_NAMESPACE::wire::ollama
