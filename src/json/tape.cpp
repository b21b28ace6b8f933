#include <belay/json/tape.h>

#include "base/out_of_memory.h"

#include <algorithm>
#include <cstdlib>

namespace BELAY_NAMESPACE::json {
namespace {

constexpr std::size_t kFirstBlock = 1024;
constexpr std::size_t kLargestBlock = std::size_t{1} << 18;

}  // namespace

Arena::Arena(Arena&& other) noexcept
    : blocks_(std::move(other.blocks_)),
      used_(std::exchange(other.used_, 0)),
      total_(std::exchange(other.total_, 0)),
      c_(std::exchange(other.c_, {})) {
  other.blocks_.clear();
}

Arena& Arena::operator=(Arena&& other) noexcept {
  if (this == &other) return *this;
  release();
  blocks_ = std::move(other.blocks_);
  other.blocks_.clear();
  used_ = std::exchange(other.used_, 0);
  total_ = std::exchange(other.total_, 0);
  c_ = std::exchange(other.c_, {});
  return *this;
}

Arena::~Arena() { release(); }

void Arena::swap(Arena& other) noexcept {
  blocks_.swap(other.blocks_);
  std::swap(used_, other.used_);
  std::swap(total_, other.total_);
  std::swap(c_, other.c_);
}

void Arena::release() noexcept {
  for (Block& b : blocks_) b.release();
  blocks_.clear();
}

void Arena::grow(std::size_t n) {
  std::size_t kept = c_.open ? open_size() : 0;
  std::size_t need = kept + n + kSlack;
  if (c_.open && used_ > 0 && c_.open == blocks_[used_ - 1].data) {
    // The open string has the block to itself: let it grow where it is.
    Block& b = blocks_[used_ - 1];
    total_ -= b.size;
    b.grow(std::max(need, kept + kept / 4 + kSlack), kept);
    total_ += b.size;
    c_.open = b.data;
    c_.at = b.data + kept;
    c_.end = b.data + b.size;
    return;
  }
  std::size_t size = std::max(need + (c_.open ? kept / 4 : 0), std::clamp(total_ / 4, kFirstBlock, kLargestBlock));
  if (used_ == blocks_.size()) blocks_.emplace_back();
  if (blocks_[used_].size < need) {
    blocks_[used_].release();
    blocks_[used_] = Block::make(size);
  }
  Block& b = blocks_[used_++];
  total_ += b.size;
  if (kept) std::memcpy(b.data, c_.open, kept);
  if (c_.open) c_.open = b.data;
  c_.at = b.data + kept;
  c_.end = b.data + b.size;
}

void Arena::reopen(const char* start, std::size_t size) {
  if (used_ > 0) {
    char* base = blocks_[used_ - 1].data;
    auto from = reinterpret_cast<std::uintptr_t>(start);
    auto block = reinterpret_cast<std::uintptr_t>(base);
    if (size > 0 && from >= block && from < block + blocks_[used_ - 1].size) {
      c_.open = base + (from - block);
      c_.at = c_.open + size;
      return;
    }
  }
  // Something behind it went to another block: go on with a copy.
  ensure(size);
  open();
  append({start, size});
}

void Arena::clear() {
  c_.open = nullptr;
  used_ = 0;
  total_ = 0;
  c_.at = c_.end = nullptr;
  if (blocks_.empty()) return;
  // Start again with the largest block first: the next text is probably like the last.
  if (blocks_.size() > 1)
    std::sort(blocks_.begin(), blocks_.end(), [](const Block& a, const Block& b) { return a.size > b.size; });
  used_ = 1;
  total_ = blocks_[0].size;
  c_.at = blocks_[0].data;
  c_.end = c_.at + blocks_[0].size;
}

std::size_t Arena::capacity() const {
  std::size_t sum = 0;
  for (const Block& b : blocks_) sum += b.size;
  return sum;
}

Tape::Tape(Tape&& other) noexcept
    : first_(std::exchange(other.first_, nullptr)),
      chunks_(std::move(other.chunks_)),
      capacity_(std::exchange(other.capacity_, 0)),
      e_(std::exchange(other.e_, {})),
      arena_(std::move(other.arena_)) {
  other.chunks_.clear();
  other.last_child_ = {};
}

Tape& Tape::operator=(Tape&& other) noexcept {
  if (this == &other) return *this;
  release();
  first_ = std::exchange(other.first_, nullptr);
  chunks_ = std::move(other.chunks_);
  other.chunks_.clear();
  capacity_ = std::exchange(other.capacity_, 0);
  e_ = std::exchange(other.e_, {});
  arena_ = std::move(other.arena_);
  last_child_ = other.last_child_ = {};
  return *this;
}

Tape::~Tape() { release(); }

void Tape::swap(Tape& other) noexcept {
  std::swap(first_, other.first_);
  chunks_.swap(other.chunks_);
  std::swap(capacity_, other.capacity_);
  std::swap(e_, other.e_);
  arena_.swap(other.arena_);
  last_child_ = other.last_child_ = {};
}

void Tape::release() noexcept {
  for (Node* c : chunks_) std::free(static_cast<void*>(c));
  chunks_.clear();
  first_ = nullptr;
}

void Tape::grow() {
  constexpr std::size_t kChunk = kMask + 1;
  if (capacity_ < kChunk) {
    std::size_t capacity = capacity_ == 0 ? 32 : capacity_ * 4;
    if (capacity > kChunk) capacity = kChunk;
    void* old = chunks_.empty() ? nullptr : static_cast<void*>(chunks_[0]);
    if (chunks_.empty()) chunks_.push_back(nullptr);
    auto* nodes = static_cast<Node*>(std::realloc(old, capacity * sizeof(Node)));
    if (!nodes) out_of_memory();
    first_ = chunks_[0] = nodes;
    capacity_ = capacity;
    return;
  }
  chunks_.push_back(nullptr);
  chunks_.back() = static_cast<Node*>(std::malloc(kChunk * sizeof(Node)));
  if (!chunks_.back()) {
    chunks_.pop_back();
    out_of_memory();
  }
  capacity_ += kChunk;
}

void Tape::number(std::string_view text) {
  count();
  if (text.size() <= 8) {
    Node n{static_cast<std::uint64_t>(Tag::short_number) | text.size() << 8, 0};
    std::memcpy(&n.body, text.data(), text.size());
    push(n);
    return;
  }
  char* start = nullptr;
  arena_.ensure(text.size());
  start = arena_.at();
  arena_.append(text);
  push({static_cast<std::uint64_t>(Tag::number) | text.size() << 8, reinterpret_cast<std::uint64_t>(start)});
}

void Tape::clear() {
  e_ = {};
  last_child_ = {};
  arena_.clear();
}

}  // namespace BELAY_NAMESPACE::json
