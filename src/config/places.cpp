#include <belay/config.h>

#include "set_in.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace BELAY_NAMESPACE::config {
namespace {

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::optional<std::string> home_of(const Environment& environment) {
  if (auto home = set_in(environment, "HOME")) return home;
  const passwd* entry = ::getpwuid(::geteuid());
  if (entry == nullptr || entry->pw_dir == nullptr || *entry->pw_dir == '\0') return std::nullopt;
  return entry->pw_dir;
}

}  // namespace

Environment process_environment() {
  return [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
}

std::expected<Places, Problem> places(const Environment& environment) {
  if (auto belay = set_in(environment, "BELAY_HOME")) {
    if (!belay->starts_with('/'))
      return std::unexpected(
          Problem{"BELAY_HOME must be an absolute path: a relative one is another folder in every "
                  "folder, and a stranger may have filled it"});
    const std::string home = without_slashes(*belay);
    return Places{(home == "/" ? "" : home) + "/config.toml", home};
  }
  Places out;
  auto folder = [&](std::string_view variable, std::string_view below) -> std::expected<std::string, Problem> {
    if (auto xdg = set_in(environment, variable)) {
      if (xdg->starts_with('/')) return without_slashes(*xdg) + "/belay";
      out.notes.push_back(std::string(variable) + " is ignored: it is not an absolute path");
    }
    const auto home = home_of(environment);
    if (!home || !home->starts_with('/'))
      return std::unexpected(Problem{"your home folder is not known: set HOME or BELAY_HOME to an absolute path"});
    return without_slashes(*home) + std::string(below);
  };
  auto config = folder("XDG_CONFIG_HOME", "/.config/belay");
  if (!config) return std::unexpected(config.error());
  auto state = folder("XDG_STATE_HOME", "/.local/state/belay");
  if (!state) return std::unexpected(state.error());
  out.config_file = *config + "/config.toml";
  out.data = *state;
  return out;
}

std::expected<void, Problem> make_folder(const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST)
      return std::unexpected(Problem{std::string("cannot be made: ") + std::strerror(errno), part});
    if (end == std::string::npos) break;
  }
  struct stat s{};
  if (::stat(path.c_str(), &s) != 0)
    return std::unexpected(Problem{std::string("cannot be used: ") + std::strerror(errno), path});
  if (!S_ISDIR(s.st_mode)) return std::unexpected(Problem{"expected a folder, and this is something else", path});
  if (s.st_uid != ::geteuid())
    return std::unexpected(Problem{
        "belongs to another user (" + std::to_string(s.st_uid) + "); set BELAY_HOME to a folder of your own", path});
  if ((s.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return std::unexpected(Problem{"can be changed by others; run: chmod go-w '" + path + "'", path});
  return {};
}

}  // namespace BELAY_NAMESPACE::config
