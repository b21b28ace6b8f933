// What OpenAI's two wires have in common.
#pragma once

#include "wire/body.h"

#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::wire {

/// Fills in an image: from a `data:` URL in base64 its media type and data, otherwise the URL.
void read_image_url(std::string_view url, chat::Block& image);
std::string image_url(const chat::Block& image);

// Custom tools take free text. In the neutral vocabulary they are tools with one parameter, `input`, so that every
// other wire can offer them too; the schema says so, and an Opaque says what they were.
inline constexpr std::string_view kInputSchema =
    R"({"type":"object","properties":{"input":{"type":"string"}},"required":["input"],"additionalProperties":false})";
std::string arguments_of_input(std::string_view input);
/// The `input` of such arguments; arguments that are none of these stand for themselves.
std::string input_of_arguments(std::string_view arguments);

/// `auto`, `none`, `required`, or one function: {"type":"function","name":…}, on Chat's wire with its name in
/// `function`.
std::optional<chat::ToolChoice> tool_choice_in(json::Value choice);
void write_tool_choice(JsonText& json, const chat::ToolChoice& choice, bool nested);

/// Takes a member that is always written, whatever its kind: empty when it is no string.
std::string text_of(ObjectReader& object, std::string_view key);

/// How an error of this kind is called there, so that classify() reads the same kind back.
struct ErrorWords {
  std::string_view type, code;
};
ErrorWords openai_error(std::string_view kind);

/// The name that an answer's parts derive theirs from: the letters and digits of its id, without a prefix such as
/// `chatcmpl-`, bounded.
std::string stem_of(std::string_view id);

}  // namespace BELAY_NAMESPACE::wire
