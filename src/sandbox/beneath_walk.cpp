// The way without openat2: one name after the other, each opened in the folder that is already open, links read and
// followed by their text. Going up goes back to the folder that was come from, so nothing that is moved meanwhile leads
// out.
#include "sandbox/beneath.h"
#include "sandbox/path_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

namespace BELAY_NAMESPACE::sandbox {
namespace {

struct Step {
  Handle handle;
  std::string name;
};

// The parts of a path, last first. A slash at the end asks for a folder, as `.` does.
void push_parts(const std::string& path, std::vector<std::string>& pending) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    parts.push_back(end == at ? "." : path.substr(at, end - at));
    at = end + 1;
  }
  pending.insert(pending.end(), parts.rbegin(), parts.rend());
}

std::expected<std::string, int> link_target(int descriptor) {
  std::array<char, 4097> buffer{};
  const ssize_t size = ::readlinkat(descriptor, "", buffer.data(), buffer.size());
  if (size < 0) return std::unexpected(errno);
  if (size == 0) return std::unexpected(ENOENT);
  if (static_cast<std::size_t>(size) == buffer.size()) return std::unexpected(ENAMETOOLONG);
  return std::string(buffer.data(), static_cast<std::size_t>(size));
}

class Walk {
 public:
  explicit Walk(int root) : root_(root) {}

  std::expected<Spot, int> to(const std::string& relative) {
    if (relative.empty() || relative.starts_with('/')) return std::unexpected(relative.empty() ? ENOENT : EXDEV);
    push_parts(relative, pending_);
    while (!pending_.empty()) {
      const std::string part = std::move(pending_.back());
      pending_.pop_back();
      if (int e = step(part)) return std::unexpected(e);
    }
    return spot();
  }

 private:
  [[nodiscard]] int here() const { return steps_.empty() ? root_ : steps_.back().handle.get(); }

  // 0, or an errno. What stands on top is a folder as long as anything is pending.
  int step(const std::string& part) {
    if (on_file_) return ENOTDIR;
    if (part == ".") return 0;
    if (part == "..") {
      if (steps_.empty()) return EXDEV;
      steps_.pop_back();
      return 0;
    }
    Handle next(::openat(here(), part.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat facts{};
    if (!next || ::fstat(next.get(), &facts) != 0) return errno;
    if (S_ISLNK(facts.st_mode)) return follow(next.get());
    on_file_ = !S_ISDIR(facts.st_mode);
    steps_.push_back({std::move(next), part});
    return 0;
  }

  int follow(int link) {
    if (++links_ > kMostLinks) return ELOOP;
    // A name in the way needs the right to go through the folder only; so does the link's text.
    auto target = link_target(link);
    if (!target) return target.error();
    if (target->starts_with('/')) return EXDEV;
    push_parts(*target, pending_);
    return 0;
  }

  std::expected<Spot, int> spot() {
    Spot out;
    for (const Step& s : steps_) (out.place += out.place.empty() ? "" : "/") += s.name;
    if (steps_.empty()) {
      out.handle = Handle(::openat(root_, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
      if (!out.handle) return std::unexpected(errno);
    } else {
      out.handle = std::move(steps_.back().handle);
      out.parent = steps_.size() > 1 ? std::move(steps_[steps_.size() - 2].handle)
                                     : Handle(::openat(root_, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
      if (!out.parent) return std::unexpected(errno);
    }
    if (::fstat(out.handle.get(), &out.facts) != 0) return std::unexpected(errno);
    return out;
  }

  int root_;
  int links_ = 0;
  bool on_file_ = false;
  std::vector<Step> steps_;
  std::vector<std::string> pending_;  // what is still to go, last first
};

}  // namespace

std::expected<Spot, int> Beneath::find_by_walk(const std::string& relative) const { return Walk(root_).to(relative); }

}  // namespace BELAY_NAMESPACE::sandbox
