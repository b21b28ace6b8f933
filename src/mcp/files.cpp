#include "mcp/files.h"

#include <belay/sandbox/handle.h>
#include <belay/sandbox/path_error.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace BELAY_NAMESPACE::mcp {
namespace {

std::unexpected<std::string> trouble(std::string_view doing, const std::string& path) {
  return std::unexpected("cannot " + std::string(doing) + " " + sandbox::shown_path(path) + ": " +
                         std::strerror(errno));
}

std::expected<void, std::string> make_folders(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  for (std::size_t at = 1; at <= folder.size() && !folder.empty(); ++at) {
    if (at < folder.size() && folder[at] != '/') continue;
    const std::string part = folder.substr(0, at);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES)
      return trouble("make", part);
  }
  return {};
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

std::expected<std::optional<std::string>, std::string> read_small(const std::string& path, std::size_t most) {
  const sandbox::Handle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (!file) return trouble("read", path);
  struct stat s{};
  if (::fstat(file.get(), &s) != 0) return trouble("read", path);
  if (!S_ISREG(s.st_mode)) return std::unexpected("cannot read " + sandbox::shown_path(path) + ": it is no file");
  std::string out;
  char buffer[65536];
  while (out.size() <= most) {
    const ssize_t n = ::read(file.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return trouble("read", path);
    if (n == 0) return out;
    out.append(buffer, static_cast<std::size_t>(n));
  }
  return std::unexpected(sandbox::shown_path(path) + " is larger than " + std::to_string(most) + " bytes");
}

std::expected<void, std::string> write_small(const std::string& path, std::string_view content) {
  if (auto made = make_folders(path); !made) return made;
  std::string name = path + ".XXXXXX";
  const sandbox::Handle file(::mkostemp(name.data(), O_CLOEXEC));  // 0600
  if (!file) return trouble("write beside", path);
  if (!write_all(file.get(), content) || ::fsync(file.get()) != 0 || ::rename(name.c_str(), path.c_str()) != 0) {
    auto error = trouble("write", path);
    ::unlink(name.c_str());
    return error;
  }
  return {};
}

std::expected<void, std::string> while_locked(const std::string& path,
                                              const std::function<std::expected<void, std::string>()>& work) {
  if (auto made = make_folders(path); !made) return made;
  const std::string name = path + ".lock";
  const sandbox::Handle lock(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock) return trouble("lock", path);
  while (::flock(lock.get(), LOCK_EX) != 0)
    if (errno != EINTR) return trouble("lock", path);
  return work();
}

}  // namespace BELAY_NAMESPACE::mcp
