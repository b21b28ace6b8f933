#include "wire/openai_parts.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>

namespace BELAY_NAMESPACE::wire {

void read_image_url(std::string_view url, chat::Block& image) {
  image.kind = chat::Block::Kind::image;
  constexpr std::string_view kScheme = "data:", kBase64 = ";base64,";
  std::size_t at = url.starts_with(kScheme) ? url.find(kBase64) : url.npos;
  // Without a media type, or written in percent signs, it goes on as the URL that it is.
  if (at == url.npos || at == kScheme.size() || url.find(',') < at) {
    image.url = url;
    return;
  }
  image.media_type = url.substr(kScheme.size(), at - kScheme.size());
  image.data = url.substr(at + kBase64.size());
}

std::string image_url(const chat::Block& image) {
  if (image.data.empty()) return image.url;
  return "data:" + (image.media_type.empty() ? "application/octet-stream" : image.media_type) + ";base64," + image.data;
}

std::string arguments_of_input(std::string_view input) {
  std::string out = R"({"input":)";
  json::write_string(input, out);
  return out += '}';
}

std::string input_of_arguments(std::string_view arguments) {
  json::ReaderOptions options;
  options.mode = json::Mode::strict;
  json::Reading reading = json::read(arguments, options);
  if (reading.verdict.word() == json::Word::valid && !reading.document.empty())
    if (auto input = reading.document.root().find("input"); input && input->is_string())
      return std::string(input->as_string());
  return std::string(arguments);
}

std::optional<chat::ToolChoice> tool_choice_in(json::Value choice) {
  using Kind = chat::ToolChoice::Kind;
  std::string_view word = choice.as_string();
  if (word == "auto") return chat::ToolChoice{Kind::automatic, {}};
  if (word == "none") return chat::ToolChoice{Kind::none, {}};
  if (word == "required" || word == "any") return chat::ToolChoice{Kind::required, {}};
  if (text_at(choice, "type") != "function" || choice.size() != 2) return std::nullopt;
  std::string_view name = text_at(object_at(choice, "function").value_or(choice), "name");
  if (name.empty()) return std::nullopt;
  return chat::ToolChoice{Kind::named, std::string(name)};
}

void write_tool_choice(JsonText& json, const chat::ToolChoice& choice, bool nested) {
  using Kind = chat::ToolChoice::Kind;
  json.key("tool_choice");
  switch (choice.kind) {
    case Kind::automatic: json.string("auto"); break;
    case Kind::none: json.string("none"); break;
    case Kind::required: json.string("required"); break;
    case Kind::named:
      json.open('{').member("type", "function");
      if (nested) json.key("function").open('{');
      json.member("name", choice.name);
      if (nested) json.close('}');
      json.close('}');
      break;
  }
}

std::string text_of(ObjectReader& object, std::string_view key) {
  std::optional<json::Value> v = object.any(key);
  return v ? std::string(v->as_string()) : std::string();
}

ErrorWords openai_error(std::string_view kind) {
  if (kind == "quota") return {"insufficient_quota", "insufficient_quota"};
  if (kind == "rate_limit") return {"rate_limit_error", "rate_limit_exceeded"};
  if (kind == "overloaded") return {"service_unavailable_error", "server_is_overloaded"};
  if (kind == "authentication") return {"authentication_error", "invalid_api_key"};
  if (kind == "permission") return {"permission_error", "permission_denied"};
  if (kind == "context_length") return {"invalid_request_error", "context_length_exceeded"};
  if (kind == "too_large") return {"invalid_request_error", "request_too_large"};
  if (kind == "not_found") return {"invalid_request_error", "model_not_found"};
  if (kind == "timeout") return {"server_error", "timeout"};
  if (kind == "content_filter") return {"invalid_request_error", "content_policy_violation"};
  if (kind == "invalid_request") return {"invalid_request_error", "invalid_request"};
  return {"server_error", "server_error"};
}

std::string stem_of(std::string_view id) {
  for (std::string_view prefix : {"chatcmpl-", "resp_", "msg_"})
    if (id.starts_with(prefix)) {
      id.remove_prefix(prefix.size());
      break;
    }
  std::string out;
  for (char c : id)
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) out += c;
  // OpenAI takes ids of 64 characters, and a prefix and a number are still to come.
  if (out.size() > 40) out.resize(40);
  return out.empty() ? "0" : out;
}

}  // namespace BELAY_NAMESPACE::wire
