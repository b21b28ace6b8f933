#include "line_input.h"

#include <algorithm>

namespace belay::cli {
namespace {

// A byte too many tells that a line is too long, and a carriage return before the line feed does not count.
constexpr std::uint64_t kBeyond = 2;

}  // namespace

char* LineBlock::room(std::size_t bytes) {
  if (memory_.size() - size_ < bytes) memory_.resize(std::max(size_ + bytes, 2 * memory_.size()));
  return memory_.data() + size_;
}

std::expected<std::size_t, std::string> LineInput::read_into(LineBlock& block) {
  auto got = input_.read(block.room(block_), block_);
  if (!got) trouble_ = got.error();
  if (!got || *got == 0) ended_ = true;
  return got;
}

std::expected<bool, std::string> LineInput::next(LineBlock& block) {
  block.size_ = 0;
  rest_.copy(block.room(rest_.size()), rest_.size());
  block.size_ = rest_.size();
  std::size_t whole = 0;  // bytes that are whole lines
  while (!ended_ && (whole == 0 || (block.size_ < block_ && input_.ready()))) {
    const auto got = read_into(block);
    if (!got) break;
    const std::string_view more(block.memory_.data() + block.size_, *got);
    if (const std::size_t end = more.rfind('\n'); end != more.npos) whole = block.size_ + end + 1;
    block.size_ += *got;
    if (whole == 0 && block.size_ > line_bytes_ + kBeyond)
      block.size_ = static_cast<std::size_t>(line_bytes_ + kBeyond);
  }
  if (ended_ && trouble_.empty()) whole = block.size_;
  rest_ = block.text().substr(whole);
  block.size_ = whole;
  if (whole == 0 && !trouble_.empty()) return std::unexpected(trouble_);
  return whole > 0;
}

}  // namespace belay::cli
