// Paths as text, before the file system is asked.
#pragma once

#include <belay/sandbox/workspace.h>

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::sandbox {

/// The path from the root on: `.` for the root itself. Checks what the text alone can tell; `..` stays as it is.
std::expected<std::string, PathError> relative_text(std::string_view path, std::string_view root,
                                                    const WorkspaceOptions& options);

/// The parts between slashes, without the empty ones and `.`; views into `path`.
std::vector<std::string_view> parts_of(std::string_view path);

/// `a/b`, or `b` when `a` is empty.
std::string joined(std::string_view a, std::string_view b);

/// Whether a path is this folder or in it, by the text alone. Nothing is in a folder without a name; and as a folder
/// has no slash at its end here, of `/` it is said only of `/` itself.
bool in_folder(std::string_view path, std::string_view folder) noexcept;

/// Symbolic links that are followed on one way: as many as the kernel follows.
inline constexpr int kMostLinks = 40;

/// True when the relative path goes through a protected place, by the names alone.
bool is_off_limits(std::string_view relative);
/// The same with the workspace's own folders: `root` and `relative` together are where it is.
bool is_off_limits(std::string_view relative, std::string_view root, const std::vector<std::string>& folders);

PathError off_limits_error(std::string_view path);

/// The sentence for an errno; `doing` is `read`, `write`, `list` or `enter`.
PathError system_error(int error_number, std::string_view path, std::string_view doing);

/// A path for a message: shown, and bounded.
std::string brief(std::string_view path);

}  // namespace BELAY_NAMESPACE::sandbox
