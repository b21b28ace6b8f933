// Search/replace blocks: read from a diff, and applied to a text. Pure: text in, text or a sentence out.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::builtin {

struct SearchReplaceLimits {
  std::size_t blocks = 1000;              ///< in one diff
  std::uint64_t work = 500'000'000;       ///< blocks times lines of the text
  std::size_t shown_lines = 20;           ///< of the text, in a message
  std::size_t shown_line_bytes = 200;     ///< of each of them
  std::size_t shown_matches = 10;         ///< line numbers in a message
  std::size_t similar_steps = 4'000'000;  ///< spent on finding a similar place
};

/// One block. Lines are without their '\n'; a '\r' before it belongs to the line.
struct SearchReplaceBlock {
  std::vector<std::string> search;
  std::vector<std::string> replace;
  std::optional<std::size_t> start_line;  ///< where the text is said to begin, from 1 on
  std::size_t line = 0;                   ///< of the diff, where the block begins
  bool operator==(const SearchReplaceBlock&) const = default;
};

/// Reads
///
///     <<<<<<< SEARCH
///     :start_line:12        (optional)
///     -------               (optional)
///     text to find
///     =======
///     text to put there
///     >>>>>>> REPLACE
///
/// once or several times. A line of the text that looks like one of these has a backslash before it; one backslash is
/// taken away from any number of them. Between blocks there are blank lines only. The error names the line of the diff
/// and what was expected there. Linear.
std::expected<std::vector<SearchReplaceBlock>, std::string> read_blocks(std::string_view diff,
                                                                        const SearchReplaceLimits& limits = {});

/// How a block was found.
struct Placed {
  std::size_t line = 0;   ///< of the old text, from 1 on
  std::size_t lines = 0;  ///< of the old text that were replaced
  bool exact = true;      ///< false: without regard to white space at the ends of lines
  bool operator==(const Placed&) const = default;
};

struct Applied {
  std::string text;
  std::vector<Placed> places;  ///< one a block
};

/// All blocks applied to the text, or none. Each is looked for in the text as it was, as whole lines: exactly, then
/// without regard to white space at the ends of lines. Found more than once, it is the nearest exact one to start_line,
/// or an error that lists the lines; so it is when start_line is behind the end. Blocks may not overlap. What is put
/// there has the line ends of what it replaces, line by line, so that a last line without a line end stays so. Linear
/// in the text for each block.
std::expected<Applied, std::string> apply_blocks(std::string_view text, std::span<const SearchReplaceBlock> blocks,
                                                 const SearchReplaceLimits& limits = {});

}  // namespace BELAY_NAMESPACE::builtin
