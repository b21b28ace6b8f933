#include "regex/cursor.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::regex {

char32_t Cursor::next() {
  const auto byte = [&] { return static_cast<char32_t>(static_cast<unsigned char>(pattern_[at_++])); };
  const char32_t first = byte();
  if (first < 0x80) return first;
  const int more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  char32_t c = first & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) c = c << 6 | (byte() & 0x3F);
  return c;
}

std::unexpected<std::string> refuse(std::string_view what, std::size_t at, std::string_view why) {
  // Names and numbers may be as long as the pattern.
  constexpr std::size_t kMostQuoted = 60;
  std::size_t quoted = std::min(what.size(), kMostQuoted);
  while (quoted < what.size() && (what[quoted] & 0xC0) == 0x80) --quoted;
  std::string sentence(what.substr(0, quoted));
  if (quoted < what.size()) sentence += "...";
  sentence.append(" at offset ").append(std::to_string(at)).append(" ").append(why);
  return std::unexpected(std::move(sentence));
}

}  // namespace BELAY_NAMESPACE::regex
