#include "store/place.h"

#include "store/failure.h"
#include "store/schema.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

namespace BELAY_NAMESPACE::store {
namespace {

using Kind = Error::Kind;

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool has_bytes(const std::string& path) {
  struct stat s{};
  return ::stat(path.c_str(), &s) == 0 && s.st_size > 0;
}

bool may(const std::string& path, int what) { return ::faccessat(AT_FDCWD, path.c_str(), what, AT_EACCESS) == 0; }

// SQLite deletes a log that stands beside an empty file, and with it what the file should have held.
std::optional<Error> left_log(const std::string& path) {
  if (!has_bytes(path + "-wal")) return std::nullopt;
  return Error{Kind::corrupt, "'" + path + "' is empty or gone, but its log '" + path +
                                  "-wal' is there: put the file back beside it, or remove the log to begin anew"};
}

// Not opened: closing a descriptor of ours would drop the locks that another Store of this process has on the file.
Expected<void> make_file(const std::string& path) {
  // A file stands there before its log does: one that is still missing now was not just being made by somebody else.
  if (auto trouble = left_log(path)) {
    struct stat s{};
    if (::lstat(path.c_str(), &s) == 0) return {};
    return std::unexpected(std::move(*trouble));
  }
  if (::mknod(path.c_str(), S_IFREG | 0600, 0) != 0) {
    if (errno == EEXIST) return {};  // somebody else was faster
    return std::unexpected(from_errno(errno, path, "make"));
  }
  const std::string folder = folder_of(path);
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return {};  // a folder that may be written and not be read
  const int synced = ::fsync(fd);
  const int number = errno;
  ::close(fd);
  if (synced != 0 && number != EINVAL) return std::unexpected(from_errno(number, folder, "sync"));
  return {};
}

Expected<void> check_file(const std::string& path) {
  struct stat s{};
  if (::stat(path.c_str(), &s) != 0) {
    if (errno == ENOENT)
      return fail(Kind::refused, "'" + path + "' is a link to nothing: remove it, or make its target");
    return std::unexpected(from_errno(errno, path, "look at"));
  }
  if (S_ISDIR(s.st_mode)) return fail(Kind::refused, "'" + path + "' is a folder: name a file in it");
  if (!S_ISREG(s.st_mode)) return fail(Kind::refused, "'" + path + "' is no ordinary file: choose another path");
  if (!may(path, R_OK)) return std::unexpected(from_errno(errno, path, "read"));
  if (!may(path, W_OK) && errno == EROFS) return std::unexpected(from_errno(EROFS, path, "write"));
  if (!may(path, W_OK))
    return fail(Kind::read_only, "'" + path + "' cannot be written: change its mode, or choose another path");
  return {};
}

// The file's first bytes, read by SQLite's own file system, which knows about the locks of this process.
struct Head {
  std::int64_t size = 0;
  std::array<unsigned char, 100> bytes{};

  [[nodiscard]] std::uint32_t at(std::size_t offset) const {
    const unsigned char* p = bytes.data() + offset;
    return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | std::uint32_t{p[3]};
  }
  [[nodiscard]] bool is_sqlite() const { return std::memcmp(bytes.data(), "SQLite format 3", 16) == 0; }
  [[nodiscard]] std::int64_t application() const { return at(68); }
  [[nodiscard]] std::uint32_t version() const { return at(60); }
  /// The size that it says it has.
  [[nodiscard]] std::int64_t whole_size() const {
    const std::int64_t page = std::int64_t{bytes[16]} << 8 | bytes[17];
    return (page == 1 ? 65536 : page) * at(28);
  }
};

class PeekedFile {
 public:
  PeekedFile(const PeekedFile&) = delete;
  PeekedFile& operator=(const PeekedFile&) = delete;
  static Expected<Head> head(sqlite3_vfs* vfs, const std::string& path) {
    const std::unique_ptr<char, void (*)(char*)> name(
        const_cast<char*>(sqlite3_create_filename(path.c_str(), "", "", 0, nullptr)),
        [](char* made) { sqlite3_free_filename(made); });
    const auto size = static_cast<std::size_t>(vfs->szOsFile);
    // As aligned as SQLite would have it.
    auto memory = std::make_unique<std::max_align_t[]>(size / sizeof(std::max_align_t) + 1);
    std::memset(memory.get(), 0, size);
    PeekedFile file(reinterpret_cast<sqlite3_file*>(memory.get()));
    if (!name) return fail(Kind::refused, "no memory to use '" + path + "'");

    int code = vfs->xOpen(vfs, name.get(), file.file_, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, nullptr);
    Head head;
    sqlite3_int64 bytes = 0;
    if (code == SQLITE_OK) code = file.file_->pMethods->xFileSize(file.file_, &bytes);
    head.size = bytes;
    if (code == SQLITE_OK && bytes > 0)
      code = file.file_->pMethods->xRead(file.file_, head.bytes.data(), static_cast<int>(head.bytes.size()), 0);
    if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ)
      return std::unexpected(from_sqlite(code, 0, path, sqlite3_errstr(code)));
    return head;
  }

 private:
  explicit PeekedFile(sqlite3_file* file) : file_(file) {}
  ~PeekedFile() {
    if (file_->pMethods) file_->pMethods->xClose(file_);
  }
  sqlite3_file* file_;
};

// The journal of the transaction that made the file says that there was nothing before. Whoever reads it next takes the
// half-made file back to that.
bool is_being_made(const std::string& path) {
  const int fd = ::open((path + "-journal").c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  std::array<unsigned char, 20> head{};
  const bool whole = ::pread(fd, head.data(), head.size(), 0) == static_cast<ssize_t>(head.size());
  ::close(fd);
  constexpr std::array<unsigned char, 8> kMagic = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
  return whole && std::memcmp(head.data(), kMagic.data(), kMagic.size()) == 0 && head[16] == 0 && head[17] == 0 &&
         head[18] == 0 && head[19] == 0;
}

Expected<void> check_head(const Head& head, const std::string& path) {
  if (head.size == 0) {
    if (auto trouble = left_log(path)) return std::unexpected(std::move(*trouble));
    return {};
  }
  const auto remedy = ": choose another path, or move it away";
  if (!head.is_sqlite())
    return fail(Kind::refused, "'" + path + "' holds something else than Belay's tasks, or is damaged" + remedy);
  if (head.application() != kApplicationId)
    return fail(Kind::refused, "'" + path + "' is an SQLite file of another program" + remedy);
  if (head.version() > steps().size()) return std::unexpected(too_new(path, head.version(), steps().size()));
  // With a log or a journal the file may be on its way to that size.
  if (head.size < head.whole_size() && !has_bytes(path + "-wal") && !has_bytes(path + "-journal"))
    return fail(Kind::corrupt,
                "'" + path + "' is damaged (" + std::to_string(head.size) + " of " + std::to_string(head.whole_size()) +
                    " bytes are there): restore a copy of it, or move it away to begin with an empty one");
  return {};
}

}  // namespace

Expected<std::string> find_place(const SqliteOptions& options) {
  if (options.path.empty()) return fail(Kind::refused, "the path of the file of tasks is empty: name one");
  if (options.path.find('\0') != std::string::npos)
    return fail(Kind::refused, "the path of the file of tasks holds a NUL: leave it out");
  sqlite3_initialize();
  sqlite3_vfs* vfs = sqlite3_vfs_find(options.vfs.empty() ? nullptr : options.vfs.c_str());
  if (!vfs) return fail(Kind::refused, "SQLite has no file system named '" + options.vfs + "': leave the name empty");

  struct stat there{};
  if (::lstat(options.path.c_str(), &there) != 0) {
    if (errno != ENOENT) return std::unexpected(from_errno(errno, options.path, "look at"));
    if (auto made = make_file(options.path); !made) return std::unexpected(std::move(made.error()));
  }
  if (auto fine = check_file(options.path); !fine) return std::unexpected(std::move(fine.error()));
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(options.path.c_str(), nullptr), std::free);
  if (!real) return std::unexpected(from_errno(errno, options.path, "find"));
  std::string path = real.get();
  // The log is made beside the file.
  if (const std::string folder = folder_of(path); !may(folder, W_OK | X_OK))
    return fail(Kind::read_only, "nothing can be written into '" + folder + "', where the log of '" + path +
                                     "' must stand: change its mode, or choose another path");

  auto head = PeekedFile::head(vfs, path);
  if (!head) return std::unexpected(std::move(head.error()));
  auto fine = check_head(*head, path);
  if (!fine && !is_being_made(path)) {
    // Somebody may have made it whole between the two looks.
    head = PeekedFile::head(vfs, path);
    if (!head) return std::unexpected(std::move(head.error()));
    fine = check_head(*head, path);
    if (!fine) return std::unexpected(std::move(fine.error()));
  }
  return path;
}

}  // namespace BELAY_NAMESPACE::store
