// What stands around values: words, tags, stray punctuation. Mostly it is just prose, and certain to be; this is where
// the signs are kept that it may have been meant as part of a value.
#pragma once

#include "json/glyph.h"
#include "json/loose_member.h"
#include "json/loose_parts.h"

#include <belay/json/edit.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::json {

class Prose {
 public:
  /// One glyph outside of any value. `values`: how many values came before.
  void add(const Glyph& g, char c, std::uint64_t offset, std::uint64_t values);
  /// Plain letters and digits behind it.
  void add_plain(std::string_view run, std::uint64_t end);
  /// A bracket that turned out not to start a value.
  void add_bracket(char c, std::uint64_t offset);
  /// The end of a list that does not count, because only objects do.
  void add_list_end(std::uint64_t offset);
  void new_line();
  void space();
  void fence();
  /// The rest of the line may be a comment.
  void set_comment_line() {
    comment_line_ = Doubt::yes;
    member_.comment();
    parts_.comment();
  }
  /// A row of # began the line: a heading, if words follow.
  void set_heading() { comment_line_ = Doubt::without_words; }
  /// A comment inside a value has more openers in it than closers: a closer behind the value may be of one of them.
  void set_hidden_opener() { hidden_opener_ = true; }
  /// Closers that stand behind the value if some inside it stand too early, by their number and kinds.
  struct Early {
    std::uint64_t braces, brackets;
    bool operator==(const Early&) const = default;
  };
  void set_early(std::vector<Early> early) { early_ = std::move(early); }
  /// Strings inside the value have brackets in them that are not closed there: one behind the value may be theirs.
  struct OpenInStrings {
    bool brace = false, bracket = false, paren = false;
  };
  void set_open_in_strings(const OpenInStrings& open) { open_in_strings_ = open; }
  /// In a list that does not count, because only objects do.
  void set_list(bool in_list) { in_list_ = in_list; }
  /// A scalar at the top that was prose after all; a string, if it has quotes.
  void add_scalar(std::uint64_t from, std::uint64_t to, bool brackets, Quote quote);
  /// A line end came behind it.
  void end_scalar_line() { parts_.new_line(); }
  /// That scalar is a number or a literal: as all there is before a value, it may be a value as well.
  void set_lone_scalar() { lone_scalar_ = true; }

  /// The stretch that ends here, if there is one.
  struct Stretch {
    bool any = false;
    EditKind kind = EditKind::prose;
    Grade grade = Grade::safe;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
  };
  /// A value starts, with the bracket c.
  Stretch before_value(std::uint64_t offset, char c);
  void after_value(std::uint64_t offset);
  Stretch at_end(std::uint64_t values);

  /// Whether the next byte starts a token.
  [[nodiscard]] bool token_start(std::uint64_t offset) const { return !active_ || end_ < offset; }
  /// Whether the next byte goes on with a word, or stands right behind a quote.
  [[nodiscard]] bool in_word(std::uint64_t offset) const {
    return !token_start(offset) && std::string_view(",;()[]{}>").find(last_) == std::string_view::npos;
  }
  [[nodiscard]] bool in_tag() const { return in_tag_; }
  /// The last tag announces a call: <tool_call>.
  [[nodiscard]] bool behind_call_tag() const {
    return spelled().starts_with("tool") || spelled().starts_with("function");
  }
  /// The quote that ends right before the offset.
  [[nodiscard]] Quote quote_before(std::uint64_t offset) const {
    return active_ && end_ == offset ? last_quote_ : Quote::none;
  }
  [[nodiscard]] bool dollar_before(std::uint64_t offset) const { return active_ && end_ == offset && last_ == '$'; }
  /// A parenthesis around the last value is not closed.
  [[nodiscard]] bool in_call() const { return calls_ > 0; }
  /// Words came on this line, or a value ended on it.
  [[nodiscard]] bool line_begun() const { return line_text_ || value_line_; }
  /// A bracket since the last value that was prose and is not closed.
  [[nodiscard]] bool open() const { return braces_ + brackets_ > 0; }
  /// The words around the last value may be a sentence that it is a part of: they stand on its line, or may yet come
  /// there, and not as its label at the end of the text. `complete`: nothing more would have come.
  [[nodiscard]] bool in_sentence(bool complete) const {
    return in_sentence_ || (labelled_ && text_behind_) || (!complete && (labelled_ || value_line_));
  }
  /// The last value stands right behind a parenthesis, as the body of a function does.
  [[nodiscard]] bool body() const { return body_; }
  /// It stands right behind a word, with no punctuation between.
  [[nodiscard]] bool behind_word() const { return behind_word_; }
  /// Some stretch had words in it.
  [[nodiscard]] bool any_text() const { return any_text_; }

 private:
  enum class Doubt : std::uint8_t { no, without_words, yes };

  void begin(std::uint64_t offset);
  void note_text();
  void pass_bracket(char c, std::uint64_t offset);
  Stretch finish();
  void spell_tag(char c);
  void spell_label(std::string_view run);
  [[nodiscard]] std::string_view spelled() const;
  [[nodiscard]] bool ends_thought() const;
  [[nodiscard]] bool begins_thought() const;
  void end_tag();
  void sign(char c);
  [[nodiscard]] bool joins() const;
  void see_lead(const Glyph& g, char c, bool first, bool touches, std::uint64_t values);
  void end_lead();
  void begin_row(char c);
  void end_row();

  bool active_ = false;
  std::uint64_t at_ = 0, end_ = 0;
  bool text_ = false, tag_ = false, closer_ = false, separator_ = false;
  bool suspicious_ = false;         // the stretch may belong to a value
  bool after_comma_ = false;        // it started with a comma, behind a value
  char last_ = 0;                   // its last byte
  char before_comma_ = 0;           // its last byte before the last comma, if nothing follows that
  Quote last_quote_ = Quote::none;  // its last glyph, if it is one
  bool in_tag_ = false;
  bool in_label_ = false;     // in brackets, with nothing but words so far
  bool label_small_ = false;  // with small letters in them
  bool subscript_ = false;    // the stretch began with brackets that touch the value, and no mark of a model in them
  char tag_spelling_[20];     // of the open tag or label, as far as it goes
  std::size_t tag_length_ = 0;
  bool after_colon_ = false;  // its last glyph is a colon
  bool ends_comma_ = false;   // its last glyph is a comma
  bool apart_ = false;        // a line end or a fence came since
  bool fenced_ = false;       // a fence did
  bool touches_ = false;      // nothing but this came since the value
  bool glued_ = false;        // a word that touches the value began it
  bool lone_scalar_ = false;  // it is a number or a literal, and nothing else
  char signs_[3];             // its first glyphs, by their first bytes
  std::size_t sign_count_ = 0;
  bool dotted_ = false;    // it began with a dot, which touches the value, and a name
  bool ellipsis_ = false;  // it is one, and nothing else
  bool lines_ = false;     // a line end came since the value
  // It began with a string, behind a value; one that touches the value counts when it is closed: {"a":1}'s has none.
  enum class Lead : std::uint8_t { none, open, closed, word, touching, touching_closed };
  Lead lead_ = Lead::none;
  Quote lead_quote_ = Quote::none;
  Quote around_ = Quote::none;  // the quote right before the last value

  // since the last value
  std::uint64_t braces_ = 0, brackets_ = 0, parens_ = 0;  // opened and not closed
  bool comma_in_parens_ = false;                          // or a name and =
  bool loose_ = false;                                    // an open bracket stands where a value can
  enum class Row : std::uint8_t { none, open, closed };
  Row row_ = Row::none;             // brackets that began a line, and nothing behind them on it
  bool row_brace_ = false;          // braces
  bool row_comma_ = false;          // with a comma in them
  bool in_quotes_ = false;          // an odd number of double quotes came, inch marks aside
  bool inch_ = false;               // the last glyph may be one
  Doubt comment_line_ = Doubt::no;  // the rest of the line may be a comment
  bool in_list_ = false;
  bool line_text_ = false;  // words came on this line, and since the value
  LooseMember member_;
  LooseParts parts_;
  std::uint64_t value_end_ = 0;
  bool part_ = false;  // a colon or a comma stood right before the value
  bool in_sentence_ = false;
  bool body_ = false;
  bool behind_word_ = false;
  bool labelled_ = false;     // a colon stands before the value on its line
  bool text_behind_ = false;  // words came since
  bool value_line_ = false;   // it is still the value's line
  // since the start
  bool any_text_ = false;
  bool thinking_ = false;  // in a thought that has not ended
  bool conflict_ = false;  // <<<<<<< began two versions of something
  bool hidden_opener_ = false;
  std::vector<Early> early_;
  OpenInStrings open_in_strings_;
  std::uint64_t surplus_braces_ = 0, surplus_brackets_ = 0;  // that close nothing
  bool structural_ = false;                                  // quotes or brackets were taken for prose
  std::uint64_t calls_ = 0;                                  // parentheses around the last value that are not closed
};

}  // namespace BELAY_NAMESPACE::json
