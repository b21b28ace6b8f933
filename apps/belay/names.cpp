#include "names.h"

#include "terminal.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace belay::cli {
namespace {

// Optimal string alignment: each of the four slips of a typist costs one.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    above = row;
  }
  return above[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kLongest = 64;  // no name is longer, and the cost is quadratic
  if (word.size() < 2 || word.size() > kLongest) return std::nullopt;
  for (std::string_view candidate : candidates)
    if (candidate.starts_with(word)) return candidate;
  std::optional<std::string_view> best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (std::string_view candidate : candidates) {
    const std::size_t d = distance(word, candidate);
    if (d < least) least = d, best = candidate;
  }
  return best;
}

std::string no_such_tool(std::string_view name, std::span<const std::string_view> near) {
  std::string out = "no tool '" + clipped(name, 60) + "'";
  for (std::size_t i = 0; i < near.size(); ++i)
    out.append(i == 0 ? "; did you mean " : i + 1 == near.size() ? " or " : ", ").append(near[i]);
  return out + (near.empty() ? "; " : "? ") +
         (name.find("__") == name.npos ? "belay tools lists them" : "belay mcp tools lists those of servers");
}

}  // namespace belay::cli
