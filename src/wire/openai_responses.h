// OpenAI Responses.
#pragma once

#include "wire/opaque.h"

namespace BELAY_NAMESPACE::wire {

std::unique_ptr<Dialect> read_openai_responses(chat::DeltaSink& sink);
std::unique_ptr<Encoder> write_openai_responses(StreamEncoder::Head head);
std::expected<chat::Request, WireError> read_openai_responses_request(json::Value body, std::string_view model);
std::string write_openai_responses_request(const chat::Request& request);
std::string write_openai_responses_response(const chat::Response& response);

namespace openai_responses {

inline constexpr std::string_view kWire = "openai-responses";

// The types of items that the vocabulary has words for.
inline constexpr std::string_view kMessage = "message";
inline constexpr std::string_view kFunctionCall = "function_call";
inline constexpr std::string_view kCustomCall = "custom_tool_call";
inline constexpr std::string_view kFunctionOutput = "function_call_output";
inline constexpr std::string_view kCustomOutput = "custom_tool_call_output";

// Notes: keys of Opaques that are no members of the wire, but say how something stood there. Those of items hold the
// item's members that the vocabulary has no word for (`id`, `phase`, ...), as an object.
inline constexpr std::string_view kMessageNote = "@message";  ///< `{}`: in the same item as the block before
inline constexpr std::string_view kCallNote = "@function_call";
inline constexpr std::string_view kCustomCallNote = "@custom_tool_call";
inline constexpr std::string_view kOutputNote = "@function_call_output";
inline constexpr std::string_view kCustomOutputNote = "@custom_tool_call_output";
inline constexpr std::string_view kReasoningNote = "@reasoning";  ///< the item as a whole; of a request: its options
inline constexpr std::string_view kItem = "@item";                ///< an item of another type, as a whole
inline constexpr std::string_view kPart = "@part";                ///< a content part of another type, as a whole
inline constexpr std::string_view kRole = "@role";                ///< of a system message that stood in the input
inline constexpr std::string_view kCustom = "@custom";            ///< a custom tool: what else it holds
inline constexpr std::string_view kTools = "@tools";              ///< the tools that the provider runs itself, a list

}  // namespace openai_responses
}  // namespace BELAY_NAMESPACE::wire
