// Gemini generateContent and streamGenerateContent. docs/wires.md says what is read, written and kept of every field.
#pragma once

#include "wire/body.h"
#include "wire/dialect.h"

namespace BELAY_NAMESPACE::wire::gemini {

inline constexpr std::string_view kName = "gemini";

std::unique_ptr<Dialect> reader(chat::DeltaSink& sink);
std::unique_ptr<Encoder> writer(StreamEncoder::Head head);
std::expected<chat::Request, WireError> read_request(json::Value body, std::string_view model);
std::string write_request(const chat::Request& request);
std::string write_response(const chat::Response& response);

/// A member: Google's JSON spells every name in two ways.
std::optional<json::Value> at(json::Value object, std::string_view camel);

/// What a finish reason means, in an answer with or without calls.
chat::StopReason stop_of(std::string_view raw, bool calls);

/// One part of a content.
chat::Block read_part(json::Value part, CallIds& ids);
/// True when the block has a form on this wire. Not: empty texts, and what is other wires' own, as reasoning that they
/// signed.
bool has_form(const chat::Block& block);
/// A block that has one. `name` is the called tool's, for a result; `signature` is JSON text for a call without its
/// own.
void write_part(JsonText& out, const chat::Block& block, std::string_view name = {}, std::string_view signature = {});

/// A schema as Gemini writes it (types in capitals, `nullable`, counts as strings) as JSON Schema.
std::string json_schema(json::Value schema);
/// True when `parameters` takes the schema: every keyword is one that Google's Schema message has, in its form. The
/// others have to go into `parametersJsonSchema`, or the whole request is refused.
bool in_subset(json::Value schema);

}  // namespace BELAY_NAMESPACE::wire::gemini
