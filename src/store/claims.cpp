#include "store/claims.h"

#include "store/failure.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <ctime>
#include <thread>
#include <utility>

namespace BELAY_NAMESPACE::store {
namespace {

using Kind = Error::Kind;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kNameBytes = 200;   // of a claim's file; file systems take 255
constexpr std::size_t kOwnerBytes = 400;  // of an owner's name

class FileClaim final : public Claim {
 public:
  FileClaim(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;
  // Removed while it is locked: who waits for it looks whether it still stands there.
  ~FileClaim() override {
    if (mine_ && owner_ == ::getpid()) ::unlink(path_.c_str());
    ::close(fd_);
  }
  /// The file is somebody else's, and stays.
  void give_up() { mine_ = false; }

 private:
  int fd_;
  std::string path_;
  bool mine_ = true;
  pid_t owner_ = ::getpid();  // a forked child that destroys its copy must not end the owner's claim
};

struct Holder {
  std::string name = "somebody";
  std::int64_t pid = 0, since = 0;
};

std::string time_text(std::int64_t seconds) {
  const std::time_t t = seconds;
  std::tm parts{};
  char text[32];
  if (seconds <= 0 || !::gmtime_r(&t, &parts) || std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0)
    return "an unknown time";
  return text;
}

// `pid since name`, in one write; who reads too early learns less.
std::string written(const Owner& owner) {
  std::string name;
  for (char c : owner.name.substr(0, kOwnerBytes)) name += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  const std::int64_t pid = owner.pid != 0 ? owner.pid : ::getpid();
  return std::to_string(pid) + " " + std::to_string(std::time(nullptr)) + " " + name + "\n";
}

Holder read_holder(int fd) {
  char bytes[kOwnerBytes + 64];
  const ssize_t got = ::pread(fd, bytes, sizeof bytes, 0);
  Holder holder;
  if (got <= 0) return holder;
  const char* at = bytes;
  const char* const end = bytes + got;
  for (std::int64_t* number : {&holder.pid, &holder.since}) {
    const auto [next, trouble] = std::from_chars(at, end, *number);
    if (trouble != std::errc() || next == end || *next != ' ') return holder;
    at = next + 1;
  }
  std::string_view name(at, static_cast<std::size_t>(end - at));
  name = name.substr(0, name.find('\n'));
  if (!name.empty()) holder.name = name;
  return holder;
}

bool is_gone(std::int64_t pid) {
  return pid > 0 && pid <= 0x7fffffff && ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
}

Error taken(std::string_view root, const Holder& holder) {
  std::string who = holder.name;
  if (holder.pid != 0) who += ", process " + std::to_string(holder.pid) + " since " + time_text(holder.since);
  if (is_gone(holder.pid))
    return {Kind::claimed, "task " + std::string(root) + " was being run (" + who +
                               "), and something that it started still runs: wait until that ends, or end it"};
  return {Kind::claimed,
          "task " + std::string(root) + " is being run (" + who + "): wait until it ends there, or end that process"};
}

bool same_file(int fd, const std::string& path) {
  struct stat mine{}, there{};
  return ::fstat(fd, &mine) == 0 && ::stat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
         mine.st_dev == there.st_dev;
}

Expected<void> note_owner(int fd, const std::string& path, const Owner& owner) {
  const std::string note = written(owner);
  if (::ftruncate(fd, 0) == 0 && ::pwrite(fd, note.data(), note.size(), 0) == static_cast<ssize_t>(note.size()))
    return {};
  return std::unexpected(from_errno(errno, path, "write"));
}

}  // namespace

// Letters, digits, `-`, `_` and inner dots stand for themselves. Long names end in a hash: two tasks that share one
// cannot be run at once, and nothing worse.
std::string Claims::file_of(std::string_view root) const {
  constexpr char kHex[] = "0123456789abcdef";
  std::string name;
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char c : root) {
    const auto byte = static_cast<unsigned char>(c);
    hash = (hash ^ byte) * 0x100000001b3;
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '_' || (c == '.' && !name.empty());
    if (plain)
      name += c;
    else
      (name += '%') += {kHex[byte >> 4], kHex[byte & 15]};
  }
  if (name.size() > kNameBytes) {
    name.resize(kNameBytes - 17);
    name += '+';
    for (int shift = 60; shift >= 0; shift -= 4) name += kHex[hash >> shift & 15];
  }
  return folder_ + "/" + name;
}

Expected<std::unique_ptr<Claim>> Claims::claim(std::string_view root, const Owner& owner) const {
  if (::mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST)
    return std::unexpected(from_errno(errno, folder_, "make the folder"));
  std::string path = file_of(root);
  const auto end = Clock::now() + std::chrono::milliseconds(wait_ms_);
  while (true) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (fd < 0) return std::unexpected(from_errno(errno, path, "open"));
    auto mine = std::make_unique<FileClaim>(fd, path);
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) {
      if (!same_file(fd, path)) {  // its owner removed it in between
        mine->give_up();
        continue;
      }
      if (auto noted = note_owner(fd, path, owner); !noted) return std::unexpected(std::move(noted.error()));
      return mine;
    }
    const int number = errno;
    const Holder holder = read_holder(fd);
    mine->give_up();
    if (number != EWOULDBLOCK) return std::unexpected(from_errno(number, path, "lock"));
    if (!is_gone(holder.pid) || Clock::now() >= end) return std::unexpected(taken(root, holder));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace BELAY_NAMESPACE::store
