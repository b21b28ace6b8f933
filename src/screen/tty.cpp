#include "screen/tty.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace BELAY_NAMESPACE::screen {
namespace {

constexpr std::string_view kTaken = "\x1b[?2004h";                          // pasted text is marked as such
constexpr std::string_view kGivenBack = "\x1b[?2004l\x1b[?2026l\x1b[?25h";  // and the cursor is seen

constexpr std::array kAsked{SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT};
constexpr std::array kCrashes{SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

// What a handler may see. There is no other way: it gets nothing but its signal's number.
struct Taken {
  std::atomic<bool> is{false};
  std::atomic<int> input{-1}, output{-1}, told{-1};
  std::atomic<int> ends{0};
  termios before{};
  std::array<struct sigaction, kAsked.size()> asked{};
  std::array<struct sigaction, kCrashes.size()> crashes{};
  int pipe[2] = {-1, -1};
};
Taken taken;

static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

// Only what a handler may call.
void give_back_now() {
  if (!taken.is.exchange(false)) return;
  ::tcsetattr(taken.input, TCSANOW, &taken.before);
  [[maybe_unused]] const ssize_t n = ::write(taken.output, kGivenBack.data(), kGivenBack.size());
}

void tell(char what) { [[maybe_unused]] const ssize_t n = ::write(taken.told, &what, 1); }

void on_signal(int signal) {
  const int error = errno;
  switch (signal) {
    case SIGWINCH: tell('w'); break;
    case SIGINT: tell('i'); break;
    case SIGTSTP: tell('z'); break;
    case SIGCONT: tell('c'); break;
    default:
      // Asked for a second time it does not wait for anybody.
      if (taken.ends.fetch_add(1) > 0) {
        give_back_now();
        ::signal(signal, SIG_DFL);
        ::raise(signal);
      }
      tell('t');
  }
  errno = error;
}

void on_crash(int signal) {
  give_back_now();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void set(int signal, void (*handler)(int), struct sigaction* before) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, before);
}

}  // namespace

Tty::Tty(int input, int output, bool keys) : input_(input), output_(output), keys_(keys) {
  taken.input = input;
  taken.output = output;
  taken.ends = 0;
  if (::pipe2(taken.pipe, O_CLOEXEC | O_NONBLOCK) == 0) taken.told = taken.pipe[1];
  for (std::size_t i = 0; i < kAsked.size(); ++i) set(kAsked[i], on_signal, &taken.asked[i]);
  for (std::size_t i = 0; i < kCrashes.size(); ++i) set(kCrashes[i], on_crash, &taken.crashes[i]);
  static const bool at_exit = std::atexit(give_back_now) == 0;
  static_cast<void>(at_exit);
}

Tty::~Tty() {
  give_back();
  for (std::size_t i = 0; i < kAsked.size(); ++i) ::sigaction(kAsked[i], &taken.asked[i], nullptr);
  for (std::size_t i = 0; i < kCrashes.size(); ++i) ::sigaction(kCrashes[i], &taken.crashes[i], nullptr);
  taken.told = -1;
  for (int& fd : taken.pipe) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
}

void Tty::take() {
  termios now{};
  if (!keys_ || taken.is || ::tcgetattr(input_, &now) != 0) return;
  taken.before = now;
  // Output stays as it is, so that a newline is one.
  now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);
  now.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL | INLCR | IGNCR | ISTRIP);
  now.c_cc[VMIN] = 1;
  now.c_cc[VTIME] = 0;
  taken.is = true;
  ::tcsetattr(input_, TCSADRAIN, &now);
  write(kTaken);
}

void Tty::give_back() { give_back_now(); }

void Tty::flush() const { ::tcflush(input_, TCIFLUSH); }

int Tty::signals() const { return taken.pipe[0]; }

Size Tty::size() const {
  winsize w{};
  if (::ioctl(output_, TIOCGWINSZ, &w) != 0 || w.ws_col == 0 || w.ws_row == 0) return {};
  return {w.ws_col, w.ws_row};
}

bool Tty::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t n = ::write(output_, bytes.data(), bytes.size());
    if (n >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      pollfd fd{output_, POLLOUT, 0};
      ::poll(&fd, 1, 1000);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

void Tty::end_now() {
  give_back();
  ::signal(SIGINT, SIG_DFL);
  ::kill(::getpid(), SIGINT);
}

void Tty::suspend() {
  give_back();
  struct sigaction ours{};
  set(SIGTSTP, SIG_DFL, &ours);
  ::kill(0, SIGTSTP);
  // Another thread may be the one that is stopped first: what follows waits for the signal to go on. A process that
  // nobody could wake is not stopped at all; then a second is enough.
  pollfd fd{taken.pipe[0], POLLIN, 0};
  char what = 0;
  while (what != 'c' && ::poll(&fd, 1, 1000) != 0)
    if (::read(taken.pipe[0], &what, 1) < 0 && errno != EINTR && errno != EAGAIN) break;
  ::sigaction(SIGTSTP, &ours, nullptr);
  take();
}

}  // namespace BELAY_NAMESPACE::screen
