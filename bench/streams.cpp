#include "streams.h"

#include "documents.h"

#include <belay/json/writer.h>

#include <algorithm>

namespace belay::bench {
namespace {

// What stands around the deltas of a wire.
struct Frame {
  std::string before, after;  // of a delta; # is its number, which some wires have in other places too
  std::string head, tail;     // of the stream
};

std::string sse(std::string_view event, std::string_view data) {
  std::string out;
  if (!event.empty()) ((out += "event: ") += event) += '\n';
  ((out += "data: ") += data) += "\n\n";
  return out;
}

std::string quoted(std::string_view text) {
  std::string out;
  json::write_string(text, out);
  return out;
}

// The text with a number for #.
void append(std::string& out, std::string_view text, std::string_view number) {
  const std::size_t at = text.find('#');
  out += text.substr(0, at);
  if (at != text.npos) out.append(number).append(text.substr(at + 1));
}

// A chunk with a delta and a finish reason.
std::string chat_chunk(std::string_view delta, std::string_view finish) {
  std::string out = R"({"id":"chatcmpl-BelayBench0","object":"chat.completion.chunk","created":1760000000,)"
                    R"("model":"gpt-5","choices":[{"index":0,"delta":)";
  ((((out += delta) += R"(,"logprobs":null,"finish_reason":)") += finish) += "}]}");
  return out;
}

Frame chat_frame() {
  const std::string delta = sse({}, chat_chunk(R"({"tool_calls":[{"index":0,"function":{"arguments":"@"}}]})", "null"));
  Frame f;
  f.before = delta.substr(0, delta.find('@'));
  f.after = delta.substr(delta.find('@') + 1);
  f.head = sse({}, chat_chunk(R"({"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1",)"
                              R"("type":"function","function":{"name":"write_file","arguments":""}}],"refusal":null})",
                              "null"));
  f.tail = sse({}, chat_chunk("{}", R"("tool_calls")")) + sse({}, "[DONE]");
  return f;
}

Frame anthropic_frame() {
  Frame f;
  f.before =
      "event: content_block_delta\ndata: "
      R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":")";
  f.after = "\"}}\n\n";
  f.head =
      sse("message_start", R"({"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant",)"
                           R"("model":"claude-sonnet-4-5","content":[],"stop_reason":null,"stop_sequence":null,)"
                           R"("usage":{"input_tokens":10,"output_tokens":1}}})") +
      sse("content_block_start", R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use",)"
                                 R"("id":"toolu_1","name":"write_file","input":{}}})");
  f.tail = sse("content_block_stop", R"({"type":"content_block_stop","index":0})") +
           sse("message_delta", R"({"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},)"
                                R"("usage":{"output_tokens":9000}})") +
           sse("message_stop", R"({"type":"message_stop"})");
  return f;
}

Frame responses_frame(const std::string& arguments) {
  Frame f;
  f.before =
      "event: response.function_call_arguments.delta\ndata: "
      R"({"type":"response.function_call_arguments.delta","sequence_number":#,"item_id":"fc_1",)"
      R"("output_index":0,"delta":")";
  f.after = "\",\"obfuscation\":\"x#\"}\n\n";
  const std::string item = R"({"id":"fc_1","type":"function_call","call_id":"call_1","name":"write_file",)";
  f.head = sse("response.created", R"({"type":"response.created","sequence_number":0,"response":{"id":"resp_1",)"
                                   R"("object":"response","status":"in_progress","model":"gpt-5","output":[]}})") +
           sse("response.output_item.added",
               R"({"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":)" + item +
                   R"("status":"in_progress","arguments":""}})");
  f.tail = sse("response.function_call_arguments.done",
               R"({"type":"response.function_call_arguments.done","sequence_number":2,"item_id":"fc_1",)"
               R"("output_index":0,"arguments":)" +
                   quoted(arguments) + "}") +
           sse("response.output_item.done",
               R"({"type":"response.output_item.done","sequence_number":3,"output_index":0,"item":)" + item +
                   R"("status":"completed","arguments":)" + quoted(arguments) + "}}") +
           sse("response.completed",
               R"({"type":"response.completed","sequence_number":4,"response":{"id":"resp_1","object":"response",)"
               R"("status":"completed","model":"gpt-5","output":[)" +
                   item + R"("status":"completed","arguments":)" + quoted(arguments) +
                   R"(}],"usage":{"input_tokens":10,"output_tokens":9000,"total_tokens":9010}}})");
  return f;
}

Frame ollama_frame() {
  Frame f;
  f.before = R"({"model":"qwen3","created_at":"2026-01-31T12:00:00.#Z",)"
             R"("message":{"role":"assistant","content":")";
  f.after = "\"},\"done\":false}\n";
  f.tail = R"({"model":"qwen3","created_at":"2026-01-31T12:00:00.123456789Z","message":{"role":"assistant",)"
           R"("content":""},"done":true,"done_reason":"stop","prompt_eval_count":10,"eval_count":9000})"
           "\n";
  return f;
}

Frame frame_of(wire::Wire wire, const std::string& payload) {
  switch (wire) {
    case wire::Wire::openai_chat: return chat_frame();
    case wire::Wire::anthropic: return anthropic_frame();
    case wire::Wire::openai_responses: return responses_frame(payload);
    case wire::Wire::ollama:
    case wire::Wire::gemini: break;
  }
  return ollama_frame();
}

}  // namespace

Stream make_stream(wire::Wire wire, std::size_t payload) {
  const std::string text = make_document(Shape::code, payload);
  const Frame frame = frame_of(wire, text);
  Stream out;
  out.payload = text.size();
  out.body = frame.head;
  for (std::size_t at = 0; at < text.size(); ++out.deltas) {
    std::size_t end = std::min(text.size(), at + kDelta);
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
    const std::string piece = quoted(std::string_view(text).substr(at, end - at));
    const std::string number = std::to_string(100'000'000 + out.deltas);
    append(out.body, frame.before, number);
    out.body.append(piece, 1, piece.size() - 2);
    append(out.body, frame.after, number);
    at = end;
  }
  out.body += frame.tail;
  return out;
}

}  // namespace belay::bench
