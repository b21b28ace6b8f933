// Where tool servers' questions reach the person: at the terminal, one after the other.
#pragma once

#include <belay/screen/terminal.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

/// Thread-safe. Questions may be asked before there is a terminal: they wait for it.
class Desk {
 public:
  /// From now on questions are put on this terminal, which must stay until close().
  void open(screen::Terminal& terminal);
  /// What is open, and whatever comes later, has no answer.
  void close();
  /// The agent's hands, with the answers to the questions of this desk taken out. A stop gives up what is open here.
  screen::Hands between(const screen::Hands& hands);

  /// Waits for the person's words: one of the choices, where there are some. They may type something else all the same;
  /// whoever asks says then that it is none. Nothing when the question was given up: by a stop,
  /// because it was withdrawn, or because the terminal went. The text is shown as it is: make it harmless before.
  std::optional<std::string> ask(const std::string& text, const std::vector<std::string>& choices,
                                 const std::stop_token& withdrawn = {});
  /// Columns that a row of a question has.
  [[nodiscard]] static std::size_t columns();
  /// A line in the transcript.
  void remark(std::string_view text);

 private:
  struct Open {
    std::optional<std::string> words;
    bool over = false;
  };
  bool answered(const std::string& question, const task::Reply& reply);
  void give_up();

  std::mutex lock_;
  std::condition_variable_any changed_;
  screen::Terminal* terminal_ = nullptr;
  bool closed_ = false;
  std::uint64_t next_ = 1;
  std::map<std::string, Open> open_;
};

}  // namespace belay::cli
