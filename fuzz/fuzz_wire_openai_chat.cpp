// OpenAI Chat Completions; the oracle is try_wire().
#include "fuzz.h"
#include "wire_target.h"

namespace {

constexpr std::string_view kEvents[] = {
    R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":$i,"id":$d,"function":{"name":$n,"arguments":$a}}]}}]})",
    R"({"choices":[{"delta":{"tool_calls":[{"index":$i,"function":{"arguments":$a}}]}}]})",
    R"({"choices":[{"delta":{"tool_calls":[{"index":$i,"function":{"arguments":$a}}]},"finish_reason":$s}]})",
    R"({"choices":[{"delta":{},"finish_reason":$s}]})",
    R"([DONE])",
    R"({"choices":[{"delta":{"content":$a}}]})",
    R"({"id":$d,"model":"m","choices":[{"delta":{"role":"assistant","reasoning_content":$a,"refusal":$a}}]})",
    R"({"choices":[{"delta":{"tool_calls":[{"id":$d,"function":{"name":$n,"arguments":$o}}]}}]})",
    R"({"choices":[{"delta":{"tool_calls":[{"index":$i,"id":$d,"name":$n,"arguments":$a,"extra_content":$o}]}}]})",
    R"({"choices":[{"message":{"content":$a,"tool_calls":[{"id":$d,"function":{"name":$n,"arguments":$a}}]},"finish_reason":$s}]})",
    R"({"choices":[{"delta":{"function_call":{"name":$n,"arguments":$a}}}]})",
    R"({"choices":[{"delta":{"content":[{"type":"text","text":$a},{"type":"thinking","thinking":[{"text":$a}]}]}}]})",
    R"({"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":$i,"prompt_tokens_details":{"cached_tokens":1}}})",
    R"({"choices":[{"index":$i,"delta":{"content":$a}}]})",
    R"({"error":{"message":$a,"code":429}})",
    R"({"choices":$o,"usage":$o})",
};
constexpr std::string_view kStops[] = {"tool_calls", "stop", "length", "content_filter", "", "refusal", "other"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return belay::fuzz::try_wire({belay::wire::Wire::openai_chat, kEvents, kStops}, data, size);
}
