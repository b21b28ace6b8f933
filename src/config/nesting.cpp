#include "nesting.h"

#include <algorithm>

namespace BELAY_NAMESPACE::config {
namespace {

// Where the string that begins at `at` ends: behind its closing quotes, or at the end of what cannot be one.
std::size_t behind_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string_view rest = text.substr(at);
  const bool many = rest.size() >= 3 && rest[1] == quote && rest[2] == quote;
  for (std::size_t i = at + (many ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (!many) {
      if (text[i] == quote) return i + 1;
      if (text[i] == '\n') return i;
    } else if (text.substr(i, 3) == rest.substr(0, 3)) {
      i += 3;
      // Up to two quotes may stand before the closing three.
      for (int more = 0; more < 2 && i < text.size() && text[i] == quote; ++more) ++i;
      return i;
    }
  }
  return text.size();
}

}  // namespace

std::optional<Position> too_deep(std::string_view text) {
  std::size_t dots = 0, brackets = 0;
  Position place;
  auto go_to = [&](std::size_t to) {
    for (; place.offset < to; ++place.offset) {
      const bool newline = text[place.offset] == '\n';
      place.line += newline ? 1 : 0;
      place.column = newline ? 1 : place.column + 1;
    }
  };
  while (place.offset < text.size()) {
    const std::size_t at = place.offset;
    switch (text[at]) {
      case '"':
      case '\'': go_to(behind_string(text, at)); continue;
      case '#': go_to(std::min(text.find('\n', at), text.size())); continue;
      case '.':
        if (++dots > kKeyDots) return place;
        break;
      case '[':
      case '{':
        dots = 0;
        if (++brackets > kBrackets) return place;
        break;
      case ']':
      case '}':
        dots = 0;
        brackets -= brackets > 0 ? 1 : 0;
        break;
      case '\n':
      case '=':
      case ',': dots = 0; break;
      default: break;
    }
    go_to(at + 1);
  }
  return std::nullopt;
}

}  // namespace BELAY_NAMESPACE::config
