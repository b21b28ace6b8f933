// What each wall does not keep, as sentences. docs/safety.md has the same as a table. A gap is minor only when none of
// the attacks that the level is for succeeds through it: what a program cannot do here, and what harms the command
// alone.
#include <belay/sandbox/cage.h>

#include "sandbox/landlock.h"

namespace BELAY_NAMESPACE::sandbox {
namespace {

void about_landlock(Level level, const Abilities& abilities, std::vector<Gap>& out) {
  int version = abilities.landlock;
  if (version < 3)
    out.push_back({Promise::writes, "files outside of the workspace can be truncated (Landlock before Linux 6.2)"});
  if (!abilities.seccomp) {
    out.push_back({Promise::network, "the network can be reached (no seccomp)"});
    out.push_back({Promise::keys, "sockets of daemons, such as Docker's, can be reached (no seccomp)"});
    out.push_back({Promise::processes, "limits and shared memory of other processes can be changed (no seccomp)"});
    if (level == Level::read_only)
      out.push_back({Promise::writes, "modes, owners and times of files can be changed (no seccomp)"});
  }
  if (version < landlock::kScoped)
    out.push_back({Promise::processes,
                   "the person's other processes can be signalled (no pid namespace, and Landlock "
                   "before Linux 6.12)"});
  if (level == Level::workspace_write) {
    out.push_back({Promise::writes, ".git and .belay in the workspace can be written to (no mount namespace)"});
    out.push_back({Promise::writes,
                   "modes, owners and times of the person's files can be changed outside of the workspace "
                   "(no mount namespace)"});
  }
  out.push_back({Promise::minor,
                 "whether a file is there, and its size, can be found out in hidden places too, by its full name"});
  out.push_back({Promise::minor, "/tmp is not private: a folder in it is (no mount namespace)"});
  out.push_back({Promise::minor, "/proc cannot be read, so some programs do less (no pid namespace)"});
  out.push_back({Promise::minor,
                 "unix sockets, message queues and System V shared memory cannot be used, so some programs do less "
                 "(no network and IPC namespaces)"});
}

void about_mounts(Level level, Wall wall, bool network, const Abilities& abilities, std::vector<Gap>& out) {
  const bool open = network && (wall == Wall::bubblewrap || abilities.landlock < landlock::kScoped);
  if (wall == Wall::bubblewrap || abilities.landlock == 0)
    out.push_back(
        {Promise::minor, std::string("a named pipe that somebody reads from can be written to") +
                             (wall == Wall::bubblewrap ? " (no Landlock in bubblewrap's cage)" : " (no Landlock)")});
  const std::string why =
      wall == Wall::bubblewrap ? " (no Landlock in bubblewrap's cage)" : " (Landlock before Linux 6.12)";
  if (open && !abilities.seccomp)
    out.push_back({Promise::keys, "abstract sockets of the machine can be reached while the network is on" + why});
  else if (open && level == Level::workspace_write)
    out.push_back(
        {Promise::minor,
         "unix sockets cannot be used while the network is on, so some programs do less: abstract ones of the "
         "machine could be reached" +
             why});
  else if (level == Level::workspace_write || !abilities.seccomp)
    out.push_back({Promise::minor,
                   "a daemon's socket outside of /run, /tmp and homes can be connected to when it appears while a "
                   "command runs, or is not listed in /proc/net/unix by its path"});
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
    case Wall::namespaces: about_mounts(level, wall, network, abilities, out); break;
  }
  if (!abilities.seccomp) {
    out.push_back(
        {Promise::processes,
         "new namespaces can be made, and whoever counts the command's processes can be hindered (no seccomp)"});
    if (level == Level::workspace_write)
      out.push_back({Promise::writes, "set-user-ID files can be made in the workspace (no seccomp)"});
  }
  out.push_back({Promise::minor, "memory that no process maps (files in memory, buffers of pipes) is not counted"});
  return out;
}

}  // namespace BELAY_NAMESPACE::sandbox
