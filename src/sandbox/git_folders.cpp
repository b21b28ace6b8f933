#include "sandbox/git_folders.h"

#include "sandbox/path_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ranges>

namespace BELAY_NAMESPACE::sandbox {
namespace {

constexpr std::size_t kMost = 4096;  // bytes of a file that names a folder, as of a path
constexpr std::string_view kPrefix = "gitdir: ";

bool same(int a, int b) {
  struct stat one{}, other{};
  return ::fstat(a, &one) == 0 && ::fstat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

Handle again(int folder) { return Handle(::openat(folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC)); }

// A small regular file. The error is an errno: EINVAL when it is something else.
std::expected<std::string, int> small_file(int folder, const char* name) {
  Handle file(::openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC));
  struct stat found{};
  if (!file || ::fstat(file.get(), &found) != 0) return std::unexpected(errno);
  if (!S_ISREG(found.st_mode)) return std::unexpected(EINVAL);
  std::string text;
  std::array<char, kMost + 1> piece{};
  while (text.size() <= kMost) {
    const ssize_t got = ::read(file.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::unexpected(errno);
    if (got == 0) break;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  if (text.size() > kMost) return std::unexpected(EFBIG);
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  return text;
}

std::string why(int error) {
  if (error == EFBIG) return "it has more than " + std::to_string(kMost) + " bytes";
  if (error == EINVAL) return "it is not a file";
  if (error == ELOOP) return "it is a symbolic link";
  return std::strerror(error);
}

// Goes from folder to folder as git will, and knows when that is in the workspace. There everything that can be
// exchanged by whoever writes there is odd: a link, and `..` behind a folder, unless that folder is held fast.
class Search {
 public:
  explicit Search(int root) : root_(root) {}

  GitFolders run() {
    struct stat found{};
    if (::fstatat(root_, ".git", &found, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno != ENOENT) out_.odd = std::string("cannot be looked at: ") + std::strerror(errno);
      return std::move(out_);
    }
    here_ = again(root_);
    if (S_ISDIR(found.st_mode)) {
      // The folder itself is protected by its name.
      here_ = Handle(::openat(root_, ".git", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      place_ = ".git";
      if (here_) follow_common();
    } else if (S_ISLNK(found.st_mode)) {
      if (go(link_target(root_, ".git")))
        follow_common();
      else if (::fstatat(root_, ".git", &found, 0) == 0 && !S_ISDIR(found.st_mode))
        odd("is a symbolic link to a file");
    } else if (const std::string named = named_by_file(); !named.empty() && go(named)) {
      follow_common();
    }
    return settled();
  }

 private:
  bool odd(std::string text) {
    if (out_.odd.empty()) out_.odd = std::move(text);
    return false;
  }

  static std::string link_target(int folder, const char* name) {
    std::array<char, kMost> buffer{};
    const ssize_t size = ::readlinkat(folder, name, buffer.data(), buffer.size());
    return size < 0 ? std::string() : std::string(buffer.data(), static_cast<std::size_t>(size));
  }

  std::string named_by_file() {
    auto text = small_file(root_, ".git");
    if (!text) {
      odd("cannot be read: " + why(text.error()));
    } else if (!text->starts_with(kPrefix) || text->size() == kPrefix.size() || text->find('\0') != std::string::npos) {
      odd("is a file that names no folder (gitdir: FOLDER)");
    } else {
      return text->substr(kPrefix.size());
    }
    return {};
  }

  // Objects, hooks and configuration of a linked worktree are where its main one has them.
  void follow_common() {
    auto text = small_file(here_.get(), "commondir");
    if (!text && (text.error() == ENOENT || (!inside_ && text.error() == EACCES))) return;
    if (!text || text->find('\0') != std::string::npos) {
      odd("leads to a folder whose commondir cannot be used: " + (text ? "it holds a NUL byte" : why(text.error())));
      return;
    }
    if (!text->empty()) go(*text);
  }

  // True: the folder is there. One in the workspace is noted.
  bool go(const std::string& path) {
    pending_.clear();
    links_ = 0;
    if (path.empty()) return odd("names no folder");
    push(path);
    while (!pending_.empty()) {
      const std::string part = std::move(pending_.back());
      pending_.pop_back();
      if (!(inside_ ? step_inside(part) : step_outside(part))) return false;
    }
    if (!inside_) return true;
    if (place_.empty()) return odd("names the workspace itself, so nothing in it could be written");
    out_.places.push_back(place_);
    return true;
  }

  void push(const std::string& path) {
    if (path.starts_with('/')) {
      here_ = Handle(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
      arrive();
    }
    for (std::string_view part : parts_of(path) | std::views::reverse) pending_.emplace_back(part);
  }

  void arrive() {
    inside_ = same(here_.get(), root_);
    place_.clear();
  }

  bool step_inside(const std::string& part) {
    if (part == "..") {
      const bool held = place_ == ".git" || std::ranges::any_of(out_.places, [&](const std::string& place) {
                          return in_folder(place, place_);
                        });
      if (!place_.empty() && !held) return odd("goes up from " + brief(place_) + ", which can be exchanged");
      here_ = Handle(::openat(here_.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
      if (!here_) return odd(std::string("cannot be followed: ") + std::strerror(errno));
      if (place_.empty()) {
        arrive();
      } else {
        place_.resize(place_.find('/') == std::string::npos ? 0 : place_.rfind('/'));
      }
      return true;
    }
    std::string next = joined(place_, part);
    Handle found(::openat(here_.get(), part.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat facts{};
    if (found && ::fstat(found.get(), &facts) == 0) {
      if (S_ISLNK(facts.st_mode)) return odd("goes through the symbolic link " + brief(next));
      if (S_ISDIR(facts.st_mode)) {
        here_ = std::move(found);
        place_ = std::move(next);
        return true;
      }
    } else if (errno != ENOENT) {
      return odd("cannot be followed: " + brief(next) + ": " + std::strerror(errno));
    }
    for (; !pending_.empty(); pending_.pop_back()) {
      if (pending_.back() == "..") return odd("goes up from " + brief(next) + ", which is no folder");
      next = joined(next, pending_.back());
    }
    out_.missing.push_back(std::move(next));
    return false;
  }

  // Whatever is not there, or not for this user, is out of the command's reach as well.
  bool step_outside(const std::string& part) {
    Handle found(::openat(here_.get(), part.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat facts{};
    if (!found || ::fstat(found.get(), &facts) != 0) return false;
    if (S_ISLNK(facts.st_mode)) {
      const std::string target = link_target(here_.get(), part.c_str());
      if (target.empty() || ++links_ > kMostLinks) return false;
      push(target);
      return true;
    }
    if (!S_ISDIR(facts.st_mode)) return false;
    here_ = std::move(found);
    arrive();
    return true;
  }

  GitFolders settled() {
    std::vector<std::string> outermost;
    std::ranges::sort(out_.places);
    for (std::string& place : out_.places)
      if (std::ranges::none_of(outermost, [&](const std::string& other) { return in_folder(place, other); }))
        outermost.push_back(std::move(place));
    out_.places = std::move(outermost);
    return std::move(out_);
  }

  int root_;
  Handle here_;
  bool inside_ = true;
  std::string place_;  // from the root on, when it is inside
  int links_ = 0;
  std::vector<std::string> pending_;  // what is still to go, last first
  GitFolders out_;
};

}  // namespace

std::string GitFolders::trouble() const {
  if (!odd.empty()) return odd;
  return missing.empty() ? std::string() : "names " + brief(missing.front()) + ", which is no folder";
}

GitFolders git_folders(int root) { return Search(root).run(); }

WorkspaceOptions with_git(WorkspaceOptions options, const std::string& root, const GitFolders& git) {
  for (const auto* places : {&git.places, &git.missing})
    for (const std::string& place : *places)
      options.protected_folders.push_back(root == "/" ? "/" + place : joined(root, place));
  return options;
}

}  // namespace BELAY_NAMESPACE::sandbox
