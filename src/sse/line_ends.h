// Where the lines of a piece end.
#pragma once

#include <belay/version.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace BELAY_NAMESPACE::sse {

/// Finds the next CR or LF. Both searches remember what they found, so that each byte is searched once for either: a
/// piece with CRs only is not searched for a LF once a line, nor the other way round.
class LineEnds {
 public:
  LineEnds(const char* begin, const char* end) : end_(end), lf_(find('\n', begin, end)), cr_(begin) {}

  /// The first line end at or after `p`, or the piece's end. `p` may not go back.
  const char* next(const char* p) {
    if (lf_ < p) lf_ = find('\n', p, end_);
    if (cr_ < p) cr_found_ = false;
    if (!cr_found_ && cr_ < lf_) search_cr(std::max(cr_, p));
    return cr_found_ ? std::min(lf_, cr_) : lf_;
  }

 private:
  // Ahead of the lines, because one long search is cheaper than many short ones, but only so far that the bytes are
  // still in the cache when their lines are taken.
  static constexpr std::ptrdiff_t kAhead = 16 * 1024;

  static const char* find(char c, const char* p, const char* end) {
    if (p == end) return end;  // there may be no memory behind it
    const void* found = std::memchr(p, c, static_cast<std::size_t>(end - p));
    return found != nullptr ? static_cast<const char*>(found) : end;
  }
  void search_cr(const char* from) {
    const char* to = std::max(lf_, from + std::min(kAhead, end_ - from));
    cr_ = find('\r', from, to);
    cr_found_ = cr_ != to;
  }

  const char* end_;
  const char* lf_;  // the next LF, or the end
  const char* cr_;  // the next CR; without cr_found_, there is none up to here
  bool cr_found_ = false;
};

}  // namespace BELAY_NAMESPACE::sse
