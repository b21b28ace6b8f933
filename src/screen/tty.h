// A terminal that is taken for keys, and given back however the process ends.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <string_view>

namespace BELAY_NAMESPACE::screen {

struct Size {
  std::size_t width = 80, height = 24;
  bool operator==(const Size&) const = default;
};

/// One at a time in a process: a signal's handler has to know which terminal to give back.
class Tty {
 public:
  /// Handlers are set; `keys` says that take() gives keys one by one rather than lines.
  Tty(int input, int output, bool keys);
  ~Tty();
  Tty(const Tty&) = delete;
  Tty& operator=(const Tty&) = delete;

  void take();
  void give_back();
  /// Stops the process as Ctrl-Z does, and returns when it goes on. The terminal is given back meanwhile.
  void suspend();
  /// Ends the process as Ctrl-C does where nobody handles it. The terminal is given back before.
  void end_now();
  /// Throws away what was typed and not read yet.
  void flush() const;
  [[nodiscard]] Size size() const;
  /// Readable: one byte for each signal. 'w' another size, 'i' interrupt, 't' please end, 'z' suspend, 'c' goes on.
  [[nodiscard]] int signals() const;
  /// False when the terminal is gone.
  bool write(std::string_view bytes) const;

 private:
  int input_, output_;
  bool keys_;
};

}  // namespace BELAY_NAMESPACE::screen
