// Gemini; the oracle is try_wire().
#include "fuzz.h"
#include "wire_target.h"

namespace {

constexpr std::string_view kEvents[] = {
    R"({"candidates":[{"content":{"parts":[{"functionCall":{"id":$d,"name":$n,"args":$o}}]}}]})",
    R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":$n,"args":{"a":1}},"thoughtSignature":$a}]},"finishReason":$s}]})",
    R"({"candidates":[{"content":{"parts":[{"text":$a}]}}]})",
    R"({"candidates":[{"finishReason":$s}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2}})",
    R"({"candidates":[{"content":{"parts":[{"text":$a,"thought":true}]},"finishReason":$s}]})",
    R"({"candidates":[{"content":{"parts":[{"text":$a,"thoughtSignature":$a},{"text":$a}]}}],"responseId":$d})",
    R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":$n}},{"functionCall":{"name":$n,"args":$o}}]}}]})",
    R"({"candidates":[{"content":{"parts":[{"executableCode":{"code":$a}}]}}]})",
    R"({"promptFeedback":{"blockReason":$s}})",
    R"({"error":{"code":429,"message":$a,"status":"RESOURCE_EXHAUSTED"}})",
    R"({"candidates":[{"index":$i,"content":{"parts":[{"text":$a}]}}]})",
    R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":$n,"willContinue":true}}]}}]})",
    R"([{"candidates":[{"content":{"parts":[{"functionCall":{"name":$n,"args":$o}}]},"finishReason":$s}]}])",
    R"({"candidates":[{"content":{"parts":[$o]},"finishMessage":$a}]})",
};
constexpr std::string_view kStops[] = {"STOP", "MAX_TOKENS", "SAFETY", "MALFORMED_FUNCTION_CALL", "", "CONTINUATION"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return belay::fuzz::try_wire({belay::wire::Wire::gemini, kEvents, kStops}, data, size);
}
