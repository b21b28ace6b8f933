// The way from the root to a place, which never leaves it.
#pragma once

#include <belay/sandbox/workspace.h>

#include <sys/stat.h>

#include <expected>
#include <string>

namespace BELAY_NAMESPACE::sandbox {

/// What a path led to: open as a place (O_PATH), so that looking at a device or a FIFO does nothing to it.
struct Spot {
  Handle handle;
  struct stat facts{};
  std::string place;  ///< from the root on, links resolved
  Handle parent;      ///< of what was found by a walk, unless it is the root: its folder
};

/// Errors are errnos: EXDEV for what leads out, ELOOP for links, ESTALE when it changed too often to be found.
class Beneath {
 public:
  /// The root's descriptor and the options outlive it.
  Beneath(int root, Resolver resolver) : root_(root), resolver_(resolver) {}

  /// Links are followed, the last part too.
  [[nodiscard]] std::expected<Spot, int> find(const std::string& relative) const;
  /// The same thing, opened with these flags: never another one.
  [[nodiscard]] std::expected<Handle, int> open(const Spot& spot, int flags) const;
  /// Where an open folder is now, from the root on.
  [[nodiscard]] std::expected<std::string, int> place_of(int descriptor) const;

 private:
  [[nodiscard]] std::expected<Spot, int> find_by_kernel(const std::string& relative) const;
  [[nodiscard]] std::expected<Spot, int> find_by_walk(const std::string& relative) const;
  int root_;
  Resolver resolver_;
};

/// True when openat2 works here, and /proc says where a descriptor is.
bool kernel_resolves(int root);
/// What /proc says of a descriptor.
std::expected<std::string, int> proc_path(int descriptor);

FileFacts facts_of(const struct stat& s);
/// The same file with the same size and time.
bool same_file(const struct stat& a, const struct stat& b);
/// A folder, a FIFO and so on are no file: the sentence for that. Nothing for a regular file.
std::optional<PathError> not_a_file(const struct stat& s, std::string_view path);

}  // namespace BELAY_NAMESPACE::sandbox
