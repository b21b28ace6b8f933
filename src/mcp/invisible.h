// Characters that nobody sees: what hides instructions in the texts of strangers.
#pragma once

#include "base/hidden.h"
#include "base/utf8.h"

#include <cstdint>
#include <string_view>

namespace BELAY_NAMESPACE::mcp {

/// What says nothing to a reader in a text: characters of no width, marks of direction, fillers, tags, private planes.
/// The joiners and selectors of emoji and scripts, unusual spaces and the private use area of fonts are not among them.
inline bool invisible(std::uint32_t c) {
  switch (hidden(c)) {
    case Hidden::order:
    case Hidden::filler:
    case Hidden::invisible: return true;
    case Hidden::control: return c == 0x2028 || c == 0x2029;
    case Hidden::own_use: return c >= 0xf0000;
    default: return false;
  }
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

}  // namespace BELAY_NAMESPACE::mcp
