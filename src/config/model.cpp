#include "model.h"

#include <initializer_list>

namespace BELAY_NAMESPACE::config {

using wire::Wire;

std::optional<Wire> wire_of_name(std::string_view model) {
  if (model.starts_with("claude")) return Wire::anthropic;
  if (model.starts_with("gemini")) return Wire::gemini;
  for (std::string_view start : {"gpt", "o1", "o3", "o4", "chatgpt"})
    if (model.starts_with(start)) return Wire::openai_responses;
  return std::nullopt;
}

std::optional<Prefixed> prefixed(std::string_view model) {
  const std::size_t slash = model.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view prefix = model.substr(0, slash);
  std::string rest(model.substr(slash + 1));
  if (const auto wire = wire::wire_named(prefix)) return Prefixed{*wire, rest};
  if (prefix != "openai") return std::nullopt;
  // Models of OpenAI itself speak its newer protocol; what others serve under its protocol, the older one.
  const auto own = wire_of_name(rest);
  return Prefixed{own == Wire::openai_responses ? Wire::openai_responses : Wire::openai_chat, rest};
}

std::string_view usual_url(Wire wire) {
  switch (wire) {
    case Wire::openai_chat:
    case Wire::openai_responses: return "https://api.openai.com/v1";
    case Wire::anthropic: return "https://api.anthropic.com";
    case Wire::gemini: return "https://generativelanguage.googleapis.com";
    case Wire::ollama: return "http://localhost:11434";
  }
  return {};
}

}  // namespace BELAY_NAMESPACE::config
