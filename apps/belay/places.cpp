#include "places.h"

#include <algorithm>
#include <cstring>

namespace belay::cli {

void Places::note(std::string_view bytes) {
  if (head_.size() < kHead) head_ += bytes.substr(0, kHead - head_.size());
  if (line_starts_.size() > kLines) return;
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  for (const char* p = begin; p != end;) {
    const char* newline = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    if (newline == nullptr) break;
    p = newline + 1;
    line_starts_.push_back(known_ + static_cast<std::uint64_t>(p - begin));
    if (line_starts_.size() > kLines) {
      known_ = line_starts_.back();
      return;
    }
  }
  known_ += bytes.size();
}

std::optional<Position> Places::find(std::uint64_t offset) const {
  if (offset > known_) return std::nullopt;
  auto after = std::ranges::upper_bound(line_starts_, offset);
  const auto line = static_cast<std::uint64_t>(after - line_starts_.begin());
  return Position{offset, line, offset - *(after - 1) + 1};
}

std::string Places::describe(std::uint64_t offset) const {
  if (auto position = find(offset)) return cli::describe(*position);
  return "byte " + std::to_string(offset);
}

std::string describe(const Position& p) {
  return "line " + std::to_string(p.line) + ", column " + std::to_string(p.column) + ", byte " +
         std::to_string(p.offset);
}

}  // namespace belay::cli
