#include "asking.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace belay::cli {
namespace {

// Until there is a line. Where signals are only taken note of, a stop is what ends the waiting.
bool line_there(int terminal, const std::stop_token& stop) {
  const int wake = ::eventfd(0, EFD_CLOEXEC);
  pollfd fds[2] = {{terminal, POLLIN, 0}, {wake, POLLIN, 0}};
  {
    const std::stop_callback stopped(stop, [wake] {
      const std::uint64_t one = 1;
      while (::write(wake, &one, sizeof one) < 0 && errno == EINTR) continue;
    });
    while (::poll(fds, 2, -1) < 0 && errno == EINTR) continue;
  }
  if (wake >= 0) ::close(wake);
  return fds[1].revents == 0;
}

// The first letter of what was typed, in lower case; '\0' for an empty line, an end or a stop.
std::optional<char> first_letter(std::string_view question, Output& err, const std::stop_token& stop) {
  const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0 || !err.is_terminal()) {
    if (terminal >= 0) ::close(terminal);
    return std::nullopt;
  }
  ::tcflush(terminal, TCIFLUSH);
  err << question;
  err.flush();
  char answer[256];
  const ssize_t n = line_there(terminal, stop) ? ::read(terminal, answer, sizeof answer) : 0;
  ::close(terminal);
  if (n <= 0) return '\0';
  if (answer[0] == '\n') return '\0';
  return answer[0] >= 'A' && answer[0] <= 'Z' ? static_cast<char>(answer[0] + ('a' - 'A')) : answer[0];
}

}  // namespace

std::optional<bool> ask_person(std::string_view question, Output& err, const std::stop_token& stop) {
  const auto letter = first_letter(question, err, stop);
  if (!letter) return std::nullopt;
  return *letter == 'y';
}

std::optional<char> ask_letter(std::string_view question, std::string_view letters, Output& err,
                               const std::stop_token& stop) {
  for (;;) {
    const auto letter = first_letter(question, err, stop);
    if (!letter || *letter == '\0' || letters.contains(*letter)) return letter;
    err << "That is none of the choices.\n";
  }
}

}  // namespace belay::cli
