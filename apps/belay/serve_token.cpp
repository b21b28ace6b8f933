#include "serve_token.h"

#include "terminal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace belay::cli {
namespace {

constexpr std::size_t kMade = 64;  // digits of a token that was made here

struct Descriptor {
  explicit Descriptor(int number) : fd(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  int fd;
};

bool is_at(int fd, const std::string& file) {
  struct stat ours{}, there{};
  return ::fstat(fd, &ours) == 0 && ::lstat(file.c_str(), &there) == 0 && ours.st_dev == there.st_dev &&
         ours.st_ino == there.st_ino;
}

// Empty, or why the file is not an old token's. Locks it.
std::string why_not_replaced(int fd, const std::string& file) {
  struct stat found{};
  if (::fstat(fd, &found) != 0) return std::strerror(errno);
  const bool ours = S_ISREG(found.st_mode) && found.st_uid == ::geteuid() && (found.st_mode & 07777) == 0600;
  std::array<char, kMade + 2> text{};
  const ssize_t got = ours ? ::pread(fd, text.data(), text.size(), 0) : -1;
  const std::string_view held(text.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
  if (held.size() != kMade + 1 || held.find_first_not_of("0123456789abcdef") != kMade || held.back() != '\n')
    return "something else is there, which is not replaced";
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0 || !is_at(fd, file)) return "another server uses it";
  return {};
}

}  // namespace

std::expected<ServeToken, std::string> ServeToken::from(const config::Environment& environment) {
  constexpr std::size_t kLeast = 16, kMost = 4096;
  if (const auto given = environment(kVariable)) {
    // A header can hold no more than this, and a short word can be guessed.
    const bool plain = std::ranges::all_of(*given, [](unsigned char c) { return c > ' ' && c < 127; });
    if (given->size() < kLeast || given->size() > kMost || !plain)
      return std::unexpected(std::string(kVariable) +
                             " has to be 16 to 4096 letters, digits and signs, without spaces; unset it, and a token "
                             "is made");
    return ServeToken(*given, false);
  }
  std::array<unsigned char, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return std::unexpected("this machine gives no random numbers: give a token by " + std::string(kVariable));
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned char b : bytes) {
    text += kDigits[b >> 4];
    text += kDigits[b & 15];
  }
  return ServeToken(std::move(text), true);
}

ServeToken::ServeToken(ServeToken&& other) noexcept
    : text_(std::move(other.text_)),
      file_(std::exchange(other.file_, {})),
      held_(std::exchange(other.held_, -1)),
      made_(other.made_) {}

ServeToken::~ServeToken() {
  if (held_ < 0) return;
  if (is_at(held_, file_)) ::unlink(file_.c_str());
  ::close(held_);
}

std::expected<void, std::string> ServeToken::keep(std::string file) {
  const auto no = [&](const std::string& why) {
    return std::unexpected("the token cannot be written to '" + printable(file) + "': " + why +
                           "; --token-file FILE names another");
  };
  // The lock on an old one is held until the new one has its name: of two servers at once, one is refused.
  const int old = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
  if (old < 0 && errno != ENOENT)
    return no(errno == ELOOP ? "it is a symbolic link, which is not replaced" : std::strerror(errno));
  const Descriptor old_one(old);
  if (old >= 0)
    if (const std::string why = why_not_replaced(old, file); !why.empty()) return no(why);
  // Under a name of its own first, which nobody else has.
  const std::string fresh = file + "." + std::to_string(::getpid());
  const int fd = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return no(std::strerror(errno));
  const std::string line = text_ + "\n";
  bool written =
      ::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  // A link, other than a rename, replaces nothing.
  if (old >= 0)
    written = written && ::rename(fresh.c_str(), file.c_str()) == 0;
  else
    written = written && ::link(fresh.c_str(), file.c_str()) == 0;
  const std::string why = std::strerror(errno);
  if (!written || old < 0) ::unlink(fresh.c_str());
  if (!written) {
    ::close(fd);
    return no(why);
  }
  held_ = fd;
  file_ = std::move(file);
  return {};
}

}  // namespace belay::cli
