// Landlock, by its system calls. Everything here may be called between fork and exec.
#pragma once

#include <belay/version.h>

#include <cstdint>

namespace BELAY_NAMESPACE::sandbox::landlock {

/// From this version on (Linux 6.12) signals and abstract sockets can be kept inside.
inline constexpr int kScoped = 6;

/// The version of the kernel's interface; 0 when there is none.
int version() noexcept;

/// What a rule allows.
enum class Allow : std::uint8_t {
  read,   ///< read, list and run
  write,  ///< everything
  use,    ///< read and write a file that exists: devices
};

struct Scope {
  bool files = true;    ///< nothing but what rules allow
  bool signals = true;  ///< signals and abstract sockets stay inside; needs version 6
  bool tcp = false;     ///< no TCP at all; needs version 4
};
/// A set of rules that denies all. A descriptor, or -1 with errno.
int make(int version, const Scope& scope) noexcept;
/// Allows what is below an open path. False with errno.
bool allow(int rules, int version, int path, Allow what) noexcept;
/// The same for a name; a missing one is fine.
bool allow(int rules, int version, const char* path, Allow what) noexcept;
/// From now on the rules hold for this thread and its children. Needs no_new_privs.
bool enter(int rules) noexcept;

}  // namespace BELAY_NAMESPACE::sandbox::landlock
