// Calls that what stands behind them shows to be quoted: code spans over lines, quotes around a call.
#pragma once

#include "text/trail.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace BELAY_NAMESPACE::text {

/// Backticks, by how many stand in a row: two rows of the same length in a paragraph may hold a code span, with all the
/// calls between them. Three or more may be half a fence, whose paragraph does not matter.
class Runs {
 public:
  static constexpr std::size_t kLongest = 64;

  Runs() { clear(); }
  void clear() { first_.fill(kClosed); }
  /// A paragraph ends, and with it any code span.
  void end_paragraph() { std::fill_n(first_.begin(), kFence, kClosed); }
  /// A call begins.
  void call(std::size_t call) { std::replace(first_.begin(), first_.end(), kNoCall, call); }
  /// A row of backticks outside of fences. Gives the first call in the span that it closes, if there is one.
  std::optional<std::size_t> row(std::size_t length) {
    std::size_t& first = first_[std::min(length, kLongest)];
    const std::size_t was = first;
    first = was == kClosed ? kNoCall : kClosed;
    return was == kClosed || was == kNoCall ? std::nullopt : std::optional(was);
  }
  /// The same for one that begins a fence, if it does not end a span.
  std::optional<std::size_t> fence(std::size_t length) {
    return first_[std::min(length, kLongest)] == kClosed ? std::nullopt : row(length);
  }

 private:
  static constexpr std::size_t kFence = 3;
  static constexpr std::size_t kClosed = std::numeric_limits<std::size_t>::max(), kNoCall = kClosed - 1;
  std::array<std::size_t, kLongest + 1> first_{};  // by length: the first call behind the row that is open
};

/// A quote right before a call, and one right behind it; or what may have white space inside of it: a backtick, three
/// quotes, the border of a table's cell.
class Quotes {
 public:
  /// Backticks, which open a code span on their line or not.
  void ticks(bool open) { opened_ = open; }
  /// A call begins behind `before`. One that follows another call stands in the same quotes.
  void begin_call(const Trail& before, std::size_t call, std::uint64_t offset) {
    if (waits_ && before.blank()) return;
    quote_ = before.quote(wide_);
    if (quote_ == '`' && !opened_) quote_ = 0;
    first_ = call;
    offset_ = offset;
    waits_ = false;
  }
  void end_call() { waits_ = quote_ != 0; }
  /// Text behind it. Gives where in it the quotes close that stand around calls, if they do.
  std::optional<std::size_t> text(std::string_view bytes) {
    if (!waits_) return std::nullopt;
    const std::size_t at = wide_ ? past_space(bytes, 0) : 0;
    if (at == bytes.size()) return std::nullopt;
    waits_ = false;
    return bytes[at] == quote_ ? std::optional(at) : std::nullopt;
  }
  /// The first call in them.
  [[nodiscard]] std::size_t first() const { return first_; }
  /// Where that begins.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

 private:
  char quote_ = 0;       // the first byte of the quote that would close
  bool wide_ = false;    // white space may stand inside
  bool opened_ = false;  // the last backticks opened something
  bool waits_ = false;   // the call is over, and nothing has come behind it
  std::size_t first_ = 0;
  std::uint64_t offset_ = 0;
};

}  // namespace BELAY_NAMESPACE::text
