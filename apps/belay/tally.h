// Counts of what became of damaged calls, by whatever they are sorted.
#pragma once

#include <belay/store.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

/// What may become of a damaged call, in the order in which it is shown.
inline constexpr std::array<std::string_view, 5> kBecame{"mended", "split", "guessed", "re_asked", "lost"};

struct Counts {
  std::array<std::uint64_t, kBecame.size()> became{};
  [[nodiscard]] std::uint64_t total() const;
  /// Those that led to a call in the end: all but the lost.
  [[nodiscard]] std::uint64_t recovered() const;
  void add(std::string_view word, std::uint64_t count);
  bool operator==(const Counts&) const = default;
};

struct Tally {
  Counts all;
  std::map<std::string, Counts> kinds, models, tools;  ///< an outcome of several kinds counts for each of them
  std::map<std::int64_t, Counts> days;                 ///< since 1970
};
Tally tally(const std::vector<store::OutcomeCount>& by_kind, const std::vector<store::OutcomeDay>& by_day);

/// The rows, most first; equal ones by name.
std::vector<std::pair<std::string, Counts>> ranked(const std::map<std::string, Counts>& counts);

/// `2026-11-16` for a number of days since 1970.
std::string day_name(std::int64_t day);

}  // namespace belay::cli
