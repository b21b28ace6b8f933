// The neutral vocabulary: what a conversation with a model is made of, whatever its wire.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::chat {
BELAY_API_BEGIN

/// Something that a provider gave and wants back byte for byte: a signature, encrypted reasoning, an item id, a cache
/// mark, a field that this vocabulary has no word for. `json` is JSON text. Other wires leave it out.
struct Opaque {
  std::string wire{};  ///< the wire it belongs to, as wire::name() spells it
  std::string key{};   ///< the field's name there
  std::string json{};
  bool operator==(const Opaque&) const = default;
};

enum class Role : std::uint8_t { system, user, assistant, tool };

struct Block {
  enum class Kind : std::uint8_t {
    text,
    reasoning,    ///< what the model thought; `text` may be empty when only the opaque part counts
    refusal,      ///< the model's words for not doing it
    image,        ///< `data` in base64 with `media_type`, or `url`
    tool_call,    ///< `id`, `name`, `arguments`
    tool_result,  ///< `id` of the call, `content`, `is_error`
    other,        ///< anything else, kept in `opaque` for its own wire
  };
  Kind kind = Kind::text;
  std::string text{};
  std::string media_type{}, data{}, url{};
  std::string id{}, name{};
  std::string arguments{};       ///< JSON text of an object
  std::vector<Block> content{};  ///< of a tool result: texts and images
  bool is_error = false;
  std::vector<Opaque> opaque{};
  bool operator==(const Block&) const = default;
};

Block text_block(std::string text);
Block call_block(std::string id, std::string name, std::string arguments);
Block result_block(std::string id, std::string text, bool is_error = false);

struct Message {
  Role role = Role::user;
  std::vector<Block> blocks{};
  std::vector<Opaque> opaque{};
  bool operator==(const Message&) const = default;
};

/// A tool as it is offered to a model.
struct Tool {
  std::string name{};
  std::string description{};
  std::string parameters{};  ///< JSON Schema as JSON text; empty for none
  std::vector<Opaque> opaque{};
  bool operator==(const Tool&) const = default;
};

struct ToolChoice {
  enum class Kind : std::uint8_t { automatic, none, required, named };
  Kind kind = Kind::automatic;
  std::string name{};
  bool operator==(const ToolChoice&) const = default;
};

/// One request for a turn of the model.
struct Request {
  std::string model{};
  std::vector<Message> messages{};  ///< system messages first, where the wire keeps them apart
  std::vector<Tool> tools{};
  std::optional<ToolChoice> tool_choice{};
  std::optional<bool> parallel_calls{};
  std::optional<std::uint64_t> max_output_tokens{};
  std::optional<double> temperature{}, top_p{};
  std::vector<std::string> stop{};
  std::string reasoning_effort{};                   ///< minimal, low, medium, high; empty for none
  std::optional<std::uint64_t> reasoning_tokens{};  ///< a budget, where the wire has one
  bool stream = false;
  std::vector<Opaque> opaque{};  ///< fields of the request that this vocabulary has no word for
  bool operator==(const Request&) const = default;
};

struct Usage {
  std::optional<std::uint64_t> input_tokens{}, output_tokens{};
  std::optional<std::uint64_t> cached_tokens{};       ///< of the input: read from the provider's cache
  std::optional<std::uint64_t> cache_write_tokens{};  ///< of the input: written to it
  std::optional<std::uint64_t> reasoning_tokens{};    ///< of the output
  bool operator==(const Usage&) const = default;
};

enum class StopReason : std::uint8_t {
  end,
  tool_calls,
  length,
  content_filter,
  refusal,
  pause,      ///< the provider wants the turn sent back to go on
  malformed,  ///< the provider says that the model's call was malformed
  none,       ///< the stream ended without one
};
std::string_view name(StopReason) noexcept;
/// True for the stops after which what came last may not be whole: length, content filter, refusal, malformed, none.
bool cuts(StopReason) noexcept;

/// A whole answer.
struct Response {
  std::string id{}, model{};
  Message message{Role::assistant, {}, {}};
  StopReason stop = StopReason::none;
  std::string raw_stop{};  ///< as the wire spells it
  Usage usage{};
  std::vector<Opaque> opaque{};
  bool operator==(const Response&) const = default;
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::chat
