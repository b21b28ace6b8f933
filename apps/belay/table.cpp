#include "table.h"

#include "terminal.h"

namespace belay::cli {

std::string padded(std::string_view text, std::size_t width) {
  std::string out = clipped(text, width);
  const std::size_t used = columns(out);
  return used < width ? out + std::string(width - used, ' ') : out;
}

std::string padded_left(std::string_view text, std::size_t width) {
  const std::string out = clipped(text, width);
  const std::size_t used = columns(out);
  return used < width ? std::string(width - used, ' ') + out : out;
}

std::vector<std::string> pieces(std::string_view text, std::size_t width) {
  std::vector<std::string> out(1);
  std::size_t used = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    if (used > 0 && used + glyph.columns > width) {
      out.emplace_back();
      used = 0;
    }
    out.back() += glyph.text;
    used += glyph.columns;
    text.remove_prefix(glyph.bytes);
  }
  return out;
}

}  // namespace belay::cli
