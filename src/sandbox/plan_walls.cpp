// What a plan holds for bubblewrap, for Landlock, and against curious commands.
#include "sandbox/landlock.h"
#include "sandbox/path_text.h"
#include "sandbox/plan.h"

#include <dirent.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

namespace BELAY_NAMESPACE::sandbox {
namespace {

// Allows reading everything below a path but the hidden places. Rules cannot be taken back below a folder, so folders
// with something hidden in them are gone through.
class Reading {
 public:
  Reading(const Cage& cage, int rules, int version) : rules_(rules), version_(version), hidden_(cage.hidden()) {
    hidden_.insert(hidden_.end(), cage.masked().begin(), cage.masked().end());
    for (const char* path : {"/proc", "/sys", "/dev"}) hidden_.emplace_back(path);
  }

  bool allow(const std::string& path) const {
    if (std::ranges::find(hidden_, path) != hidden_.end()) return true;
    auto inside_of_it = [&](const std::string& hidden) { return path == "/" || in_folder(hidden, path); };
    if (std::ranges::none_of(hidden_, inside_of_it)) return rule(path);
    std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), closedir);
    if (!folder) return true;
    while (const dirent* entry = readdir(folder.get())) {
      std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      std::string inside = path == "/" ? '/' + std::string(name) : path + '/' + std::string(name);
      struct stat found{};
      // A link is allowed where it leads to, if it is allowed there.
      if (lstat(inside.c_str(), &found) != 0 || S_ISLNK(found.st_mode)) continue;
      if (!allow(inside)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool rule(const std::string& path) const {
    return landlock::allow(rules_, version_, path.c_str(), landlock::Allow::read);
  }
  int rules_, version_;
  std::vector<std::string> hidden_;
};

}  // namespace

std::expected<Descriptor, std::string> landlock_rules(const Cage& cage, const std::string& private_folder) {
  using landlock::Allow;
  int version = cage.abilities().landlock;
  Descriptor rules(landlock::make(version, {.files = true, .signals = true, .tcp = !cage.options().network}));
  if (!rules) return std::unexpected(std::string("Landlock gives no rules: ") + std::strerror(errno));
  auto allow = [&](const std::string& path, Allow what) {
    return landlock::allow(rules.get(), version, path.c_str(), what);
  };
  bool good = Reading(cage, rules.get(), version).allow("/");
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"})
    good = good && allow(device, Allow::use);
  for (const char* fact : {"/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg", "/proc/uptime",
                           "/proc/version", "/proc/filesystems", "/sys/devices/system/cpu"})
    good = good && allow(fact, Allow::read);
  for (const std::string& path : cage.options().readable) good = good && allow(path, Allow::read);
  good = good && allow(private_folder, Allow::write);
  good = good && allow(cage.options().workspace, cage.level() == Level::workspace_write ? Allow::write : Allow::read);
  if (!good) return std::unexpected(std::string("Landlock did not take a rule: ") + std::strerror(errno));
  return rules;
}

std::expected<void, std::string> Plan::prepare_bubblewrap(const Command& command) {
  const CageOptions& options = cage_->options();
  filter_file_ = Descriptor(memfd_create("calls", MFD_CLOEXEC));
  std::size_t bytes = filter_.size() * sizeof(sock_filter);
  if (!filter_file_ || write(filter_file_.get(), filter_.data(), bytes) != static_cast<ssize_t>(bytes) ||
      lseek(filter_file_.get(), 0, SEEK_SET) != 0)
    return std::unexpected(std::string("no room for the list of denied calls: ") + std::strerror(errno));
  filter_file_.lift();
  status_file_ = Descriptor(memfd_create("status", MFD_CLOEXEC));
  if (!status_file_) return std::unexpected(std::string("no room for bubblewrap's report: ") + std::strerror(errno));
  status_file_.lift();
  orders.status = status_file_.get();
  orders.program = cage_->abilities().bubblewrap.path.c_str();
  auto add = [&](const auto&... words) { (words_.emplace_back(words), ...); };
  std::string room = std::to_string(command.limits.temporary_bytes);
  add("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL");
  add("--json-status-fd", std::to_string(status_file_.get()));
  if (options.network) add("--share-net");
  add("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--remount-ro", "/proc");
  add("--size", room, "--tmpfs", "/dev/shm", "--remount-ro", "/dev", "--size", room, "--tmpfs", "/tmp", "--dir", home_);
  for (const std::string& path : cage_->hidden())
    if (path != "/tmp") add("--size", "1048576", "--tmpfs", path);
  for (const std::string& path : cage_->masked()) add("--ro-bind", "/dev/null", path);
  for (const std::string& path : options.readable) add("--ro-bind-try", path, path);
  for (const std::string& path : sockets_) add("--ro-bind", "/dev/null", path);
  bool writes = cage_->level() == Level::workspace_write;
  add(writes ? "--bind" : "--ro-bind", options.workspace, options.workspace);
  for (const char* path : held_) add("--bind", path, path);
  for (const char* path : guarded_) add("--ro-bind", path, path);
  for (const std::string& path : cage_->hidden())
    if (path != "/tmp" && path != options.workspace) add("--remount-ro", path);
  add("--chdir", cwd_path_);
  if (!filter_.empty()) {
    add("--seccomp", std::to_string(filter_file_.get()));
    orders.inherited = filter_file_.get();
  }
  add("--");
  orders.cwd = -1;
  return {};
}

bool Plan::command_ran() const {
  if (!status_file_) return true;
  std::array<char, 256> said{};
  const ssize_t got = pread(status_file_.get(), said.data(), said.size(), 0);
  return std::string_view(said.data(), got > 0 ? static_cast<std::size_t>(got) : 0).find("\"exit-code\"") !=
         std::string_view::npos;
}

std::span<char> own_arguments() {
  std::ifstream file("/proc/self/stat");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::size_t at = text.rfind(')');
  if (at == text.npos) return {};
  std::istringstream fields(text.substr(at + 1));
  std::string skipped;
  for (int field = 3; field < 48; ++field) fields >> skipped;
  std::uintptr_t arguments = 0, arguments_end = 0, environment = 0, environment_end = 0;
  fields >> arguments >> arguments_end >> environment >> environment_end;
  // They lie one behind the other on the first thread's stack. Whatever else is there, is left alone.
  constexpr std::uintptr_t kMost = 8u << 20;
  if (!fields || arguments == 0 || arguments_end < arguments || environment < arguments_end ||
      environment - arguments_end > 16 || environment_end < environment || environment_end - arguments > kMost)
    return {};
  return {reinterpret_cast<char*>(arguments), environment_end - arguments};
}

}  // namespace BELAY_NAMESPACE::sandbox
