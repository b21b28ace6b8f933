#include "run/apart.h"

#include "run/parcel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string>

namespace BELAY_NAMESPACE::run {
namespace {

using Clock = std::chrono::steady_clock;

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void child(const tool::Tool& tool, const tool::Invocation& invocation, const tool::ResultLimits& limits,
                        int out, pid_t parent) {
  // It must not outlive the one that waits for it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  ::signal(SIGPIPE, SIG_IGN);
  tool::Invocation apart{invocation.arguments, {}, {}, invocation.confined};
  const std::string bytes = packed(tool.run(apart, limits));
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t n = ::write(out, bytes.data() + sent, bytes.size() - sent);
    if (n < 0 && errno != EINTR) break;
    sent += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
  }
  // No destructors and no flushing: what the parent had in its buffers is the parent's.
  ::_exit(0);
}

enum class Ended : std::uint8_t { by_itself, time, stop };

// Reads all that the child sends, until it ends, its time is over, or somebody asks to stop.
Ended collect(int in, int stopped, double seconds, std::string& bytes) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  char buffer[64 * 1024];
  while (true) {
    int wait = -1;
    if (seconds > 0) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
      if (left <= 0) return Ended::time;
      wait = static_cast<int>(std::min<long long>(left + 1, 60'000));
    }
    pollfd both[2] = {{in, POLLIN, 0}, {stopped, POLLIN, 0}};
    if (::poll(both, 2, wait) < 0 && errno != EINTR) return Ended::by_itself;
    if (both[1].revents != 0) return Ended::stop;
    if (both[0].revents == 0) continue;
    const ssize_t n = ::read(in, buffer, sizeof buffer);
    if (n == 0 || (n < 0 && errno != EINTR)) return Ended::by_itself;
    if (n > 0) bytes.append(buffer, static_cast<std::size_t>(n));
  }
}

std::string unknown_outcome(const tool::Spec& spec) {
  return spec.effect == tool::Effect::write || spec.effect == tool::Effect::execute
             ? " Whether it had its effect is not known: look before you send it again."
             : "";
}

}  // namespace

tool::Result run_apart(const tool::Tool& tool, const tool::Invocation& invocation, const tool::ResultLimits& limits) {
  const tool::Spec& spec = tool.spec();
  auto failed = [&](const std::string& why) { return tool::error_result(spec.name + " could not be run: " + why); };
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed(std::strerror(errno));
  Descriptor in(ends[0]), out(ends[1]);
  Descriptor stopped(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (stopped.get() < 0) return failed(std::strerror(errno));
  std::stop_callback on_stop(invocation.stop, [&] {
    const std::uint64_t one = 1;
    if (::write(stopped.get(), &one, sizeof one) < 0) return;  // it is readable already
  });

  const pid_t self = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return failed(std::strerror(errno));
  if (pid == 0) child(tool, invocation, limits, out.get(), self);
  out.close();
  std::string bytes;
  const Ended ended = collect(in.get(), stopped.get(), spec.timeout, bytes);
  if (ended != Ended::by_itself) ::kill(pid, SIGKILL);
  int status = 0;
  pid_t waited = 0;
  do waited = ::waitpid(pid, &status, 0);
  while (waited < 0 && errno == EINTR);

  if (auto result = unpacked(bytes)) return *std::move(result);
  if (ended == Ended::stop) return tool::error_result(spec.name + " was stopped." + unknown_outcome(spec));
  if (ended == Ended::time)
    return tool::error_result(spec.name + " was ended: its time of " + std::to_string(std::lround(spec.timeout)) +
                              " s was over." + unknown_outcome(spec));
  const bool signaled = waited == pid && WIFSIGNALED(status);
  return tool::error_result(spec.name + " crashed" +
                            (signaled ? std::string(" (") + ::strsignal(WTERMSIG(status)) + ")" : "") + "." +
                            unknown_outcome(spec));
}

}  // namespace BELAY_NAMESPACE::run
