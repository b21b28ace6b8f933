#include "mcp/process.h"

#include <belay/sandbox/path_error.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace BELAY_NAMESPACE::mcp {
namespace {

// Enough for programs to find themselves, their user, their language and their certificates. Proxies may hold
// passwords: who needs them writes them into the server's env.
constexpr std::string_view kPassed[] = {"PATH",
                                        "HOME",
                                        "USER",
                                        "LOGNAME",
                                        "SHELL",
                                        "TERM",
                                        "LANG",
                                        "LANGUAGE",
                                        "LC_ALL",
                                        "LC_CTYPE",
                                        "TZ",
                                        "TMPDIR",
                                        "SSL_CERT_FILE",
                                        "SSL_CERT_DIR",
                                        "NODE_EXTRA_CA_CERTS",
                                        "XDG_RUNTIME_DIR",
                                        "XDG_CACHE_HOME"};
constexpr std::string_view kUsualPath = "/usr/local/bin:/usr/bin:/bin";

struct Pipe {
  sandbox::Handle read, write;
  static std::expected<Pipe, std::string> make() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      return std::unexpected(std::string("no pipe could be made: ") + std::strerror(errno));
    Pipe p{sandbox::Handle(ends[0]), sandbox::Handle(ends[1])};
    // Out of the way of 0, 1 and 2, which the child's copies take.
    for (sandbox::Handle* h : {&p.read, &p.write})
      if (h->get() < 3) *h = sandbox::Handle(::fcntl(h->get(), F_DUPFD_CLOEXEC, 3));
    return p;
  }
};

void not_blocking(const sandbox::Handle& h) { ::fcntl(h.get(), F_SETFL, ::fcntl(h.get(), F_GETFL) | O_NONBLOCK); }

bool runnable(const std::string& path) {
  struct stat s{};
  return ::stat(path.c_str(), &s) == 0 && S_ISREG(s.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

// Where the program is: by the PATH that it will have itself.
std::expected<std::string, std::string> found(const std::string& command, std::string_view path) {
  const std::string shown = sandbox::shown_path(command);
  if (command.empty()) return std::unexpected("its command is empty");
  if (command.find('/') != command.npos) {
    if (runnable(command)) return command;
    return std::unexpected("there is no program " + shown);
  }
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    std::string candidate = std::string(path.substr(0, end)) + "/" + command;
    path.remove_prefix(std::min(end + 1, path.size()));
    if (candidate.starts_with('/') && runnable(candidate)) return candidate;
  }
  return std::unexpected("there is no program " + shown + " in PATH; install it, or give its absolute path");
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

std::vector<std::string> environment_for(const ServerConfig& config, const Environment& own) {
  std::vector<std::pair<std::string, std::string>> all;
  auto set = [&](std::string_view name, std::string value) {
    if (name.empty() || name.find('=') != name.npos || name.find('\0') != name.npos || value.find('\0') != value.npos)
      return;
    std::erase_if(all, [&](const auto& pair) { return pair.first == name; });
    all.emplace_back(name, std::move(value));
  };
  for (std::string_view name : kPassed)
    if (auto value = own ? own(name) : std::nullopt) set(name, std::move(*value));
  for (const auto& [name, value] : config.env) set(name, value);
  std::vector<std::string> lines;
  lines.reserve(all.size());
  for (auto& [name, value] : all) lines.push_back(std::move(name.append(1, '=').append(value)));
  return lines;
}

std::expected<Process, std::string> Process::start(const ServerConfig& config, const Environment& own) {
  std::vector<std::string> environment = environment_for(config, own);
  std::string_view path = kUsualPath;
  for (const std::string& line : environment)
    if (line.starts_with("PATH=") && line.size() > 5) path = std::string_view(line).substr(5);
  const auto program = found(config.command, path);
  if (!program) return std::unexpected(program.error());
  auto in = Pipe::make(), out = Pipe::make(), err = Pipe::make();
  if (!in || !out || !err) return std::unexpected((!in ? in : !out ? out : err).error());

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, in->read.get(), 0);
  posix_spawn_file_actions_adddup2(&actions, out->write.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, err->write.get(), 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (!config.cwd.empty()) posix_spawn_file_actions_addchdir_np(&actions, config.cwd.c_str());
  // A session of its own: a group that can be ended, and no terminal that it could read or be interrupted by.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);

  std::vector<std::string> words{config.command};
  words.insert(words.end(), config.args.begin(), config.args.end());
  Process p;
  const int error = ::posix_spawn(&p.pid_, program->c_str(), &actions, &attributes, pointers(words).data(),
                                  pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    p.pid_ = -1;
    const std::string where = config.cwd.empty() ? "" : " in " + sandbox::shown_path(config.cwd);
    return std::unexpected(sandbox::shown_path(*program) + " cannot be started" + where + ": " + std::strerror(error));
  }
  p.handle_ = sandbox::Handle(static_cast<int>(::syscall(SYS_pidfd_open, p.pid_, 0)));
  p.input = std::move(in->write);
  p.output = std::move(out->read);
  p.errors = std::move(err->read);
  for (const sandbox::Handle* h : {&p.input, &p.output, &p.errors}) not_blocking(*h);
  return p;
}

Process::Process(Process&& other) noexcept
    : input(std::move(other.input)),
      output(std::move(other.output)),
      errors(std::move(other.errors)),
      pid_(std::exchange(other.pid_, -1)),
      handle_(std::move(other.handle_)) {}

Process::~Process() {
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);  // in the moment before it has its own group
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
}

void Process::signal(int number) const {
  if (pid_ > 0) ::kill(-pid_, number);
}

std::optional<std::string> Process::reap() {
  if (pid_ < 0) return std::nullopt;
  siginfo_t info{};
  // Not reaped yet: while it is a zombie, its group is nobody else's.
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
    return std::nullopt;
  ::kill(-pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  pid_ = -1;
  if (WIFSIGNALED(status)) {
    const char* name = ::sigabbrev_np(WTERMSIG(status));
    return "it was ended by signal " + std::to_string(WTERMSIG(status)) +
           (name ? std::string(" (SIG") + name + ")" : std::string());
  }
  return "it ended with exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace BELAY_NAMESPACE::mcp
