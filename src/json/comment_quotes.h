// Quotes inside a comment: whole strings and apostrophes, or the loose end of a string that the comment has cut in two.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace belay::json {

/// Fed with the bytes of one comment, in any pieces. A quote with a letter before it that closes nothing is an
/// apostrophe, unless what follows it could stand behind a string: then it may have been one's end.
class CommentQuotes {
 public:
  /// `doubles`: double quotes count, too.
  void begin(bool doubles) { *this = {}, doubles_ = doubles; }
  void add(std::string_view bytes);
  /// The comment has ended. `line`: with its line.
  void end(bool line) { loose_ |= line && closing_; }
  [[nodiscard]] bool loose() const { return loose_; }

 private:
  enum class Kind : std::uint8_t { none, single, twofold, backtick, curly_single, curly_double };
  void quote(Kind kind, char before);

  std::array<char, 3> last_{};  // the bytes before, the latest first
  Kind open_ = Kind::none;      // of a string in the comment
  bool closing_ = false;        // such a quote came, and nothing but white space since
  bool doubles_ = false;
  bool loose_ = false;
};

}  // namespace belay::json
