#include "sandbox/confine.h"

#include "sandbox/landlock.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/if.h>
#include <linux/securebits.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace BELAY_NAMESPACE::sandbox {
namespace {

bool put(int folder, const char* path, const char* text) {
  int fd = openat(folder, path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t n = write(fd, text, std::strlen(text));
  int error = errno;
  close(fd);
  errno = error;
  return n == static_cast<ssize_t>(std::strlen(text));
}

char* digits(char* at, unsigned long number) {
  char reversed[24];
  std::size_t n = 0;
  do reversed[n++] = static_cast<char>('0' + number % 10);
  while ((number /= 10) != 0);
  while (n > 0) *at++ = reversed[--n];
  return at;
}

void mapping(char (&out)[64], unsigned long id) {
  char* p = digits(out, id);
  *p++ = ' ';
  p = digits(p, id);
  std::strcpy(p, " 1");
}

bool bound(int resource, rlim_t wanted) {
  rlimit now{};
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &now) != 0) return false;
  rlim_t most = std::min(wanted, now.rlim_max);
  rlimit next{most, most};
  return setrlimit(static_cast<__rlimit_resource_t>(resource), &next) == 0;
}

}  // namespace

bool map_user(uid_t user, gid_t group) noexcept {
  char text[64];
  if (!put(AT_FDCWD, "/proc/self/setgroups", "deny") && errno != ENOENT) {
    // After a change of user the kernel keeps these files for root, until the process says that it has no secrets.
    // The keeper takes that back as soon as it can.
    if (errno != EACCES || prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0) return false;
    if (!put(AT_FDCWD, "/proc/self/setgroups", "deny")) return false;
  }
  mapping(text, user);
  if (!put(AT_FDCWD, "/proc/self/uid_map", text)) return false;
  mapping(text, group);
  return put(AT_FDCWD, "/proc/self/gid_map", text);
}

void raise_loopback() noexcept {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  ioctl(fd, SIOCSIFFLAGS, &request);
  close(fd);
}

bool drop_rights() noexcept {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  // Whether these three work depends on rights that may be missing already; the outcome is what is checked.
  prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                               SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
                               SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (int right = 0; right < 64; ++right)
    if (prctl(PR_CAPBSET_DROP, right, 0, 0, 0) != 0) break;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  if (syscall(SYS_capset, &header, none) != 0) return false;
  if (prctl(PR_CAPBSET_READ, 0, 0, 0, 0) == 0) return true;
  // The bounding set could not be emptied. Then only user 0 would get something back by exec, and not with NOROOT.
  return geteuid() != 0 || (prctl(PR_GET_SECUREBITS) & SECBIT_NOROOT) != 0;
}

bool limit(const Orders& orders) noexcept {
  bool good = bound(RLIMIT_CORE, 0) && bound(RLIMIT_FSIZE, orders.file_bytes) && bound(RLIMIT_NOFILE, orders.files);
  // All of the user's tasks count here, so the limit is above what there is already. It does not hold for root.
  if (orders.wall == Wall::namespaces && orders.user_namespace)
    good = good && bound(RLIMIT_NPROC, orders.tasks);
  else
    good = good && bound(RLIMIT_NPROC, orders.tasks_now + orders.tasks);
  return good;
}

OomOffer::OomOffer(int proc) noexcept : fd_(proc < 0 ? -1 : openat(proc, "self/oom_score_adj", O_RDWR | O_CLOEXEC)) {
  if (fd_ < 0) return;
  ssize_t got = pread(fd_, before_, sizeof before_, 0);
  if (got > 0 && pwrite(fd_, "500", 3, 0) == 3) size_ = static_cast<std::size_t>(got);
}

OomOffer::~OomOffer() {
  if (size_ > 0 && pwrite(fd_, before_, size_, 0) < 0) size_ = 0;  // stays as it is, which does no harm
  if (fd_ >= 0) close(fd_);
}

bool tidy(const Orders& orders) noexcept {
  setsid();  // the keeper did so too; this one is the command's own
  if (dup2(orders.null, 0) < 0 || dup2(orders.output, 1) < 0 || dup2(orders.output, 2) < 0) return false;
  if (syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC) != 0) {
    for (int fd = 3; fd < 65536; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
  for (int fd : {orders.inherited, orders.status})
    if (fd >= 0) fcntl(fd, F_SETFD, 0);
  struct sigaction plain{};
  plain.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, &plain, nullptr);
  sigset_t none;
  sigemptyset(&none);
  return sigprocmask(SIG_SETMASK, &none, nullptr) == 0;
}

int rules_for_view(const Orders& orders) noexcept {
  int rules = landlock::make(orders.landlock, {.files = true, .signals = true, .tcp = false});
  if (rules < 0) return -1;
  const View& view = *orders.view;
  bool good = true;
  const auto allow = [&](const char* path, landlock::Allow what) {
    good = good && landlock::allow(rules, orders.landlock, path, what);
  };
  allow("/", landlock::Allow::read);
  allow(view.scratch, landlock::Allow::write);
  if (view.writable) allow(view.workspace.path, landlock::Allow::write);
  // Rights on /dev would hold for a workspace in it as well.
  const bool inside = !view.writable && std::strncmp(view.workspace.path, "/dev/", 5) == 0;
  if (!inside) allow("/dev/shm", landlock::Allow::write);
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/pts"})
    if (inside) allow(device, landlock::Allow::use);
  if (!inside) allow("/dev", landlock::Allow::use);
  if (good) return rules;
  int error = errno;
  close(rules);
  errno = error;
  return -1;
}

}  // namespace BELAY_NAMESPACE::sandbox
