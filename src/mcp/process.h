// A server's process: in a session and group of its own, with pipes, and ended with all that it started there.
#pragma once

#include <belay/mcp/server_config.h>
#include <belay/sandbox/handle.h>

#include <sys/types.h>

#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::mcp {

/// NAME=VALUE lines for a server: a few harmless variables of ours, then what its config says. No key of Belay's.
std::vector<std::string> environment_for(const ServerConfig& config, const Environment& own);

class Process {
 public:
  /// Its ends of the pipes are blocking, ours are not. The error is one sentence.
  static std::expected<Process, std::string> start(const ServerConfig& config, const Environment& own);
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  /// Kills and reaps what is left.
  ~Process();

  sandbox::Handle input, output, errors;                     // ours: to write, to read, to read
  [[nodiscard]] int ended() const { return handle_.get(); }  // readable when it has ended
  [[nodiscard]] pid_t id() const { return pid_; }
  void signal(int number) const;  // to all of its group
  /// Looks whether it has ended. If so, what is left of its group is killed, it is reaped, and the sentence says how it
  /// ended.
  std::optional<std::string> reap();

 private:
  Process() = default;
  pid_t pid_ = -1;  // -1: reaped
  sandbox::Handle handle_;
};

}  // namespace BELAY_NAMESPACE::mcp
