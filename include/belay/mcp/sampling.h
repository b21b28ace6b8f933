// sampling/createMessage: what a server wants a model to be asked, and the answer. Pure.
#pragma once

#include <belay/json/value.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

struct SamplingMessage {
  bool assistant = false;  ///< otherwise the user's
  std::string text;
  bool operator==(const SamplingMessage&) const = default;
};

struct Sampling {
  std::string system{};
  std::vector<SamplingMessage> messages{};
  std::uint64_t max_tokens = 0;  ///< what it wants, at most SamplingLimits::tokens
  std::optional<double> temperature{};
  std::vector<std::string> stop{};
  bool operator==(const Sampling&) const = default;
};

struct SamplingLimits {
  std::size_t messages = 100;
  std::size_t bytes = 256ull << 10;  ///< of all texts
  std::uint64_t tokens = 4096;       ///< of the answer, whatever the server wants
};

/// Texts only: a request with images, sound or tools is refused, and so is one beyond the limits. The error is one
/// sentence for the server. Which model it prefers is not asked: it gets the one that is there.
std::expected<Sampling, std::string> sampling_of(json::Value params, const SamplingLimits& limits = {});

/// `stop` as MCP spells it: endTurn, stopSequence, maxTokens.
std::string sampling_result(std::string_view text, std::string_view model, std::string_view stop);

}  // namespace BELAY_NAMESPACE::mcp
