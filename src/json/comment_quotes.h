// Quotes inside a comment: whole strings and apostrophes, or the loose end of a string that the comment has cut in two.
#pragma once

#include <belay/version.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::json {

/// Fed with the bytes of one comment, in any pieces. A quote with a letter or digit before it that closes nothing is an
/// apostrophe or an inch mark, unless what follows it could stand behind a string: then it may have been one's end.
class CommentQuotes {
 public:
  void begin() { *this = {}; }
  void add(std::string_view bytes);
  /// The comment has ended. `line`: with its line.
  void end(bool line) { loose_ |= line && closing_; }
  [[nodiscard]] bool loose() const { return loose_; }
  /// A string in double quotes began in it, and did not end.
  [[nodiscard]] bool half() const { return open_ == Kind::twofold || (open_ != Kind::none && odd_); }
  /// Its double quotes are those of strings that begin and end in it; or its single ones, with no apostrophe.
  [[nodiscard]] bool whole_doubles() const { return !stray_ && open_ == Kind::none; }
  [[nodiscard]] bool whole_singles() const { return !stray_single_ && open_ == Kind::none; }

 private:
  enum class Kind : std::uint8_t { none, single, twofold, backtick, curly_single, curly_double };
  void quote(Kind kind, char before);

  std::array<char, 3> last_{};  // the bytes before, the latest first
  Kind open_ = Kind::none;      // of a string in the comment
  bool closing_ = false;        // such a quote came, and nothing but white space since
  bool odd_ = false;            // so many double quotes came
  bool stray_single_ = false;   // a single quote closed nothing
  bool stray_ = false;          // another one did not
  bool loose_ = false;
};

/// Fed with the bytes of one comment inside a value, in any pieces: whether it says, or shows, that something is
/// missing.
class CommentLosses {
 public:
  enum class Ends : std::uint8_t { line, block, html };  // with its line, or with a sign of its own
  void begin(Ends ends);
  void add(std::string_view bytes);
  /// The comment has ended.
  void end();
  /// It begins with an ellipsis: // ... and eight more.
  [[nodiscard]] bool elided() const { return elided_; }
  /// Behind words of a line there is a key in quotes, and its colon, or another comment, or an item and its comma: a
  /// line end may be missing before it. Or another comment of its own kind begins in it, whose end may not be its own.
  [[nodiscard]] bool member() const { return member_; }
  /// It ends with its line, and behind words with a string (a name without quotes, a colon and a value): that may have
  /// been the last item (member) before a closer.
  [[nodiscard]] bool ends_item() const { return item_; }
  [[nodiscard]] bool ends_bare_member() const { return bare_member_; }
  /// It begins with a small name, and a colon that touches it: #text: "x".
  [[nodiscard]] bool labelled() const;
  /// It is a number: 10 // 3.
  [[nodiscard]] bool number() const { return number_; }

 private:
  enum class In : std::uint8_t { words, key, key_done };
  void see(char c);
  void see_second(char c);
  void see_end();

  static constexpr std::size_t kLongestText = 160;  // longer ones are no items
  Ends ends_ = Ends::line;
  std::string text_;      // of a line, from its first sign on
  bool line_ = false;     // it ends with its line, and began with words
  bool begun_ = false;    // something but white space came
  bool dotted_ = true;    // nothing but the beginning of an ellipsis came
  std::size_t dots_ = 0;  // bytes of that
  In in_ = In::words;
  char last_ = 0;
  char quote_ = 0;          // of the key
  std::size_t length_ = 0;  // of the key so far
  bool comma_ = false;      // one came, and nothing but white space since
  char before_comma_ = 0;
  bool slash_ = false;        // behind white space or a separator, and nothing since
  bool sign_ = false;         // so did the sign of a comment
  bool worded_ = false;       // a word came
  bool spaced_ = false;       // it began with white space
  bool ended_slash_ = false;  // a slash came right behind a string or a bracket
  std::size_t opener_ = 0;    // bytes of the sign of an HTML comment
  bool elided_ = false;
  bool member_ = false;
  bool item_ = false;
  bool bare_member_ = false;
  bool number_ = false;
};

}  // namespace BELAY_NAMESPACE::json
