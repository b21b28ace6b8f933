#include "sandbox/plan.h"

#include "sandbox/beneath.h"
#include "sandbox/environment.h"
#include "sandbox/landlock.h"
#include "sandbox/path_text.h"
#include "sandbox/seccomp.h"
#include "sandbox/with_errno.h"

#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>

extern char** environ;

namespace BELAY_NAMESPACE::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRoom = 65536;  // processes that can be looked at
constexpr std::size_t kStack = 64 * 1024;
constexpr int kPipe = 256 * 1024;
constexpr std::uint32_t kTasks = 4;           // threads for each process, in the kernel's own count
constexpr std::uint32_t kReservedPids = 300;  // which the kernel does not hand out twice

bool each_namespace_has_its_pid_max() {
  utsname system{};
  int major = 0, minor = 0;
  return uname(&system) == 0 && std::sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
         (major > 6 || (major == 6 && minor >= 14));
}

// All tasks of the machine: at least as many as this user has.
std::uint32_t tasks_now() {
  std::ifstream file("/proc/loadavg");  // 0.20 0.18 0.12 1/80 11206
  std::string skipped;
  std::uint32_t running = 0, all = 0;
  char slash = 0;
  file >> skipped >> skipped >> skipped >> running >> slash >> all;
  return file ? all : 4096;
}

// Also folders that a command locked: all of it was made for that command alone.
void remove_all(const std::string& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error) return;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, error);
  for (auto it = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
       !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    if (it->is_symlink(error) || !it->is_directory(error)) continue;
    fs::permissions(it->path(), fs::perms::owner_all, fs::perm_options::add, error);
  }
  fs::remove_all(folder, error);
}

}  // namespace

std::string usual_shell() { return access("/bin/bash", X_OK) == 0 ? "/bin/bash" : "/bin/sh"; }

Pages::Pages(std::size_t bytes)
    : data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)),
      size_(bytes) {
  if (data_ == MAP_FAILED) throw std::bad_alloc();
}
Pages::~Pages() { munmap(data_, size_); }

const char* Plan::keep(std::string text) {
  texts_.push_back(std::make_unique<std::string>(std::move(text)));
  return texts_.back()->c_str();
}

std::expected<std::unique_ptr<Plan>, std::string> Plan::make(const Cage& cage, const Command& command) {
  std::unique_ptr<Plan> plan(new Plan);
  plan->cage_ = &cage;
  if (auto ready = plan->prepare(cage, command); !ready) return std::unexpected(ready.error());
  return plan;
}

std::expected<void, std::string> Plan::prepare(const Cage& cage, const Command& command) {
  const CommandLimits& limits = command.limits;
  if (command.text.find('\0') != command.text.npos)
    return std::unexpected("the command holds a NUL byte: it cannot be run as it is");
  if (command.text.size() > limits.command_bytes)
    return std::unexpected("the command has " + std::to_string(command.text.size()) + " bytes; command_bytes allows " +
                           std::to_string(limits.command_bytes) + ": put it into a file and run that");
  orders.wall = cage.wall();
  orders.user_namespace = cage.wall() == Wall::namespaces && cage.abilities().namespaces.with_user;
  orders.network = cage.options().network;
  orders.user = geteuid();
  orders.group = getegid();
  orders.priority = getpriority(PRIO_PROCESS, 0);
  orders.landlock = cage.abilities().landlock;
  orders.file_bytes = limits.file_bytes;
  orders.memory_bytes = limits.memory_bytes;
  orders.files = limits.files;
  orders.processes = limits.processes;
  orders.tasks = kReservedPids + limits.processes * kTasks;
  orders.tasks_now = tasks_now();
  shell_ = !command.shell.empty() ? command.shell : usual_shell();
  if (auto good = open_cwd(command.cwd); !good) return good;
  if (auto good = open_pipes(); !good) return good;
  prepare_filter();
  switch (cage.wall()) {
    case Wall::namespaces:
    case Wall::bubblewrap:
      home_ = "/tmp/home";
      temporary_ = "/tmp";
      // Rights on a folder hold for all that is in it, and a pipe can be written on a mount that is read-only.
      if (cage.wall() == Wall::namespaces && orders.landlock > 0 && cage.level() == Level::read_only &&
          (cage.options().workspace + '/').starts_with("/tmp/"))
        temporary_ = home_;
      if (auto good = guard(); !good) return good;
      if (auto good = guard_git(); !good) return good;
      if (auto good = find_sockets(); !good) return good;
      if (auto good = cage.wall() == Wall::namespaces ? prepare_view(command) : prepare_bubblewrap(command); !good)
        return good;
      break;
    case Wall::landlock:
      if (auto good = make_private_folder(); !good) return good;
      if (auto good = prepare_rules(); !good) return good;
      break;
    case Wall::none:
      if (cage.level() != Level::danger_full_access) {
        if (auto good = make_private_folder(); !good) return good;
        break;
      }
      if (const char* own = std::getenv("HOME")) home_ = own;
      temporary_ = "/tmp";
      break;
  }
  prepare_words(command);
  pages_ = std::make_unique<Pages>(kRoom * sizeof(Process) + kStack);
  orders.room = {static_cast<Process*>(pages_->data()), kRoom};
  orders.stack = {static_cast<char*>(pages_->data()) + kRoom * sizeof(Process), kStack};
  orders.secrets = own_arguments();
  return {};
}

std::expected<void, std::string> Plan::open_cwd(const std::string& cwd) {
  const std::string& workspace = cage_->options().workspace;
  workspace_ = Descriptor(open(workspace.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!workspace_) return std::unexpected(with_errno("the workspace " + workspace + " cannot be opened"));
  std::string inside = cwd.empty() ? "." : cwd;
  if (inside.find('\0') != inside.npos) return std::unexpected("cwd holds a NUL byte");
  if (inside.starts_with('/')) {
    if (inside != workspace && !inside.starts_with(workspace + '/'))
      return std::unexpected("cwd " + cwd + " is outside of the workspace " + workspace);
    inside = "." + inside.substr(workspace.size());
  }
  // Links may be followed, but not out of the workspace.
  auto found =
      Beneath(workspace_.get(), kernel_resolves(workspace_.get()) ? Resolver::kernel : Resolver::walk).find(inside);
  const int error_number = !found ? found.error() : S_ISDIR(found->facts.st_mode) ? 0 : ENOTDIR;
  if (error_number == EXDEV || error_number == ELOOP)
    return std::unexpected("cwd " + cwd + " leads out of the workspace " + workspace);
  if (error_number != 0) return std::unexpected("cwd " + cwd + " cannot be entered: " + std::strerror(error_number));
  cwd_ = Descriptor(found->handle.release());
  cwd_.lift();
  std::error_code error;
  cwd_path_ = fs::read_symlink("/proc/self/fd/" + std::to_string(cwd_.get()), error).string();
  if (error) cwd_path_ = fs::weakly_canonical(fs::path(workspace) / inside, error).string();
  // Wherever a link led: names in there say nothing of what they hold.
  if (cage_->level() != Level::danger_full_access && cwd_path_.starts_with(workspace) &&
      is_off_limits(std::string_view(cwd_path_).substr(workspace.size()), workspace, cage_->options().guarded))
    return std::unexpected("cwd " + cwd +
                           " is protected: no command starts inside of .git or Belay's own configuration");
  orders.cwd = cwd_.get();
  return {};
}

std::expected<void, std::string> Plan::open_pipes() {
  int pipe[2], pair[2];
  if (pipe2(pipe, O_CLOEXEC) != 0) return std::unexpected(with_errno("no pipe for the output"));
  output = Descriptor(pipe[0]);
  childs_output_ = Descriptor(pipe[1]);
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
    return std::unexpected(with_errno("no socket for the keeper"));
  control = Descriptor(pair[0]);
  childs_control_ = Descriptor(pair[1]);
  null_ = Descriptor(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null_) return std::unexpected(with_errno("/dev/null cannot be opened"));
  proc_ = Descriptor(open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!proc_) return std::unexpected(with_errno("/proc cannot be opened, and processes cannot be counted without it"));
  // In a pid namespace that kept the /proc of another one, nothing that runs could be found there.
  std::error_code error;
  if (fs::read_symlink("/proc/self", error) != std::to_string(getpid()) && cage_->wall() != Wall::namespaces)
    return std::unexpected(
        "/proc belongs to another pid namespace, and processes cannot be counted there: mount one's own");
  for (Descriptor* each : {&output, &childs_output_, &control, &childs_control_, &null_, &proc_}) each->lift();
  fcntl(output.get(), F_SETFL, O_NONBLOCK);
  fcntl(output.get(), F_SETPIPE_SZ, kPipe);  // fewer turns for long outputs; the usual size does too
  orders.output = childs_output_.get();
  orders.control = childs_control_.get();
  orders.null = null_.get();
  orders.proc = proc_.get();
  return {};
}

void Plan::close_childs_ends() {
  childs_output_.reset();
  childs_control_.reset();
}

void Plan::prepare_filter() {
  if (cage_->wall() == Wall::none || !cage_->abilities().seccomp) return;
  bool alone = cage_->wall() == Wall::landlock;
  SeccompOptions options;
  options.trace = cage_->wall() == Wall::namespaces;  // bubblewrap's process 1 could be traced, and stopped
  // With mounts the daemons' sockets are out of reach, as far as they are known; who only reads needs none at all.
  // Those without a file are in the network's namespace: with the machine's network only Landlock keeps them away.
  const bool open = cage_->options().network &&
                    (cage_->wall() == Wall::bubblewrap || cage_->abilities().landlock < landlock::kScoped);
  options.local = !alone && !open && cage_->level() == Level::workspace_write;
  options.internet = !alone || cage_->options().network;
  options.metadata = !alone || cage_->level() != Level::read_only;
  options.apart = !alone;
  filter_ = seccomp_program(options);
  if (cage_->wall() != Wall::bubblewrap) orders.filter = {static_cast<unsigned short>(filter_.size()), filter_.data()};
}

std::expected<void, std::string> Plan::make_private_folder() {
  std::string name = "/tmp/belay-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) return std::unexpected(with_errno("no private folder could be made in /tmp"));
  private_folder_ = temporary_ = name;
  home_ = name + "/home";
  if (mkdir(home_.c_str(), 0700) != 0) return std::unexpected(with_errno(home_ + " could not be made"));
  return {};
}

std::expected<void, std::string> Plan::prepare_view(const Command& command) {
  struct stat workspace{}, cwd{};
  if (fstat(workspace_.get(), &workspace) != 0 || fstat(cwd_.get(), &cwd) != 0)
    return std::unexpected(with_errno("the workspace cannot be looked at"));
  for (const std::string& path : cage_->hidden())
    if (path != "/tmp") covers_.push_back(path.c_str());
  for (const std::string& path : cage_->masked()) masks_.push_back(path.c_str());
  for (const std::string& path : cage_->options().readable) readable_.push_back(path.c_str());
  for (const std::string& path : sockets_) socket_names_.push_back(path.c_str());
  // With the network on, names have to be found, and what says how is often kept in /run.
  std::error_code error;
  if (cage_->options().network)
    if (std::string names = fs::canonical("/etc/resolv.conf", error).string(); !error && !names.starts_with("/etc/"))
      readable_.push_back(keep(names));
  view_.workspace = {cage_->options().workspace.c_str(), workspace.st_dev, workspace.st_ino};
  view_.cwd = {cwd_path_.c_str(), cwd.st_dev, cwd.st_ino};
  view_.writable = cage_->level() == Level::workspace_write;
  view_.guarded = guarded_;
  view_.held = held_;
  view_.covers = covers_;
  view_.masks = masks_;
  view_.sockets = socket_names_;
  view_.readable = readable_;
  view_.temporary = keep("mode=1777,size=" + std::to_string(command.limits.temporary_bytes));
  view_.home = home_.c_str();
  view_.scratch = temporary_.c_str();
  if (each_namespace_has_its_pid_max()) view_.process_limit = keep(std::to_string(orders.tasks));
  orders.view = &view_;
  orders.cwd = -1;
  return {};
}

std::expected<void, std::string> Plan::prepare_rules() {
  auto rules = landlock_rules(*cage_, private_folder_);
  if (!rules) return std::unexpected(rules.error());
  rules_ = std::move(*rules);
  rules_.lift();
  orders.rules = rules_.get();
  return {};
}

void Plan::prepare_words(const Command& command) {
  EnvironmentOptions options{cage_->hidden(), cage_->options().readable, home_, temporary_,
                             shell_,          command.environment};
  options.without.push_back(cage_->options().workspace);
  environment_ = environment_of(environ, options);
  if (words_.empty()) orders.program = shell_.c_str();
  for (std::string word : {shell_, std::string("-c"), command.text}) words_.push_back(std::move(word));
  for (std::string& word : words_) arguments_.push_back(word.data());
  for (std::string& line : environment_) variables_.push_back(line.data());
  arguments_.push_back(nullptr);
  variables_.push_back(nullptr);
  orders.arguments = arguments_.data();
  orders.environment = variables_.data();
}

Plan::~Plan() {
  for (const Lock& lock : locks_) {
    // Let go of first: of several commands that end at once the last one finds nobody in its way. By hand, since a
    // child of another thread may hold the descriptor for a moment longer. What is not empty stays in any case.
    flock(lock.folder.get(), LOCK_UN);
    if (!lock.remove.empty() && flock(lock.folder.get(), LOCK_EX | LOCK_NB) == 0) {
      rmdir(lock.remove.c_str());
      flock(lock.folder.get(), LOCK_UN);
    }
  }
  if (!private_folder_.empty()) remove_all(private_folder_);
}

}  // namespace BELAY_NAMESPACE::sandbox
