// Anthropic Messages. docs/wires.md says what is read, written and kept of every field.
#pragma once

#include "wire/dialect.h"

namespace BELAY_NAMESPACE::wire::anthropic {

inline constexpr std::string_view kName = "anthropic";

std::unique_ptr<Dialect> reader(chat::DeltaSink& sink);
std::unique_ptr<Encoder> writer(StreamEncoder::Head head);
std::expected<chat::Request, WireError> read_request(json::Value body, std::string_view model);
std::string write_request(const chat::Request& request);
std::string write_response(const chat::Response& response);

/// `content` of a message: a string, or blocks.
std::expected<std::vector<chat::Block>, WireError> read_content(json::Value content, const std::string& path);
/// True when the block has a form on this wire that the API takes. Not: empty texts, reasoning of other models, which
/// has no signature, and what is other wires' own.
bool has_form(const chat::Block& block);
/// The id of a call that came without one: made of the answer's id and its place there, the same each time.
std::string made_id(std::string_view answer, std::uint64_t place);
/// A block that has one.
void write_block(JsonText& out, const chat::Block& block);

}  // namespace BELAY_NAMESPACE::wire::anthropic
