// How a text ends, as far as it matters for what follows it.
#pragma once

#include "text/scan.h"

#include <string_view>

namespace belay::text {

struct Trail {
  char last = 0;       ///< the last byte that is no white space; 0: there is none
  char before = 0;     ///< the one right before it
  bool space = false;  ///< white space follows it

  void add(std::string_view bytes) {
    std::size_t n = bytes.size();
    while (n > 0 && is_space(bytes[n - 1])) --n;
    if (n == 0) {
      space |= !bytes.empty();
      return;
    }
    before = n > 1 ? bytes[n - 2] : space ? ' ' : last;
    last = bytes[n - 1];
    space = n < bytes.size();
  }
  /// A sentence ended, or a colon says that something follows: "Sure: ". Not "1. ", which is a list.
  [[nodiscard]] bool ends_sentence() const {
    const bool end = last == '.' || last == '!' || last == '?' || last == ':';
    const char b = lower(before);
    return space && end && ((b >= 'a' && b <= 'z') || b == ')' || b == '"' || b == '\'' || b == '*');
  }
  /// An expression of some language goes on behind it.
  [[nodiscard]] bool goes_on() const {
    return last == '(' || last == '[' || last == '{' || last == '=' || last == '+' || last == '|';
  }
};

}  // namespace belay::text
