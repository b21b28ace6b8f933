// A decoder while it reads.
#pragma once

#include "text/active.h"
#include "text/data.h"
#include "text/lead.h"
#include "text/peek.h"
#include "text/shown.h"
#include "text/surroundings.h"
#include "text/trail.h"

#include <optional>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::text {

struct Decoder::State {
  State(Sink& sink, Options options);

  void push(std::string_view bytes);
  void boundary();
  void finish();

  enum class Mode : std::uint8_t { prose, reasoning };
  enum class What : std::uint8_t { call, thinking, silent, quotation, owed, misspelt, again, doubt, closer, parameter };
  struct Begin {
    Begin(Is i = Is::no, std::size_t n = 0, What w = What::call, std::size_t k = 0)
        : is(i), length(n), what(w), index(k) {}
    Is is;
    std::size_t length;
    What what;
    std::size_t index;
    const Row* row = nullptr;
    std::optional<Start> start;
  };
  struct Fenced {
    Is is = Is::no;
    std::size_t length = 0;
  };

  std::size_t run(std::string_view window, bool final);
  // prose.cpp: text up to a byte that matters
  bool prose(std::string_view rest, bool final, std::size_t& used);
  enum class Took : std::uint8_t { nothing, some, wait };
  Took in_quotation(std::string_view rest, bool final, std::size_t& i);
  Took call_in_span(std::string_view rest, std::size_t used, std::size_t i, bool final, Begin& begin);
  Took behind_markers(std::string_view rest, std::size_t i, bool final, Begin& begin);
  [[nodiscard]] bool in_code() const { return fence > 0 || span > 0 || cited; }
  /// One or two backticks are open, and may never close.
  [[nodiscard]] bool in_open_span() const { return span > 0 && span < 3 && fence == 0 && !cited && !span_closes; }
  void mark_line(std::string_view before);
  bool think(std::string_view rest, bool final, std::size_t& used);
  [[nodiscard]] Match match_misspelt(std::string_view text, bool final) const;
  [[nodiscard]] Is begins_aside(std::string_view text, const Thinking& block, std::size_t from, bool final) const;
  [[nodiscard]] Is span_ends(std::string_view rest, bool final);
  [[nodiscard]] bool is_half_marker(std::string_view text) const;
  Begin begins_call(std::string_view text, const Row& row, bool final);
  Begin begins(std::string_view text, std::size_t index, bool final);
  Begin begins_something(std::string_view text, bool final);
  Begin ends_turn(std::string_view text, std::size_t index, bool final);
  Fenced fenced_call(std::string_view rest, std::size_t marks, bool final);
  void start(Begin& begin, std::size_t index);
  void end_payload();
  // code.cpp: what is code, and which calls may be
  void ticks(char mark, std::size_t n);
  void behind_ticks(char c);
  void end_line(std::string_view before);
  void new_line() {
    line_blank = margin = true;
    lead.new_line();
  }
  void new_text();
  [[nodiscard]] bool in_block() const { return code_may_follow && lead.indented(); }
  void begin_calls(std::uint64_t offset, bool doubtful, bool bare);
  void expect_again(std::string_view end);
  void doubt_from(std::size_t first, std::uint64_t offset);
  void text(std::string_view bytes);
  void say(std::string_view bytes);
  void reasoning(std::string_view bytes);
  void replay();
  void read_tail();

  Context context;
  Active active;
  std::unique_ptr<Payload> payload;
  Mode mode = Mode::prose;
  std::string held;               // bytes that wait for a decision
  std::size_t look_again = 0;     // how many there must be before it is worth to look at them again
  const Row* last_row = nullptr;  // of the last call
  Position at;                    // of the next byte, in the whole text
  std::size_t unsaid = 0;         // bytes of the prompt's end that are still to be read

  bool line_blank = true;                 // nothing but blanks on this line so far, calls aside
  bool margin = true;                     // the same, and no call either
  bool fresh = true;                      // nothing has begun yet but white space
  bool between = false;                   // nothing but white space since a call or its end marker
  bool adjacent = false;                  // the byte that is looked at is the first behind that
  std::size_t fence = 0;                  // marks of the open fence
  char fence_mark = '`';                  // what they are
  bool inline_fence = false;              // it began behind words
  bool fence_line = false;                // the line on which it began goes on
  bool closing = false;                   // its last marks have come, if nothing follows them on their line
  bool glued = false;                     // and nothing has
  std::size_t nested = 0;                 // lines in it that would begin another
  std::size_t owed_fences = 0;            // fences that are open, if those lines did
  bool owing = false;                     // the open fence may be the end of one of them
  bool shaky = false;                     // what is code depends on that
  bool code_may_follow = false;           // a line that is indented would be code
  Lead lead;                              // how the line begins
  Runs runs;                              // backticks of the paragraph
  Quotes quotes;                          // around the last calls
  std::size_t first_call = 0;             // of the open payload
  std::uint64_t call_at = 0;              // where that begins
  std::uint64_t behind_call = 0;          // where the last one ended
  bool ended_open = false;                // it had an end marker, though a string of it never ended
  std::optional<std::size_t> shown_from;  // the first of its calls that may be shown, not meant
  std::size_t unclosed_from = 0;          // the first call behind the last reasoning
  std::size_t span = 0;                   // backticks of the open code span
  bool span_closes = false;               // those that close it are there
  bool next_doubtful = false;             // whether the next call stands in a span or a quotation is not known
  bool aside = false;                     // a sentence or a word stands right before this byte, on its line
  bool behind_tick = false;               // backticks do
  bool cited = false;                     // the line is one of a Markdown quotation
  bool lazy = false;                      // because the line before it is: it has no mark of its own
  const Quotation* quotation = nullptr;   // the open one
  Data data;                              // the open value of JSON data
  Trail trail;                            // how the text before ends
  Surroundings around;                    // what it says against the calls
  Doubt doubt;                            // what would show that the last call ended too early
  struct Closing {
    std::string tag;
    std::size_t first;
  };
  std::vector<Closing> closings;       // tags that would show that a call since the first of theirs did
  std::vector<std::string> again;      // end markers that came, as long as only white space follows
  std::vector<std::string_view> owed;  // end markers that may still come
  struct Tokens {
    std::uint64_t from = 0, to = 0;
    bool silent = false;
  } tokens;  // that end a turn: the last row of them that was decided
  ByteSet code_stops;

  static std::vector<std::string_view> closers_of(const Thinking& block);
  void set_closers(const Thinking& block);
  void set_closers(std::vector<std::string_view> words, std::string_view after = {});
  bool begins_fenced(std::string_view here, bool final, Is& is);
  void set_think_stops(bool calls);
  bool thought_blank = true;              // nothing but blanks on this line of the reasoning
  std::vector<std::string_view> closers;  // of the open reasoning
  std::string_view then;                  // what ends the text behind it
  ByteSet think_stops;                    // bytes that matter in it
  std::string quarantine;                 // from the first call marker in it on
  Position quarantine_at;
};

}  // namespace BELAY_NAMESPACE::text
