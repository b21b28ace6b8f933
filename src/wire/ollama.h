// Ollama's /api/chat. docs/wires.md says what is read, written and kept of every field.
#pragma once

#include "wire/dialect.h"

namespace BELAY_NAMESPACE::wire::ollama {

inline constexpr std::string_view kName = "ollama";
/// Key of an Opaque on a call or result: the wire named none, the id was made.
inline constexpr std::string_view kId = "@id";

std::unique_ptr<Dialect> reader(chat::DeltaSink& sink);
std::unique_ptr<Encoder> writer(StreamEncoder::Head head);
std::expected<chat::Request, WireError> read_request(json::Value body, std::string_view model);
std::string write_request(const chat::Request& request);
std::string write_response(const chat::Response& response);

/// One of `tool_calls`: with its place among the calls of its message.
void write_call(JsonText& out, const chat::Block& call, std::uint64_t index);

}  // namespace BELAY_NAMESPACE::wire::ollama
