#include "stream_events.h"

#include <belay/json/writer.h>

#include <utility>

namespace belay::cli {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  json::write_string(text, out);
  return out;
}

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

void StreamEvents::end(Answer& answer, std::vector<std::string>& out) {
  if (!answer.open) return;
  if (answer.speech) out.push_back(block_stop(*answer.speech));
  for (const auto& [call, index] : answer.calls) out.push_back(block_stop(index));
  out.emplace_back(R"({"type":"message_stop"})");
  answer = {};
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
  out.push_back(block_delta(*answer.speech, thinking ? R"({"type":"thinking_delta","thinking":)" + quoted(text) + "}"
                                                     : R"({"type":"text_delta","text":)" + quoted(text) + "}"));
}

std::vector<std::string> StreamEvents::on(const task::Event& event) {
  using Kind = task::EventKind;
  std::vector<std::string> out;
  Answer& answer = answers_[event.task];
  switch (event.kind) {
    case Kind::request:
      end(answer, out);
      answer.open = true;
      out.push_back(R"({"type":"message_start","message":{"type":"message","role":"assistant","content":[],"model":)" +
                    quoted(model_) + "}}");
      break;
    case Kind::text: speak(answer, false, event.text, out); break;
    case Kind::reasoning: speak(answer, true, event.text, out); break;
    case Kind::call_started: {
      if (answer.speech) out.push_back(block_stop(*std::exchange(answer.speech, std::nullopt)));
      const std::size_t index = answer.calls[event.call] = answer.blocks++;
      out.push_back(block_start(index, R"({"type":"tool_use","id":)" + quoted(event.call) + R"(,"name":)" +
                                           quoted(event.name) + R"(,"input":{}})"));
      break;
    }
    case Kind::call_delta:
      // As the model wrote it: what counts in the end is the `assistant` line.
      if (auto call = answer.calls.find(event.call); call != answer.calls.end())
        out.push_back(
            block_delta(call->second, R"({"type":"input_json_delta","partial_json":)" + quoted(event.text) + "}"));
      break;
    case Kind::usage:
    case Kind::failed:
    case Kind::finished: end(answer, out); break;
    default: break;
  }
  return out;
}

}  // namespace belay::cli
