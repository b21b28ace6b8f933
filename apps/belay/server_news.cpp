#include "server_news.h"

#include "server_questions.h"
#include "terminal.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace belay::cli {
namespace {

constexpr std::size_t kStateReason = 500;  // columns

std::string state_text(const mcp::Status& status) {
  std::string out(mcp::name(status.state));
  if (status.state == mcp::State::ready)
    return out + ", " + std::to_string(status.tools) + (status.tools == 1 ? " tool" : " tools");
  return status.reason.empty() ? out : out + ": " + clipped(mcp::shown(status.reason), kStateReason);
}

}  // namespace

std::string state_line(const mcp::Status& status) {
  return "MCP server " + their_name(status.name) + ": " + state_text(status);
}

std::string how_it_is(const mcp::Status& status) {
  return std::string(mcp::name(status.state)) + (status.reason.empty() ? "" : ": " + status.reason);
}

void ServerNews::begin(Desk* desk, std::map<std::string, std::string> said) {
  const std::lock_guard guard(lock_);
  desk_ = desk;
  begun_ = true;
  said_ = std::move(said);
}

void ServerNews::tell(const mcp::Status& status) {
  const std::lock_guard guard(lock_);
  if (!begun_) return;
  // A server tells of a change a little after others can see it: then it was said already.
  std::string& last = said_[status.name];
  if (std::string now = how_it_is(status); std::exchange(last, now) == now) return;
  const std::string line = state_line(status);
  if (desk_) return desk_->remark(line);
  // One write: other threads have things to say there, too.
  const std::string whole = "belay run: " + line + "\n";
  while (::write(STDERR_FILENO, whole.data(), whole.size()) < 0 && errno == EINTR) continue;
}

}  // namespace belay::cli
