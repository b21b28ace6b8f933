#include "sandbox/procs.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

namespace BELAY_NAMESPACE::sandbox {
namespace {

struct FolderEntry {  // linux_dirent64, which glibc does not show
  std::uint64_t inode;
  std::int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[1];
};

// "PID/file" for a small number, without printf.
void path_of(pid_t pid, const char* file, char (&out)[40]) {
  char digits[12];
  std::size_t n = 0;
  auto rest = static_cast<unsigned>(pid);
  do digits[n++] = static_cast<char>('0' + rest % 10);
  while ((rest /= 10) != 0);
  char* p = out;
  while (n > 0) *p++ = digits[--n];
  *p++ = '/';
  std::strcpy(p, file);
}

ssize_t slurp(int folder, const char* name, char* out, std::size_t room) {
  int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t n = ::read(fd, out, room - 1);
  close(fd);
  if (n >= 0) out[n] = 0;
  return n;
}

std::uint64_t number(const char*& p) {
  while (*p == ' ' || *p == '\t') ++p;
  if (*p == '-') ++p;
  std::uint64_t out = 0;
  while (*p >= '0' && *p <= '9') out = out * 10 + static_cast<std::uint64_t>(*p++ - '0');
  return out;
}

std::uint64_t kilobytes_after(const char* text, const char* label) {
  const char* p = std::strstr(text, label);
  if (p == nullptr) return 0;
  p += std::strlen(label);
  return number(p) * 1024;
}

}  // namespace

bool Census::read(pid_t pid, Process& out) const noexcept {
  char path[40], text[1024];
  path_of(pid, "stat", path);
  if (slurp(proc_, path, text, sizeof text) <= 0) return false;
  const char* p = std::strrchr(text, ')');  // the name before it may hold anything
  if (p == nullptr || p[1] != ' ') return false;
  out.pid = pid;
  out.state = p[2];
  p += 3;
  out.parent = static_cast<pid_t>(number(p));
  for (int field = 5; field < 22; ++field) number(p);
  out.started = number(p);
  number(p);
  out.memory = number(p) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  out.inside = false;
  return true;
}

Process* Census::find(pid_t pid) const noexcept {
  // /proc lists processes by number, so they are sorted.
  auto seen = room_.first(count_);
  auto at = std::lower_bound(seen.begin(), seen.end(), pid, [](const Process& p, pid_t n) { return p.pid < n; });
  return at != seen.end() && at->pid == pid ? &*at : nullptr;
}

void Census::take(pid_t root, std::uint32_t enough) noexcept {
  count_ = 0;
  inside_ = 0;
  std::uint32_t unseen = 0;
  alignas(FolderEntry) char names[8192];
  lseek(proc_, 0, SEEK_SET);
  while (root != 0 || count_ <= enough) {
    long got = syscall(SYS_getdents64, proc_, names, sizeof names);
    if (got <= 0) break;
    for (long at = 0; at < got;) {
      const char* entry = names + at;
      unsigned short length = 0;
      std::memcpy(&length, entry + offsetof(FolderEntry, length), sizeof length);
      const char* name = entry + offsetof(FolderEntry, name);
      at += length;
      if (*name < '1' || *name > '9') continue;
      auto pid = static_cast<pid_t>(number(name));
      if (root == 0 && pid == 1) continue;
      if (count_ == room_.size()) {
        ++unseen;
        continue;
      }
      if (read(pid, room_[count_])) ++count_;
    }
  }
  if (root == 0) {
    for (Process& process : room_.first(count_)) process.inside = true;
    inside_ = static_cast<std::uint32_t>(count_) + unseen;
    return;
  }
  for (bool more = true; more;) {
    more = false;
    for (Process& process : room_.first(count_)) {
      if (process.inside || process.pid == root) continue;
      const Process* parent = process.parent == root ? nullptr : find(process.parent);
      if (process.parent != root && (parent == nullptr || !parent->inside)) continue;
      process.inside = more = true;
      ++inside_;
    }
  }
}

std::uint64_t Census::memory(std::uint64_t limit) const noexcept {
  std::uint64_t sum = 0;
  for (const Process& process : room_.first(count_))
    if (process.inside) sum += process.memory;
  if (sum <= limit) return sum;
  sum = 0;
  for (const Process& process : room_.first(count_)) {
    if (!process.inside) continue;
    char path[40], text[4096];
    path_of(process.pid, "status", path);
    if (slurp(proc_, path, text, sizeof text) <= 0) continue;
    sum += kilobytes_after(text, "RssAnon:") + kilobytes_after(text, "RssShmem:");
  }
  return sum;
}

std::uint32_t Census::send(int signal, pid_t except) const noexcept {
  std::uint32_t sent = 0;
  for (const Process& process : room_.first(count_)) {
    if (!process.inside || process.pid == except || process.state == 'Z') continue;
    auto fd = static_cast<int>(syscall(SYS_pidfd_open, process.pid, 0));
    if (fd < 0) continue;
    // The number may have gone to another process before the descriptor held it; not after.
    Process now;
    if (read(process.pid, now) && now.started == process.started &&
        syscall(SYS_pidfd_send_signal, fd, signal, nullptr, 0) == 0)
      ++sent;
    close(fd);
  }
  return sent;
}

std::uint64_t Census::mark() const noexcept {
  std::uint64_t out = 14695981039346656037u;
  for (const Process& process : room_.first(count_))
    if (process.inside)
      out = (out ^ (static_cast<std::uint64_t>(process.pid) + (process.started << 22))) * 1099511628211u;
  return out;
}

bool Census::any_running() const noexcept {
  for (const Process& process : room_.first(count_))
    if (process.inside && process.state != 'Z' && process.state != 'T') return true;
  return false;
}

}  // namespace BELAY_NAMESPACE::sandbox
