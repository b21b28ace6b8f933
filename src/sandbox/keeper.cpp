#include "sandbox/keeper.h"

#include "sandbox/confine.h"
#include "sandbox/landlock.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

namespace BELAY_NAMESPACE::sandbox {
namespace {

constexpr int kParentDied = SIGUSR1;
constexpr std::int64_t kTick = 25;            // milliseconds between counts
constexpr std::int64_t kSlowTick = 200;       // where there are many other processes
constexpr std::int64_t kKillPatience = 5000;  // for processes that SIGKILL does not end: somebody else's

std::int64_t now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1'000'000;
}

void copy(char* to, std::size_t room, const char* from) {
  std::size_t length = std::min(std::strlen(from), room - 1);
  std::memcpy(to, from, length);
  to[length] = 0;
}

class Keeper {
 public:
  explicit Keeper(const Orders& orders) : orders_(orders), census_(orders.proc, orders.room) {}

  [[noreturn]] void run() noexcept {
    Trouble trouble;
    if (!set_up(trouble)) give_up(trouble);
    if (orders_.setup_only) {
      say({.kind = Report::Kind::started});
      _exit(0);
    }
    if (!start(trouble)) give_up(trouble);
    say({.kind = Report::Kind::started});
    while (true) turn();
  }

 private:
  void say(const Report& report) const { send(orders_.control, &report, sizeof report, MSG_NOSIGNAL); }
  [[noreturn]] void give_up(const Trouble& trouble) const {
    Report report{.kind = Report::Kind::failed, .error = trouble.error};
    copy(report.doing, sizeof report.doing, trouble.doing);
    copy(report.path, sizeof report.path, trouble.path);
    say(report);
    _exit(1);
  }
  static bool fail(Trouble& trouble, const char* doing) {
    trouble = {doing, "", errno};
    return false;
  }
  [[nodiscard]] bool own_pids() const { return orders_.wall == Wall::namespaces; }

  bool set_up(Trouble& trouble) {
    close_others();
    setsid();
    std::ranges::fill(orders_.secrets, '\0');
    step_ahead();
    // Whoever ignores SIGCHLD is not told how children ended, and forks inherit that.
    struct sigaction plain{};
    plain.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &plain, nullptr);
    if (own_pids()) {
      if (orders_.user_namespace && !map_user(orders_.user, orders_.group)) return fail(trouble, "mapping the user");
      OomOffer(orders_.proc).keep();
      close(orders_.proc);
      int proc = -1;
      if (!build_view(*orders_.view, proc, trouble)) return false;
      census_ = Census(proc, orders_.room);
      if (!orders_.network) raise_loopback();
      if (!drop_rights()) return fail(trouble, "giving up capabilities");
      // Nobody in the cage can look into this process, which still has Belay's memory.
      prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
      prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
      if (orders_.landlock > 0) rules_ = rules_for_view(orders_);
      if (orders_.landlock > 0 && rules_ < 0) return fail(trouble, "preparing Landlock");
    } else {
      rules_ = orders_.rules;
      prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
      // Not SIGKILL: there is something to do before it dies too.
      prctl(PR_SET_PDEATHSIG, kParentDied, 0, 0, 0);
      if (orders_.wall == Wall::landlock && !enter_own_scope()) return fail(trouble, "entering Landlock");
    }
    // Belay may have died before it would have been told.
    pollfd alive{orders_.control, POLLIN, 0};
    if (poll(&alive, 1, 0) > 0 && (alive.revents & POLLHUP) != 0) _exit(1);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, kParentDied);
    signals_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    return signals_ >= 0 || fail(trouble, "waiting for signals");
  }

  // Among thousands of processes that fork, this one has to get its turn. Only root may have that; for others the
  // kernel's limit of processes keeps the crowd small. The command does not inherit it.
  static void step_ahead() {
    sched_param first{};
    first.sched_priority = 1;
    sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &first);
  }

  // With signals that stay inside a Landlock domain, "all processes" means all in the cage: one call reaches them at
  // one moment, and a fork cannot slip through.
  bool enter_own_scope() {
    if (orders_.landlock < landlock::kScoped) return true;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    int scope = landlock::make(orders_.landlock, {.files = false, .signals = true, .tcp = false});
    if (scope < 0) return false;
    scoped_ = landlock::enter(scope);
    close(scope);
    return scoped_;
  }

  // Other threads of Belay have descriptors too; one that holds the end of another command's conversation would keep
  // that one alive.
  void close_others() const {
    int kept[] = {orders_.control, orders_.output, orders_.null,      orders_.proc,
                  orders_.cwd,     orders_.rules,  orders_.inherited, orders_.status};
    std::ranges::sort(kept);
    for (int standard = 0; standard < 3; ++standard) dup2(orders_.null, standard);  // so that nothing else gets them
    unsigned from = 3;
    for (int fd : kept) {
      if (fd < 3) continue;
      if (auto to = static_cast<unsigned>(fd); to > from) syscall(SYS_close_range, from, to - 1, 0);
      from = static_cast<unsigned>(fd) + 1;
    }
    syscall(SYS_close_range, from, ~0u, 0);
  }

  bool start(Trouble& trouble) {
    trouble_ = &trouble;
    // The child borrows this memory until it has become the command: no second copy of Belay's pages.
    OomOffer offer(own_pids() ? -1 : orders_.proc);
    command_ =
        clone(&Keeper::become, orders_.stack.data() + orders_.stack.size(), CLONE_VM | CLONE_VFORK | SIGCHLD, this);
    if (command_ < 0) return fail(trouble, "starting a process");
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);  // not before: it would have been the child's too, until exec
    next_count_ = now() + kTick;
    return trouble.doing == nullptr;
  }

  static int become(void* self) {
    auto& keeper = *static_cast<Keeper*>(self);
    const Orders& orders = keeper.orders_;
    const char* doing = keeper.confine();
    if (doing == nullptr) {
      execve(orders.program, orders.arguments, orders.environment);
      doing = "starting";
    }
    *keeper.trouble_ = {doing, doing == std::string_view("starting") ? orders.program : "", errno};
    _exit(127);
  }

  // In the child. What it was doing when it failed, or null.
  const char* confine() const {
    const Orders& orders = orders_;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (orders.cwd >= 0 && !own_pids() && fchdir(orders.cwd) != 0) return "entering the folder";
    setpriority(PRIO_PROCESS, 0, orders.priority);
    if (!limit(orders)) return "setting limits";
    if (!tidy(orders)) return "setting up descriptors";
    if (orders.wall == Wall::none || orders.wall == Wall::bubblewrap) return nullptr;
    if (!own_pids() && !drop_rights()) return "giving up capabilities";
    if (rules_ >= 0 && !landlock::enter(rules_)) return "entering Landlock";
    if (orders.filter.len > 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &orders.filter, 0, 0) != 0)
      return "denying system calls";
    return nullptr;
  }

  void turn() {
    reap();
    std::int64_t time = now();
    if (nobody_) leave();
    if (killing_) return kill_all();
    if (ended_ && deadline_ == 0) return kill_all();  // what it left behind goes at once
    if (deadline_ != 0 && time >= deadline_) return kill_all();
    if (time >= next_count_) count();
    listen(std::max<std::int64_t>(0, std::min(next_count_, deadline_ == 0 ? next_count_ : deadline_) - now()));
  }

  void reap() {
    while (true) {
      int status = 0;
      pid_t pid = waitpid(-1, &status, WNOHANG);
      if (pid == command_ && pid > 0) {
        ended_ = true;
        say({.kind = Report::Kind::ended, .status = status});
      }
      if (pid < 0 && errno == ECHILD) nobody_ = true;
      if (pid <= 0) return;
    }
  }

  [[noreturn]] static void leave() { _exit(0); }  // process 1 takes the others with it

  void listen(std::int64_t milliseconds) {
    pollfd fds[2] = {{orders_.control, POLLIN, 0}, {signals_, POLLIN, 0}};
    poll(fds, 2, static_cast<int>(milliseconds));
    signalfd_siginfo info{};
    while (read(signals_, &info, sizeof info) == sizeof info)
      if (info.ssi_signo == static_cast<unsigned>(kParentDied)) killing_ = true;
    if (fds[0].revents == 0) return;
    Order order;
    ssize_t got = recv(orders_.control, &order, sizeof order, MSG_DONTWAIT);
    if (got == sizeof order) {
      deadline_ = now() + order.grace_milliseconds;
      terminate();
    } else if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
      killing_ = true;
    }
  }

  void terminate() {
    if (own_pids() || scoped_) {
      kill(-1, SIGTERM);
      kill(-1, SIGCONT);
      return;
    }
    census_.take(getpid());
    // Bubblewrap's outer process would take all others with it.
    pid_t except = orders_.wall == Wall::bubblewrap ? command_ : 0;
    census_.send(SIGTERM, except);
    census_.send(SIGCONT, except);
  }

  void count() {
    std::int64_t before = now();
    census_.take(own_pids() ? 0 : getpid(), orders_.processes);
    if (census_.processes() > orders_.processes) {
      say({.kind = Report::Kind::processes, .amount = census_.processes()});
      killing_ = true;
    } else if (std::uint64_t memory = census_.memory(orders_.memory_bytes); memory > orders_.memory_bytes) {
      say({.kind = Report::Kind::memory, .amount = memory});
      killing_ = true;
    }
    std::int64_t after = now();
    // Looking costs at most a tenth of the time, but not while there is something to look at.
    bool many = census_.processes() > orders_.processes / 4;
    next_count_ = after + (many ? kTick : std::clamp<std::int64_t>(10 * (after - before), kTick, kSlowTick));
  }

  void kill_all() {
    if (own_pids()) leave();
    killing_ = true;
    // There is no giving up while they change: whoever forks faster than this one counts would be free then. What stays
    // the same for that long does not obey SIGKILL.
    std::int64_t changed = now();
    std::uint64_t before = 0;
    while (now() - changed < kKillPatience) {
      if (scoped_)
        kill(-1, SIGKILL);
      else
        stop_and_kill();
      rest();
      census_.take(getpid());
      if (std::uint64_t mark = census_.mark(); mark != before) {
        before = mark;
        changed = now();
      }
    }
    say({.kind = Report::Kind::survivors, .amount = census_.processes()});
    leave();
  }

  // Time for the dying, up to a fifth of a second.
  void rest() {
    for (int i = 0; i < 20; ++i) {
      reap();
      if (nobody_) leave();
      pollfd signals{signals_, POLLIN, 0};
      poll(&signals, 1, i);
      signalfd_siginfo info{};
      while (read(signals_, &info, sizeof info) == sizeof info) continue;
    }
  }

  // Stopped processes do not fork, nor those that are about to stop: when a count finds nothing that runs, all of them
  // are known. Bubblewrap's process 1 would take the others with it, but among thousands its turn comes too late.
  void stop_and_kill() {
    for (int pass = 0; pass < 64; ++pass) {
      reap();
      census_.take(getpid());
      if (!census_.any_running()) break;
      census_.send(SIGSTOP);
    }
    census_.send(SIGKILL);
  }

  const Orders& orders_;
  Census census_;
  Trouble* trouble_ = nullptr;
  int rules_ = -1, signals_ = -1;
  pid_t command_ = -1;
  bool scoped_ = false, ended_ = false, nobody_ = false, killing_ = false;
  std::int64_t deadline_ = 0, next_count_ = 0;
};

}  // namespace

std::uint64_t namespaces_of(const Orders& orders) noexcept {
  if (orders.wall != Wall::namespaces) return 0;
  std::uint64_t flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
  if (!orders.network) flags |= CLONE_NEWNET;
  if (orders.user_namespace) flags |= CLONE_NEWUSER;
  return flags;
}

void keep(const Orders& orders) noexcept { Keeper(orders).run(); }

}  // namespace BELAY_NAMESPACE::sandbox
