// JSON-RPC 2.0 as MCP speaks it: bytes to messages and back. Pure.
#pragma once

#include <belay/base.h>
#include <belay/json.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// What a request is told apart by. The type counts: 1 and "1" are two ids.
struct Id {
  enum class Kind : std::uint8_t { none, number, string };
  Kind kind = Kind::none;
  std::string text;  ///< the string; or the number, an integer in its plainest spelling (1 for 1.0)
  bool operator==(const Id&) const = default;
  [[nodiscard]] explicit operator bool() const { return kind != Kind::none; }
};
Id number_id(std::uint64_t number);
/// The number of an id that number_id() made; nothing for any other.
std::optional<std::uint64_t> number_of(const Id& id);
/// As JSON: 7, "7", null.
std::string to_json(const Id& id);

/// A value that keeps its document alive, or none. Copied freely; may be read by several threads. What it points to may
/// be looked at only while has_value().
class Payload {
 public:
  Payload() = default;
  Payload(std::shared_ptr<const json::Document> document, json::Value value)
      : document_(std::move(document)), value_(value) {}
  [[nodiscard]] bool has_value() const { return value_.tape() != nullptr; }
  explicit operator bool() const { return has_value(); }
  const json::Value& operator*() const { return value_; }
  const json::Value* operator->() const { return &value_; }
  /// Another value of the same document.
  [[nodiscard]] Payload with(json::Value value) const { return {document_, value}; }

 private:
  std::shared_ptr<const json::Document> document_;
  json::Value value_{nullptr, 0};
};

/// One message, or what stands where one should be.
struct Message {
  enum class Kind : std::uint8_t {
    request,       ///< `id`, `method`, `payload`: its params, if it has any
    notification,  ///< `method`, `payload`
    result,        ///< `id`, `payload`: the result
    error,         ///< `id` (none when the other side could not read ours), `code`, `text`, `payload`: its data, if any
    garbage,       ///< `text` says why it is none; `id` where the remains name the request that it answers
  };
  Kind kind = Kind::garbage;
  Id id{};
  std::string method{};
  Payload payload{};
  std::int64_t code = 0;
  std::string text{};
  Id asked{};                    ///< garbage: the id of what would have been a request, so that it can be refused
  bool half_answer = false;      ///< garbage: it begins as a result, and which request it answers cannot be seen
  bool looks_like_json = false;  ///< garbage: it begins as an object; otherwise it is noise, such as a line of a log
};
std::string_view name(Message::Kind) noexcept;

struct CodecLimits {
  std::uint64_t depth = 512;    ///< of a message
  std::size_t batch = 10'000;   ///< messages in one batch
  std::size_t method = 256;     ///< bytes of a method's name
  std::size_t id_bytes = 1024;  ///< of a string id
};

/// What a line, or the data of an event, holds.
struct Incoming {
  std::vector<Message> messages;  ///< none for white space, one as a rule, more in a batch (2025-03-26)
  bool batch = false;
};
/// Reads strict JSON. Two things are mended, because servers cannot help them: a byte order mark, and strings that are
/// not Unicode (U+FFFD). Of anything else the answer says what was wrong; of a broken or half answer it also names the
/// request, so that who waits for it need not wait for the time-out. Linear; never throws but std::bad_alloc.
Incoming decode(std::string_view line, const CodecLimits& limits = {});

/// Messages as one line of JSON, without the newline. `params`, `result` and `data` are JSON text; empty for none.
std::string encode_request(const Id& id, std::string_view method, std::string_view params);
std::string encode_notification(std::string_view method, std::string_view params);
std::string encode_result(const Id& id, std::string_view result);
std::string encode_error(const Id& id, std::int64_t code, std::string_view text, std::string_view data = {});
/// Any message but garbage, for which it is empty.
std::string encode(const Message& message);

/// Codes that mean the same everywhere.
inline constexpr std::int64_t kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
                              kInvalidParams = -32602, kInternalError = -32603;
/// Of 2025-11-25: a page has to be visited before the request can be done.
inline constexpr std::int64_t kUrlRequired = -32042;
/// Codes of 2026-07-28: they tell its servers from older ones.
inline constexpr std::int64_t kHeaderMismatch = -32020, kMissingCapability = -32021, kUnsupportedVersion = -32022;

}  // namespace BELAY_NAMESPACE::mcp
