// Inputs that reach the bounds of what is held back, which lie further apart than what a fuzzer writes.
#pragma once

#include <string>
#include <string_view>

namespace belay::fuzz {

/// The text, with up to two runs in it written out: the byte 0x1d, a count and a byte stand for `step` times as many of
/// that byte.
inline std::string stretched(std::string_view text, std::size_t step) {
  constexpr char kMark = '\x1d';
  std::string out;
  for (int runs = 0; runs < 2; ++runs) {
    const std::size_t mark = text.find(kMark);
    if (mark == text.npos || text.size() - mark < 3) break;
    out += text.substr(0, mark);
    out.append(step * static_cast<unsigned char>(text[mark + 1]), text[mark + 2]);
    text.remove_prefix(mark + 3);
  }
  return out += text;
}

}  // namespace belay::fuzz
