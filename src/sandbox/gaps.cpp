// What each wall does not keep, as sentences. docs/safety.md has the same as a table.
#include <belay/sandbox/cage.h>

namespace belay::sandbox {
namespace {

void about_landlock(Level level, const Abilities& abilities, std::vector<Gap>& out) {
  int version = abilities.landlock;
  if (version < 3)
    out.push_back({Promise::writes, "files outside of the workspace can be truncated (Landlock before Linux 6.2)"});
  if (!abilities.seccomp) {
    out.push_back({Promise::network, "the network can be reached (no seccomp)"});
    out.push_back({Promise::keys, "sockets of daemons, such as Docker's, can be reached (no seccomp)"});
    if (level == Level::read_only)
      out.push_back({Promise::writes, "modes, owners and times of files can be changed (no seccomp)"});
  }
  if (version < 6)
    out.push_back({Promise::processes,
                   "the person's other processes can be signalled (no pid namespace, and Landlock "
                   "before Linux 6.12)"});
  if (level == Level::workspace_write) {
    out.push_back({Promise::minor, ".git and .belay in the workspace can be written to (no mount namespace)"});
    out.push_back({Promise::minor,
                   "modes, owners and times of the person's files can be changed outside of the workspace "
                   "(no mount namespace)"});
  }
  out.push_back({Promise::minor, "/tmp is not private: a folder in it is (no mount namespace)"});
  out.push_back({Promise::minor, "/proc cannot be read, so some programs do less (no pid namespace)"});
  out.push_back({Promise::minor, "System V shared memory is shared with other processes (no IPC namespace)"});
}

}  // namespace

std::vector<Gap> gaps(Level level, Wall wall, bool network, const Abilities& abilities) {
  std::vector<Gap> out;
  if (level == Level::danger_full_access) return out;  // nothing is promised
  switch (wall) {
    case Wall::none:
      out.push_back({Promise::writes, "every file can be written to (no namespaces, no Landlock)"});
      if (!network) out.push_back({Promise::network, "the network can be reached (no network namespace)"});
      out.push_back({Promise::processes, "the person's other processes can be signalled (no pid namespace)"});
      out.push_back(
          {Promise::keys, "the home directory and the agent's memory can be read (no namespaces, no Landlock)"});
      return out;
    case Wall::landlock: about_landlock(level, abilities, out); break;
    case Wall::bubblewrap:
      if (network)
        out.push_back({Promise::minor, "abstract sockets of the machine can be reached while the network is on"});
      break;
    case Wall::namespaces:
      if (network && abilities.landlock < 6)
        out.push_back({Promise::minor,
                       "abstract sockets of the machine can be reached while the network is on (Landlock "
                       "before Linux 6.12)"});
      break;
  }
  if (wall != Wall::landlock && (level == Level::workspace_write || !abilities.seccomp))
    out.push_back({Promise::minor,
                   "a daemon's socket outside of /run, /tmp and homes can be connected to when it appears while a "
                   "command runs, or is not listed in /proc/net/unix by its path"});
  if (!abilities.seccomp) out.push_back({Promise::minor, "dangerous system calls are not denied (no seccomp)"});
  out.push_back({Promise::minor, "memory that no process maps (files in memory, buffers of pipes) is not counted"});
  return out;
}

}  // namespace belay::sandbox
