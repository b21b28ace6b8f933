#include "builtin/search_replace.h"

#include "builtin/text_lines.h"

#include <array>
#include <charconv>

namespace BELAY_NAMESPACE::builtin {
namespace {

constexpr std::string_view kSearch = "<<<<<<< SEARCH", kMiddle = "=======", kReplace = ">>>>>>> REPLACE";
constexpr std::string_view kStart = ":start_line:", kEnd = ":end_line:", kDashes = "-------";

// What a line is, whatever white space stands at its end.
bool is(std::string_view line, std::string_view marker) { return without_end_space(line) == marker; }

// A content line: one backslash less when it stands before something that looks like a marker.
std::string content_of(std::string_view line) {
  constexpr std::array<std::string_view, 6> markers = {"<<<<<<<", kMiddle, ">>>>>>>", kStart, kEnd, kDashes};
  const std::size_t slashes = std::min(line.find_first_not_of('\\'), line.size());
  if (slashes > 0)
    for (std::string_view marker : markers)
      if (line.substr(slashes).starts_with(marker)) return std::string(line.substr(1));
  return std::string(line);
}

class BlockReader {
 public:
  BlockReader(std::string_view diff, const SearchReplaceLimits& limits) : rest_(diff), limits_(limits) {}

  std::expected<std::vector<SearchReplaceBlock>, std::string> all() {
    std::vector<SearchReplaceBlock> blocks;
    while (next()) {
      if (without_end_space(line_).empty()) continue;
      if (!is(line_, kSearch)) return expected(kSearch);
      if (blocks.size() == limits_.blocks)
        return std::unexpected("the diff has more than " + std::to_string(limits_.blocks) +
                               " blocks; send it in several calls");
      auto block = one();
      if (!block) return std::unexpected(block.error());
      blocks.push_back(std::move(*block));
    }
    if (blocks.empty()) return std::unexpected("the diff is empty; it needs a block that begins with <<<<<<< SEARCH");
    return blocks;
  }

 private:
  std::expected<SearchReplaceBlock, std::string> one() {
    SearchReplaceBlock block;
    block.line = number_;
    bool more = next();
    for (std::string_view key : {kStart, kEnd}) {
      if (!more || !line_.starts_with(key)) continue;
      auto number = number_after(key);
      if (!number) return std::unexpected(number.error());
      if (key == kStart) block.start_line = *number;
      more = next();
    }
    if (more && is(line_, kDashes)) more = next();
    for (; more && !is(line_, kMiddle); more = next()) {
      if (is(line_, kSearch) || is(line_, kReplace)) return expected(kMiddle);
      block.search.push_back(content_of(line_));
    }
    if (!more) return cut(kMiddle, block.line);
    for (more = next(); more && !is(line_, kReplace); more = next()) {
      if (is(line_, kSearch) || is(line_, kMiddle)) return expected(kReplace);
      block.replace.push_back(content_of(line_));
    }
    if (!more) return cut(kReplace, block.line);
    if (block.search.empty())
      return std::unexpected("line " + std::to_string(block.line) +
                             " of the diff: the block has nothing to search for; to insert text, search for the line "
                             "beside it and repeat that in the replacement");
    return block;
  }

  std::expected<std::size_t, std::string> number_after(std::string_view key) {
    std::string_view digits = without_end_space(line_.substr(key.size()));
    while (digits.starts_with(' ') || digits.starts_with('\t')) digits.remove_prefix(1);
    std::size_t number = 0;
    const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (trouble != std::errc{} || end != digits.data() + digits.size() || number == 0)
      return std::unexpected(here() + ": expected a line number from 1 on after " + std::string(key) + ", got " +
                             quoted(digits));
    return number;
  }

  bool next() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return true;
  }

  [[nodiscard]] std::string here() const { return "line " + std::to_string(number_) + " of the diff"; }
  [[nodiscard]] static std::string quoted(std::string_view text) { return "\"" + clipped(text, 80) + "\""; }

  [[nodiscard]] std::unexpected<std::string> expected(std::string_view marker) const {
    std::string text = here() + ": expected " + std::string(marker) + ", got " + quoted(line_);
    if (marker != kSearch) text += "; such a line inside the text is written with a backslash before it";
    return std::unexpected(std::move(text));
  }
  [[nodiscard]] std::unexpected<std::string> cut(std::string_view marker, std::size_t from) const {
    return std::unexpected("the diff ends after line " + std::to_string(number_) + ": expected " + std::string(marker) +
                           " for the block that begins in line " + std::to_string(from));
  }

  std::string_view rest_, line_;
  const SearchReplaceLimits& limits_;
  std::size_t number_ = 0;
};

}  // namespace

std::expected<std::vector<SearchReplaceBlock>, std::string> read_blocks(std::string_view diff,
                                                                        const SearchReplaceLimits& limits) {
  return BlockReader(diff, limits).all();
}

}  // namespace BELAY_NAMESPACE::builtin
