// Texts inside of a tool's schema, which a model reads and a person does not.
#pragma once

#include <belay/base.h>

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::mcp {

/// The schema with its descriptions, titles and comments as visible_text() leaves them; `removed` counts what went. A
/// schema without such characters stays as it is, byte for byte. The error: a name or a value has some, which cannot be
/// taken out without making it another one. What is no JSON is for others to refuse, and stays.
std::expected<std::string, std::string> visible_schema(std::string_view schema, const Limits& limits,
                                                       std::size_t& removed);

}  // namespace BELAY_NAMESPACE::mcp
