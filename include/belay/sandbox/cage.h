// Cages: what a command may reach, and what of that this machine can enforce.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::sandbox {

/// How much a command may do.
enum class Level : std::uint8_t {
  read_only,           ///< changes nothing on disk, reaches no network, sees no home directory; a private /tmp
  workspace_write,     ///< as above, but writes to the workspace, without the .git and .belay at its root; needs mounts
  danger_full_access,  ///< no cage: only time, output, processes, memory and the environment are kept in bounds
};
/// `read-only`, `workspace-write`, `danger-full-access`.
std::string_view name(Level) noexcept;
std::optional<Level> level_named(std::string_view) noexcept;

/// What a cage is built of. All but `none` have seccomp's list of denied system calls, no capabilities and
/// no_new_privs as well.
enum class Wall : std::uint8_t {
  namespaces,  ///< our own: mount, pid, network and IPC namespaces, and Landlock where it is there
  bubblewrap,  ///< the same by bubblewrap: where an ordinary user may have no namespaces but it may
  landlock,    ///< no namespaces at all: Landlock and seccomp alone
  none,        ///< nothing
};
/// `namespaces`, `bubblewrap`, `landlock`, `none`.
std::string_view name(Wall) noexcept;

/// What this machine can enforce for this process, now.
struct Abilities {
  struct Bubblewrap {
    bool works = false;
    std::string path;     ///< empty when it is not installed
    std::string version;  ///< as it says itself: "bubblewrap 0.8.0"
    std::string why_not;  ///< empty when it works
  };
  struct Namespaces {
    bool work = false;
    bool with_user = false;  ///< through a user namespace; otherwise by the rights of root
    std::string why_not;     ///< empty when they work
    std::string remedy;      ///< what a person can do about it; empty when they work, or when it is not known
  };
  Bubblewrap bubblewrap;
  Namespaces namespaces;
  bool user_namespaces = false;  ///< this process may make one
  int landlock = 0;              ///< version of its interface; 0: none
  bool seccomp = false;
  bool root = false;  ///< this process is root

  /// The best wall for a level; `none` when there is nothing to build one of, or nothing is asked for.
  [[nodiscard]] Wall wall_for(Level level) const;
  /// True when a wall of this kind can be built here.
  [[nodiscard]] bool can(Wall wall) const;
};

struct ProbeOptions {
  bool bubblewrap = true;  ///< try it: the slowest part, since it is a program
};
/// Finds out by trying: starts a few short-lived processes. About 10 ms, 3 ms without bubblewrap. The caller keeps the
/// answer. May be called from any thread.
Abilities probe(const ProbeOptions& options = {});

/// What of a level's promises a wall does not keep. The first four are required: a cage without them is refused.
/// Whatever an attack could use counts there.
enum class Promise : std::uint8_t {
  writes,     ///< nothing outside of what the level allows is written
  network,    ///< no network when it is off
  processes,  ///< the agent's and the person's other processes are out of reach
  keys,       ///< the agent's memory and environment, the home directory and the daemons' sockets are out of reach
  minor,      ///< worth saying, not worth refusing for: what programs cannot do, what harms the command alone
};
struct Gap {
  Promise promise = Promise::minor;
  std::string what;  ///< one sentence
  bool operator==(const Gap&) const = default;
};
/// What a wall does not enforce for a level, on a machine of these abilities. Empty: all is kept.
std::vector<Gap> gaps(Level level, Wall wall, bool network, const Abilities& abilities);
/// What a person can do where a level cannot be enforced by the best wall, one half sentence each, the best first.
/// Empty: it is enforced.
std::vector<std::string> remedies(Level level, const Abilities& abilities);

struct CageOptions {
  Level level = Level::workspace_write;
  std::string workspace{};     ///< an existing folder, absolute or relative; links in it are resolved once
  bool network = false;        ///< true: the machine's network
  bool insist = false;         ///< run with what can be enforced, even if a required promise is not
  std::optional<Wall> wall{};  ///< this one and no other; without it the best
  std::vector<std::string>
      readable{};  ///< absolute paths below a hidden place that stay readable (a tool chain at home)
  /// Absolute real paths of more folders that count as .belay does where they lie beneath the workspace. One that is
  /// not there is made when a command runs.
  std::vector<std::string> guarded{};
  std::string home{};  ///< the person's home directory; empty: HOME and the user database say it
};

/// True when this folder is the person's home directory, which is hidden from commands everywhere else: as a workspace
/// it is shown to them. HOME and the user database say which it is.
bool is_home(const std::string& folder);

/// A decision how commands of a workspace run. A value: copy it, use it from any thread, as often as you like.
class Cage {
 public:
  /// Refuses, with a sentence for a person that names the remedy: a level that cannot be enforced here, a workspace
  /// that is no folder, is / or lies above the home directory. One that is the home directory is shown: see is_home().
  static std::expected<Cage, std::string> make(CageOptions options, const Abilities& abilities);

  [[nodiscard]] Level level() const { return options_.level; }
  [[nodiscard]] Wall wall() const { return wall_; }
  [[nodiscard]] const CageOptions& options() const { return options_; }  ///< the workspace as a real path
  [[nodiscard]] const Abilities& abilities() const { return abilities_; }
  /// What is not enforced, one sentence each; with `insist` required promises may be among them.
  [[nodiscard]] const std::vector<Gap>& gaps() const { return gaps_; }
  /// Places that are hidden from commands, as real paths: home directories, sockets of daemons, foreign temporary
  /// files.
  [[nodiscard]] const std::vector<std::string>& hidden() const { return hidden_; }
  /// Files that are empty for commands: what only root can read, when this process is root.
  [[nodiscard]] const std::vector<std::string>& masked() const { return masked_; }

 private:
  Cage() = default;
  CageOptions options_;
  Abilities abilities_;
  Wall wall_ = Wall::none;
  std::vector<Gap> gaps_;
  std::vector<std::string> hidden_, masked_;
};

}  // namespace BELAY_NAMESPACE::sandbox
