// Why a path could not be used, for a program and for a model.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::sandbox {

enum class PathErrorKind : std::uint8_t {
  invalid,        ///< no path: empty, too long, a NUL byte in it
  outside,        ///< it leads out of the workspace
  off_limits,     ///< `protected`: .git, Belay's own configuration, whether it exists or not
  not_found,      ///< nothing is there
  not_a_file,     ///< a folder, a device, a FIFO, a socket
  not_a_folder,   ///< a file where a folder has to be
  link,           ///< a symbolic link where none may be, or links without end
  no_permission,  ///< the system refuses it, or the file system is read-only
  too_large,      ///< beyond a limit, which the message names
  no_space,       ///< the disk or the quota is full
  changed,        ///< somebody else changed it meanwhile
  failed,         ///< anything else
};
/// `invalid`, `outside`, `protected`, `not_found` and so on.
std::string_view name(PathErrorKind) noexcept;

struct PathError {
  PathErrorKind kind = PathErrorKind::failed;
  std::string message;   ///< one sentence for a model: what, and why; nothing in it can steer a terminal
  int error_number = 0;  ///< errno, where the system said it
  bool operator==(const PathError&) const = default;
};

/// A name or a path as it can be shown: as it is, or in double quotes with C escapes when it holds control characters,
/// bytes that are not UTF-8, marks that turn the writing around, or a quote at its beginning. Linear, not shortened.
std::string shown_path(std::string_view path);

}  // namespace BELAY_NAMESPACE::sandbox
