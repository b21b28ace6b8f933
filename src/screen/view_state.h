// What a View knows.
#pragma once

#include <belay/screen/view.h>

#include "screen/flow.h"
#include "screen/forming.h"
#include "screen/markup.h"
#include "screen/tail.h"

#include <map>
#include <optional>
#include <set>

namespace BELAY_NAMESPACE::screen {

/// Marks of our own.
struct Marks {
  explicit Marks(bool unicode)
      : call(unicode ? "●" : "*"),
        bar(unicode ? "│" : "|"),
        good(unicode ? "✓" : "+"),
        bad(unicode ? "✗" : "x"),
        dot(unicode ? " · " : " - "),
        more(unicode ? "…" : "...") {}
  std::string_view call, bar, good, bad, dot, more;
};

/// A call whose answer has ended.
struct ShownCall {
  std::string task, id, name, verdict;
  std::string tool;       ///< its own name, where the model used another; "" while it is not known
  std::string arguments;  ///< JSON text of what would run; empty when only the stream is known
  std::string raw;        ///< as the model wrote it, as far as that is kept; empty when nothing was wrong with it
  std::string receipt, not_run, feedback;
  bool refused = false;
  bool not_run_why = false;  ///< its result says, to the model, why it was not run
  bool ended = false;
  bool head = false;     ///< its head is in the transcript
  bool changes = false;  ///< what it changes is in the transcript
  std::optional<Forming> formed;
  std::optional<std::int64_t> running_since;
  Tail output{4};
  [[nodiscard]] const std::string& own_name() const { return tool.empty() ? name : tool; }
};

struct View::State {
  explicit State(const ViewOptions& given) : options(given), marks(options.unicode) {}

  /// Of one task, or of all.
  struct Used {
    std::uint64_t input = 0, output = 0, turns = 0;
    std::uint64_t estimated = 0;  // of the tokens: those that the server did not count
    double cost = 0;
  };

  // view.cpp: rows
  void row(std::string_view task, std::string_view text);
  void begin(std::string_view block, std::string_view task);
  [[nodiscard]] std::size_t width(std::string_view task) const;
  [[nodiscard]] std::string prefix(std::string_view task) const;
  enum class Tone : std::uint8_t { plain, dim, red, yellow, green, bold, marked };  // marked: see Markup
  [[nodiscard]] std::string paint(Tone tone, std::string_view text) const;
  /// Text behind `lead`, in rows broken at spaces, further rows behind as many spaces.
  void paragraph(std::string_view task, std::string_view lead, std::string_view text, Tone tone,
                 std::size_t most = 100);
  void diff(std::string_view task, std::string_view text, std::size_t most);
  std::string diff_row(std::string_view line, std::string_view row) const;

  // view_question.cpp: text to be approved, behind a bar
  void exactly(std::string_view task, std::string_view text, std::size_t most, std::string_view what);

  // view_speech.cpp: what the model says and thinks
  void speak(const task::Event& event, std::int64_t now);
  void text_row(const std::string& r);
  void end_speech(std::int64_t now);
  void resize();
  void end_thought(std::int64_t now);
  [[nodiscard]] bool was_spoken(std::string_view task, std::string_view text) const;

  // view_recount.cpp: what came before
  struct Recount;

  // view_calls.cpp: calls and their results
  void call_started(const task::Event& event);
  void call_delta(const task::Event& event);
  void call_ended(const task::Event& event);
  void tool_started(const task::Event& event, std::int64_t now);
  void tool_ended(const task::Event& event, std::int64_t now);
  ShownCall* find(std::string_view task, std::string_view id);
  ShownCall& known(const task::Event& event);
  /// `about`: with what the call is about, where that does not follow in full.
  void head_of(ShownCall& call, bool about = true);
  void trouble_of(ShownCall& call);
  void result_of(ShownCall& call, std::string_view text, bool is_error, std::optional<std::int64_t> took);

  // view_events.cpp: the rest
  void other(const task::Event& event, std::int64_t now);
  void started(const task::Event& event, std::int64_t now);
  void show_todos(const task::Event& event);
  void finished(const task::Event& event, std::int64_t now);
  void usage_came(const task::Event& event);
  /// Of one task, or of all.
  [[nodiscard]] std::string usage(std::string_view task, std::int64_t now) const;
  [[nodiscard]] std::string usage(std::int64_t now) const;
  [[nodiscard]] std::string usage_text(const Used& of, std::int64_t time) const;
  [[nodiscard]] Used in_all() const;
  /// Milliseconds in which something was under way: neither idle nor the person's turn.
  [[nodiscard]] std::int64_t active(std::int64_t now) const {
    return active_before + (counting() ? now - phase_began : 0);
  }
  [[nodiscard]] bool counting() const { return phase != Phase::idle && phase != Phase::asking; }

  ViewOptions options;
  Marks marks;
  std::string out;         // the transcript that was not taken yet
  std::string last_block;  // what the last row belongs to
  std::string root;        // the task that a person started
  std::map<std::string, std::size_t, std::less<>> depth;

  // what streams
  enum class Speech : std::uint8_t { none, text, thought };
  Speech speech = Speech::none;
  std::string speech_task;
  Flow flow{80};
  Markup markup;                    // of the text that streams
  std::size_t blank_rows = 0;       // rows of the text with nothing in them that may turn out to be its end
  bool any_text = false;            // of this answer
  std::string spoken, spoken_task;  // the text of the last answer, as far as it is kept to be compared
  std::string answering;            // the task whose model was asked last, until its answer is there
  std::int64_t thought_since = 0;
  std::uint64_t thought_characters = 0;
  std::string thought;  // its last row that is whole

  struct Growing {
    std::string task;
    Forming call;
  };
  std::vector<Growing> growing;  // calls of the answer that streams
  std::vector<ShownCall> calls;  // of the last answers, until their results are there
  struct Planned {
    std::string arguments, not_run, tool, raw;
  };
  std::map<std::string, Planned, std::less<>> planned;  // by task and call
  std::set<std::string, std::less<>> unrun;             // by task and call: what its result says is why it was not run
  std::string todo_list;

  // what is going on
  enum class Phase : std::uint8_t { idle, asked_model, thinking, writing, calling, working, asking, waiting };
  Phase phase = Phase::idle;
  Phase before_question = Phase::idle;
  std::int64_t phase_since = 0;
  std::int64_t retry_at = 0;
  std::string retry_why;  // kind of the failure
  std::string failure;    // as it was shown, until something else comes
  std::int64_t attempt = 1;
  bool summary = false;
  bool any_event = false;
  std::int64_t phase_began = 0;                            // the first moment that is not in active_before
  std::int64_t active_before = 0;                          // see active()
  std::map<std::string, std::int64_t, std::less<>> began;  // by task: active() then
  std::map<std::string, Used, std::less<>> used;
  void enter(Phase next, std::int64_t now) {
    if (phase != next) phase_since = now;
    active_before = active(now);
    phase_began = now;
    phase = next;
  }
};

}  // namespace BELAY_NAMESPACE::screen
