#include "sandbox/launch.h"

#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace BELAY_NAMESPACE::sandbox {
namespace {

constexpr int kKeeperPatience = 10'000;  // milliseconds until a keeper that does not end is killed

void reap(int process) {
  siginfo_t info{};
  while (waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(process), &info, WEXITED) != 0 && errno == EINTR)
    continue;
}

}  // namespace

std::expected<Running, std::string> Running::start(Plan& plan) {
  // The child has to begin without handlers of ours running in it.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int process = -1;
  std::uint64_t flags = namespaces_of(plan.orders) | CLONE_PIDFD | SIGCHLD;
  // Not glibc's fork: it has no flags. Not vfork: the keeper lives on. What runs in the child takes no lock and
  // allocates nothing, so it does not matter what other threads were doing.
  long pid = syscall(SYS_clone, flags, nullptr, &process, nullptr, nullptr);
  if (pid == 0) keep(plan.orders);
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) return std::unexpected(std::string("no process could be started: ") + std::strerror(error));
  plan.close_childs_ends();
  return Running(plan, Descriptor(process));
}

Running::Running(Running&& other) noexcept : plan_(other.plan_), process_(std::move(other.process_)) {}

Running::~Running() {
  if (!process_) return;
  plan_->control.reset();  // the keeper sees that nobody listens, and ends everything
  pollfd ended{process_.get(), POLLIN, 0};
  int ready = 0;
  while ((ready = poll(&ended, 1, kKeeperPatience)) < 0 && errno == EINTR) continue;
  if (ready == 0) kill();
  reap(process_.get());
}

std::optional<Report> Running::hear() const {
  Report report;
  ssize_t got = recv(plan_->control.get(), &report, sizeof report, MSG_DONTWAIT);
  if (got != sizeof report) return std::nullopt;
  report.doing[sizeof report.doing - 1] = report.path[sizeof report.path - 1] = 0;
  return report;
}

void Running::end(double grace_seconds) const {
  Order order{static_cast<std::uint32_t>(std::clamp(grace_seconds, 0.0, 60.0) * 1000)};
  send(plan_->control.get(), &order, sizeof order, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Running::kill() const {
  if (plan_->orders.wall == Wall::namespaces) syscall(SYS_pidfd_send_signal, process_.get(), SIGKILL, nullptr, 0);
}

std::string sentence(const Report& report) {
  std::string doing = report.doing;
  if (doing == "starting" && report.error == E2BIG)
    return "the command and its environment are longer than this system allows for a program's arguments: put it into "
           "a "
           "file and run that";
  std::string out = "the command was not run: " + doing;
  if (report.path[0] != 0) out += std::string(" ") + report.path;
  return out + ": " + std::strerror(report.error);
}

std::expected<void, std::string> trial(const Cage& cage) {
  auto plan = Plan::make(cage, {});
  if (!plan) return std::unexpected(plan.error());
  (*plan)->orders.setup_only = true;
  auto running = Running::start(**plan);
  if (!running) return std::unexpected(running.error());
  pollfd said{running->reports(), POLLIN, 0};
  while (poll(&said, 1, kKeeperPatience) < 0 && errno == EINTR) continue;
  std::optional<Report> report = running->hear();
  if (!report) return std::unexpected("the keeper ended without a word");
  if (report->kind != Report::Kind::started) {
    std::string why = report->doing;
    if (report->path[0] != 0) why += std::string(" ") + report->path;
    return std::unexpected(why + ": " + std::strerror(report->error));
  }
  return {};
}

}  // namespace BELAY_NAMESPACE::sandbox
