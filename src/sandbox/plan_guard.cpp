// What a plan keeps from the command in places that it could reach otherwise: .git, .belay, sockets of daemons.
#include "sandbox/daemon_sockets.h"
#include "sandbox/git_folders.h"
#include "sandbox/plan.h"
#include "sandbox/with_errno.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <set>

namespace BELAY_NAMESPACE::sandbox {
namespace {

constexpr int kGuardTries = 16;
// On a folder that we made. Whoever was killed left it behind: the next one knows it by this, and removes it.
constexpr mode_t kOurs = S_ISVTX;

}  // namespace

// A name that is not there cannot be protected, so it is made for as long as the command runs, and empty: git looks
// past an empty .git.
std::expected<void, std::string> Plan::guard() {
  if (cage_->level() != Level::workspace_write) return {};
  for (const char* name : {".git", ".belay"}) {
    std::string path = cage_->options().workspace + '/' + name;
    for (int tries = 0;; ++tries) {
      bool made = mkdirat(workspace_.get(), name, kOurs | 0755) == 0;
      // Who may not make it: neither may the command.
      if (!made && (errno == EACCES || errno == EROFS || errno == EPERM)) break;
      if (!made && errno != EEXIST) return std::unexpected(with_errno(path + " cannot be protected from the command"));
      struct stat found{};
      if (fstatat(workspace_.get(), name, &found, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno == ENOENT && tries < kGuardTries) continue;
        return std::unexpected(with_errno(path + " cannot be looked at"));
      }
      if (S_ISLNK(found.st_mode)) {
        if (cage_->options().insist) break;
        return std::unexpected(
            path +
            " is a symbolic link, which cannot be protected from the command: replace it by what it leads "
            "to, or insist");
      }
      if (S_ISDIR(found.st_mode)) {
        // Removing it would uncover the name for another command that runs here: whoever needs it holds a lock.
        Descriptor folder(openat(workspace_.get(), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        struct stat held{}, now{};
        bool same = folder && flock(folder.get(), LOCK_SH) == 0 && fstat(folder.get(), &held) == 0 &&
                    fstatat(workspace_.get(), name, &now, AT_SYMLINK_NOFOLLOW) == 0 && held.st_ino == now.st_ino &&
                    held.st_dev == now.st_dev;
        if (!same && errno != EACCES) {
          if (tries < kGuardTries) continue;
          return std::unexpected(path + " does not hold still, and cannot be protected from the command");
        }
        // Only an empty one is ever removed.
        const bool left = folder && held.st_uid == geteuid() && (held.st_mode & kOurs) != 0;
        locks_.push_back({std::move(folder), made || left ? path : std::string()});
      }
      guarded_.push_back(keep(path));
      break;
    }
  }
  return {};
}

// The folder that a file .git names. The folders above it are held fast: who could rename one of them would put another
// one in its place.
std::expected<void, std::string> Plan::guard_git() {
  if (cage_->level() != Level::workspace_write) return {};
  const GitFolders git = git_folders(workspace_.get());
  const std::string& workspace = cage_->options().workspace;
  if (std::string trouble = git.trouble(); !trouble.empty() && !cage_->options().insist)
    return std::unexpected(workspace + "/.git " + trouble +
                           ", so what git runs cannot be protected from the command: repair or remove it, or insist");
  std::set<std::string> above;  // in the order in which they have to be mounted: a folder before what is in it
  for (const std::string& place : git.places) {
    if (place == ".git" || place.starts_with(".git/")) continue;
    for (std::size_t end = place.find('/'); end != place.npos; end = place.find('/', end + 1))
      above.insert(std::string(workspace).append("/").append(place, 0, end));
    guarded_.push_back(keep(std::string(workspace).append("/").append(place)));
  }
  if (auto good = guard_own(above); !good) return good;
  for (const std::string& path : above) held_.push_back(keep(path));
  return {};
}

// Belay's own folders, where the person has them in the workspace. A command could make one that is not there.
std::expected<void, std::string> Plan::guard_own(std::set<std::string>& above) {
  const std::string& workspace = cage_->options().workspace;
  for (const std::string& folder : cage_->options().guarded) {
    if (!folder.starts_with(workspace + '/')) continue;
    for (std::size_t end = folder.find('/', workspace.size() + 1);; end = folder.find('/', end + 1)) {
      const std::string part = folder.substr(0, end);
      struct stat found{};
      if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST)
        return std::unexpected(with_errno(part + " cannot be made, so it cannot be protected from the command"));
      if (::lstat(part.c_str(), &found) != 0 || !S_ISDIR(found.st_mode))
        return std::unexpected(part + " is no folder, so Belay's own files cannot be protected from the command");
      if (end == folder.npos) break;
      above.insert(part);
    }
    guarded_.push_back(keep(folder));
  }
  return {};
}

std::expected<void, std::string> Plan::find_sockets() {
  if (cage_->level() == Level::read_only && cage_->abilities().seccomp) return {};  // no way to connect to any
  auto found = daemon_sockets(*cage_);
  if (!found) return std::unexpected(found.error());
  sockets_ = std::move(*found);
  return {};
}

}  // namespace BELAY_NAMESPACE::sandbox
