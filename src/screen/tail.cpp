#include "screen/tail.h"

#include <algorithm>

namespace BELAY_NAMESPACE::screen {
namespace {

constexpr std::size_t kLine = 2000;  // bytes of a line that are kept; no screen shows more

}  // namespace

void Tail::add(std::string_view text) {
  if (returned_ && !text.empty()) {
    open_.clear();
    returned_ = false;
  }
  open_ += text.substr(0, kLine - std::min(kLine, open_.size()));
}

void Tail::push(std::string_view piece) {
  while (!piece.empty()) {
    const std::size_t end = std::min(piece.find_first_of("\r\n"), piece.size());
    add(piece.substr(0, end));
    if (end == piece.size()) return;
    if (piece[end] == '\r') {
      returned_ = true;
    } else {
      kept_.push_back(std::move(open_));
      open_.clear();
      returned_ = false;
      ++ended_;
      if (kept_.size() > most_) kept_.pop_front();
    }
    piece.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> Tail::lines() const {
  std::vector<std::string_view> out(kept_.begin(), kept_.end());
  if (!open_.empty()) out.push_back(open_);
  if (out.size() > most_) out.erase(out.begin());
  return out;
}

}  // namespace BELAY_NAMESPACE::screen
