// What is wrong with a file of servers, in words for the person who wrote it.
#pragma once

#include <belay/json.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::mcp {

/// Why a text was not read as one JSON object: line, column and reason.
std::string json_trouble(std::string_view text, const json::Reading& reading);

}  // namespace BELAY_NAMESPACE::mcp
