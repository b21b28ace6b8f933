#include "sandbox/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace BELAY_NAMESPACE::sandbox::landlock {
namespace {

// The kernel headers of Debian 12 know version 2 only, so the numbers of the interface stand here.
struct Rules {
  std::uint64_t files;
  std::uint64_t net;
  std::uint64_t scoped;
};
struct [[gnu::packed]] Beneath {
  std::uint64_t allowed;
  std::int32_t path;
};
constexpr std::uint64_t kExecute = 1, kWriteFile = 2, kReadFile = 4, kReadFolder = 8;
constexpr std::uint64_t kAllOfOne = (1u << 13) - 1;  // up to making links
constexpr std::uint64_t kRefer = 1u << 13, kTruncate = 1u << 14, kDevices = 1u << 15;
constexpr std::uint64_t kMakeDevices = 1u << 6 | 1u << 11;
constexpr std::uint64_t kNetwork = 3;  // bind and connect
constexpr std::uint64_t kScopes = 3;   // abstract sockets, signals
constexpr unsigned kVersionFlag = 1;
constexpr int kRulePathBeneath = 1;
// What can be allowed for something that is not a folder.
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kDevices;

std::uint64_t known(int version) {
  std::uint64_t all = kAllOfOne;
  if (version >= 2) all |= kRefer;
  if (version >= 3) all |= kTruncate;
  if (version >= 5) all |= kDevices;
  return all;
}

}  // namespace

int version() noexcept {
  long found = syscall(SYS_landlock_create_ruleset, nullptr, 0, kVersionFlag);
  return found < 0 ? 0 : static_cast<int>(found);
}

int make(int version, const Scope& scope) noexcept {
  Rules rules{};
  if (scope.files) rules.files = known(version);
  if (scope.tcp && version >= 4) rules.net = kNetwork;
  if (scope.signals && version >= kScoped) rules.scoped = kScopes;
  // Older kernels refuse a longer structure unless the rest of it is 0.
  return static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0));
}

bool allow(int rules, int version, int path, Allow what) noexcept {
  struct stat found{};
  if (fstat(path, &found) != 0) return false;
  std::uint64_t allowed = kExecute | kReadFile | kReadFolder;
  if (what == Allow::write) allowed = known(version) & ~kMakeDevices;
  if (what == Allow::use) allowed = kReadFile | kWriteFile | kTruncate | kDevices;
  if (!S_ISDIR(found.st_mode)) allowed &= kOfFiles;
  Beneath rule{allowed & known(version), path};
  return syscall(SYS_landlock_add_rule, rules, kRulePathBeneath, &rule, 0) == 0;
}

bool allow(int rules, int version, const char* path, Allow what) noexcept {
  int fd = open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) return errno == ENOENT || errno == ENOTDIR || errno == EACCES;
  bool good = allow(rules, version, fd, what);
  close(fd);
  return good;
}

bool enter(int rules) noexcept { return syscall(SYS_landlock_restrict_self, rules, 0) == 0; }

}  // namespace BELAY_NAMESPACE::sandbox::landlock
