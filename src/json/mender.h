// The tolerant half of the reader: takes over where Strict stopped, mends, and lists what it mended.
//
// A state machine over glyphs, with an explicit stack. Bytes whose meaning depends on later ones stay in `held_`
// until Ahead has an answer; nothing that is built is ever taken back, except a scalar at the top and a member that
// repeats a key, which are not visible before they are certain.
#pragma once

#include "json/ahead.h"
#include "json/comment_quotes.h"
#include "json/prose.h"
#include "json/session.h"
#include "json/strict.h"
#include "json/word.h"

#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::json {

class Mender {
 public:
  explicit Mender(Session& session) : s_(session) {}

  void take_over(Handover h);
  void push(std::string_view piece);
  /// Reads what was held back, closes what can be closed. True when the input ended inside a value.
  bool finish(Ending ending);

  [[nodiscard]] std::uint64_t values() const { return values_; }
  [[nodiscard]] std::size_t held_node() const;
  [[nodiscard]] bool shown() const;
  [[nodiscard]] Position position() const;
  /// As for Reader.
  [[nodiscard]] Place place() const;
  [[nodiscard]] std::uint64_t undecided() const;
  /// With ReaderOptions::one: the value has ended, and the last `spare` bytes were not read.
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] std::size_t spare() const { return spare_; }
  void look_again(bool final);
  void go_on();
  /// The kind of quote that began the open string.
  [[nodiscard]] Quote quote() const { return quote_; }
  void clear();

 private:
  enum class In : std::uint8_t {
    top,         // outside of any value
    top_word,    // a word at the very start, which counts only when it is the whole input
    top_scalar,  // behind a scalar at the top
    top_string,  // in a string of a list that does not count
    value,
    key,
    colon,
    after,
    string,
    word,       // a value without quotes
    key_word,   // a key without quotes
    arguments,  // further arguments of a wrapper call: skipped
    line_comment,
    block_comment,
    html_comment,
  };
  enum class Next : std::uint8_t { go, wait };  // wait: more bytes are needed

  void run(bool final);
  void leave_behind();
  Next step();

  // what needs no second look (mender_clear.cpp)
  Next take_clear();
  bool take_key(char c);
  bool take_value(char c);
  bool take_word();
  bool take_after(char c);
  bool take_closer(Frame::Type type);

  // structure (mender_structure.cpp)
  std::optional<Next> step_between(const Glyph& g);
  Next step_value();
  Next step_key();
  Next step_colon();
  Next step_after();
  Next step_comment();
  Next step_arguments();
  bool open(Frame::Type type);
  Next close(Is closer, std::size_t length);
  void skip_space(const Glyph& g);
  void pop();
  void settle_before_close();
  bool leaves_object();
  /// Nothing stands before the next byte on its line.
  [[nodiscard]] bool begins_line() const { return pos_ > 0 ? data_[pos_ - 1] == '\n' : base_ == line_start_; }
  void abandon();
  void value_done();
  void begin_comment(const Glyph& g);
  void end_comment();
  void note_comment_tail(std::string_view inside);
  void note_hidden(std::string_view inside, bool ended);
  [[nodiscard]] bool comment_ends_in_quote() const;
  [[nodiscard]] bool behind_open_string() const;
  [[nodiscard]] bool behind_scheme(const Glyph& g) const;
  enum class Divides : std::uint8_t { no, apart, touches };  // the sign of a comment behind a number
  [[nodiscard]] Divides divides(const Glyph& g) const;
  bool begins_row(const Glyph& g);
  enum class ColonSign : std::uint8_t { colon, equals, arrow };
  [[nodiscard]] ColonSign colon_sign(const Glyph& g) const;
  void see_colon(ColonSign sign);
  void skip(const Glyph& g) { pos_ += g.length; }
  void missing_value();

  // strings (mender_string.cpp)
  void open_string(const Glyph& g, bool key);
  Next step_string();
  void copy_clear(char quote);
  void take_run(char quote);
  [[nodiscard]] bool ends_clearly() const;
  Next step_quote(const Glyph& g);
  Next wait_behind(const Glyph& g);
  Next step_top_quote(const Glyph& g);
  Next step_escape();
  [[nodiscard]] std::string_view string_so_far() const;
  [[nodiscard]] bool in_share(char next) const;
  void note_escape(EditKind kind, std::size_t length);
  void spoil_escapes();
  void judge_escapes();
  void take_raw(std::size_t n);
  std::size_t up_to_placeholder(std::size_t n);
  void add(std::string_view text);
  void end_string(std::size_t quote_length, bool mixed);
  [[nodiscard]] bool string_swallows() const;
  [[nodiscard]] bool ends_in_comma() const;
  void end_without_quote();

  // quotes that may be others' (mender_quotes.cpp)
  void see_quote(const Glyph& g);
  void note_quotes();
  Next step_doubtful_escape();
  [[nodiscard]] bool quotes_differ(std::size_t quote_length);

  // documents inside strings (mender_inner.cpp)
  void pass_inner_quote(const Glyph& g);
  void note_inner_document(const Glyph& g);
  struct InnerScan {
    enum class In : std::uint8_t { name, colon, value, between, string, none };
    std::size_t at = 0;       // so many bytes were seen, from the quote on; 0: none is looked for
    std::uint64_t depth = 0;  // brackets open
    In in = In::name;
    char last = 0;  // outside of strings
    void see(char c);
  };
  std::optional<Next> find_inner_document(const Glyph& g);
  void count_inner(std::string_view text);
  std::optional<Next> step_inner_quote(const Glyph& g);

  // keys (mender_key.cpp)
  void note_key_line();
  void list_key_controls(std::size_t n);
  [[nodiscard]] bool key_swallows() const;
  bool reread_key();

  [[nodiscard]] Answer key_follows(std::size_t quote) const;

  // words (mender_word.cpp)
  Next step_word();
  Next step_key_word();
  void start_word();
  void add_to_word(const Glyph& g);
  [[nodiscard]] bool word_is_scalar() const;
  void end_word();
  [[nodiscard]] bool behind_half(bool style) const;
  void end_key_word(bool colon);  ///< `colon`: one follows it
  void drop_word();
  void build_word(std::string_view word, std::uint64_t offset, std::uint64_t length);
  void build_word(const WordValue& v, std::string_view word, std::uint64_t offset, std::uint64_t length);
  void name_key(std::string_view key, std::uint64_t length, bool colon);

  // outside of values (mender_top.cpp)
  Next step_top();
  Next step_top_word();
  Next step_top_scalar();
  Next step_top_string();
  [[nodiscard]] bool begins_comment(const Glyph& g) const;
  void note_comment_sign(const Glyph& g);
  void list(const Prose::Stretch& s);
  void end_fence();
  void scalar_to_prose();
  void end_top_value();
  void note_fragment();
  [[nodiscard]] bool begins_longer_quote() const;
  void doubt_weak();
  [[nodiscard]] std::vector<Prose::Early> closed_early() const;
  [[nodiscard]] Prose::OpenInStrings open_in_strings() const;
  [[nodiscard]] Answer begins_member() const;
  void note_weak(std::size_t root, std::uint64_t from, std::uint64_t to);

  // text output
  void text_before_value() {
    if (s_.wants_text()) write_before_value();
  }
  void write_before_value();
  void emit(std::string_view text) {
    if (s_.wants_text()) s_.text += text;
  }

  [[nodiscard]] const char* here() const { return data_ + pos_; }
  [[nodiscard]] std::size_t left() const { return size_ - pos_; }
  [[nodiscard]] std::uint64_t offset() const { return base_ + pos_; }
  /// From the k-th byte on, the first that is not white space; no further than the bound.
  [[nodiscard]] std::size_t past_space(std::size_t k) const;
  /// No more bytes will come, and some should have.
  [[nodiscard]] bool cut_here() const { return final_ && ending_ == Ending::cut; }
  [[nodiscard]] Glyph look() const { return glyph(here(), left(), final_); }
  [[nodiscard]] bool in_object() const { return !frames_.empty() && frames_.back().type == Frame::Type::object; }
  void safe(EditKind k, std::uint64_t at, std::uint64_t n) { s_.edit(k, Grade::safe, at, n); }
  void guess(EditKind k, std::uint64_t at, std::uint64_t n) { s_.edit(k, Grade::guess, at, n); }

  Session& s_;
  Frames frames_;
  Ahead ahead_;
  In in_ = In::top;
  In back_ = In::top;  // where a comment returns to

  // the window: what was held, or the piece itself
  std::string held_;
  std::string_view rest_;  // of the piece, behind the window
  const char* data_ = nullptr;
  std::size_t size_ = 0, pos_ = 0;
  std::uint64_t base_ = 0;
  std::uint64_t line_ = 1, line_start_ = 0;  // at base_
  bool final_ = false;
  bool failed_ = false;
  bool ended_ = false;                // (one) behind the value: nothing is read any more
  std::size_t spare_ = 0;             // bytes of the last piece, and before it, that were not read because of that
  Ending ending_ = Ending::complete;  // once final_

  std::uint64_t comma_ = 0;  // offset of the last comma
  std::uint8_t comma_length_ = 1;
  bool comma_seen_ = false;       // since the last item
  bool comma_ends_code_ = false;  // a semicolon behind a string with open brackets
  bool comma_hides_ = false;      // a comment behind it ends with what may be the next one
  bool colon_seen_ = false;       // a colon came, and nothing since
  bool colon_only_ = true;        // not even a comment, or a second one
  ColonSign colon_ = ColonSign::colon;
  bool elided_ = false;  // an ellipsis came, and nothing since

  // the open string
  Quote quote_ = Quote::none;
  bool is_key_ = false;
  bool known_escape_ = false;
  bool inner_quote_ = false;
  bool raw_ = false;       // r'\d': its backslashes are text
  bool raw_next_ = false;  // a prefix says so of the next string
  bool unknown_escape_ = false;
  bool spoiled_ = false;           // its escapes have two readings: those edits are guesses
  bool dollar_ = false;            // the last character of a string in backticks
  bool template_ = false;          // ${ came in one
  std::string opener_;             // its first quote, if that is one of typography
  std::size_t quotes_to_ = 0;      // up to there such a string was looked through for quotes
  bool quote_inside_ = false;      // and one was found that was not escaped
  std::uint64_t inner_depth_ = 0;  // brackets open in a document inside it whose quotes are not escaped
  bool inner_string_ = false;      // in a string of that
  bool inner_first_ = false;       // which is the first
  // Such a document behind other text: where it ends, where none is looked for again, and how far one was looked for.
  std::uint64_t inner_end_ = 0;
  std::uint64_t inner_tried_ = 0;
  InnerScan inner_scan_;
  std::size_t first_escape_ = kNoEdit;   // the string's first unknown_escape or escaped_quote among the edits
  Edit escape_;                          // that edit, as a guess
  std::size_t last_pair_ = kNoEdit;      // where its last backslash is that was written as two
  std::uint64_t escaped_singles_ = 0;    // \' in it
  std::uint64_t escaped_backticks_ = 0;  // and \`
  std::uint64_t string_at_ = 0;          // offset of its opening quote
  std::uint64_t content_at_ = 0;         // offset behind it
  std::uint64_t string_end_ = 0;         // of the last string: offset behind its closing quote
  std::uint64_t prose_at_ = 0;           // behind it, where prose follows a value that was not closed
  std::uint64_t string_line_ = 0;        // offset behind the white space that follows it on its line
  std::size_t string_node_ = Tape::kNone;
  std::string key_;
  Quote key_quote_ = Quote::none;            // of the last key
  bool key_plain_ = true;                    // the key's bytes are those of the text
  std::vector<std::uint64_t> key_controls_;  // control characters in it, while it may yet end before them
  bool key_lines_ = false;                   // it has a line end in it, as it is
  bool key_line_feed_ = false;               // which is a line feed
  std::uint64_t key_line_start_ = 0;         // where the line begins that the first one ends
  std::size_t seek_ = 0;                     // how far a search from here has come

  // the open word
  std::string word_;
  std::uint64_t word_at_ = 0, word_end_ = 0;
  bool word_spaced_ = false;       // white space came last
  std::size_t word_brackets_ = 0;  // opened in it
  bool word_quoted_ = false;       // an odd number of quotes is in it
  bool never_scalar_ = false;
  bool word_elided_ = false;  // it stands behind an ellipsis: ... 5 more

  bool typographic_ = false;         // a string began with a quote of typography
  bool typographic_escape_ = false;  // one of those was escaped in a string

  std::size_t argument_depth_ = 0;
  char argument_quote_ = 0;
  std::uint64_t comment_at_ = 0;
  bool comment_holds_ = false;  // it may hide a value, or half a string
  // outside of values
  bool comment_brackets_ = false;      // it has some in it
  bool comment_slash_ = false;         // a slash is its last byte so far
  bool comment_half_ = false;          // so far an odd number of double quotes
  std::int64_t comment_open_ = 0;      // brackets opened in it, less those closed
  std::uint64_t comment_text_at_ = 0;  // where it begins behind its sign
  bool comment_touches_ = false;       // it follows a string's quote directly
  bool comment_string_ = false;        // it follows a string on its line, and ends with the line
  std::string comment_tail_;           // the last bytes of such a comment, separators and closers aside
  bool comment_alone_ = false;         // outside of values, on a line of its own
  bool comment_quotes_ = false;        // it has a quote in it
  CommentQuotes comment_loose_;
  CommentLosses comment_losses_;  // inside of values
  bool comment_scheme_ = false;   // it may be the rest of an address
  bool comment_is_key_ = false;   // its sign stands where a key without quotes may begin with it
  Divides comment_divides_ = Divides::no;

  // outside of values
  bool start_ = true;  // nothing but white space so far
  Prose prose_;
  bool fence_ = false;  // in a fence or the word behind it
  std::uint64_t fence_at_ = 0, fence_end_ = 0;
  std::string fence_word_;       // the word behind it, if that is short
  bool announced_ = false;       // a fence for JSON began, or a tag for a call, and nothing came since
  bool line_has_value_ = false;  // a value ended on this line
  std::uint64_t values_ = 0;
  std::uint64_t value_at_ = 0;  // offset of the value at the top
  Quote around_ = Quote::none;  // the quote that stands right before it
  struct Weak {
    std::uint64_t from, to;
  };
  bool scalar_lines_ = false;    // a line end came behind the scalar at the top
  bool closers_judged_ = false;  // a closer came behind the first value
  std::uint64_t weak_more_ = 0;  // beyond the limit of edits, counted only
  std::vector<Weak> weak_;       // values that words around them would make a part of the prose
  bool label_ = false;           // the value on this line is a list of one number or literal
  std::string text_closer_;      // the last closer at the top, not yet in the text output
  std::uint64_t text_values_ = 0;
  bool text_scalar_ = false;      // the value is a scalar: its text comes at the end
  std::uint64_t list_depth_ = 0;  // brackets around objects, when only objects count
  static constexpr std::size_t kNoEdit = static_cast<std::size_t>(-1);
};

}  // namespace BELAY_NAMESPACE::json
