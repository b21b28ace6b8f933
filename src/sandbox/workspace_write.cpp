#include "sandbox/beneath.h"
#include "sandbox/git_folders.h"
#include "sandbox/path_text.h"
#include "sandbox/replacement.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <utility>

namespace BELAY_NAMESPACE::sandbox {
namespace {

constexpr int kWriteTries = 16;

PathError changed(std::string_view path) {
  return {PathErrorKind::changed,
          brief(path) + " was changed by somebody else meanwhile; nothing was written. Read it again", ESTALE};
}

// Then any folder may be the one whose hooks git runs.
PathError odd_git(std::string_view path, const GitFolders& git) {
  return {PathErrorKind::off_limits,
          brief(path) + " is not written: the .git of the workspace " + git.odd +
              ", so it is not known which files git runs; the person has to repair or remove .git",
          0};
}

std::string text_of(std::span<const std::string_view> parts) {
  std::string out;
  for (std::string_view part : parts) (out += out.empty() ? "" : "/") += part;
  return out.empty() ? "." : out;
}

// Forces a folder's names to the disk. False when that cannot be done.
bool synchronise(int folder) {
  Handle readable(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return readable && (::fsync(readable.get()) == 0 || errno == EINVAL);
}

// The folder that a file is to be in: found, or made. What was made goes again, unless it is kept.
class Parent {
 public:
  Parent(const Beneath& beneath, std::string_view path, std::string_view root, const WorkspaceOptions& options,
         const Refuse& refuse)
      : beneath_(beneath), path_(path), root_(root), options_(options), refuse_(refuse) {}
  Parent(const Parent&) = delete;
  Parent& operator=(const Parent&) = delete;
  ~Parent() {
    for (; !made_.empty(); made_.pop_back())
      ::unlinkat(made_.back().folder.get(), made_.back().name.c_str(), AT_REMOVEDIR);
  }

  std::optional<PathError> find(std::span<const std::string_view> parts, std::string_view last) {
    std::size_t known = parts.size();
    while (true) {
      auto spot = beneath_.find(text_of(parts.first(known)));
      if (spot) {
        if (!S_ISDIR(spot->facts.st_mode)) return system_error(ENOTDIR, path_, "write");
        here_ = std::move(spot->handle);
        place_ = std::move(spot->place);
        break;
      }
      if (spot.error() != ENOENT || known == 0) return system_error(spot.error(), path_, "write");
      --known;
    }
    const std::span<const std::string_view> missing = parts.subspan(known);
    std::string whole = place_;
    for (std::string_view part : missing) {
      if (part == "..")
        return PathError{PathErrorKind::not_found, brief(path_) + " goes up from a folder that does not exist", ENOENT};
      whole = joined(whole, part);
    }
    // Before anything is made.
    if (auto trouble = refused(joined(whole, last))) return trouble;
    for (std::string_view part : missing)
      if (auto trouble = make(std::string(part))) return trouble;
    return std::nullopt;
  }

  // True when the folder is now at a place that is protected, or outside; somebody may have moved it.
  std::optional<PathError> check_again(std::string_view last) {
    if (options_.resolver != Resolver::kernel) return std::nullopt;
    auto place = beneath_.place_of(here_.get());
    if (!place) return system_error(place.error(), path_, "write");
    return refused(joined(*place, last));
  }

  [[nodiscard]] int folder() const { return here_.get(); }
  [[nodiscard]] const std::string& place() const { return place_; }

  // Keeps the folders that were made, and gives their number.
  std::size_t keep(bool& synchronised) {
    for (const Made& made : made_) synchronised = synchronise(made.folder.get()) && synchronised;
    return std::exchange(made_, {}).size();
  }

 private:
  struct Made {
    Handle folder;  // in which it was made
    std::string name;
  };

  [[nodiscard]] std::optional<PathError> refused(std::string_view relative) const {
    if (is_off_limits(relative, root_, options_.protected_folders)) return off_limits_error(path_);
    if (std::string why = refuse_ ? refuse_(relative) : std::string(); !why.empty())
      return PathError{PathErrorKind::link, brief(path_) + " " + why, 0};
    return std::nullopt;
  }

  std::optional<PathError> make(const std::string& part) {
    const bool is_new = ::mkdirat(here_.get(), part.c_str(), 0777) == 0;
    if (!is_new && errno != EEXIST) return system_error(errno, path_, "write");
    Handle next(::openat(here_.get(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next && (errno == ENOTDIR || errno == ELOOP))
      return PathError{PathErrorKind::link, brief(path_) + " goes through a link to nowhere, or through a file", errno};
    if (!next) return system_error(errno, path_, "write");
    Handle before = std::exchange(here_, std::move(next));
    if (is_new) made_.push_back({std::move(before), part});
    place_ = joined(place_, part);
    return std::nullopt;
  }

  const Beneath& beneath_;
  std::string_view path_, root_;
  const WorkspaceOptions& options_;
  const Refuse& refuse_;
  Handle here_;
  std::string place_;
  std::vector<Made> made_;
};

// One file to be written into a folder that is open.
class Writing {
 public:
  Writing(Parent& parent, std::string name, std::string_view path, std::string_view content, const Expected& expected)
      : parent_(parent), name_(std::move(name)), path_(path), content_(content), expected_(expected) {}

  // False: somebody was faster, and it can be tried again.
  std::expected<bool, PathError> attempt(const WorkspaceLimits& limits, Written& written) {
    struct stat old{};
    const bool exists = ::fstatat(parent_.folder(), name_.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
    if (!exists && errno != ENOENT) return failure(errno);
    if (exists)
      if (auto trouble = check_old(old, limits)) return std::unexpected(std::move(*trouble));
    if (!exists && expected_.is == Expected::Is::content) return std::unexpected(changed(path_));
    if (exists && expected_.is == Expected::Is::nothing) return std::unexpected(changed(path_));

    Replacement replacement(parent_.folder());
    bool owner_kept = true;
    if (int e = replacement.make(!exists)) return failure(e);
    if (int e = replacement.fill(content_)) return failure(e);
    if (int e = exists ? replacement.adopt(old, owner_kept) : 0) return failure(e);
    if (int e = replacement.synchronise()) return failure(e);
    if (auto trouble = parent_.check_again(name_)) return std::unexpected(std::move(*trouble));

    const int e = !exists                                 ? replacement.place_new(name_)
                  : expected_.is == Expected::Is::content ? replacement.place_for(name_, old)
                                                          : replacement.place_over(name_);
    if (e == ESTALE || (e == EEXIST && expected_.is == Expected::Is::nothing)) return std::unexpected(changed(path_));
    if (e == EEXIST) return false;
    if (e != 0) return failure(e);
    written.created = !exists;
    written.owner_lost = !owner_kept;
    return true;
  }

 private:
  std::unexpected<PathError> failure(int e) const { return std::unexpected(system_error(e, path_, "write")); }

  // What is there now: a file that may be written, with the content that is expected. `old` is then the file whose
  // content was looked at.
  std::optional<PathError> check_old(struct stat& old, const WorkspaceLimits& limits) const {
    if (S_ISLNK(old.st_mode))
      return PathError{
          PathErrorKind::link,
          brief(path_) + " is a symbolic link, and links are not written through; use the path of the file", ELOOP};
    if (auto other = not_a_file(old, path_)) return other;
    if (::faccessat(parent_.folder(), name_.c_str(), W_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) != 0 && errno != ENOENT)
      return system_error(errno, path_, "write");
    if (expected_.is != Expected::Is::content) return std::nullopt;
    OpenFile file{
        Handle(::openat(parent_.folder(), name_.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC)),
        {},
        std::string(path_)};
    if (!file.handle && (errno == ENOENT || errno == ELOOP)) return changed(path_);
    if (!file.handle || ::fstat(file.handle.get(), &old) != 0) return system_error(errno, path_, "read");
    std::string_view rest = expected_.bytes;
    bool same = S_ISREG(old.st_mode) && static_cast<std::uint64_t>(old.st_size) == rest.size();
    auto done = read_pieces(file, limits.file_bytes, "file_bytes", [&](std::string_view piece) {
      same = same && rest.starts_with(piece);
      if (same) rest.remove_prefix(piece.size());
      return same;
    });
    if (!done || !same || !rest.empty()) return changed(path_);
    return std::nullopt;
  }

  Parent& parent_;
  std::string name_;
  std::string_view path_, content_;
  const Expected& expected_;
};

// A write beyond it would end the process with a signal.
bool beyond_system_limit(std::size_t size) {
  rlimit most{};
  return ::getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY && size > most.rlim_cur;
}

}  // namespace

// Writers that compare before they replace take turns in a folder, so that none undoes what another has just done.
// Whoever holds the lock for long, a stranger perhaps, is not waited for: then the exchange of names is all there is.
static Handle turn_in(int folder) {
  Handle turn(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int i = 0; turn && i < 2000 && ::flock(turn.get(), LOCK_EX | LOCK_NB) != 0; ++i) ::usleep(1000);
  return turn;
}

std::expected<Written, PathError> Workspace::write(std::string_view path, std::string_view content, Expected expected,
                                                   const Refuse& refuse) const {
  auto relative = relative_text(path, root_, options_);
  if (!relative) return std::unexpected(relative.error());
  if (content.size() > options_.limits.file_bytes)
    return std::unexpected(PathError{PathErrorKind::too_large,
                                     "the content of " + brief(path) + " has " + std::to_string(content.size()) +
                                         " bytes, which is more than " + std::to_string(options_.limits.file_bytes) +
                                         " (limit file_bytes)",
                                     EFBIG});
  if (beyond_system_limit(content.size())) return std::unexpected(system_error(EFBIG, path, "write"));

  std::vector<std::string_view> parts = parts_of(*relative);
  const bool names_folder = relative->ends_with('/') || relative->ends_with("/.");
  if (parts.empty() || parts.back() == ".." || names_folder)
    return std::unexpected(
        PathError{PathErrorKind::not_a_file, brief(path) + " is the name of a folder, not of a file", EISDIR});
  const std::string name(parts.back());
  parts.pop_back();

  const GitFolders git = git_folders(handle_.get());
  if (!git.odd.empty()) return std::unexpected(odd_git(path, git));
  const WorkspaceOptions options = with_git(options_, root_, git);
  const Beneath beneath(handle_.get(), options.resolver);
  Parent parent(beneath, path, root_, options, refuse);
  if (auto trouble = parent.find(parts, name)) return std::unexpected(std::move(*trouble));
  Written written;
  Handle turn;
  if (expected.is == Expected::Is::content) turn = turn_in(parent.folder());
  Writing writing(parent, name, path, content, expected);
  for (int i = 0; i < kWriteTries; ++i) {
    auto done = writing.attempt(options_.limits, written);
    if (!done) return std::unexpected(std::move(done.error()));
    if (!*done) continue;
    written.place = joined(parent.place(), name);
    written.synchronised = synchronise(parent.folder());
    written.folders = parent.keep(written.synchronised);
    return written;
  }
  return std::unexpected(changed(path));
}

}  // namespace BELAY_NAMESPACE::sandbox
