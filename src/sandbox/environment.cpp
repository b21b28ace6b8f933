#include "sandbox/environment.h"

#include "sandbox/path_text.h"

#include <belay/sandbox/command.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

namespace BELAY_NAMESPACE::sandbox {
namespace {

// Parts of names that secrets have, in upper case.
constexpr std::string_view kSecrets[] = {"KEY",    "TOKEN",  "SECRET",  "PASS",     "CREDENTIAL", "AUTH",
                                         "COOKIE", "BEARER", "PRIVATE", "DATABASE", "CONNECTION", "_DSN"};
// Names, or beginnings of names where a * stands, that change how programs are loaded or started, or lead to an agent's
// or a session's socket.
constexpr std::string_view kSteering[] = {
    "BASH_ENV", "ENV",       "SHELLOPTS",     "BASHOPTS",   "BASH_FUNC_*", "PS4",        "PROMPT_COMMAND",
    "IFS",      "CDPATH",    "GLOBIGNORE",    "LD_*",       "DYLD_*",      "GCONV_PATH", "GIT_*",
    "PYTHON*",  "PERL5*",    "PERLLIB",       "PERL_*",     "RUBYOPT",     "RUBYLIB",    "NODE_OPTIONS",
    "NODE_*",   "JAVA_*",    "_JAVA_OPTIONS", "JDK_*",      "CLASSPATH",   "EDITOR",     "VISUAL",
    "PAGER",    "LESS*",     "MANPAGER",      "BROWSER",    "SSH_*",       "GPG_*",      "DBUS_*",
    "DISPLAY",  "WAYLAND_*", "XAUTHORITY",    "XDG_*",      "DOCKER_*",    "KUBECONFIG", "AWS_*",
    "AZURE_*",  "GOOGLE_*",  "OPENAI_*",      "ANTHROPIC_*"};
// What is taken over from Belay's own environment.
constexpr std::string_view kTaken[] = {"LANG", "LANGUAGE", "TZ", "USER", "LOGNAME"};
// Where anybody can put programs, and where names mean another place for each process.
constexpr std::string_view kOpenToAll[] = {"/tmp", "/var/tmp", "/dev", "/proc"};
constexpr std::string_view kUsualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

std::string_view value_in(const char* const* environment, std::string_view name) {
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    std::string_view line = *environment;
    if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == '=')
      return line.substr(name.size() + 1);
  }
  return {};
}

// Where an entry leads, as far as it is there: /usr//bin, /link/to/bin.
std::string settled(std::string_view entry) {
  std::error_code error;
  std::string out = std::filesystem::weakly_canonical(std::filesystem::path(entry), error).string();
  return error ? std::string(entry) : out;
}

// In other encodings half of a character can be a backslash, and a shell would read other words than were judged.
bool is_plain_locale(std::string_view value) {
  if (value == "C" || value == "POSIX") return true;
  value = value.substr(0, value.find('@'));
  std::string encoding;
  for (char c : value.substr(std::min(value.find('.'), value.size())))
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      encoding += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return encoding == "utf8";
}

// Only absolute entries, and none that a command could fill with programs of its own.
std::string safe_path(std::string_view path, const EnvironmentOptions& options) {
  std::string out;
  while (!path.empty()) {
    std::size_t end = std::min(path.find(':'), path.size());
    std::string_view entry = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (!entry.starts_with('/') || entry.find("/..") != entry.npos) continue;
    const std::string real = settled(entry);
    auto holds = [&](std::string_view folder) { return in_folder(entry, folder) || in_folder(real, folder); };
    if (std::ranges::any_of(options.without, holds) && std::ranges::none_of(options.with, holds)) continue;
    if (std::ranges::any_of(kOpenToAll, holds)) continue;
    if (!out.empty()) out += ':';
    out += entry;
  }
  return out.empty() ? std::string(kUsualPath) : out;
}

}  // namespace

bool passes(std::string_view variable) noexcept {
  if (variable.empty() || variable.size() > 256) return false;
  if (std::isdigit(static_cast<unsigned char>(variable[0])) != 0) return false;
  char upper[256];
  for (std::size_t i = 0; i < variable.size(); ++i) {
    auto c = static_cast<unsigned char>(variable[i]);
    if (c != '_' && std::isalnum(c) == 0) return false;
    upper[i] = static_cast<char>(std::toupper(c));
  }
  std::string_view name(upper, variable.size());
  for (std::string_view part : kSecrets)
    if (name.find(part) != name.npos) return false;
  if (name.ends_with("_PAT")) return false;  // a personal access token, and not a _PATH
  for (std::string_view steering : kSteering) {
    if (steering.ends_with('*') ? name.starts_with(steering.substr(0, steering.size() - 1)) : name == steering)
      return false;
  }
  return true;
}

std::vector<std::string> environment_of(const char* const* own, const EnvironmentOptions& options) {
  std::vector<std::string> out;
  auto set = [&](std::string_view name, std::string_view value) {
    if (value.find('\0') != value.npos) return;
    if ((name == "LANG" || name.starts_with("LC_")) && !is_plain_locale(value)) return;
    std::string prefix = std::string(name) + '=';
    std::erase_if(out, [&](const std::string& line) { return line.starts_with(prefix); });
    out.push_back(prefix + std::string(value));
  };
  for (std::string_view name : kTaken)
    if (std::string_view value = value_in(own, name); !value.empty()) set(name, value);
  for (const char* const* line = own; line != nullptr && *line != nullptr; ++line) {
    std::string_view text = *line;
    std::size_t equals = text.find('=');
    if (text.starts_with("LC_") && equals != text.npos && passes(text.substr(0, equals)))
      set(text.substr(0, equals), text.substr(equals + 1));
  }
  for (const auto& [name, value] : options.more)
    if (passes(name)) set(name, value);
  // After the others: nobody changes these.
  set("PATH", safe_path(value_in(own, "PATH"), options));
  set("HOME", options.home);
  set("TMPDIR", options.temporary);
  set("SHELL", options.shell);
  set("TERM", "dumb");
  set("NO_COLOR", "1");
  set("PAGER", "cat");
  set("GIT_PAGER", "cat");
  set("GIT_TERMINAL_PROMPT", "0");
  set("GIT_OPTIONAL_LOCKS", "0");  // git status may not write, and need not
  set("DEBIAN_FRONTEND", "noninteractive");
  set("PYTHONUNBUFFERED", "1");
  return out;
}

}  // namespace BELAY_NAMESPACE::sandbox
