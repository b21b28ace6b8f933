// JSON data in prose: what stands inside of another value is no call.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <string>

namespace BELAY_NAMESPACE::text {

/// Follows one value from its first bracket on, byte by byte: JSON, or a literal of Python or JavaScript. It is strict
/// about structure (commas, colons, brackets, one line a string), so that prose with a bracket in it stops being data
/// at its next word, and a call behind it is seen.
class Data {
 public:
  /// Deeper than this it is taken for prose.
  static constexpr std::size_t kDepth = 1024;

  [[nodiscard]] bool open() const { return !closers_.empty(); }
  [[nodiscard]] bool in_string() const { return quote_ != 0; }
  /// The value's own bracket.
  void begin(char bracket);
  /// The next byte. False: it does not fit, this is no data (any more), and the byte is not taken.
  bool step(char c);
  void clear();

 private:
  enum class Want : std::uint8_t { first, item, colon, value, after };
  bool outside(char c);
  bool in_comment(char c);
  [[nodiscard]] bool in_object() const { return closers_.back() == '}'; }

  std::string closers_;  // of what is open
  Want want_ = Want::first;
  char quote_ = 0;
  bool escaped_ = false;
  bool word_ = false;  // in a word
  enum class Comment : std::uint8_t { none, slash, line, block, star } comment_ = Comment::none;
};

}  // namespace BELAY_NAMESPACE::text
