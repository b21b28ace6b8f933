#include "asking.h"

#include <fcntl.h>
#include <unistd.h>

namespace belay::cli {

std::optional<bool> ask_person(std::string_view question, Output& err) {
  const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0 || !err.is_terminal()) {
    if (terminal >= 0) ::close(terminal);
    return std::nullopt;
  }
  err << question;
  err.flush();
  char answer[256];
  const ssize_t n = ::read(terminal, answer, sizeof answer);
  ::close(terminal);
  return n > 0 && (answer[0] == 'y' || answer[0] == 'Y');
}

}  // namespace belay::cli
