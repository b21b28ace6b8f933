// The processes below one process: counted, and signalled. Everything here may be called between fork and exec: no
// allocation, no locks.
#pragma once

#include <belay/version.h>

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace BELAY_NAMESPACE::sandbox {

struct Process {
  pid_t pid = 0;
  pid_t parent = 0;
  char state = 0;       // as in /proc/PID/stat: Z is a zombie, T is stopped
  bool inside = false;  // below the root that was asked for
  std::uint64_t started = 0;
  std::uint64_t memory = 0;  // resident bytes, files included
};

/// What there is, and room for what can be looked at: more processes than `room` are counted, not seen.
class Census {
 public:
  /// `proc` is a descriptor of a /proc folder, `room` stays the caller's.
  Census(int proc, std::span<Process> room) : proc_(proc), room_(room) {}

  /// Reads all processes, and marks those below `root`, which is none of them itself. With root 0 it is all but
  /// process 1: the view from inside a pid namespace, and looking ends when there are more than `enough`.
  void take(pid_t root, std::uint32_t enough = ~0u) noexcept;
  [[nodiscard]] std::uint32_t processes() const { return inside_; }
  /// Resident bytes of all of them. When the quick sum is over `limit`, once more without files.
  [[nodiscard]] std::uint64_t memory(std::uint64_t limit) const noexcept;
  /// Sends a signal to all that are inside, but `except` and zombies. Never to a process that took over a number.
  /// Gives back how many got it.
  std::uint32_t send(int signal, pid_t except = 0) const noexcept;
  /// A number that is another one when other processes are inside.
  [[nodiscard]] std::uint64_t mark() const noexcept;
  /// True when one of them is neither stopped nor dead.
  [[nodiscard]] bool any_running() const noexcept;

 private:
  [[nodiscard]] Process* find(pid_t pid) const noexcept;
  bool read(pid_t pid, Process& out) const noexcept;
  int proc_;
  std::span<Process> room_;
  std::size_t count_ = 0;
  std::uint32_t inside_ = 0;
};

}  // namespace BELAY_NAMESPACE::sandbox
