#include "sandbox/view.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace BELAY_NAMESPACE::sandbox {
namespace {

constexpr unsigned long kPlain = MS_NOSUID | MS_NODEV;
constexpr const char* kNothing = "mode=0755,size=1m";
constexpr std::array<const char*, 5> kDevices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
// At most this many paths are shown or masked; the plan is made with that in mind.
constexpr std::size_t kTrees = 64;

struct Tree {
  int fd = -1;
  const char* at = nullptr;
};

class Building {
 public:
  Building(const View& view, Trouble& trouble) : view_(view), trouble_(trouble) {}

  bool run(int& proc) noexcept {
    return find_place() && take_trees() && enter_root() && cover() && temporary() && devices() && processes(proc) &&
           show() && close_sockets() && workspace() && close_covers() && enter_cwd();
  }

 private:
  bool fail(const char* doing, const char* path) {
    trouble_ = {doing, path, errno};
    return false;
  }

  static int clone(const char* path) {
    return open_tree(AT_FDCWD, path,
                     OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | static_cast<unsigned>(AT_SYMLINK_NOFOLLOW));
  }
  static bool set(int tree, std::uint64_t attributes) {
    struct mount_attr wanted{};
    wanted.attr_set = attributes;
    wanted.propagation = MS_PRIVATE;
    return mount_setattr(tree, "", AT_EMPTY_PATH | static_cast<unsigned>(AT_RECURSIVE), &wanted, sizeof wanted) == 0;
  }
  static bool place(int tree, const char* at) {
    return move_mount(tree, "", AT_FDCWD, at, MOVE_MOUNT_F_EMPTY_PATH) == 0;
  }
  static bool is(int fd, const KnownFolder& folder) {
    struct stat found{};
    if (fstat(fd, &found) != 0) return false;
    if (found.st_dev == folder.device && found.st_ino == folder.inode) return true;
    errno = ESTALE;
    return false;
  }

  // A mount that nobody else shares, so that nothing of this is seen outside. In a chroot / is no mount, and what it
  // lies on may be shared; something that is mounted inside of the chroot serves as well.
  bool find_place() {
    struct mount_attr wanted{};
    wanted.propagation = MS_PRIVATE;
    for (const char* path : {"/", "/proc", "/dev", "/sys", "/dev/pts", "/run", "/tmp"}) {
      if (mount_setattr(AT_FDCWD, path, static_cast<unsigned>(AT_RECURSIVE), &wanted, sizeof wanted) != 0) continue;
      place_ = path;
      return true;
    }
    return fail("finding a mount of one's own", "/");
  }

  // While the paths still mean what they mean outside.
  bool take_trees() {
    workspace_ = clone(view_.workspace.path);
    if (workspace_ < 0 || !is(workspace_, view_.workspace)) return fail("taking the workspace", view_.workspace.path);
    if (!set(workspace_, kPlainAttributes | (view_.writable ? 0u : MOUNT_ATTR_RDONLY)))
      return fail("taking the workspace", view_.workspace.path);
    for (std::size_t i = 0; i < kDevices.size(); ++i)
      if (devices_[i] = clone(kDevices[i]); devices_[i] >= 0 && !set(devices_[i], MOUNT_ATTR_NOSUID))
        return fail("taking", kDevices[i]);
    for (const char* path : view_.readable)
      if (!take(path, path)) return false;
    for (const char* path : view_.masks)
      if (!take("/dev/null", path)) return false;
    root_ = clone("/");
    if (root_ < 0 || !set(root_, kPlainAttributes | MOUNT_ATTR_RDONLY)) return fail("taking the file system", "/");
    return true;
  }
  bool take(const char* from, const char* at) {
    if (count_ == kTrees) {
      errno = E2BIG;
      return fail("taking", from);
    }
    int fd = clone(from);
    if (fd < 0) return errno == ENOENT || errno == EACCES || fail("taking", from);
    if (!set(fd, MOUNT_ATTR_NOSUID | MOUNT_ATTR_RDONLY)) return fail("taking", from);
    trees_[count_++] = {fd, at};
    return true;
  }

  // chroot and not pivot_root, which a chroot does not allow. There is no way back: it needs a right that is given up,
  // a call that is denied, or a descriptor from outside, and there is none.
  bool enter_root() {
    if (!place(root_, place_)) return fail("placing the file system", place_);
    if (fchdir(root_) != 0 || chroot(".") != 0 || chdir("/") != 0) return fail("entering the file system", "/");
    close(root_);
    return true;
  }

  static bool nothing_at(const char* path) { return mount("none", path, "tmpfs", kPlain, kNothing) == 0; }
  static bool close_off(const char* path, unsigned long more = 0) {
    return mount(nullptr, path, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | kPlain | more, nullptr) == 0;
  }

  bool cover() {
    for (const char* path : view_.covers)
      if (!nothing_at(path) && errno != ENOENT) return fail("hiding", path);
    return true;
  }
  bool close_covers() {
    for (const char* path : view_.covers)
      if (!close_off(path) && errno != ENOENT) return fail("hiding", path);
    return true;
  }

  bool temporary() {
    if (mount("none", "/tmp", "tmpfs", kPlain, view_.temporary) != 0) return fail("making a private", "/tmp");
    if (view_.home != nullptr && mkdir(view_.home, 0700) != 0) return fail("making", view_.home);
    return true;
  }

  bool devices() {
    if (!nothing_at("/dev")) return fail("making a private", "/dev");
    for (std::size_t i = 0; i < kDevices.size(); ++i) {
      if (devices_[i] < 0) continue;
      int fd = open(kDevices[i], O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0444);
      if (fd >= 0) close(fd);
      if (!place(devices_[i], kDevices[i])) return fail("placing", kDevices[i]);
      close(devices_[i]);
    }
    if (symlink("/proc/self/fd", "/dev/fd") != 0 || symlink("/proc/self/fd/0", "/dev/stdin") != 0 ||
        symlink("/proc/self/fd/1", "/dev/stdout") != 0 || symlink("/proc/self/fd/2", "/dev/stderr") != 0)
      return fail("filling", "/dev");
    if (mkdir("/dev/shm", 01777) != 0 || mount("none", "/dev/shm", "tmpfs", kPlain, view_.temporary) != 0)
      return fail("making a private", "/dev/shm");
    // Terminals of one's own, where the kernel allows it: some test programs want them.
    if (mkdir("/dev/pts", 0755) == 0 &&
        mount("none", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620") == 0 &&
        symlink("pts/ptmx", "/dev/ptmx") != 0)
      return fail("filling", "/dev");
    return close_off("/dev") || fail("closing", "/dev");
  }

  // Read-only: root's /proc/sys obeys whoever is user 0, with rights or without.
  bool processes(int& proc) {
    if (mount("proc", "/proc", "proc", kPlain | MS_NOEXEC, nullptr) != 0) return fail("making a private", "/proc");
    if (view_.process_limit != nullptr) {
      int fd = open("/proc/sys/kernel/pid_max", O_WRONLY | O_CLOEXEC);
      bool set = fd >= 0 && write(fd, view_.process_limit, std::strlen(view_.process_limit)) > 0;
      if (fd >= 0) close(fd);
      if (!set) return fail("limiting processes", "/proc/sys/kernel/pid_max");
    }
    if (!close_off("/proc", MS_NOEXEC)) return fail("closing", "/proc");
    proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return proc >= 0 || fail("opening", "/proc");
  }

  // Folders above a path, as far as they are missing: inside of a cover. Also the last one, or a file in its place.
  bool prepare(const char* path, bool folder) {
    struct stat found{};
    if (lstat(path, &found) == 0) return true;
    char part[4096];
    std::size_t length = std::strlen(path);
    if (length >= sizeof part) {
      errno = ENAMETOOLONG;
      return false;
    }
    for (std::size_t i = 1; i < length; ++i) {
      if (path[i] != '/') continue;
      std::memcpy(part, path, i);
      part[i] = 0;
      if (mkdir(part, 0755) != 0 && errno != EEXIST && errno != EROFS) return false;
    }
    if (folder) return mkdir(path, 0755) == 0;
    int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0444);
    if (fd >= 0) close(fd);
    return fd >= 0;
  }
  bool show() {
    for (std::size_t i = 0; i < count_; ++i) {
      struct stat found{};
      if (fstat(trees_[i].fd, &found) != 0) return fail("showing", trees_[i].at);
      if (!prepare(trees_[i].at, S_ISDIR(found.st_mode)) || !place(trees_[i].fd, trees_[i].at))
        return fail("showing", trees_[i].at);
      close(trees_[i].fd);
    }
    return true;
  }

  // A mount that is read-only does not keep anybody from connecting. Something else in the socket's place does.
  bool close_sockets() {
    for (const char* path : view_.sockets) {
      struct stat found{};
      if (lstat(path, &found) != 0 || !S_ISSOCK(found.st_mode)) continue;
      int fd = clone("/dev/null");
      if (fd < 0 || !set(fd, MOUNT_ATTR_NOSUID | MOUNT_ATTR_RDONLY)) return fail("hiding", path);
      bool done = place(fd, path) || errno == ENOENT;
      if (!done) return fail("hiding", path);
      close(fd);
    }
    return true;
  }

  bool workspace() {
    const char* path = view_.workspace.path;
    if (!prepare(path, true) || !place(workspace_, path)) return fail("placing the workspace", path);
    close(workspace_);
    for (const char* held : view_.held)
      if (!over_itself(held, kPlainAttributes)) return fail("protecting", held);
    for (const char* guarded : view_.guarded)
      if (!over_itself(guarded, kPlainAttributes | MOUNT_ATTR_RDONLY)) return fail("protecting", guarded);
    return true;
  }
  static bool over_itself(const char* path, std::uint64_t attributes) {
    int fd = clone(path);
    if (fd < 0 || !set(fd, attributes) || !place(fd, path)) return false;
    close(fd);
    return true;
  }

  bool enter_cwd() {
    int fd = open(view_.cwd.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && is(fd, view_.cwd) && fchdir(fd) == 0;
    if (!good) return fail("entering", view_.cwd.path);
    close(fd);
    return true;
  }

  static constexpr std::uint64_t kPlainAttributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  const View& view_;
  Trouble& trouble_;
  const char* place_ = "/";
  int root_ = -1, workspace_ = -1;
  std::array<int, kDevices.size()> devices_{};
  std::array<Tree, kTrees> trees_{};
  std::size_t count_ = 0;
};

}  // namespace

bool build_view(const View& view, int& proc, Trouble& trouble) noexcept { return Building(view, trouble).run(proc); }

}  // namespace BELAY_NAMESPACE::sandbox
