// White space that JSON does not know and models write: no-break, full-width, zero-width and the like.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <string_view>

namespace BELAY_NAMESPACE {

/// White space that JSON does not know, at the front of a text: its bytes, or 0.
inline constexpr std::size_t odd_space(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  switch (const unsigned second = at(1), third = at(2); at(0)) {
    case 0xC2: return second == 0xA0 || second == 0x85 ? 2 : 0;
    case 0xE1: return (second == 0x9A && third == 0x80) || (second == 0xA0 && third == 0x8E) ? 3 : 0;
    case 0xE2:
      if (second == 0x80)
        return (third >= 0x80 && third <= 0x8F) || third == 0xA8 || third == 0xA9 || third == 0xAF ? 3 : 0;
      return second == 0x81 && (third == 0x9F || third == 0xA0) ? 3 : 0;
    case 0xE3: return second == 0x80 && third == 0x80 ? 3 : 0;
    case 0xEF: return second == 0xBB && third == 0xBF ? 3 : 0;
    default: return 0;
  }
}

/// Whether a text is the beginning of such a character, and no more.
inline constexpr bool half_space(std::string_view text) {
  for (std::string_view space :
       {"\xC2\xA0", "\xE1\x9A\x80", "\xE1\xA0\x8E", "\xE2\x80\x8B", "\xE2\x81\xA0", "\xE3\x80\x80", "\xEF\xBB\xBF"})
    if (!text.empty() && text.size() < space.size() && space.starts_with(text)) return true;
  return false;
}

}  // namespace BELAY_NAMESPACE
