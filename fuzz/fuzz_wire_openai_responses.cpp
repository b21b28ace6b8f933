// OpenAI Responses; the oracle is try_wire().
#include "fuzz.h"
#include "wire_target.h"

namespace {

constexpr std::string_view kEvents[] = {
    R"({"type":"response.output_item.added","output_index":$i,"item":{"type":"function_call","id":$d,"call_id":$d,"name":$n,"arguments":""}})",
    R"({"type":"response.function_call_arguments.delta","item_id":$d,"output_index":$i,"delta":$a})",
    R"({"type":"response.function_call_arguments.done","item_id":$d,"output_index":$i,"arguments":$a})",
    R"({"type":"response.output_item.done","output_index":$i,"item":{"type":"function_call","id":$d,"call_id":$d,"name":$n,"arguments":$a}})",
    R"({"type":"response.completed","response":{"id":"r","status":"completed","output":[],"usage":{"input_tokens":1,"output_tokens":2}}})",
    R"({"type":"response.completed","response":{"output":[{"type":"function_call","id":$d,"call_id":$d,"name":$n,"arguments":$a}]}})",
    R"({"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":$s}}})",
    R"({"type":"response.output_text.delta","item_id":$d,"output_index":$i,"content_index":0,"delta":$a})",
    R"({"type":"response.output_text.done","item_id":$d,"output_index":$i,"content_index":$i,"text":$a})",
    R"({"type":"response.reasoning_summary_text.delta","item_id":$d,"summary_index":$i,"delta":$a})",
    R"({"type":"response.output_item.done","item":{"type":"message","id":$d,"content":[{"type":"output_text","text":$a},{"type":"refusal","refusal":$a}]}})",
    R"({"type":"response.output_item.done","output_index":$i,"item":{"type":"reasoning","id":$d,"summary":[{"type":"summary_text","text":$a}],"encrypted_content":$a}})",
    R"({"type":"response.output_item.added","output_index":$i,"item":{"type":"custom_tool_call","id":$d,"call_id":$d,"name":$n}})",
    R"({"type":"response.custom_tool_call_input.delta","item_id":$d,"output_index":$i,"delta":$a})",
    R"({"type":"response.custom_tool_call_input.done","item_id":$d,"output_index":$i,"input":$a})",
    R"({"type":"response.output_item.done","output_index":$i,"item":{"type":"custom_tool_call","id":$d,"call_id":$d,"name":$n,"input":$a}})",
    R"({"object":"response","status":"completed","output":[{"type":"function_call","call_id":$d,"name":$n,"arguments":$a,"status":$s}]})",
    R"({"type":"response.created","response":{"id":$d,"model":"m","status":"in_progress"}})",
    R"({"type":"response.failed","response":{"error":{"code":$s,"message":$a}}})",
    R"({"type":"error","message":$a})",
    R"({"type":"response.output_item.done","output_index":$i,"item":$o})",
};
constexpr std::string_view kStops[] = {"max_output_tokens", "content_filter", "completed", "incomplete", "", "other"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return belay::fuzz::try_wire({belay::wire::Wire::openai_responses, kEvents, kStops}, data, size);
}
