#include "regex/code_set.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace BELAY_NAMESPACE::regex {

CodeSet::CodeSet(std::initializer_list<Range> ranges) : ranges_(ranges) { settle(); }

void CodeSet::add(char32_t first, char32_t last) {
  ranges_.push_back({first, last});
  // [\p{L}\p{L}…] must not hold all of its ranges at once.
  if (ranges_.size() > 2 * settled_ + 4096) settle();
}

void CodeSet::add(const CodeSet& other) {
  for (const Range& range : other.ranges_) add(range.first, range.last);
}

void CodeSet::invert() {
  settle();
  std::vector<Range> gaps;
  gaps.reserve(ranges_.size() + 1);
  char32_t next = 0;
  for (const Range& range : ranges_) {
    if (range.first > next) gaps.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kLastCodePoint) gaps.push_back({next, kLastCodePoint});
  ranges_ = std::move(gaps);
  settled_ = ranges_.size();
}

bool CodeSet::contains(char32_t c) {
  settle();
  auto after = std::ranges::upper_bound(ranges_, c, {}, &Range::first);
  return after != ranges_.begin() && std::prev(after)->last >= c;
}

std::span<const CodeSet::Range> CodeSet::ranges() {
  settle();
  return ranges_;
}

void CodeSet::settle() {
  if (settled_ == ranges_.size()) return;
  std::ranges::sort(ranges_, {}, &Range::first);
  std::size_t kept = 0;
  for (const Range& range : ranges_) {
    if (kept != 0 && range.first <= ranges_[kept - 1].last + 1)
      ranges_[kept - 1].last = std::max(ranges_[kept - 1].last, range.last);
    else
      ranges_[kept++] = range;
  }
  ranges_.resize(kept);
  settled_ = kept;
}

}  // namespace BELAY_NAMESPACE::regex
