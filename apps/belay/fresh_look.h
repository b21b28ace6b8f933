// What a person approves of is what they were shown: when the files have changed meanwhile, they look again.
#pragma once

#include <belay/run.h>
#include <belay/screen/terminal.h>

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace belay::cli {

/// Stands between the agent and the terminal. Thread-safe.
class FreshLook final : public run::Front {
 public:
  /// What a call would change, as it is shown; see screen::TerminalOptions.
  using Preview = std::function<std::string(std::string_view tool, std::string_view arguments)>;
  FreshLook(screen::Terminal& terminal, Preview preview) : terminal_(terminal), preview_(std::move(preview)) {}

  void on(const task::Event& event) override { terminal_.on(event); }
  void kept(const task::Record& record) override { terminal_.kept(record); }
  void ask(std::string_view task, const task::AskPerson& question) override;
  void drop(std::string_view question) override;
  void idle() override { terminal_.idle(); }

  /// Those of the agent, but a yes to what is not the same any more is asked for again.
  screen::Hands hands_of(run::Agent& agent);

 private:
  struct Open {
    std::string task;
    task::AskPerson question;
    std::string shown;
  };
  screen::Terminal& terminal_;
  Preview preview_;
  std::mutex mutex_;
  std::map<std::string, Open, std::less<>> open_;
};

}  // namespace belay::cli
