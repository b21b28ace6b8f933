#include "schema/near.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace BELAY_NAMESPACE::schema {
namespace {

constexpr std::size_t kLongest = 64;  // longer names are not compared letter by letter

char plain(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool filler(char c) { return c == '_' || c == '-' || c == ' ' || c == '.'; }

// Letters that have to be added, dropped, changed, or swapped with their neighbour.
std::size_t distance(std::string_view a, std::string_view b, std::size_t most) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > most || b.size() > kLongest) return most + 1;
  std::size_t before[kLongest + 1], last[kLongest + 1], row[kLongest + 1];
  std::iota(last, last + a.size() + 1, std::size_t{0});
  for (std::size_t i = 1; i <= b.size(); ++i) {
    row[0] = i;
    for (std::size_t k = 1; k <= a.size(); ++k) {
      std::size_t change = last[k - 1] + (plain(a[k - 1]) != plain(b[i - 1]) ? 1 : 0);
      row[k] = std::min({last[k] + 1, row[k - 1] + 1, change});
      if (i > 1 && k > 1 && plain(a[k - 1]) == plain(b[i - 2]) && plain(a[k - 2]) == plain(b[i - 1]))
        row[k] = std::min(row[k], before[k - 2] + 1);
    }
    std::copy_n(last, a.size() + 1, before);
    std::copy_n(row, a.size() + 1, last);
  }
  return last[a.size()];
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  std::size_t i = 0, k = 0;
  while (true) {
    while (i < a.size() && filler(a[i])) ++i;
    while (k < b.size() && filler(b[k])) ++k;
    if (i == a.size() || k == b.size()) return i == a.size() && k == b.size() && !a.empty() && !b.empty();
    if (plain(a[i++]) != plain(b[k++])) return false;
  }
}

std::string_view nearest(std::string_view name, const std::vector<std::string_view>& names) {
  // Shorter names have more neighbours by chance.
  const std::size_t most = name.size() < 3 ? 0 : name.size() < 8 ? 1 : 2;
  std::string_view best;
  std::size_t least = most + 1, ties = 0;
  for (std::string_view other : names) {
    std::size_t d = same_name(name, other) ? 0 : std::max<std::size_t>(1, distance(name, other, most));
    // An abbreviation: old_str for old_string.
    if (d > 1 && std::min(name.size(), other.size()) >= 3 && (name.starts_with(other) || other.starts_with(name)))
      d = 1;
    if (d < least) {
      least = d;
      best = other;
      ties = 1;
    } else if (d == least) {
      ++ties;
    }
  }
  return least <= most && ties == 1 ? best : std::string_view{};
}

}  // namespace BELAY_NAMESPACE::schema
