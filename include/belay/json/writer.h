// Values to JSON text.
#pragma once

#include <belay/json/value.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::json {
BELAY_API_BEGIN

/// Appends compact JSON: no white space, members in order, numbers as written, non-ASCII as UTF-8, escapes only where
/// JSON demands them. The result is valid JSON, for what a
/// Reader gave and for what was built as Builder wants it. Iterative: depth costs heap, not stack.
void write(const Value& value, std::string& out);
[[nodiscard]] std::string to_string(const Value& value);

/// Appends a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD.
void write_string(std::string_view text, std::string& out);

BELAY_API_END
}  // namespace BELAY_NAMESPACE::json
