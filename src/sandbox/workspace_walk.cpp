#include "sandbox/beneath.h"
#include "sandbox/git_folders.h"
#include "sandbox/path_text.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

namespace BELAY_NAMESPACE::sandbox {
namespace {

struct Named {
  std::string name;
  unsigned char type;
};

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

// One folder that a walk is in.
struct Level {
  std::unique_ptr<DIR, CloseFolder> folder;
  std::string place;  // from the root on
  std::string path;   // from where the walk began
  std::vector<Named> names;
  std::size_t next = 0;
  [[nodiscard]] int descriptor() const { return ::dirfd(folder.get()); }
};

Entry::Kind kind_of(unsigned char type) {
  switch (type) {
    case DT_REG: return Entry::Kind::file;
    case DT_DIR: return Entry::Kind::folder;
    case DT_LNK: return Entry::Kind::link;
    default: return Entry::Kind::other;
  }
}

// Not every file system says what its entries are.
unsigned char type_of(int folder, const Named& named) {
  if (named.type != DT_UNKNOWN) return named.type;
  struct stat s{};
  if (::fstatat(folder, named.name.c_str(), &s, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
  return static_cast<unsigned char>(IFTODT(s.st_mode));
}

std::string target_of(int folder, const std::string& name) {
  std::array<char, 4096> buffer{};
  const ssize_t size = ::readlinkat(folder, name.c_str(), buffer.data(), buffer.size());
  return size < 0 ? std::string() : std::string(buffer.data(), static_cast<std::size_t>(size));
}

class Tour {
 public:
  Tour(const std::string& root, const WorkspaceOptions& workspace, const WalkOptions& options, Visitor& visitor)
      : root_(root),
        workspace_(workspace),
        options_(options),
        most_(options.entries.value_or(workspace.limits.entries)),
        visitor_(visitor) {}

  // 0, or the errno with which the first folder could not be read.
  int begin(int folder, const std::string& place) {
    Handle handle(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return handle ? enter(std::move(handle), place, {}) : errno;
  }

  WalkEnd run() {
    while (!levels_.empty() && !end_.full && !end_.stopped) {
      Level& level = levels_.back();
      if (level.next == level.names.size()) {
        visitor_.leave();
        levels_.pop_back();
      } else {
        look(level, level.names[level.next++]);
      }
    }
    for (; !levels_.empty(); levels_.pop_back()) visitor_.leave();
    return end_;
  }

 private:
  int enter(Handle handle, std::string place, std::string path) {
    Level level;
    level.folder.reset(::fdopendir(handle.get()));
    if (!level.folder) return errno;
    static_cast<void>(handle.release());  // the stream closes it
    level.place = std::move(place);
    level.path = std::move(path);
    if (int e = read_names(level)) return e;
    levels_.push_back(std::move(level));
    visitor_.enter(FolderView(levels_.back().descriptor(), levels_.back().place));
    return 0;
  }

  int read_names(Level& level) {
    while (true) {
      errno = 0;
      const dirent* found = ::readdir(level.folder.get());
      if (!found) break;
      const std::string_view name = found->d_name;
      if (name == "." || name == "..") continue;
      if (level.names.size() >= workspace_.limits.folder_entries) {
        ++end_.folders_full;
        break;
      }
      level.names.push_back({std::string(name), found->d_type});
      if (level.names.size() % 1024 == 0 && options_.stop.stop_requested()) break;
    }
    if (errno != 0) return errno;
    std::ranges::sort(level.names, {}, &Named::name);
    return 0;
  }

  void look(Level& level, const Named& named) {
    if (options_.stop.stop_requested()) {
      end_.stopped = true;
      return;
    }
    std::string place = joined(level.place, named.name);
    if (is_off_limits(place, root_, workspace_.protected_folders)) {
      ++end_.off_limits;
      return;
    }
    Entry entry;
    entry.path = joined(level.path, named.name);
    entry.name = named.name;
    entry.kind = kind_of(type_of(level.descriptor(), named));
    entry.depth = levels_.size() - 1;
    if (entry.kind == Entry::Kind::link) entry.target = target_of(level.descriptor(), named.name);

    switch (visitor_.visit(entry, FolderView(level.descriptor(), level.place))) {
      case Visit::skip: return;
      case Visit::stop: end_.stopped = true; return;
      case Visit::take: break;
    }
    if (end_.entries == most_) {
      end_.full = true;
      return;
    }
    ++end_.entries;
    if (entry.kind == Entry::Kind::folder && options_.recursive) descend(level, entry, std::move(place));
  }

  void descend(const Level& level, const Entry& entry, std::string place) {
    if (levels_.size() > workspace_.limits.depth) {
      ++end_.too_deep;
      return;
    }
    Handle handle(::openat(level.descriptor(), entry.name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!handle || enter(std::move(handle), std::move(place), entry.path) != 0) ++end_.unreadable;
  }

  const std::string& root_;
  const WorkspaceOptions& workspace_;
  const WalkOptions& options_;
  std::size_t most_;
  Visitor& visitor_;
  std::vector<Level> levels_;
  WalkEnd end_;
};

}  // namespace

std::expected<OpenFile, PathError> FolderView::open(const std::string& name) const {
  const std::string path = joined(place_, name);
  struct stat s{};
  if (::fstatat(descriptor_, name.c_str(), &s, AT_SYMLINK_NOFOLLOW) != 0)
    return std::unexpected(system_error(errno, path, "read"));
  if (S_ISLNK(s.st_mode)) return std::unexpected(system_error(ELOOP, path, "read"));
  if (auto other = not_a_file(s, path)) return std::unexpected(std::move(*other));
  Handle handle(::openat(descriptor_, name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC));
  if (!handle || ::fstat(handle.get(), &s) != 0) return std::unexpected(system_error(errno, path, "read"));
  if (auto other = not_a_file(s, path)) return std::unexpected(std::move(*other));
  return OpenFile{std::move(handle), facts_of(s), name};
}

std::expected<WalkEnd, PathError> Workspace::walk(std::string_view path, const WalkOptions& options,
                                                  Visitor& visitor) const {
  auto folder = open_folder(path);
  if (!folder) return std::unexpected(folder.error());
  const WorkspaceOptions protection = with_git(options_, root_, git_folders(handle_.get()));
  Tour tour(root_, protection, options, visitor);
  if (int e = tour.begin(folder->handle.get(), folder->place)) return std::unexpected(system_error(e, path, "list"));
  return tour.run();
}

}  // namespace BELAY_NAMESPACE::sandbox
