#include "server_news.h"

#include "server_questions.h"
#include "terminal.h"

#include <unistd.h>

#include <cerrno>

namespace belay::cli {
namespace {

constexpr std::size_t kReason = 500;  // columns

std::string state_text(const mcp::Status& status) {
  std::string out(mcp::name(status.state));
  if (status.state == mcp::State::ready)
    return out + ", " + std::to_string(status.tools) + (status.tools == 1 ? " tool" : " tools");
  return status.reason.empty() ? out : out + ": " + clipped(mcp::shown(status.reason), kReason);
}

}  // namespace

std::string state_line(const mcp::Status& status) {
  return "MCP server " + their_name(status.name) + ": " + state_text(status);
}

void ServerNews::begin(Desk* desk) {
  desk_ = desk;
  begun_ = true;
}

void ServerNews::tell(const mcp::Status& status) {
  if (!begun_) return;
  const std::string line = state_line(status);
  if (desk_) return desk_->remark(line);
  // One write: other threads have things to say there, too.
  const std::string whole = "belay run: " + line + "\n";
  while (::write(STDERR_FILENO, whole.data(), whole.size()) < 0 && errno == EINTR) continue;
}

}  // namespace belay::cli
