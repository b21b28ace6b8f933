// What a tool gave, as JSON that a terminal may see.
#pragma once

#include <belay/tool.h>

#include <expected>
#include <string>
#include <string_view>

namespace belay::cli {

/// All of standard input, within Limits::bytes. The error is one sentence.
std::expected<std::string, std::string> all_of_input();
/// The same JSON, with everything that steers a terminal or that nobody sees as escapes.
std::string quiet_json(std::string_view json);
/// One line: the tool, whether it is an error, and its content.
std::string result_json(const std::string& name, const tool::Result& result);

}  // namespace belay::cli
