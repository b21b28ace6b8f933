#include "sandbox/path_text.h"

#include <algorithm>

namespace BELAY_NAMESPACE::sandbox {

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (!part.empty() && part != ".") parts.push_back(part);
    at = end + 1;
  }
  return parts;
}

std::string joined(std::string_view a, std::string_view b) {
  std::string out(a);
  if (!out.empty() && !b.empty()) out += '/';
  return out += b;
}

bool in_folder(std::string_view path, std::string_view folder) noexcept {
  if (!path.starts_with(folder)) return false;
  return path.size() == folder.size() || (!folder.empty() && path[folder.size()] == '/');
}

std::expected<std::string, PathError> relative_text(std::string_view path, std::string_view root,
                                                    const WorkspaceOptions& options) {
  using Kind = PathErrorKind;
  if (path.empty()) return std::unexpected(PathError{Kind::invalid, "the path is empty; . is the workspace itself", 0});
  if (path.find('\0') != std::string_view::npos)
    return std::unexpected(PathError{Kind::invalid, "the path " + brief(path) + " holds a NUL byte", 0});
  if (path.size() > options.limits.path_bytes)
    return std::unexpected(PathError{Kind::invalid,
                                     "the path " + brief(path) + " is longer than " +
                                         std::to_string(options.limits.path_bytes) + " bytes (limit path_bytes)",
                                     0});
  std::string_view rest = path;
  if (path.starts_with('/')) {
    const std::string_view folder = root == "/" ? std::string_view{} : root;
    const bool inside = path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
    if (!inside)
      return std::unexpected(PathError{
          Kind::outside, brief(path) + " is outside of the workspace; paths are relative to it, as in src/main.c", 0});
    rest.remove_prefix(folder.size());
    while (rest.starts_with('/')) rest.remove_prefix(1);
  }
  if (is_off_limits(rest)) return std::unexpected(off_limits_error(path));
  return rest.empty() ? "." : std::string(rest);
}

}  // namespace BELAY_NAMESPACE::sandbox
