// The keeper: the process between Belay and a command. It builds the cage, starts the command, counts what runs in it,
// and ends all of it. It is a fork of Belay that never executes another program, so it may neither allocate nor lock.
#pragma once

#include <belay/sandbox/cage.h>

#include "sandbox/procs.h"
#include "sandbox/view.h"

#include <linux/filter.h>

#include <cstdint>
#include <span>

namespace BELAY_NAMESPACE::sandbox {

/// What a keeper needs, made ready by Belay. The child has a copy of all that the pointers lead to.
struct Orders {
  Wall wall = Wall::none;
  bool user_namespace = false;
  bool network = false;  // the machine's
  uid_t user = 0;
  gid_t group = 0;

  int control = -1;    // the keeper's end of the conversation: a SOCK_SEQPACKET pair
  int output = -1;     // the end of the pipe that the command writes to
  int null = -1;       // /dev/null, its input
  int proc = -1;       // /proc, for walls without a view
  int cwd = -1;        // for walls without a view
  int rules = -1;      // Landlock's, for that wall
  int inherited = -1;  // stays open in the command: what bubblewrap reads the list of denied calls from
  int status = -1;     // likewise: where bubblewrap says whether the command ran
  int landlock = 0;    // its version, for the namespaces' second lock

  const View* view = nullptr;
  const char* program = nullptr;
  char* const* arguments = nullptr;
  char* const* environment = nullptr;
  sock_fprog filter{};

  std::uint64_t file_bytes = 0, memory_bytes = 0;
  std::uint32_t files = 0, processes = 0;
  std::uint32_t tasks = 0, tasks_now = 0;  // threads of a command, at most; of the machine, when it starts
  int priority = 0;                        // nice value of the command
  std::span<Process> room;                 // for counting
  std::span<char> stack;                   // for the moment between clone and exec
  std::span<char> secrets;                 // this process's arguments and environment: overwritten in the keeper
  bool setup_only = false;                 // a trial: builds everything, starts nothing
};

/// What a keeper says. One packet each.
struct Report {
  enum class Kind : std::uint8_t {
    failed,  // nothing ran: `doing`, `path`, `error`
    started,
    ended,      // `status` as waitpid gives it
    processes,  // over the limit: `amount`
    memory,     // over the limit: `amount`
    survivors,  // could not be ended: `amount`
  };
  Kind kind = Kind::failed;
  int error = 0;
  int status = 0;
  std::uint64_t amount = 0;
  char doing[64] = {};
  char path[192] = {};
};
/// What a keeper is told: end everything, SIGTERM first, SIGKILL after this.
struct Order {
  std::uint32_t grace_milliseconds = 0;
};

/// The flags for clone() that a keeper of these orders needs.
std::uint64_t namespaces_of(const Orders& orders) noexcept;
/// The keeper's life. All signals are blocked when it begins.
[[noreturn]] void keep(const Orders& orders) noexcept;

}  // namespace BELAY_NAMESPACE::sandbox
