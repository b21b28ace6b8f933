// Anthropic Messages; the oracle is try_wire().
#include "fuzz.h"
#include "wire_target.h"

namespace {

constexpr std::string_view kEvents[] = {
    R"({"type":"content_block_start","index":$i,"content_block":{"type":"tool_use","id":$d,"name":$n,"input":{}}})",
    R"({"type":"content_block_delta","index":$i,"delta":{"type":"input_json_delta","partial_json":$a}})",
    R"({"type":"content_block_stop","index":$i})",
    R"({"type":"message_delta","delta":{"stop_reason":$s},"usage":{"output_tokens":5}})",
    R"({"type":"message_stop"})",
    R"({"type":"message_start","message":{"id":$d,"model":"m","usage":{"input_tokens":1,"cache_read_input_tokens":2}}})",
    R"({"type":"content_block_start","index":$i,"content_block":{"type":"text","text":$a}})",
    R"({"type":"content_block_delta","index":$i,"delta":{"type":"text_delta","text":$a}})",
    R"({"type":"content_block_start","index":$i,"content_block":{"type":"thinking","thinking":$a,"signature":$a}})",
    R"({"type":"content_block_delta","index":$i,"delta":{"type":"thinking_delta","thinking":$a}})",
    R"({"type":"content_block_delta","index":$i,"delta":{"type":"signature_delta","signature":$a}})",
    R"({"type":"content_block_start","index":$i,"content_block":{"type":"tool_use","id":$d,"name":$n,"input":$o,"x":$o}})",
    R"({"type":"content_block_start","index":$i,"content_block":{"type":"server_tool_use","id":$d,"name":$n,"input":{}}})",
    R"({"type":"content_block_delta","index":$i,"delta":{"type":"citations_delta","citation":$o}})",
    R"({"type":"message","content":[{"type":"text","text":$a},{"type":"tool_use","id":$d,"name":$n,"input":$o}],"stop_reason":$s})",
    R"({"type":"content_block_start","index":$i,"content_block":{"type":"redacted_thinking","data":$a}})",
    R"({"type":"error","error":{"type":"overloaded_error","message":$a}})",
    R"({"type":"ping"})",
    R"({"type":"content_block_delta","index":$i,"delta":$o})",
};
constexpr std::string_view kStops[] = {"tool_use", "end_turn", "max_tokens", "refusal", "pause_turn", "", "other"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return belay::fuzz::try_wire({belay::wire::Wire::anthropic, kEvents, kStops}, data, size);
}
