#include "tally.h"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace belay::cli {

std::uint64_t Counts::total() const { return std::accumulate(became.begin(), became.end(), std::uint64_t{0}); }

std::uint64_t Counts::recovered() const { return total() - became.back(); }

void Counts::add(std::string_view word, std::uint64_t count) {
  // A word that is not known is of a newer Belay, and promises nothing.
  std::size_t at = 0;
  while (at + 1 < kBecame.size() && kBecame[at] != word) ++at;
  became[at] += count;
}

Tally tally(const std::vector<store::OutcomeCount>& by_kind, const std::vector<store::OutcomeDay>& by_day) {
  Tally out;
  for (const store::OutcomeCount& c : by_kind) out.kinds[c.kind].add(c.became, c.count);
  for (const store::OutcomeDay& c : by_day) {
    out.all.add(c.became, c.count);
    out.models[c.model].add(c.became, c.count);
    out.tools[c.tool].add(c.became, c.count);
    out.days[c.day].add(c.became, c.count);
  }
  return out;
}

std::vector<std::pair<std::string, Counts>> ranked(const std::map<std::string, Counts>& counts) {
  std::vector<std::pair<std::string, Counts>> out(counts.begin(), counts.end());
  std::ranges::stable_sort(out, std::ranges::greater{}, [](const auto& row) { return row.second.total(); });
  return out;
}

std::string day_name(std::int64_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  const auto two = [](unsigned n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  return std::to_string(static_cast<int>(date.year())) + "-" + two(static_cast<unsigned>(date.month())) + "-" +
         two(static_cast<unsigned>(date.day()));
}

}  // namespace belay::cli
