// Characters that nobody sees: what hides instructions in the texts of strangers.
#pragma once

#include "base/utf8.h"

#include <cstdint>
#include <string_view>

namespace belay::mcp {

/// Tags, zero-width and formatting characters, variation selectors beyond the usual ones, fillers, private use planes.
/// The joiners of emoji and scripts (U+200C, U+200D) are not among them.
inline bool invisible(std::uint32_t c) {
  return c == 0x00ad || c == 0x034f || c == 0x061c || c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5 ||
         (c >= 0x180b && c <= 0x180f) || c == 0x200b || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x206f) || c == 0x3164 || c == 0xfeff || c == 0xffa0 || (c >= 0xfff0 && c <= 0xfffb) ||
         (c >= 0x1bca0 && c <= 0x1bca3) || (c >= 0x1d173 && c <= 0x1d17a) || (c >= 0xe0000 && c <= 0xe0fff) ||
         (c >= 0xf0000 && c <= 0x10ffff);
}

/// Calls f(bytes, code) for each character of valid UTF-8; what is not valid comes as U+FFFD.
template <class F>
void for_each_character(std::string_view text, F&& f) {
  while (!text.empty()) {
    const utf8::Step step = utf8::step(text.data(), text.size());
    const std::string_view bytes = text.substr(0, step.length);
    text.remove_prefix(step.length);
    if (step.is != utf8::Step::Is::whole) {
      f(utf8::kReplacement, std::uint32_t{0xfffd});
      continue;
    }
    const auto b = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
    std::uint32_t code = b(0);
    if (bytes.size() == 2) code = (b(0) & 0x1f) << 6 | (b(1) & 0x3f);
    if (bytes.size() == 3) code = (b(0) & 0x0f) << 12 | (b(1) & 0x3f) << 6 | (b(2) & 0x3f);
    if (bytes.size() == 4) code = (b(0) & 0x07) << 18 | (b(1) & 0x3f) << 12 | (b(2) & 0x3f) << 6 | (b(3) & 0x3f);
    f(bytes, code);
  }
}

}  // namespace belay::mcp
