// The workspace: files beneath one folder, and nothing else.
#pragma once

#include <belay/sandbox/handle.h>
#include <belay/sandbox/path_error.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::sandbox {

/// Why tools and commands refuse `/` as their workspace.
inline constexpr std::string_view kRootIsNoWorkspace =
    "the workspace is /: then nothing would be outside of it; choose a folder";

/// Each error that comes from a limit names it as it is named here.
struct WorkspaceLimits {
  std::uint64_t file_bytes = 64ull << 20;  ///< of a file that is held whole, or written
  std::uint64_t scan_bytes = 4ull << 30;   ///< of a file that is read through piece by piece
  std::size_t path_bytes = 4096;           ///< of a path
  std::size_t entries = 10'000;            ///< that one walk lists
  std::size_t folder_entries = 200'000;    ///< of one folder that a walk looks at
  std::size_t depth = 100;                 ///< folders inside each other that a walk enters
  bool operator==(const WorkspaceLimits&) const = default;
};

/// Who finds the way beneath the root.
enum class Resolver : std::uint8_t {
  automatic,  ///< the kernel where it can, otherwise the walk
  kernel,     ///< openat2 with RESOLVE_BENEATH; needs Linux 5.6 and /proc
  walk,       ///< one component after the other, links read here
};

struct WorkspaceOptions {
  WorkspaceLimits limits{};
  /// Absolute paths of more folders that nobody may read or write here: Belay's configuration, wherever it is. They
  /// need not exist.
  std::vector<std::string> protected_folders{};
  Resolver resolver = Resolver::automatic;
};

/// What one file was when it was opened.
struct FileFacts {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t modified_seconds = 0, modified_nanoseconds = 0;
  std::uint32_t mode = 0;
  bool operator==(const FileFacts&) const = default;
};

/// A regular file, open for reading.
struct OpenFile {
  Handle handle;
  FileFacts facts;
  std::string place;  ///< where it really is, from the root on, links resolved; for one of a walk, its name
};

struct FileContent {
  std::string bytes;
  FileFacts facts;
  std::string place;
};

/// A folder, open as a place (O_PATH): for openat and fchdir.
struct Folder {
  Handle handle;
  std::string place;  ///< from the root on, links resolved; empty for the root
  std::string real;   ///< the absolute path of the same
};

/// What has to be there when a file is written.
struct Expected {
  enum class Is : std::uint8_t { anything, nothing, content };
  Is is = Is::anything;
  std::string_view bytes{};  ///< content: exactly these
};

/// Why a file is not to be written at its place; empty: it may be.
using Refuse = std::function<std::string(std::string_view place)>;

struct Written {
  bool created = false;      ///< there was nothing before
  std::size_t folders = 0;   ///< folders that were made for it
  bool owner_lost = false;   ///< the owner or group could not be kept
  bool synchronised = true;  ///< false: it is written, but the folder could not be forced to the disk
  std::string place;
};

struct Entry {
  enum class Kind : std::uint8_t { file, folder, link, other };
  std::string path;  ///< from the folder on in which the walk began
  std::string name;  ///< the last part of it; any bytes but / and NUL
  Kind kind = Kind::other;
  std::string target;     ///< of a link
  std::size_t depth = 0;  ///< 0: directly in the folder in which the walk began
};

/// The folder that a walk is in, while it is there.
class FolderView {
 public:
  FolderView(int descriptor, std::string_view place) : descriptor_(descriptor), place_(place) {}
  [[nodiscard]] std::string_view place() const { return place_; }  ///< from the root on; empty for the root
  /// A regular file of this folder, open for reading. Links are not followed.
  [[nodiscard]] std::expected<OpenFile, PathError> open(const std::string& name) const;

 private:
  int descriptor_;
  std::string_view place_;
};

/// What a walk does with an entry.
enum class Visit : std::uint8_t {
  take,  ///< it counts; a folder is entered when the walk is recursive
  skip,  ///< as if it were not there; a folder is not entered
  stop,  ///< the walk ends here
};

class Visitor {
 public:
  virtual ~Visitor() = default;
  /// Before the entries of a folder, and after them.
  virtual void enter(const FolderView&) {}
  virtual void leave() {}
  virtual Visit visit(const Entry& entry, const FolderView& folder) = 0;
};

struct WalkOptions {
  bool recursive = false;
  std::optional<std::size_t> entries{};  ///< another limit than that of the workspace
  std::stop_token stop{};
};

/// How a walk went. What it did not show is counted.
struct WalkEnd {
  std::size_t entries = 0;       ///< that were taken
  std::size_t off_limits = 0;    ///< protected, and left out
  std::size_t unreadable = 0;    ///< folders that could not be read
  std::size_t too_deep = 0;      ///< folders that were not entered for their depth
  std::size_t folders_full = 0;  ///< folders with more entries than the limit, of which some were not seen
  bool full = false;             ///< there was more than the limit of entries
  bool stopped = false;          ///< by the visitor or the token
};

/// One folder and what is beneath it. Move-only; all that is const may be used by several threads at once. Descriptors
/// are opened beneath the root's own, so that nothing that is renamed or linked meanwhile leads elsewhere.
///
/// Paths are taken literally: no ~, no variables, no backslashes, bytes as they are. They are relative to the root, or
/// absolute and begin with it. Links are followed where the target stays beneath the root and is relative, except for
/// the last part of a path that is written. Protected places are refused by their text, and by where a path really
/// leads: `.git` and `.belay` in all spellings that some file system takes for the same, `belay` in `.config`,
/// `.local/share`, `.local/state` and `.cache`, and the folders of the options.
///
/// A hard link is a file like any other: what it shares with a place outside can be read. It is never written: a file
/// is replaced, and the other name keeps what it had.
class Workspace {
 public:
  static std::expected<Workspace, PathError> open(const std::string& path, WorkspaceOptions options = {});

  [[nodiscard]] const std::string& root() const { return root_; }  ///< absolute, links resolved, as it was opened
  [[nodiscard]] int root_descriptor() const { return handle_.get(); }
  [[nodiscard]] const WorkspaceLimits& limits() const { return options_.limits; }
  /// Those of the options, links resolved.
  [[nodiscard]] const std::vector<std::string>& protected_folders() const { return options_.protected_folders; }
  [[nodiscard]] Resolver resolver() const { return options_.resolver; }  ///< kernel or walk

  /// A regular file, whatever its size. A FIFO or a device is refused without being opened.
  [[nodiscard]] std::expected<OpenFile, PathError> open_file(std::string_view path) const;
  /// All of a file, at most `file_bytes`, whatever size it claims to have.
  [[nodiscard]] std::expected<FileContent, PathError> read(std::string_view path) const;

  /// Puts `content` there, as a whole or not at all: a new file is written beside the old one, forced to the disk, and
  /// takes its name. The mode stays, without set-user-ID and set-group-ID; the owner too where the system allows it.
  /// A new file has 0666 without the umask. Missing folders are made, and removed again when it fails. A file that may
  /// not be written is not replaced either. Nothing is left behind on failure.
  /// `refuse`, if there is one, is asked with the place where the file really will be, from the root on, before
  /// anything is made; what it says is the error.
  [[nodiscard]] std::expected<Written, PathError> write(std::string_view path, std::string_view content,
                                                        Expected expected = {}, const Refuse& refuse = {}) const;

  [[nodiscard]] std::expected<Folder, PathError> open_folder(std::string_view path) const;

  /// Shows the entries of a folder, sorted by the bytes of their names, a folder before what is in it. Links are shown,
  /// never followed. Protected entries are left out.
  std::expected<WalkEnd, PathError> walk(std::string_view path, const WalkOptions& options, Visitor& visitor) const;

 private:
  Workspace() = default;
  std::string root_;
  Handle handle_;
  WorkspaceOptions options_;
};

/// Reads an open file from where it stands, piece by piece, until its end, or until `piece` gives false. At most `most`
/// bytes: beyond that the error is too_large and names `limit`.
std::expected<void, PathError> read_pieces(const OpenFile& file, std::uint64_t most, std::string_view limit,
                                           const std::function<bool(std::string_view)>& piece);

}  // namespace BELAY_NAMESPACE::sandbox
