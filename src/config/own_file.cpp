#include "own_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace BELAY_NAMESPACE::config {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

std::unexpected<Problem> wrong(const std::string& path, std::string message) {
  return std::unexpected(Problem{std::move(message), path});
}

// What is wrong with who may change it; empty when nobody but its owner can.
std::string others_of(const struct stat& s, const std::string& path, const char* what) {
  if (s.st_uid != ::geteuid() && s.st_uid != 0)
    return std::string(what) + " belongs to another user (" + std::to_string(s.st_uid) +
           "), who could send your keys elsewhere; make it yours: chown $(id -u) '" + path + "'";
  const bool kept = S_ISDIR(s.st_mode) && (s.st_mode & S_ISVTX) != 0;  // nobody replaces what is another's there
  if ((s.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !kept)
    return std::string(what) + " can be changed by others, who could send your keys elsewhere; run: chmod go-w '" +
           path + "'";
  return {};
}

// Who may change a folder may put another file there, or another link: that counts for each one on the way.
std::expected<void, Problem> folders_of(const std::string& path) {
  constexpr int kLinks = 40;  // as many as the kernel follows
  std::string here = path;
  for (int links = 0; links < kLinks; ++links) {
    const std::string folder = here.substr(0, here.rfind('/') + 1);
    struct stat around{};
    if (!folder.empty() && ::stat(folder.c_str(), &around) == 0)
      if (std::string message = others_of(around, folder, links == 0 ? "its folder" : "the folder that it leads to");
          !message.empty())
        return wrong(path, message);
    std::array<char, 4096> target;
    const ssize_t size = ::readlink(here.c_str(), target.data(), target.size());
    if (size <= 0) return {};
    const std::string_view to(target.data(), static_cast<std::size_t>(size));
    here = to.starts_with('/') ? std::string(to) : folder + std::string(to);
  }
  return wrong(path, "leads through too many links");
}

}  // namespace

std::expected<std::optional<OwnFile>, Problem> read_own_file(const std::string& path, std::uint64_t at_most) {
  // Without waiting: the name may stand for a pipe.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    return wrong(path, std::string("cannot be read: ") + std::strerror(errno));
  }
  struct stat s{};
  if (::fstat(file.get(), &s) != 0) return wrong(path, std::string("cannot be read: ") + std::strerror(errno));
  if (!S_ISREG(s.st_mode)) return wrong(path, "expected a file, and this is something else");
  if (std::string message = others_of(s, path, "the file"); !message.empty()) return wrong(path, message);
  if (auto safe = folders_of(path); !safe) return std::unexpected(std::move(safe.error()));

  OwnFile out;
  out.for_owner_only = (s.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  std::array<char, 64 * 1024> piece;
  while (true) {
    const ssize_t got = ::read(file.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return wrong(path, std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) return out;
    out.text.append(piece.data(), static_cast<std::size_t>(got));
    if (out.text.size() > at_most)
      return wrong(path, "has more than " + std::to_string(at_most) +
                             " bytes, which is the limit (LoadOptions::file_bytes); leave something out");
  }
}

}  // namespace BELAY_NAMESPACE::config
