#include <belay/sandbox/workspace.h>

#include "sandbox/beneath.h"
#include "sandbox/git_folders.h"
#include "sandbox/path_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace BELAY_NAMESPACE::sandbox {
namespace {

constexpr int kOpenTries = 16;
constexpr int kReading = O_RDONLY | O_NONBLOCK;

// Where a folder is or would be, with links resolved as far as it exists.
std::string settled(const std::string& folder) {
  std::error_code trouble;
  std::filesystem::path path = std::filesystem::weakly_canonical(folder, trouble);
  if (trouble) path = std::filesystem::path(folder).lexically_normal();
  std::string out = path.string();
  while (out.size() > 1 && out.ends_with('/')) out.pop_back();
  return out;
}

std::expected<std::string, int> real_path(int descriptor, const std::string& path) {
  if (auto known = proc_path(descriptor)) return known;
  std::unique_ptr<char, decltype(&std::free)> found(::realpath(path.c_str(), nullptr), &std::free);
  if (!found) return std::unexpected(errno);
  return std::string(found.get());
}

// Why a path was not found. What is protected does not even say whether it exists.
PathError not_found(const Beneath& beneath, int e, const std::string& relative, std::string_view path,
                    std::string_view doing, const std::string& root, const WorkspaceOptions& options) {
  for (std::string_view rest = relative; e == ENOENT || e == ENOTDIR || e == EACCES;) {
    const std::size_t slash = rest.rfind('/');
    if (slash == std::string_view::npos) break;
    rest = rest.substr(0, slash);
    if (rest.empty()) break;
    auto spot = beneath.find(std::string(rest));
    if (!spot) continue;
    if (is_off_limits(spot->place, root, options.protected_folders)) return off_limits_error(path);
    break;
  }
  return system_error(e, path, doing);
}

}  // namespace

std::optional<PathError> not_a_file(const struct stat& s, std::string_view path) {
  const auto error = [&](std::string_view what) {
    return PathError{PathErrorKind::not_a_file, brief(path) + " is " + std::string(what), 0};
  };
  if (S_ISREG(s.st_mode)) return std::nullopt;
  if (S_ISDIR(s.st_mode)) return error("a folder, not a file; list_files shows what is in it");
  if (S_ISFIFO(s.st_mode)) return error("a FIFO, not a file; only regular files are read and written");
  if (S_ISSOCK(s.st_mode)) return error("a socket, not a file; only regular files are read and written");
  return error("a device, not a file; only regular files are read and written");
}

std::expected<Workspace, PathError> Workspace::open(const std::string& path, WorkspaceOptions options) {
  if (path.empty() || path.find('\0') != std::string::npos)
    return std::unexpected(PathError{PathErrorKind::invalid, "a workspace needs the path of a folder", 0});
  Workspace w;
  w.handle_ = Handle(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!w.handle_) {
    if (errno == ENOTDIR)
      return std::unexpected(
          PathError{PathErrorKind::not_a_folder, brief(path) + " is not a folder, so it cannot be a workspace", errno});
    return std::unexpected(system_error(errno, path, "open"));
  }
  // The handle alone needs no permission; what is beneath does, and then every tool would fail for itself.
  struct stat facts{};
  if (::fstatat(w.handle_.get(), ".", &facts, 0) != 0) return std::unexpected(system_error(errno, path, "enter"));
  auto root = real_path(w.handle_.get(), path);
  if (!root) return std::unexpected(system_error(root.error(), path, "open"));
  w.root_ = std::move(*root);
  for (std::string& folder : options.protected_folders) folder = settled(folder);
  if (is_off_limits("", w.root_, options.protected_folders))
    return std::unexpected(PathError{PathErrorKind::off_limits,
                                     brief(path) + " is Belay's own configuration, so it cannot be a workspace", 0});
  const bool kernel = options.resolver != Resolver::walk && kernel_resolves(w.handle_.get());
  if (!kernel && options.resolver == Resolver::kernel)
    return std::unexpected(PathError{PathErrorKind::failed, "this system has no openat2, or no /proc", ENOSYS});
  options.resolver = kernel ? Resolver::kernel : Resolver::walk;
  w.options_ = std::move(options);
  return w;
}

std::expected<OpenFile, PathError> Workspace::open_file(std::string_view path) const {
  auto relative = relative_text(path, root_, options_);
  if (!relative) return std::unexpected(relative.error());
  const WorkspaceOptions options = with_git(options_, root_, git_folders(handle_.get()));
  const Beneath beneath(handle_.get(), options.resolver);
  int error = ESTALE;
  // Between finding and opening somebody may put another file there: then it is found again.
  for (int i = 0; i < kOpenTries && error == ESTALE; ++i) {
    auto spot = beneath.find(*relative);
    if (!spot) return std::unexpected(not_found(beneath, spot.error(), *relative, path, "read", root_, options));
    if (is_off_limits(spot->place, root_, options.protected_folders)) return std::unexpected(off_limits_error(path));
    if (auto other = not_a_file(spot->facts, path)) return std::unexpected(std::move(*other));
    auto handle = beneath.open(*spot, kReading);
    if (handle) return OpenFile{std::move(*handle), facts_of(spot->facts), std::move(spot->place)};
    error = handle.error();
  }
  return std::unexpected(system_error(error, path, "read"));
}

std::expected<FileContent, PathError> Workspace::read(std::string_view path) const {
  auto file = open_file(path);
  if (!file) return std::unexpected(file.error());
  const auto too_large = [&](const std::string& size) {
    return std::unexpected(PathError{PathErrorKind::too_large,
                                     brief(path) + " has " + size + " bytes, which is more than " +
                                         std::to_string(options_.limits.file_bytes) + " (limit file_bytes)",
                                     EFBIG});
  };
  if (file->facts.size > options_.limits.file_bytes) return too_large(std::to_string(file->facts.size));
  FileContent content{{}, file->facts, file->place};
  content.bytes.reserve(static_cast<std::size_t>(file->facts.size));
  auto done = read_pieces(*file, options_.limits.file_bytes, "file_bytes", [&](std::string_view piece) {
    content.bytes += piece;
    return true;
  });
  if (!done && done.error().kind == PathErrorKind::too_large)
    return too_large("more than " + std::to_string(content.bytes.size()));
  if (!done) return std::unexpected(system_error(done.error().error_number, path, "read"));
  return content;
}

std::expected<Folder, PathError> Workspace::open_folder(std::string_view path) const {
  auto relative = relative_text(path, root_, options_);
  if (!relative) return std::unexpected(relative.error());
  const WorkspaceOptions options = with_git(options_, root_, git_folders(handle_.get()));
  const Beneath beneath(handle_.get(), options.resolver);
  auto spot = beneath.find(*relative);
  if (!spot) return std::unexpected(not_found(beneath, spot.error(), *relative, path, "enter", root_, options));
  if (is_off_limits(spot->place, root_, options.protected_folders)) return std::unexpected(off_limits_error(path));
  if (!S_ISDIR(spot->facts.st_mode)) {
    if (auto other = not_a_file(spot->facts, path)) return std::unexpected(std::move(*other));
    return std::unexpected(PathError{PathErrorKind::not_a_folder, brief(path) + " is a file, not a folder", 0});
  }
  std::string real = root_ == "/" ? "/" + spot->place : joined(root_, spot->place);
  return Folder{std::move(spot->handle), std::move(spot->place), std::move(real)};
}

std::expected<void, PathError> read_pieces(const OpenFile& file, std::uint64_t most, std::string_view limit,
                                           const std::function<bool(std::string_view)>& piece) {
  std::vector<char> buffer(64 * 1024);
  std::uint64_t total = 0;
  while (true) {
    const ssize_t got = ::read(file.handle.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::unexpected(system_error(errno, file.place, "read"));
    if (got == 0) return {};
    total += static_cast<std::uint64_t>(got);
    if (total > most)
      return std::unexpected(PathError{
          PathErrorKind::too_large,
          brief(file.place) + " has more than " + std::to_string(most) + " bytes (limit " + std::string(limit) + ")",
          EFBIG});
    if (!piece({buffer.data(), static_cast<std::size_t>(got)})) return {};
  }
}

}  // namespace BELAY_NAMESPACE::sandbox
