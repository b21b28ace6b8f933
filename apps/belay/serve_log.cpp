#include "serve_log.h"

#include <belay/json.h>

#include "terminal.h"

#include <cstdio>
#include <string_view>

namespace belay::cli {
namespace {

constexpr std::size_t kLoggedAbout = 100, kLoggedReason = 200, kLoggedTool = 64;  // columns

// The path or the command, where the arguments are such that they can be read at once.
std::string about(const std::string& arguments) {
  const json::Reading reading = json::read(arguments);
  if (reading.document.empty() || !reading.document.root().is_object()) return {};
  for (const std::string_view key : {"command", "path"})
    if (const auto value = reading.document.root().find(key); value && value->is_string())
      return " " + clipped(value->as_string(), kLoggedAbout);
  return {};
}

// Why it was refused, by the sentence of policy::denied(); empty: it was not, or not by the permissions.
std::string refusal(const tool::Result& result) {
  constexpr std::string_view kBefore = " was not run: it is not permitted here (", kBehind = "). Do not";
  if (!result.is_error || result.content.empty()) return {};
  const std::string_view text = result.content.front().text;
  const std::size_t begin = text.find(kBefore);
  if (begin > kLoggedTool) return {};  // npos, too
  const std::string_view rest = text.substr(begin + kBefore.size());
  return clipped(rest.substr(0, rest.find(kBehind)), kLoggedReason);
}

}  // namespace

std::string serve_log_line(const mcp::ServedCall& call, const mcp::CallOutcome& outcome, double seconds) {
  char took[32];
  std::snprintf(took, sizeof took, "%.1f s", seconds);
  const std::string why = refusal(outcome.result);
  return "mcp serve: " + clipped(call.tool, kLoggedTool) + about(call.arguments) + ": " +
         (!why.empty()              ? "refused: " + why
          : outcome.result.is_error ? "an error"
                                    : "done") +
         ", " + took;
}

}  // namespace belay::cli
