// The terminal as the front of a task: its thread reads keys and draws.
#pragma once

#include <belay/run/agent.h>
#include <belay/run/front.h>
#include <belay/screen/console.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::screen {

struct TerminalOptions {
  int input = 0, output = 1;  ///< not closed
  /// Colours, marks beyond ASCII, and whether rows can be redrawn; for_environment() knows what this terminal can do.
  bool colour = false, unicode = true, live = true;
  std::size_t width = 0, height = 0;                ///< 0: asked of the terminal, and again when it changes
  std::string model{}, workspace{}, mode{}, log{};  ///< see ConsoleOptions
  std::string history{};                            ///< file for what was typed; made with mode 0600; empty for none
  std::function<std::string(std::string_view tool, std::string_view arguments)> preview{};  ///< see ConsoleOptions
  std::function<std::string()> servers{};  ///< see ConsoleOptions; called on the terminal's thread
};
/// Colours unless NO_COLOR is set; rows that are redrawn unless TERM is "dumb" or the output is no terminal; marks
/// beyond ASCII unless the locale names another character set than UTF-8.
TerminalOptions for_environment(int input, int output);

/// What the terminal wants of the agent. Each may be called from the terminal's thread at any time; `say` also from
/// within Terminal::on(), and none of them may wait for another call of the terminal.
struct Hands {
  std::function<void(std::string task, std::string question, task::Reply reply)> reply{};
  std::function<void(std::vector<chat::Block> blocks)> say{};
  std::function<void()> stop{};
  std::function<void()> leave{};
  std::function<void(policy::Rule rule)> allow{};
};
inline Hands hands_of(run::Agent& agent) {
  return {[&agent](std::string task, std::string question, task::Reply reply) {
            agent.reply(std::move(task), std::move(question), std::move(reply));
          },
          [&agent](std::vector<chat::Block> blocks) { agent.say(std::move(blocks)); }, [&agent] { agent.stop(); },
          [&agent] { agent.leave(); }, [&agent](policy::Rule rule) { agent.allow(std::move(rule)); }};
}

/// Only one at a time in a process: the terminal's settings and the handlers of signals (SIGINT, SIGTERM, SIGHUP,
/// SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH, and those of a crash) are its own from attach() to close(). However the process
/// ends, by a return, an exception, std::exit or a signal, the terminal is as it was before; only SIGKILL is stronger.
///
/// Events may come from any thread; none is drawn more than about 30 times a second. When the terminal is slower than
/// what is said, on() waits for it.
class Terminal final : public run::Front {
 public:
  explicit Terminal(TerminalOptions options);
  ~Terminal() override;
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Waits for the person's first message: the goal, when none was given. Nothing when they left instead.
  std::optional<std::string> first_message();
  /// Takes the terminal, says what this is and begins to read keys. The hands must work until close(), or until others
  /// are attached.
  void attach(Hands hands);
  void attach(run::Agent& agent) { attach(hands_of(agent)); }
  /// Draws what is left, gives the terminal back and stops the thread. The destructor does it too.
  void close();

  void on(const task::Event& event) override;
  void kept(const task::Record& record) override;
  void ask(std::string_view task, const task::AskPerson& question) override;
  void drop(std::string_view question) override;
  void idle() override;

  /// The last turns of a task that goes on, before its first event; see View::recount().
  void recount(std::span<const task::Record> records);
  /// What the person said when they started the program; it is sent already.
  void said(std::string_view words);
  /// A line of the program's own, dim or red.
  void remark(std::string_view text, bool is_error = false);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace BELAY_NAMESPACE::screen
