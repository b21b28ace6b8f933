#include <belay/mcp/message.h>

#include "mcp/object.h"

#include <charconv>

namespace BELAY_NAMESPACE::mcp {

Id number_id(std::uint64_t number) { return {Id::Kind::number, std::to_string(number)}; }

std::optional<std::uint64_t> number_of(const Id& id) {
  if (id.kind != Id::Kind::number) return std::nullopt;
  std::uint64_t n = 0;
  const char* end = id.text.data() + id.text.size();
  const auto [at, error] = std::from_chars(id.text.data(), end, n);
  if (error != std::errc() || at != end) return std::nullopt;
  return n;
}

std::string to_json(const Id& id) {
  if (id.kind == Id::Kind::none) return "null";
  if (id.kind == Id::Kind::number) return id.text;
  std::string out;
  json::write_string(id.text, out);
  return out;
}

std::string_view name(Message::Kind kind) noexcept {
  constexpr std::string_view names[] = {"request", "notification", "result", "error", "garbage"};
  return names[static_cast<std::size_t>(kind)];
}

std::string encode_request(const Id& id, std::string_view method, std::string_view params) {
  Object o;
  o.text("jsonrpc", "2.0").raw("id", to_json(id)).text("method", method);
  if (!params.empty()) o.raw("params", params);
  return o.done();
}

std::string encode_notification(std::string_view method, std::string_view params) {
  Object o;
  o.text("jsonrpc", "2.0").text("method", method);
  if (!params.empty()) o.raw("params", params);
  return o.done();
}

std::string encode_result(const Id& id, std::string_view result) {
  return Object().text("jsonrpc", "2.0").raw("id", to_json(id)).raw("result", result.empty() ? "{}" : result).done();
}

std::string encode_error(const Id& id, std::int64_t code, std::string_view text, std::string_view data) {
  Object error;
  error.number("code", code).text("message", text);
  if (!data.empty()) error.raw("data", data);
  return Object().text("jsonrpc", "2.0").raw("id", to_json(id)).raw("error", error.done()).done();
}

std::string encode(const Message& message) {
  const std::string payload = message.payload ? json::to_string(*message.payload) : std::string();
  switch (message.kind) {
    case Message::Kind::request: return encode_request(message.id, message.method, payload);
    case Message::Kind::notification: return encode_notification(message.method, payload);
    case Message::Kind::result: return encode_result(message.id, payload);
    case Message::Kind::error: return encode_error(message.id, message.code, message.text, payload);
    case Message::Kind::garbage: break;
  }
  return {};
}

}  // namespace BELAY_NAMESPACE::mcp
