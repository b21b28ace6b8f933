#include "sandbox/beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace BELAY_NAMESPACE::sandbox {
namespace {

constexpr int kFindTries = 64;

int open_beneath(int root, const char* path, int flags) {
  open_how how{};
  how.flags = static_cast<__u64>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(::syscall(SYS_openat2, root, path, &how, sizeof how));
}

std::string proc_name(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

}  // namespace

bool kernel_resolves(int root) {
  // ENOSYS from an old kernel, EPERM from a filter of system calls.
  Handle probe(open_beneath(root, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  return probe && proc_path(root).has_value() && proc_path(root) == proc_path(probe.get());
}

std::expected<std::string, int> proc_path(int descriptor) {
  std::array<char, 8192> buffer{};
  const ssize_t size = ::readlink(proc_name(descriptor).c_str(), buffer.data(), buffer.size());
  if (size < 0) return std::unexpected(errno);
  if (static_cast<std::size_t>(size) == buffer.size()) return std::unexpected(ENAMETOOLONG);
  return std::string(buffer.data(), static_cast<std::size_t>(size));
}

std::expected<std::string, int> Beneath::place_of(int descriptor) const {
  // The root may be renamed meanwhile, so it has to be at the same place before and after.
  for (int i = 0; i < kFindTries; ++i) {
    auto before = proc_path(root_);
    auto path = proc_path(descriptor);
    auto after = proc_path(root_);
    if (!before || !path || !after) return std::unexpected(!path ? path.error() : EXDEV);
    if (*before != *after) continue;
    if (*path == *before) return std::string();
    const std::string folder = *before == "/" ? "/" : *before + "/";
    if (!path->starts_with(folder)) return std::unexpected(EXDEV);
    return path->substr(folder.size());
  }
  return std::unexpected(ESTALE);
}

std::expected<Spot, int> Beneath::find(const std::string& relative) const {
  if (resolver_ == Resolver::walk) return find_by_walk(relative);
  auto spot = find_by_kernel(relative);
  // The kernel gives up when something is renamed at every moment; the walk does not care.
  if (!spot && spot.error() == EAGAIN) return find_by_walk(relative);
  return spot;
}

std::expected<Spot, int> Beneath::find_by_kernel(const std::string& relative) const {
  Spot spot;
  for (int i = 0; i < kFindTries && !spot.handle; ++i) {
    spot.handle = Handle(open_beneath(root_, relative.c_str(), O_PATH | O_CLOEXEC));
    if (!spot.handle && errno != EAGAIN && errno != EINTR) return std::unexpected(errno);
  }
  if (!spot.handle) return std::unexpected(EAGAIN);
  if (::fstat(spot.handle.get(), &spot.facts) != 0) return std::unexpected(errno);
  auto place = place_of(spot.handle.get());
  if (!place) return std::unexpected(place.error());
  spot.place = std::move(*place);
  // A name that was taken away meanwhile is still where it was.
  constexpr std::string_view kGone = " (deleted)";
  if (spot.facts.st_nlink == 0 && spot.place.ends_with(kGone)) spot.place.resize(spot.place.size() - kGone.size());
  return spot;
}

std::expected<Handle, int> Beneath::open(const Spot& spot, int flags) const {
  flags |= O_CLOEXEC | O_NOCTTY;
  if (!spot.parent) {
    // The kernel's link of the descriptor leads to what is open, and to nothing else. Without /proc only the root is
    // opened so.
    Handle handle(spot.place.empty() && resolver_ == Resolver::walk
                      ? ::openat(spot.handle.get(), ".", flags | O_DIRECTORY)
                      : ::open(proc_name(spot.handle.get()).c_str(), flags));
    if (!handle) return std::unexpected(errno);
    return handle;
  }
  const std::string last = spot.place.substr(spot.place.rfind('/') + 1);
  Handle handle(::openat(spot.parent.get(), last.c_str(), flags | O_NOFOLLOW));
  struct stat now{};
  if (!handle) return std::unexpected(errno == ELOOP || errno == ENOENT ? ESTALE : errno);
  if (::fstat(handle.get(), &now) != 0) return std::unexpected(errno);
  if (now.st_dev != spot.facts.st_dev || now.st_ino != spot.facts.st_ino) return std::unexpected(ESTALE);
  return handle;
}

FileFacts facts_of(const struct stat& s) {
  return {s.st_dev, s.st_ino, static_cast<std::uint64_t>(s.st_size), s.st_mtim.tv_sec, s.st_mtim.tv_nsec, s.st_mode};
}

bool same_file(const struct stat& a, const struct stat& b) { return facts_of(a) == facts_of(b); }

}  // namespace BELAY_NAMESPACE::sandbox
