// Where one JSON object ends in a text, and where a marker may stand in it, as long as it is strict JSON.
#pragma once

#include "text/scan.h"

#include <cstdint>
#include <string_view>

namespace BELAY_NAMESPACE::text {

/// Follows brackets and strings, no more. In strict JSON that is all there is to follow; of damaged text it knows
/// nothing, and whoever has a reader asks that one (ObjectPart).
class Span {
 public:
  enum class At : std::uint8_t {
    end,     ///< all bytes were taken
    closed,  ///< the object's own closer was taken
    mark,    ///< the next byte is one of `marks`; step() over it, or stop here
  };
  struct Stop {
    std::size_t taken;
    At at;
  };
  /// `marks`: bytes to stop at outside of strings; `inner`: in strings, with their quote and the backslash.
  Stop scan(std::string_view bytes, std::size_t from, const ByteSet& marks, const ByteSet& inner);
  /// The same without marks.
  Stop scan(std::string_view bytes, std::size_t from);
  /// Takes one byte, mark or not. True when it closed the object.
  bool step(char c);

  [[nodiscard]] bool in_string() const { return quote_ != 0; }

 private:
  std::uint64_t depth_ = 0;
  char quote_ = 0;  // of the open string
  bool escaped_ = false;
  char last_ = 0;  // the last byte that was no white space, outside of strings
};

}  // namespace BELAY_NAMESPACE::text
