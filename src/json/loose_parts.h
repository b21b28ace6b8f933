// Members and items that lost the brackets around them, in what is taken for prose: path: "a", opts: {"b":1}. The value
// that is found there is one part of several, then.
#pragma once

#include "json/glyph.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::json {

/// Fed with what stands outside of values. It sees segments, which end at commas, line ends and brackets. A segment is
/// an item (one string, number or literal), a member (a key, a colon and an item), a label (a key, a colon and anything
/// or nothing) or words. A key stands at the start of a segment or right behind a colon, so that a name in quotes in
/// the middle of a sentence is none. Keeps a few flags and one short word.
class LooseParts {
 public:
  /// A value ended: what follows is behind it.
  void begin();
  void add(const Glyph& g, char c, bool touches);
  /// More letters and digits of the same word.
  void add_plain(std::string_view run);
  /// A whole string, at the start of the text.
  void add_string(Quote quote);
  /// A bracket or a tag that is prose: a key may stand behind it.
  void add_bracket();
  void new_line();
  /// The rest of the line is a comment, unless it stands in a string: what stands behind it follows what stands before
  /// it.
  void comment() { comment_ = in_ != In::quoted && in_ != In::string; }
  /// A fence says what stands in it, whatever was written before.
  void fence();
  /// A value starts. True when it may be one of several parts.
  bool before_value();
  void end() { end_segment(By::other); }

  /// Nothing came since the last comma.
  [[nodiscard]] bool behind_comma() const { return behind_comma_ && !any_; }

  /// Nothing but the mark of a list (-, 1.) came on this line.
  [[nodiscard]] bool behind_marker() const;
  /// Nothing but a key and its colon came on the last line that had something.
  [[nodiscard]] bool behind_label() const { return lone_label_ && !any_; }

  /// The parts before or behind the value may belong to it. Once true, it stays so until the next value has ended.
  [[nodiscard]] bool found() const { return found_; }

 private:
  enum class In : std::uint8_t {
    start,
    word,         // the first word of a segment
    second,       // the second, where that is asked for
    quoted,       // in a string at the start of a segment
    quoted_done,  // behind it
    colon,
    string,  // the value of a member
    scalar,
    member,  // behind the value of a member
    words,
  };
  enum class Part : std::uint8_t { none, item, label, member };
  enum class By : std::uint8_t { comma, line, other };  // what ends a segment

  void add_word(char c, bool touches);
  void add_quote(const Glyph& g, bool touches);
  void add_colon();
  void append(char c);
  void end_word();
  void end_segment(By by);
  void start_segment(bool behind_comma);
  [[nodiscard]] Part part() const;
  [[nodiscard]] bool word_is_scalar() const;
  [[nodiscard]] bool ends_sentence() const;
  /// In what follows the value and a comma directly.
  [[nodiscard]] bool behind_value_comma() const { return direct_comma_ && direct_; }

  // of the segment
  In in_ = In::start;
  std::string word_;               // the last one
  bool any_ = false;               // there is something in it
  Quote quote_ = Quote::none;      // of its last string
  Quote key_quote_ = Quote::none;  // of its key
  bool marked_ = false;            // behind the dash or number of a list
  bool small_ = false;             // its key begins with a small letter
  bool labelled_ = false;
  bool named_ = false;          // a sentence ended in a key
  bool behind_member_ = false;  // its last word is the first behind a member
  bool behind_comma_ = false;
  bool comment_ = false;
  bool lone_name_ = false;  // the last line was a name and nothing else

  // since the last value
  Part last_ = Part::none;     // the segment before the comma
  bool line_marked_ = false;   // the line is an item of a list
  bool members_ = false;       // some came that the value may be a sibling of
  bool items_ = false;         // so did items of a list of lines
  bool line_item_ = false;     // so did an item that ended its line
  bool line_label_ = false;    // the line began with a small name, a colon, words and a comma
  bool words_ = false;         // so did lines with a small name, a colon and words that end no sentence
  bool behind_ = false;        // a value came before
  bool direct_ = false;        // nothing but white space, or a comma, came since the value
  bool direct_comma_ = false;  // the comma did
  bool chain_ = false;         // nothing but lines with members did
  bool found_ = false;
  bool named_value_ = false;  // a small name and a colon stood right before the last value
  bool lone_part_ = false;    // the last line was the name of a part, and the value may be that
  bool lone_label_ = false;   // the last line was a name with a small first letter and a colon
};

}  // namespace BELAY_NAMESPACE::json
