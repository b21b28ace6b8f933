// What a command sees of the file system, in a mount namespace of its own. Runs between fork and exec: no allocation,
// no locks; everything that it needs was prepared before.
#pragma once

#include <belay/version.h>

#include <sys/types.h>

#include <cstdint>
#include <span>

namespace BELAY_NAMESPACE::sandbox {

/// What went wrong in a child: what it was doing, with what, and errno. The texts live as long as the plan.
struct Trouble {
  const char* doing = nullptr;
  const char* path = "";
  int error = 0;
};

/// A folder by name, and which one it was when somebody looked.
struct KnownFolder {
  const char* path = nullptr;
  dev_t device = 0;
  ino_t inode = 0;
};

struct View {
  KnownFolder workspace;
  KnownFolder cwd;
  bool writable = false;                  // the workspace
  std::span<const char* const> guarded;   // in the workspace: read-only all the same
  std::span<const char* const> held;      // in the workspace: folders that keep their names, outermost first
  std::span<const char* const> covers;    // folders with nothing in them, outermost first
  std::span<const char* const> masks;     // files with nothing in them
  std::span<const char* const> sockets;   // of daemons: what is no longer there when the view is built, is passed over
  std::span<const char* const> readable;  // shown although they lie below a cover
  const char* temporary = nullptr;        // options of the file systems for /tmp and /dev/shm
  const char* home = nullptr;             // a folder to be made, below /tmp
  const char* scratch = "/tmp";         // what may be written in it: all, or only the home, when the workspace is there
  const char* process_limit = nullptr;  // pid_max, as text; only where each pid namespace has its own (Linux 6.14)
};

/// Builds the view and makes it this process's root, current folder included. `proc` becomes a descriptor of the new
/// /proc. Needs a new mount and pid namespace, and all rights in it. False: `trouble` says why.
bool build_view(const View& view, int& proc, Trouble& trouble) noexcept;

}  // namespace BELAY_NAMESPACE::sandbox
