#include "builtin/search_replace.h"

#include "builtin/similar_place.h"
#include "builtin/text_lines.h"

#include <algorithm>
#include <unordered_map>

namespace BELAY_NAMESPACE::builtin {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of UTF-8, at the beginning of some files

std::string_view exact(std::string_view line) { return line.ends_with('\n') ? line.substr(0, line.size() - 1) : line; }

// Lines as numbers, so that comparing two costs nothing; equal after `seen` is the same number.
class Numbered {
 public:
  Numbered(std::span<const std::string_view> lines, std::string_view (*seen)(std::string_view)) : seen_(seen) {
    numbers_.reserve(lines.size());
    for (std::string_view line : lines) {
      const auto next = static_cast<std::uint32_t>(known_.size());
      numbers_.push_back(known_.try_emplace(seen_(line), next).first->second);
    }
  }

  // The lines at which the block is found, from 0 on: all of them, those that overlap too. Knuth, Morris and Pratt.
  [[nodiscard]] std::vector<std::size_t> find(const std::vector<std::string>& search) const {
    std::vector<std::uint32_t> wanted;
    for (const std::string& line : search) {
      const auto found = known_.find(seen_(line));
      if (found == known_.end()) return {};
      wanted.push_back(found->second);
    }
    std::vector<std::size_t> back(wanted.size() + 1, 0);
    for (std::size_t i = 1, k = 0; i < wanted.size(); ++i) {
      while (k > 0 && wanted[i] != wanted[k]) k = back[k];
      if (wanted[i] == wanted[k]) ++k;
      back[i + 1] = k;
    }
    std::vector<std::size_t> out;
    for (std::size_t i = 0, k = 0; i < numbers_.size(); ++i) {
      while (k > 0 && (k == wanted.size() || numbers_[i] != wanted[k])) k = back[k];
      if (numbers_[i] == wanted[k]) ++k;
      if (k == wanted.size()) out.push_back(i + 1 - k);
    }
    return out;
  }

 private:
  std::string_view (*seen_)(std::string_view);
  std::unordered_map<std::string_view, std::uint32_t> known_;
  std::vector<std::uint32_t> numbers_;
};

// The only one that is nearest to a line, both from 0 on.
std::optional<std::size_t> nearest(const std::vector<std::size_t>& found, std::size_t line) {
  const auto far = [&](std::size_t at) { return at > line ? at - line : line - at; };
  std::optional<std::size_t> best;
  bool only = false;
  for (std::size_t at : found) {
    if (best && far(at) == far(*best)) only = false;
    if (best && far(at) >= far(*best)) continue;
    best = at;
    only = true;
  }
  return only ? best : std::nullopt;
}

class Applier {
 public:
  Applier(std::string_view text, std::span<const SearchReplaceBlock> blocks, const SearchReplaceLimits& limits)
      : mark_(text.starts_with(kMark) ? kMark : ""),
        lines_(lines_of(text.substr(mark_.size()))),
        blocks_(blocks),
        limits_(limits) {}

  std::expected<Applied, std::string> apply() {
    if (blocks_.size() > limits_.work / std::max<std::size_t>(lines_.size(), 1))
      return std::unexpected("too many blocks for a file of " + counted(lines_.size(), "line") +
                             "; send them in several calls");
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      auto placed = place(i);
      if (!placed) return std::unexpected(placed.error());
      places_.push_back(*placed);
    }
    if (auto trouble = overlap()) return std::unexpected(std::move(*trouble));
    return Applied{written(), places_};
  }

 private:
  [[nodiscard]] std::string block_name(std::size_t i) const {
    return "block " + std::to_string(i + 1) + " of " + std::to_string(blocks_.size()) + " (line " +
           std::to_string(blocks_[i].line) + " of the diff)";
  }

  std::expected<Placed, std::string> place(std::size_t i) {
    const SearchReplaceBlock& block = blocks_[i];
    if (!exact_) exact_.emplace(lines_, exact);
    std::vector<std::size_t> found = exact_->find(block.search);
    if (found.size() == 1) return Placed{found[0] + 1, block.search.size(), true};
    if (!found.empty()) {
      if (block.start_line > lines_.size())
        return several(i, found,
                       "its start_line " + std::to_string(*block.start_line) +
                           " is behind the end of the file, which has " + counted(lines_.size(), "line"));
      std::optional<std::size_t> best;
      if (block.start_line) best = nearest(found, *block.start_line - 1);
      if (best) return Placed{*best + 1, block.search.size(), true};
      return several(i, found,
                     block.start_line ? "two of them are equally near to its start_line"
                                      : "say which one with :start_line:, or search for more lines");
    }
    if (!loose_) loose_.emplace(lines_, without_end_space);
    found = loose_->find(block.search);
    if (found.size() == 1) return Placed{found[0] + 1, block.search.size(), false};
    if (!found.empty()) {
      const std::size_t wanted = block.start_line.value_or(0);
      if (wanted > 0 && std::ranges::binary_search(found, wanted - 1))
        return Placed{wanted, block.search.size(), false};
      return several(i, found,
                     "none of them exactly, only without regard to white space at the ends of lines; search for more "
                     "lines, or copy them exactly");
    }
    return std::unexpected(block_name(i) + " was not found in the file. " + similar_place(lines_, block, limits_));
  }

  std::unexpected<std::string> several(std::size_t i, const std::vector<std::size_t>& found, std::string_view advice) {
    std::string out = block_name(i) + " was found " + std::to_string(found.size()) + " times, in lines ";
    for (std::size_t k = 0; k < found.size() && k < limits_.shown_matches; ++k)
      out += (k > 0 ? ", " : "") + std::to_string(found[k] + 1);
    if (found.size() > limits_.shown_matches) out += " and more";
    return std::unexpected(out + ": " + std::string(advice));
  }

  // Sorts the blocks by their places; a sentence when two of them want the same line.
  std::optional<std::string> overlap() {
    order_.resize(blocks_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::ranges::sort(order_, {}, [&](std::size_t i) { return places_[i].line; });
    for (std::size_t k = 1; k < order_.size(); ++k) {
      const Placed &a = places_[order_[k - 1]], &b = places_[order_[k]];
      if (a.line + a.lines > b.line)
        return block_name(order_[k - 1]) + " and " + block_name(order_[k]) + " overlap in line " +
               std::to_string(b.line) + " of the file; make them one block";
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string written() const {
    std::string out(mark_);
    std::size_t at = 0;
    for (std::size_t i : order_) {
      const std::size_t from = places_[i].line - 1, to = from + places_[i].lines;
      for (; at < from; ++at) out += lines_[at];
      put(blocks_[i].replace, places_[i].exact, from, to, out);
      at = to;
    }
    for (; at < lines_.size(); ++at) out += lines_[at];
    return out;
  }

  // What replaces the lines from `from` to before `to`, with their line ends.
  void put(const std::vector<std::string>& replace, bool was_exact, std::size_t from, std::size_t to,
           std::string& out) const {
    const std::string_view last = lines_[to - 1];
    // The line whose end one has: the one that it replaces, or the last that has an end.
    const std::size_t ends = std::max(last.ends_with('\n') ? to : to - 1, from + 1);
    for (std::size_t k = 0; k < replace.size(); ++k) {
      // Found exactly, a carriage return was part of what was searched, and is part of what is put there.
      const bool carriage = !was_exact && lines_[std::min(from + k, ends - 1)].ends_with("\r\n");
      std::string_view line = replace[k];
      const bool ends_file = k + 1 == replace.size() && !last.ends_with('\n');
      if (!was_exact && (!carriage || ends_file) && line.ends_with('\r')) line.remove_suffix(1);
      out += line;
      if (ends_file) continue;
      if (carriage && !line.ends_with('\r')) out += '\r';
      out += '\n';
    }
  }

  std::string_view mark_;
  std::vector<std::string_view> lines_;
  std::span<const SearchReplaceBlock> blocks_;
  const SearchReplaceLimits& limits_;
  std::optional<Numbered> exact_, loose_;
  std::vector<Placed> places_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::expected<Applied, std::string> apply_blocks(std::string_view text, std::span<const SearchReplaceBlock> blocks,
                                                 const SearchReplaceLimits& limits) {
  return Applier(text, blocks, limits).apply();
}

}  // namespace BELAY_NAMESPACE::builtin
