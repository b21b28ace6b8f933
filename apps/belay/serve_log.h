// What `belay mcp serve` did, for the person who runs it: one line of the developer's log for each call.
#pragma once

#include <belay/mcp/serve.h>

#include <string>

namespace belay::cli {

/// The tool, its path or the beginning of its command, how long it took and how it went; when it was refused, why. Of
/// other arguments and of results nothing is said.
std::string serve_log_line(const mcp::ServedCall& call, const mcp::CallOutcome& outcome, double seconds);

}  // namespace belay::cli
