#include "builtin/line_diff.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace BELAY_NAMESPACE::builtin {
namespace {

using Lines = std::span<const std::uint32_t>;

constexpr std::size_t kWhole = 600;          // changed lines that are looked for in the whole text
constexpr std::size_t kGap = 150;            // and between two fixed points
constexpr std::size_t kBudget = 20'000'000;  // steps for all of it

class Differ {
 public:
  Differ(Lines before, Lines after) : before_(before), after_(after) {}

  std::vector<Change> run() {
    const Change all = trimmed({0, before_.size(), 0, after_.size()});
    if (!shortest(all, kWhole)) by_fixed_points(all);
    return std::move(changes_);
  }

 private:
  // Without what is the same at both ends.
  [[nodiscard]] Change trimmed(Change c) const {
    while (c.old_from < c.old_to && c.new_from < c.new_to && before_[c.old_from] == after_[c.new_from])
      ++c.old_from, ++c.new_from;
    while (c.old_from < c.old_to && c.new_from < c.new_to && before_[c.old_to - 1] == after_[c.new_to - 1])
      --c.old_to, --c.new_to;
    return c;
  }

  void add(const Change& c) {
    if (c.old_from == c.old_to && c.new_from == c.new_to) return;
    if (!changes_.empty() && changes_.back().old_to == c.old_from && changes_.back().new_to == c.new_from) {
      changes_.back().old_to = c.old_to;
      changes_.back().new_to = c.new_to;
    } else {
      changes_.push_back(c);
    }
  }

  // Myers' way: the furthest that each diagonal gets with d changes. False when it needs more than `most`.
  bool shortest(const Change& c, std::size_t most) {
    const auto n = static_cast<std::ptrdiff_t>(c.old_to - c.old_from);
    const auto m = static_cast<std::ptrdiff_t>(c.new_to - c.new_from);
    if (n == 0 || m == 0) return add(c), true;
    const auto bound = static_cast<std::ptrdiff_t>(most);
    if (std::max(n, m) - std::min(n, m) > bound) return false;
    std::vector<std::vector<std::ptrdiff_t>> rounds;
    std::vector<std::ptrdiff_t> far(2 * most + 3, 0);  // by diagonal, which begins at -most - 1
    for (std::ptrdiff_t d = 0; d <= bound; ++d) {
      for (std::ptrdiff_t k = -d; k <= d; k += 2) {
        const auto at = static_cast<std::size_t>(k + bound + 1);
        std::ptrdiff_t x = k == -d || (k != d && far[at - 1] < far[at + 1]) ? far[at + 1] : far[at - 1] + 1;
        while (x < n && x - k < m && x - k >= 0 && old_at(c, x) == new_at(c, x - k)) ++x, ++steps_;
        far[at] = x;
        if (x >= n && x - k >= m) return follow(c, rounds, d), true;
      }
      steps_ += static_cast<std::size_t>(d) + 1;
      if (steps_ > kBudget) return false;
      rounds.emplace_back(far.begin() + (bound + 1 - d), far.begin() + (bound + 2 + d));
    }
    return false;
  }

  [[nodiscard]] std::uint32_t old_at(const Change& c, std::ptrdiff_t i) const {
    return before_[c.old_from + static_cast<std::size_t>(i)];
  }
  [[nodiscard]] std::uint32_t new_at(const Change& c, std::ptrdiff_t i) const {
    return after_[c.new_from + static_cast<std::size_t>(i)];
  }

  // Back from the end, round by round; then the single changes are added in order.
  void follow(const Change& c, const std::vector<std::vector<std::ptrdiff_t>>& rounds, std::ptrdiff_t d) {
    std::ptrdiff_t x = static_cast<std::ptrdiff_t>(c.old_to - c.old_from);
    std::ptrdiff_t y = static_cast<std::ptrdiff_t>(c.new_to - c.new_from);
    std::vector<Change> found;
    for (; d > 0; --d) {
      const std::vector<std::ptrdiff_t>& last = rounds[static_cast<std::size_t>(d - 1)];
      const auto far = [&](std::ptrdiff_t k) {  // of the round before, which knows the diagonals -(d-1) to d-1
        return k < 1 - d || k > d - 1 ? std::ptrdiff_t{-1} : last[static_cast<std::size_t>(k + d - 1)];
      };
      const std::ptrdiff_t k = x - y;
      const bool inserted = k == -d || (k != d && far(k - 1) < far(k + 1));
      const std::ptrdiff_t from = inserted ? far(k + 1) : far(k - 1);
      const std::ptrdiff_t from_y = from - (inserted ? k + 1 : k - 1);
      const auto old_from = c.old_from + static_cast<std::size_t>(from);
      const auto new_from = c.new_from + static_cast<std::size_t>(from_y);
      found.push_back({old_from, old_from + (inserted ? 0U : 1U), new_from, new_from + (inserted ? 1U : 0U)});
      x = from;
      y = from_y;
    }
    for (auto one = found.rbegin(); one != found.rend(); ++one) add(*one);
  }

  // Lines that both have exactly once, in an order that fits both: the longest such list.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> fixed_points(const Change& c) const {
    struct Seen {
      std::size_t old_count = 0, new_count = 0, old_at = 0;
    };
    std::unordered_map<std::uint32_t, Seen> seen;
    for (std::size_t i = c.old_from; i < c.old_to; ++i) {
      Seen& s = seen[before_[i]];
      ++s.old_count;
      s.old_at = i;
    }
    for (std::size_t i = c.new_from; i < c.new_to; ++i) ++seen[after_[i]].new_count;
    std::vector<std::pair<std::size_t, std::size_t>> once;  // by the new text
    for (std::size_t i = c.new_from; i < c.new_to; ++i)
      if (const Seen& s = seen[after_[i]]; s.old_count == 1 && s.new_count == 1) once.emplace_back(s.old_at, i);
    std::vector<std::size_t> tails, before(once.size());
    for (std::size_t i = 0; i < once.size(); ++i) {
      const auto at = std::ranges::lower_bound(tails, once[i].first, {}, [&](std::size_t t) { return once[t].first; });
      before[i] = at == tails.begin() ? i : *(at - 1);
      if (at == tails.end()) {
        tails.push_back(i);
      } else {
        *at = i;
      }
    }
    std::vector<std::pair<std::size_t, std::size_t>> out;
    if (tails.empty()) return out;
    for (std::size_t i = tails.back();; i = before[i]) {
      out.push_back(once[i]);
      if (before[i] == i) break;
    }
    std::ranges::reverse(out);
    return out;
  }

  void by_fixed_points(const Change& all) {
    Change gap = all;
    const auto close = [&](std::size_t old_to, std::size_t new_to) {
      gap.old_to = old_to;
      gap.new_to = new_to;
      const Change small = trimmed(gap);
      if (!shortest(small, kGap)) add(small);
    };
    for (const auto& [old_at, new_at] : fixed_points(all)) {
      close(old_at, new_at);
      gap.old_from = old_at + 1;
      gap.new_from = new_at + 1;
    }
    close(all.old_to, all.new_to);
  }

  Lines before_, after_;
  std::vector<Change> changes_;
  std::size_t steps_ = 0;
};

}  // namespace

std::vector<Change> diff_lines(Lines before, Lines after) { return Differ(before, after).run(); }

}  // namespace BELAY_NAMESPACE::builtin
