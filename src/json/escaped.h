// Characters of a string as JSON has them, without the quotes.
#pragma once

#include <belay/version.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::json {

/// Appends valid UTF-8, in runs; only what JSON forbids in a string is spelled out.
void append_escaped(std::string_view valid, std::string& out);

}  // namespace BELAY_NAMESPACE::json
