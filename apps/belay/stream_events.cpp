#include "stream_events.h"

#include "json_string.h"
#include "session.h"

#include <belay/json/writer.h>

#include <utility>

namespace belay::cli {
namespace {

std::string block_start(std::size_t index, const std::string& block) {
  return R"({"type":"content_block_start","index":)" + std::to_string(index) + R"(,"content_block":)" + block + "}";
}
std::string block_delta(std::size_t index, const std::string& delta) {
  return R"({"type":"content_block_delta","index":)" + std::to_string(index) + R"(,"delta":)" + delta + "}";
}
std::string block_stop(std::size_t index) {
  return R"({"type":"content_block_stop","index":)" + std::to_string(index) + "}";
}

}  // namespace

void StreamEvents::close(Answer& answer, std::vector<std::string>& out) {
  if (answer.speech) out.push_back(block_stop(*answer.speech));
  for (const auto& [call, index] : answer.calls) out.push_back(block_stop(index));
  answer.speech.reset();
  answer.calls.clear();
}

void StreamEvents::begin(Answer& answer, const std::string& model, std::vector<std::string>& out) {
  answer = {};
  answer.open = true;
  answer.id = "msg_" + new_task_id();
  out.push_back(R"({"type":"message_start","message":{"id":)" + json_string(answer.id) +
                R"(,"type":"message","role":"assistant","content":[],"model":)" + json_string(model) +
                R"(,"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}})");
}

std::string StreamEvents::id_of(const std::string& task) const {
  const auto found = answers_.find(task);
  return found == answers_.end() ? std::string() : found->second.id;
}

std::vector<std::string> StreamEvents::end(const std::string& task, std::string_view stop, std::string_view usage) {
  std::vector<std::string> out;
  Answer& answer = answers_[task];
  if (!answer.open) return out;
  close(answer, out);
  out.push_back(R"({"type":"message_delta","delta":{"stop_reason":)" + std::string(stop) +
                R"(,"stop_sequence":null},"usage":)" + std::string(usage) + "}");
  out.emplace_back(R"({"type":"message_stop"})");
  answer = {};
  return out;
}

void StreamEvents::speak(Answer& answer, bool thinking, const std::string& text, std::vector<std::string>& out) {
  if (answer.speech && answer.thinking != thinking) {
    out.push_back(block_stop(*answer.speech));
    answer.speech.reset();
  }
  if (!answer.speech) {
    answer.speech = answer.blocks++;
    answer.thinking = thinking;
    out.push_back(block_start(*answer.speech,
                              thinking ? R"({"type":"thinking","thinking":""})" : R"({"type":"text","text":""})"));
  }
  out.push_back(block_delta(*answer.speech, thinking
                                                ? R"({"type":"thinking_delta","thinking":)" + json_string(text) + "}"
                                                : R"({"type":"text_delta","text":)" + json_string(text) + "}"));
}

std::vector<std::string> StreamEvents::on(const task::Event& event) {
  using Kind = task::EventKind;
  std::vector<std::string> out;
  Answer& answer = answers_[event.task];
  switch (event.kind) {
    case Kind::request: begin(answer, model_, out); break;
    case Kind::text: speak(answer, false, event.text, out); break;
    case Kind::reasoning: speak(answer, true, event.text, out); break;
    case Kind::call_started: {
      if (answer.speech) out.push_back(block_stop(*std::exchange(answer.speech, std::nullopt)));
      const std::size_t index = answer.calls[event.call] = answer.blocks++;
      out.push_back(block_start(index, R"({"type":"tool_use","id":)" + json_string(event.call) + R"(,"name":)" +
                                           json_string(event.name) + R"(,"input":{}})"));
      break;
    }
    case Kind::call_delta:
      // As the model wrote it: what counts in the end is the `assistant` line.
      if (auto call = answer.calls.find(event.call); call != answer.calls.end())
        out.push_back(
            block_delta(call->second, R"({"type":"input_json_delta","partial_json":)" + json_string(event.text) + "}"));
      break;
    // Nothing of an answer that broke off counts, and it is not ended as if it did.
    case Kind::failed: answer = {}; break;
    default: break;
  }
  return out;
}

}  // namespace belay::cli
