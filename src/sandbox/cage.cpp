#include <belay/sandbox/cage.h>
#include <belay/sandbox/workspace.h>

#include "sandbox/path_text.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace BELAY_NAMESPACE::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<Level, std::string_view> kLevels[] = {{Level::read_only, "read-only"},
                                                          {Level::workspace_write, "workspace-write"},
                                                          {Level::danger_full_access, "danger-full-access"}};

// Homes, temporary files of others, and where daemons have the sockets that obey whoever reaches them.
constexpr const char* kHidden[] = {"/root",    "/home",         "/run",         "/var/run",       "/tmp",
                                   "/var/tmp", "/var/snap/lxd", "/var/lib/lxd", "/var/lib/incus", "/mnt/wslg"};
// Root without capabilities still owns these.
constexpr const char* kMasked[] = {"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-"};
// No namespace has keys of its own, so a new /proc lists the machine's.
constexpr const char* kKeys[] = {"/proc/keys", "/proc/key-users"};
// A home that lies here belongs to a daemon, and hiding it would hide the system.
constexpr const char* kSystem[] = {"/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/dev", "/proc", "/sys", "/boot"};

std::string real(const std::string& path) {
  std::error_code error;
  fs::path found = fs::canonical(path, error);
  return error ? std::string() : found.string();
}

bool is_folder(const std::string& path) {
  struct stat found{};
  return stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

std::vector<std::string> homes(const std::string& given) {
  std::vector<std::string> out;
  if (!given.empty()) out.push_back(given);
  if (const char* own = std::getenv("HOME"); given.empty() && own != nullptr && *own == '/') out.emplace_back(own);
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> room{};
  if (getpwuid_r(geteuid(), &entry, room.data(), room.size(), &found) == 0 && found != nullptr && *found->pw_dir == '/')
    out.emplace_back(found->pw_dir);
  for (std::string& home : out) home = real(home);
  std::erase_if(out, [](const std::string& home) {
    return home.empty() || home == "/" || home == "/var" || home == "/tmp" ||
           std::ranges::any_of(kSystem, [&](const char* system) { return in_folder(home, system); });
  });
  return out;
}

std::vector<std::string> hidden_places(const std::vector<std::string>& own) {
  std::vector<std::string> all = own;
  for (const char* path : kHidden) all.push_back(real(path));
  std::erase_if(all, [](const std::string& path) { return path.empty() || path == "/" || !is_folder(path); });
  std::ranges::sort(all);
  std::vector<std::string> out;  // without those that lie in another one
  for (std::string& path : all)
    if (out.empty() || !in_folder(path, out.back())) out.push_back(std::move(path));
  return out;
}

std::string in_words(const std::vector<Gap>& all) {
  std::string out;
  for (const Gap& gap : all) {
    if (gap.promise == Promise::minor) continue;
    out += (out.empty() ? "" : "; ") + gap.what;
  }
  return out;
}

std::string advice(const std::vector<std::string>& all) {
  // A wall that was asked for by its name: a better one would do.
  if (all.empty()) return "Take a better wall (belay doctor lists them), or insist (--insist)";
  std::string out = "What helps: ";
  for (const std::string& each : all) out += (&each == all.data() ? "" : "; or ") + each;
  return out;
}

}  // namespace

std::string_view name(Level level) noexcept { return kLevels[static_cast<std::size_t>(level)].second; }

std::optional<Level> level_named(std::string_view text) noexcept {
  for (const auto& [level, known] : kLevels)
    if (known == text) return level;
  return std::nullopt;
}

std::string_view name(Wall wall) noexcept {
  constexpr std::string_view kNames[] = {"namespaces", "bubblewrap", "landlock", "none"};
  return kNames[static_cast<std::size_t>(wall)];
}

bool Abilities::can(Wall wall) const {
  switch (wall) {
    case Wall::namespaces: return namespaces.work;
    case Wall::bubblewrap: return bubblewrap.works;
    case Wall::landlock: return landlock > 0;
    case Wall::none: break;
  }
  return true;
}

Wall Abilities::wall_for(Level level) const {
  if (level == Level::danger_full_access) return Wall::none;
  for (Wall wall : {Wall::namespaces, Wall::bubblewrap, Wall::landlock})
    if (can(wall)) return wall;
  return Wall::none;
}

bool is_home(const std::string& folder) {
  const std::string place = real(folder.empty() ? "." : folder);
  return !place.empty() && std::ranges::count(homes({}), place) > 0;
}

std::expected<Cage, std::string> Cage::make(CageOptions options, const Abilities& abilities) {
  Cage cage;
  std::string workspace = real(options.workspace.empty() ? "." : options.workspace);
  if (workspace.empty() || !is_folder(workspace))
    return std::unexpected("the workspace " + options.workspace + " is not a folder that can be reached");
  options.workspace = std::move(workspace);
  cage.abilities_ = abilities;
  cage.wall_ = options.wall.value_or(abilities.wall_for(options.level));
  if (options.level == Level::danger_full_access) {
    cage.wall_ = Wall::none;
    cage.options_ = std::move(options);
    return cage;
  }
  if (options.workspace == "/") return std::unexpected(std::string(kRootIsNoWorkspace));
  std::vector<std::string> own = homes(options.home);
  for (const std::string& home : own)
    if (home != options.workspace && in_folder(home, options.workspace))
      return std::unexpected("the workspace " + options.workspace + " holds the home directory " + home +
                             ", which commands must not see; choose a folder inside of it");
  cage.hidden_ = hidden_places(own);
  for (const char* path : kKeys)
    if (fs::exists(path)) cage.masked_.emplace_back(path);
  if (abilities.root)
    for (const char* path : kMasked)
      if (fs::exists(path)) cage.masked_.emplace_back(path);
  for (std::string& path : options.readable) {
    std::string found = real(path);
    if (found.empty()) return std::unexpected("the path " + path + ", which is to stay readable, is not there");
    path = std::move(found);
  }
  if (!abilities.can(cage.wall_))
    return std::unexpected("a cage of " + std::string(sandbox::name(cage.wall_)) + " cannot be built on this machine");
  cage.gaps_ = sandbox::gaps(options.level, cage.wall_, options.network, abilities);
  if (std::string missing = in_words(cage.gaps_); !missing.empty() && !options.insist)
    return std::unexpected("the sandbox " + std::string(sandbox::name(options.level)) +
                           " cannot be enforced on this machine: " + missing + ". " +
                           advice(remedies(options.level, abilities)));
  cage.options_ = std::move(options);
  return cage;
}

}  // namespace BELAY_NAMESPACE::sandbox
