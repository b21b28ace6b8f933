// Pieces of an answer as the events of Anthropic's stream, for `--include-partial-messages`.
#pragma once

#include <belay/task/event.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace belay::cli {

/// Turns a task's display events into stream events, whatever the model's own wire is. One task's answers come one
/// after the other; tasks within have their own.
class StreamEvents {
 public:
  explicit StreamEvents(std::string model) : model_(std::move(model)) {}
  /// JSON texts of events, in order; none when the event is not a piece of an answer.
  std::vector<std::string> on(const task::Event& event);

 private:
  struct Answer {
    bool open = false;
    std::size_t blocks = 0;
    std::optional<std::size_t> speech;  ///< the open block of text or thinking
    bool thinking = false;
    std::map<std::string, std::size_t> calls;  ///< open blocks by call
  };
  void end(Answer& answer, std::vector<std::string>& out);
  void speak(Answer& answer, bool thinking, const std::string& text, std::vector<std::string>& out);

  std::string model_;
  std::map<std::string, Answer> answers_;
};

}  // namespace belay::cli
