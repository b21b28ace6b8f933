// What a model's name says about where it is.
#pragma once

#include <belay/wire.h>

#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::config {

/// The wire of the provider that names its models so: claude..., gpt..., gemini...
std::optional<wire::Wire> wire_of_name(std::string_view model);

struct Prefixed {
  wire::Wire wire{};
  std::string model;
};
/// `ollama/qwen3:8b`, `openai/gpt-5`, `anthropic/...`, `gemini/...`, or a wire's own name before the slash.
std::optional<Prefixed> prefixed(std::string_view model);

/// Where a provider's models are when nobody says otherwise.
std::string_view usual_url(wire::Wire wire);

}  // namespace BELAY_NAMESPACE::config
