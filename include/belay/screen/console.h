// Everything about the screen but the terminal: events and keys in; a frame to draw and wishes for the agent out.
#pragma once

#include <belay/policy/permission.h>
#include <belay/screen/editor.h>
#include <belay/screen/keys.h>
#include <belay/screen/view.h>
#include <belay/task/tree.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::screen {

struct ConsoleOptions {
  ViewOptions view{};
  std::string model{};      ///< named in the first line
  std::string workspace{};  ///< named there too
  std::string mode{};       ///< of permissions; named there too; may be empty
  std::string log{};        ///< path of the developer's log, shown by "inspect"; may be empty
  /// What a call would change, as a unified diff, or a sentence; may be empty, and give "".
  std::function<std::string(std::string_view tool, std::string_view arguments)> preview{};
  /// How the tool servers are, a line for each, for /mcp; may be empty, and give "".
  std::function<std::string()> servers{};
  /// Names of files that begin like this, for @; may be empty.
  std::function<std::vector<std::string>(std::string_view beginning)> files{};
};

/// What the person wants of the agent, or of the terminal.
struct Wish {
  enum class Kind : std::uint8_t {
    reply,    ///< `task`, `question`, `answer`
    say,      ///< `text`
    stop,     ///< the turn
    leave,    ///< the program, when what is under way has stopped
    end_now,  ///< the program, at once
    allow,    ///< `rule`
    suspend,  ///< as Ctrl-Z does
    redraw,   ///< all of the screen
  };
  Kind kind = Kind::say;
  std::string task{}, question{}, text{};
  task::Reply answer{};
  policy::Rule rule{};
};

/// What is to be drawn: the transcript goes on above, the rows are drawn anew below it.
struct Frame {
  std::string transcript;  ///< whole rows, each with its newline
  std::vector<std::string> rows;
  std::size_t row = 0, column = 0;  ///< of the cursor, within the rows
};

/// Pure: no clock (`now` is in milliseconds), no terminal, no thread; not thread-safe.
///
/// A question is answered by keys only when they came after it was on the screen (shown()), one at a time, and not by
/// paste. Was the person in the middle of typing when it came, their words are kept for later, and keys count only
/// after a pause.
class Console {
 public:
  explicit Console(ConsoleOptions options);

  /// Says what this is, once; the first event of a task does it too, and names the task.
  void greet(std::string_view task = {});
  /// Greets, and tells the last turns of a task that goes on; see View::recount().
  void recount(std::span<const task::Record> records);
  /// What the person said when they started the program; it is sent already.
  void said(std::string_view words) { view_.said(words); }
  void on(const task::Event& event, std::int64_t now);
  void kept(const task::Record& record);
  void ask(std::string_view task, const task::AskPerson& question, std::int64_t now);
  void drop(std::string_view question);
  void idle(std::int64_t now);

  /// All keys that came at once.
  void keys(const std::vector<Key>& keys, std::int64_t now);
  /// A line, where there are no keys: a terminal that cannot redraw.
  void line(std::string_view text, std::int64_t now);
  void end_of_input(std::int64_t now);

  Frame frame(std::int64_t now);
  /// The last frame is on the screen. True when a question stood in it for the first time: what was typed before is to
  /// be thrown away now.
  bool shown(std::int64_t now);
  std::vector<Wish> take_wishes() { return std::exchange(wishes_, {}); }
  /// Only the messages among them.
  std::vector<std::string> take_messages();

  [[nodiscard]] View& view() { return view_; }
  [[nodiscard]] Editor& editor() { return editor_; }
  [[nodiscard]] bool asking() const { return !questions_.empty(); }
  /// Somebody waits for a line, where there are no keys: what to say to them. "> " when it is for them to begin.
  [[nodiscard]] std::string line_prompt() const;
  void resize(std::size_t width, std::size_t height);
  /// When the frame changes though nothing happens: a hint does not hold any longer.
  [[nodiscard]] std::optional<std::int64_t> changes_at() const;

 private:
  struct Open {
    std::string task;
    task::AskPerson question;
    std::string preview;
    std::optional<policy::Rule> rule;
    bool framed = false;     // it stands in a frame
    bool shown = false;      // that was on the screen
    bool inspected = false;  // all of it is in the transcript
    bool words = false;      // the person refused, and may say why
    std::int64_t armed = 0;  // keys count from now on
  };
  [[nodiscard]] Open* open() { return questions_.empty() ? nullptr : &questions_.front(); }
  [[nodiscard]] bool by_key(const Open& open) const;
  void present(std::int64_t now);
  void reply(task::Reply::Kind kind, std::string text, std::string_view shown_words);
  void key(const Key& key, bool alone, std::int64_t now);
  void question_key(Open& open, const Key& key, bool alone, std::int64_t now);
  void answer_letter(Open& open, char letter, std::int64_t now);
  void answer_words(Open& open, std::string_view text, std::int64_t now);
  void inspect(Open& open);
  void interrupt(std::int64_t now);
  void stop(std::int64_t now);
  void hint_for_a_while(std::string text, std::int64_t now);
  void entered(std::string text, std::int64_t now);
  void command(std::string_view text, std::int64_t now);
  void queue(const task::Event& event);
  void say_queued();
  void release_queued();
  void give_back_queued();
  void leave();
  [[nodiscard]] Completions completions(std::string_view before) const;
  [[nodiscard]] std::vector<std::string> prompt_rows(const Open& open) const;
  void wish(Wish wish) { wishes_.push_back(std::move(wish)); }

  ConsoleOptions options_;
  View view_;
  Editor editor_;
  std::deque<Open> questions_;
  std::optional<std::string> draft_;  // what was typed when a question came
  struct Queued {
    std::string text;
    bool sent = false;        // to the task, which sends it with its next request
    bool after_stop = false;  // said when the turn was to be stopped already
  };
  std::vector<Queued> queued_;                     // said while something was at work
  std::set<std::string, std::less<>> requesting_;  // tasks whose model is answering
  std::string hint_;
  std::int64_t hint_until_ = 0;  // 0: until the next key
  std::vector<Wish> wishes_;
  std::int64_t last_key_ = -1'000'000;
  std::int64_t interrupted_ = -1'000'000;
  bool typing_ = false;  // the person was when the question came, and did not pause since
  bool stopping_ = false;
  bool leaving_ = false;
  bool greeted_ = false;
};

}  // namespace BELAY_NAMESPACE::screen
