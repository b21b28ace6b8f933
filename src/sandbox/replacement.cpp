#include "sandbox/replacement.h"

#include "sandbox/beneath.h"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>

namespace BELAY_NAMESPACE::sandbox {
namespace {

constexpr int kNames = 16;
constexpr std::size_t kWritePiece = 1 << 20;

// Sixteen random digits: nobody else has it, and nobody can wait for it.
std::string random_name() {
  std::uint64_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != sizeof bits) return {};
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), ".belay-%016llx.tmp", static_cast<unsigned long long>(bits));
  return text.data();
}

}  // namespace

Replacement::~Replacement() {
  if (!name_.empty()) ::unlinkat(folder_, name_.c_str(), 0);
}

int Replacement::make(bool is_new) {
  const mode_t mode = is_new ? 0666 : 0600;
  // A file without a name gets one through /proc.
  if (named_ == Named::when_placed && ::access("/proc/self/fd", F_OK) == 0) {
    handle_ = Handle(::openat(folder_, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
    if (handle_) return 0;
    // File systems that cannot do it say so in several ways.
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT) return errno;
  }
  for (int i = 0; i < kNames; ++i) {
    std::string name = random_name();
    if (name.empty()) return EIO;
    handle_ = Handle(::openat(folder_, name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (handle_) {
      name_ = std::move(name);
      return 0;
    }
    if (errno != EEXIST) return errno;
  }
  return EEXIST;
}

int Replacement::fill(std::string_view content) {
  while (!content.empty()) {
    const ssize_t put = ::write(handle_.get(), content.data(), std::min(content.size(), kWritePiece));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

int Replacement::adopt(const struct stat& old, bool& kept) {
  struct stat now{};
  if (::fstat(handle_.get(), &now) != 0) return errno;
  if (now.st_uid != old.st_uid || now.st_gid != old.st_gid) {
    kept = ::fchown(handle_.get(), old.st_uid, old.st_gid) == 0;
    // Of a file of somebody else at least the group, if it is one of ours.
    if (!kept && now.st_gid != old.st_gid) static_cast<void>(::fchown(handle_.get(), now.st_uid, old.st_gid) == 0);
  }
  return ::fchmod(handle_.get(), old.st_mode & 01777) == 0 ? 0 : errno;
}

int Replacement::synchronise() { return ::fsync(handle_.get()) == 0 ? 0 : errno; }

int Replacement::unnamed_to(const std::string& name) {
  const std::string self = "/proc/self/fd/" + std::to_string(handle_.get());
  return ::linkat(AT_FDCWD, self.c_str(), folder_, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

int Replacement::take_name() {
  if (!name_.empty()) return 0;
  for (int i = 0; i < kNames; ++i) {
    std::string name = random_name();
    if (name.empty()) return EIO;
    const int e = unnamed_to(name);
    if (e == 0) name_ = std::move(name);
    if (e != EEXIST) return e;
  }
  return EEXIST;
}

int Replacement::place_new(const std::string& name) {
  if (name_.empty()) return unnamed_to(name);
  // A link fails when the name is taken, on every file system that has links; the others know RENAME_NOREPLACE or are
  // not to be had.
  if (::linkat(folder_, name_.c_str(), folder_, name.c_str(), 0) == 0) return 0;
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS) return errno;
  if (::renameat2(folder_, name_.c_str(), folder_, name.c_str(), RENAME_NOREPLACE) != 0) return errno;
  name_.clear();
  return 0;
}

int Replacement::place_over(const std::string& name) {
  if (int e = take_name()) return e;
  if (::renameat(folder_, name_.c_str(), folder_, name.c_str()) != 0) return errno;
  name_.clear();
  return 0;
}

int Replacement::place_for(const std::string& name, const struct stat& old) {
  if (int e = take_name()) return e;
  struct stat now{};
  if (::renameat2(folder_, name_.c_str(), folder_, name.c_str(), RENAME_EXCHANGE) != 0) {
    if (errno == ENOENT) return ESTALE;
    if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return errno;
    // Looked at, then replaced: the best that is left, with a moment between the two.
    if (::fstatat(folder_, name.c_str(), &now, AT_SYMLINK_NOFOLLOW) != 0 || !same_file(now, old)) return ESTALE;
    return place_over(name);
  }
  // What had the name has ours now: it can be looked at while nobody else reaches for it.
  if (::fstatat(folder_, name_.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0 && same_file(now, old)) return 0;
  if (::renameat2(folder_, name_.c_str(), folder_, name.c_str(), RENAME_EXCHANGE) != 0) {
    // It was taken away at this very moment. What somebody else wrote must not go with our name for it.
    name_.clear();
    return errno;
  }
  return ESTALE;
}

}  // namespace BELAY_NAMESPACE::sandbox
