// Ollama; the oracle is try_wire().
#include "fuzz.h"
#include "wire_target.h"

namespace {

constexpr std::string_view kEvents[] = {
    R"({"message":{"role":"assistant","content":$a},"done":false})",
    R"({"message":{"content":"","tool_calls":[{"function":{"name":$n,"arguments":$o}}]},"done":false})",
    R"({"message":{"content":"","tool_calls":[{"id":$d,"function":{"index":$i,"name":$n,"arguments":{"a":1}}}]}})",
    R"({"model":"m","message":{"content":$a},"done":true,"done_reason":$s,"prompt_eval_count":1,"eval_count":2})",
    R"({"message":{"thinking":$a,"content":$a},"done":false})",
    R"({"message":{"tool_calls":[{"function":{"name":$n,"arguments":$o}},{"name":$n,"arguments":$a}]},"done":true})",
    R"({"error":$a})",
    R"({"done":true,"done_reason":$s})",
    R"({"message":$o,"done":$o})",
};
constexpr std::string_view kStops[] = {"stop", "length", "load", "", "other"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return belay::fuzz::try_wire({belay::wire::Wire::ollama, kEvents, kStops}, data, size);
}
