// A set of code points, as ranges: what a character class comes down to.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

namespace BELAY_NAMESPACE::regex {

inline constexpr char32_t kLastCodePoint = 0x10FFFF;

class CodeSet {
 public:
  struct Range {
    char32_t first, last;
    bool operator==(const Range&) const = default;
  };

  CodeSet() = default;
  CodeSet(std::initializer_list<Range> ranges);

  void add(char32_t first, char32_t last);
  void add(char32_t one) { add(one, one); }
  void add(const CodeSet& other);
  /// Every code point that was not in the set, and no other.
  void invert();

  /// In order, with gaps between them; valid until the next call. Not const, since it is here that they are put in
  /// order.
  std::span<const Range> ranges();
  bool contains(char32_t c);

 private:
  void settle();

  // As they came; the first `settled_` were in order once. To keep order all the time would cost a class with many
  // members the square of their number.
  std::vector<Range> ranges_;
  std::size_t settled_ = 0;
};

}  // namespace BELAY_NAMESPACE::regex
