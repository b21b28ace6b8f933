// Where one JSON object ends in a text, and where a marker may stand in it: outside of its strings.
#pragma once

#include "text/scan.h"

#include <cstdint>
#include <string_view>

namespace belay::text {

/// Follows brackets and strings, no more: what is read is the reader's business. Damage can make it lose its way; then
/// the object ends too early or too late, and the reader says that it is no whole object.
class Span {
 public:
  enum class At : std::uint8_t {
    end,     ///< all bytes were taken
    closed,  ///< the object's own closer was taken
    mark,    ///< the next byte is one of `marks`, outside of any string; step() over it, or stop here
  };
  struct Stop {
    std::size_t taken;
    At at;
  };
  Stop scan(std::string_view bytes, std::size_t from, const ByteSet& marks);
  /// Takes one byte outside of strings, mark or not. True when it closed the object.
  bool step(char c);

  [[nodiscard]] bool in_string() const { return quote_ != 0; }
  [[nodiscard]] bool begun() const { return depth_ > 0; }

 private:
  std::uint64_t depth_ = 0;
  char quote_ = 0;  // of the open string
  bool escaped_ = false;
  char last_ = 0;  // the last byte that was no white space, outside of strings
};

}  // namespace belay::text
