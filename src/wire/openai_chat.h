// OpenAI Chat Completions.
#pragma once

#include "wire/dialect.h"

namespace BELAY_NAMESPACE::wire {

std::unique_ptr<Dialect> read_openai_chat(chat::DeltaSink& sink);
std::unique_ptr<Encoder> write_openai_chat(StreamEncoder::Head head);
std::expected<chat::Request, WireError> read_openai_chat_request(json::Value body, std::string_view model);
std::string write_openai_chat_request(const chat::Request& request);
std::string write_openai_chat_response(const chat::Response& response);

namespace openai_chat {

inline constexpr std::string_view kWire = "openai-chat";

// Notes: keys of Opaques that are no members of the wire, but say how something stood there.
inline constexpr std::string_view kPart = "@part";             ///< a content part as a whole
inline constexpr std::string_view kMessage = "@message";       ///< a message as a whole
inline constexpr std::string_view kToolCall = "@tool_call";    ///< a call as a whole, of a type that is not known
inline constexpr std::string_view kTools = "@tools";           ///< the tools that the provider runs itself, a list
inline constexpr std::string_view kCustom = "@custom";         ///< a custom tool, or a call of one: what else it holds
inline constexpr std::string_view kInner = "@inner";           ///< what else stood in `function` or `image_url`
inline constexpr std::string_view kOuter = "@outer";           ///< what else stood beside a tool's `function`
inline constexpr std::string_view kParts = "@parts";           ///< the content was a list, not one text
inline constexpr std::string_view kRole = "@role";             ///< `developer` where `system` would stand
inline constexpr std::string_view kMaxTokens = "@max_tokens";  ///< the limit had its older name
inline constexpr std::string_view kNoOptions = "@no_stream_options";  ///< a stream was asked for without its usage
/// The options of every stream that says nothing of them.
inline constexpr std::string_view kUsageWanted = R"({"include_usage":true})";
/// OpenRouter's list of signed and encrypted thoughts, a member of a message.
inline constexpr std::string_view kDetails = "reasoning_details";

void write_usage(JsonText& json, const chat::Usage& usage);
/// The members `id`, `type` and `function` (or `custom`) of a call, and what else it has.
void write_call(JsonText& json, const chat::Block& call);
/// What else an assistant's message has; kDetails that a stream gave while one of its blocks was open are in it too.
void write_message_rest(JsonText& json, const chat::Message& message);
/// Texts as one: those that stood side by side are joined as they are, others by a blank line.
std::string joined_texts(const std::vector<chat::Block>& blocks, chat::Block::Kind kind);

}  // namespace openai_chat
}  // namespace BELAY_NAMESPACE::wire
