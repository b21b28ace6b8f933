#include "places.h"

#include <algorithm>
#include <cstring>

namespace belay::cli {

void Places::note(std::string_view bytes) {
  if (const std::size_t last = bytes.find_last_not_of(" \t\r\n"); last != bytes.npos) text_end_ = size_ + last + 1;
  size_ += bytes.size();
  if (bytes.size() >= kTail) {
    tail_ = bytes.substr(bytes.size() - kTail);
  } else {
    tail_ += bytes;
    if (tail_.size() > 2 * kTail) tail_.erase(0, tail_.size() - kTail);
  }
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

std::optional<Places::Around> Places::around(std::uint64_t offset) const {
  if (offset <= head_.size()) return Around{head_, 0};
  const std::uint64_t from = size_ - tail_.size();
  if (offset >= from && offset <= size_) return Around{tail_, from};
  return std::nullopt;
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
