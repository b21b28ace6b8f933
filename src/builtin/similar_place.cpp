#include "builtin/similar_place.h"

#include "builtin/text_lines.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace BELAY_NAMESPACE::builtin {
namespace {

struct Candidate {
  std::size_t line = 0;  // from 0 on
  bool found = false;
};

// The place where most lines are the same, white space around them aside.
Candidate by_equal_lines(std::span<const std::string_view> lines, const SearchReplaceBlock& block, std::size_t steps) {
  std::unordered_map<std::string_view, std::vector<std::size_t>> where;
  for (std::size_t i = 0; i < block.search.size(); ++i)
    if (std::string_view line = without_space(block.search[i]); !line.empty()) where[line].push_back(i);
  std::unordered_map<std::size_t, std::size_t> votes;
  Candidate best;
  std::size_t most = 0;
  for (std::size_t at = 0; at < lines.size() && steps > 0; ++at) {
    const auto found = where.find(without_space(lines[at]));
    if (found == where.end()) continue;
    for (std::size_t i : found->second) {
      if (i > at || steps == 0) break;
      --steps;
      const std::size_t count = ++votes[at - i];
      if (count > most) {
        most = count;
        best = {at - i, true};
      }
    }
  }
  return best;
}

using Pairs = std::array<std::uint16_t, 256>;

// Pairs of letters, counted: cheap, and near enough to what a reader calls similar.
std::size_t pairs_of(std::string_view line, Pairs& pairs) {
  pairs.fill(0);
  line = line.substr(0, 1000);
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const auto a = static_cast<unsigned char>(line[i]), b = static_cast<unsigned char>(line[i + 1]);
    ++pairs[(a * 31U + b) & 255U];
  }
  return line.size() > 1 ? line.size() - 1 : 0;
}

// The line that is most like the longest one of the block.
Candidate by_similar_line(std::span<const std::string_view> lines, const SearchReplaceBlock& block, std::size_t steps) {
  std::size_t index = 0;
  for (std::size_t i = 0; i < block.search.size(); ++i)
    if (without_space(block.search[i]).size() > without_space(block.search[index]).size()) index = i;
  Pairs wanted, pairs;
  const std::size_t size = pairs_of(without_space(block.search[index]), wanted);
  Candidate best;
  std::size_t best_per_mille = 500;
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const std::string_view line = without_space(lines[at]);
    if (steps < line.size() + pairs.size()) break;
    steps -= std::min<std::size_t>(line.size(), 1000) + pairs.size();
    const std::size_t other = pairs_of(line, pairs);
    std::size_t common = 0;
    for (std::size_t k = 0; k < pairs.size(); ++k) common += std::min(pairs[k], wanted[k]);
    const std::size_t per_mille = size + other == 0 ? 0 : 2000 * common / (size + other);
    if (per_mille <= best_per_mille || at < index) continue;
    best_per_mille = per_mille;
    best = {at - index, true};
  }
  return best;
}

}  // namespace

std::string similar_place(std::span<const std::string_view> lines, const SearchReplaceBlock& block,
                          const SearchReplaceLimits& limits) {
  if (lines.empty()) return "The file is empty.";
  std::string out;
  Candidate place = by_equal_lines(lines, block, limits.similar_steps);
  if (!place.found) place = by_similar_line(lines, block, limits.similar_steps);
  if (place.found) {
    out = "The most similar place begins in line " + std::to_string(place.line + 1) + "; there is:\n";
  } else if (block.start_line && *block.start_line <= lines.size()) {
    place.line = *block.start_line - 1;
    out = "Nothing in the file is similar. In line " + std::to_string(*block.start_line) + " there is:\n";
  } else {
    return "Nothing in the file is similar to it; it has " + counted(lines.size(), "line") +
           ". Read the file again before the next try.";
  }
  const std::size_t end = std::min(lines.size(), place.line + std::min(block.search.size(), limits.shown_lines));
  for (std::size_t at = place.line; at < end; ++at) {
    const bool same = without_end_space(lines[at]) == without_end_space(block.search[at - place.line]);
    out += (same ? "  " : "! ") + std::to_string(at + 1) + " | " +
           clipped(without_end_space(lines[at]), limits.shown_line_bytes) + "\n";
  }
  if (block.search.size() > limits.shown_lines) out += "  (further lines are not shown)\n";
  return out + "Lines that differ from the block have a ! before them. Copy the lines exactly as they are.";
}

}  // namespace BELAY_NAMESPACE::builtin
