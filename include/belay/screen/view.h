// What happens in a task, as rows of text: a transcript that grows, and a few rows below it that change.
#pragma once

#include <belay/screen/text.h>
#include <belay/task/action.h>
#include <belay/task/event.h>
#include <belay/task/record.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::screen {

struct ViewOptions {
  std::size_t width = 80;   ///< of a narrower screen than 20 columns, 20
  std::size_t height = 24;  ///< how much of a question fits on the screen
  Style style{false};
  bool unicode = true;  ///< marks of our own beyond ASCII
  bool live = true;     ///< something redraws live(); otherwise everything is in the transcript, once
};

/// Events in, rows out. Pure: no clock, no terminal; `now` is in milliseconds, from any start. Nothing that comes from
/// a model, a tool or a file reaches the rows as anything but text: the only control bytes in them are newlines and the
/// colours of Style. Not thread-safe. Work for an event is linear in its bytes; a call that grows is looked at again
/// only when it has grown by a part of itself, so that the whole is linear too.
class View {
 public:
  explicit View(ViewOptions options);
  ~View();

  void on(const task::Event& event, std::int64_t now);
  /// Of a turn: the exact arguments of its calls, and what of them is not run. Without it these are as they streamed.
  void kept(const task::Record& record);
  /// Puts a question into the transcript: all that is needed to decide. `preview` is what the call would change, as a
  /// unified diff, or empty.
  void ask(std::string_view task, const task::AskPerson& question, std::string_view preview, std::int64_t now);
  /// What the person said to a question, or on their own.
  void answered(std::string_view words);
  void said(std::string_view words);
  /// The question is not open any more: what was going on before it goes on.
  void end_question(std::int64_t now);
  /// What was said and done before, of a task that goes on: its goal, and its last `turns` turns in short; a row says
  /// how many came before. `records` are those of the task alone. The rows are bounded, however long the task is; no
  /// event of it may have been shown.
  void recount(std::span<const task::Record> records, std::size_t turns);
  /// A line of our own. Broken at spaces.
  void remark(std::string_view text, bool is_error = false);
  /// A text as it is, with newlines; bounded, and what was left out is said.
  void document(std::string_view title, std::string_view text);
  /// A unified diff, coloured.
  void diff(std::string_view text);

  /// The transcript since the last call: whole rows, each with its newline.
  std::string take();
  /// Bytes that take() would give.
  [[nodiscard]] std::size_t waiting() const;
  /// The rows that change, without the status: text that is not a whole row yet, calls that form, tools at work.
  [[nodiscard]] std::vector<std::string> live(std::int64_t now);
  /// One row: what is going on, the turn, tokens, cost, time.
  [[nodiscard]] std::string status(std::int64_t now) const;
  /// The last list of todos, as rows; "" when there is none.
  [[nodiscard]] std::string todos() const;
  /// Turns, tokens, cost and time, as a sentence.
  [[nodiscard]] std::string usage(std::int64_t now) const;
  /// The task that a person started.
  [[nodiscard]] const std::string& task() const;
  /// A call as the model wrote it, as far as the task keeps that; empty when nothing was wrong with it.
  [[nodiscard]] std::string raw_of(std::string_view task, std::string_view call) const;
  /// Something is under way.
  [[nodiscard]] bool busy() const;
  /// Nothing is, until the next event that begins something.
  void idle(std::int64_t now);

  /// From now on. Rows that were given out stay as they are.
  void resize(std::size_t width, std::size_t height);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace BELAY_NAMESPACE::screen
