#include "sandbox/output.h"

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::sandbox {

void Output::push(std::string_view piece) {
  written_ += piece.size();
  std::size_t head = std::min<std::size_t>(piece.size(), head_room_ - head_.size());
  head_.append(piece.substr(0, head));
  piece.remove_prefix(head);
  if (piece.size() > tail_room_) {
    piece.remove_prefix(piece.size() - tail_room_);
    tail_.clear();
    at_ = 0;
  }
  std::size_t fits = std::min<std::size_t>(piece.size(), tail_room_ - tail_.size());
  tail_.append(piece.substr(0, fits));
  piece.remove_prefix(fits);
  while (!piece.empty()) {
    std::size_t run = std::min(piece.size(), tail_.size() - at_);
    tail_.replace(at_, run, piece.substr(0, run));
    at_ = (at_ + run) % tail_.size();
    piece.remove_prefix(run);
  }
}

std::string Output::take() && {
  std::uint64_t missing = left_out();
  std::rotate(tail_.begin(), tail_.begin() + static_cast<std::ptrdiff_t>(at_), tail_.end());
  if (missing == 0) return std::move(head_) + tail_;
  // No character is cut in half by us: those bytes would look like damage.
  auto middle = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  std::size_t from = 0;
  while (from < std::min<std::size_t>(3, tail_.size()) && middle(tail_[from])) ++from;
  std::size_t to = head_.size();
  while (to > 0 && head_.size() - to < 3 && middle(head_[to - 1])) --to;
  if (to > 0 && static_cast<unsigned char>(head_[to - 1]) >= 0xc0) --to;
  missing += from + (head_.size() - to);
  head_.resize(to);
  return std::move(head_) + "\n[... " + std::to_string(missing) + " of " + std::to_string(written_) +
         " bytes left out here ...]\n" + tail_.substr(from);
}

}  // namespace BELAY_NAMESPACE::sandbox
