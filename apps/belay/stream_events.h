// Pieces of an answer as the events of Anthropic's stream, for `--include-partial-messages`.
#pragma once

#include <belay/task/event.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

/// Turns a task's display events into stream events, whatever the model's own wire is. One task's answers come one
/// after the other; tasks within have their own.
class StreamEvents {
 public:
  explicit StreamEvents(std::string model) : model_(std::move(model)) {}
  /// Of the message that is open; empty when none is.
  [[nodiscard]] std::string id_of(const std::string& task) const;
  /// JSON texts of events, in order; none when the event is not a piece of an answer.
  std::vector<std::string> on(const task::Event& event);
  /// The answer of this task has ended: what closes it. `stop` and `usage` are JSON texts.
  std::vector<std::string> end(const std::string& task, std::string_view stop, std::string_view usage);

 private:
  struct Answer {
    bool open = false;
    std::string id;
    std::size_t blocks = 0;
    std::optional<std::size_t> speech;  ///< the open block of text or thinking
    bool thinking = false;
    std::map<std::string, std::size_t> calls;  ///< open blocks by call
  };
  static void close(Answer& answer, std::vector<std::string>& out);
  static void begin(Answer& answer, const std::string& model, std::vector<std::string>& out);
  static void speak(Answer& answer, bool thinking, const std::string& text, std::vector<std::string>& out);

  std::string model_;
  std::map<std::string, Answer> answers_;
};

}  // namespace belay::cli
