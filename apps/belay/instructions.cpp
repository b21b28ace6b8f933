#include "instructions.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>

namespace belay::cli {
namespace {

constexpr std::size_t kInstructionBytes = 256u << 10;
constexpr int kTries = 64;

// Opens a file of a folder. What the file says goes to the model, so a link must not make it another file: one that
// stays in the workspace may be followed (CLAUDE.md is often one to AGENTS.md), none above it, and never one of /proc.
// Without blocking: a FIFO of that name would wait for ever.
int open_beneath(const std::string& folder, const char* name, bool above) {
  const int at = ::open(folder.empty() ? "/" : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (at < 0) return -1;
  constexpr std::uint64_t kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  open_how how{};
  how.flags = kFlags;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (above ? RESOLVE_NO_SYMLINKS : 0u);
  // Asked again while something is renamed or mounted, anywhere on the machine, in the moment of a link's `..`.
  int fd = -1;
  for (int i = 0; i < kTries && fd < 0 && (i == 0 || errno == EAGAIN); ++i)
    fd = static_cast<int>(::syscall(SYS_openat2, at, name, &how, sizeof how));
  if (fd < 0 && (errno == ENOSYS || errno == EPERM)) fd = ::openat(at, name, static_cast<int>(kFlags) | O_NOFOLLOW);
  const int error = errno;
  ::close(at);
  errno = error;
  return fd;
}

// Nothing: there is no such file, or it does not count.
std::optional<std::string> content_of(const std::string& folder, const char* name, bool above,
                                      std::vector<std::string>& notes) {
  const std::string path = folder + "/" + name;
  const int fd = open_beneath(folder, name, above);
  if (fd < 0) {
    if (errno == ELOOP || errno == EXDEV)
      notes.push_back(path + " was not read: it is a link that leads elsewhere");
    else if (errno != ENOENT && errno != ENOTDIR)
      notes.push_back(path + " was not read: " + std::strerror(errno));
    return std::nullopt;
  }
  struct stat info{};
  std::optional<std::string> out;
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    notes.push_back(path + " was not read: it is no regular file");
  } else if (above && info.st_uid != ::geteuid() && info.st_uid != 0) {
    notes.push_back(path + " was not read: it stands above the workspace and belongs to somebody else");
  } else {
    std::string text(kInstructionBytes + 1, '\0');
    std::size_t size = 0;
    for (ssize_t n = 0; size < text.size() && (n = ::read(fd, text.data() + size, text.size() - size)) > 0;)
      size += static_cast<std::size_t>(n);
    text.resize(std::min(size, kInstructionBytes));
    if (size > kInstructionBytes) notes.push_back("of " + path + " only the first 256 KiB were read");
    out = std::move(text);
  }
  ::close(fd);
  return out;
}

}  // namespace

Instructions find_instructions(const std::string& workspace) {
  std::vector<std::string> folders;
  for (std::string folder = workspace;;) {
    folders.push_back(folder == "/" ? "" : folder);
    if (folder.empty() || folder == "/") break;
    const std::size_t slash = folder.rfind('/');
    folder = slash == 0 || slash == std::string::npos ? "/" : folder.substr(0, slash);
  }
  Instructions out;
  for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
    const bool above = std::next(folder) != folders.rend();
    for (const char* name : {"AGENTS.md", "CLAUDE.md"}) {
      const std::string path = *folder + "/" + name;
      const auto text = content_of(*folder, name, above, out.notes);
      if (!text) continue;
      if (text->find_first_not_of(" \t\r\n") == std::string::npos) break;
      if (!out.text.empty()) out.text += "\n\n";
      out.text += "From " + path + ":\n\n" + *text;
      out.files.push_back(path);
      break;
    }
  }
  return out;
}

}  // namespace belay::cli
