// A pattern looked for in the lines of a text, with the lines around.
#pragma once

#include "regex/search.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::builtin {

struct LineSearchOptions {
  std::size_t matches = 300;      ///< lines that match, at most
  std::size_t line_bytes = 300;   ///< of a line that is shown, around the match
  std::size_t context = 1;        ///< lines before and after
  std::size_t bytes = 64 * 1024;  ///< of the result
};

struct LineSearchResult {
  std::string text;  ///< `12: a line that matches`, `13- one beside it`; `--` between places
  std::size_t matches = 0;
  bool full = false;     ///< there are more
  bool stopped = false;  ///< `go_on` said no
};

/// `go_on` is asked every few megabytes. A match is within one line; ^ and $ are its ends.
LineSearchResult search_lines(std::string_view text, const regex::Search& search, const LineSearchOptions& options,
                              const std::function<bool()>& go_on);

/// A line within bounds, whole characters, with `...` where something is missing; what is between `from` and `to` is
/// in it, as far as there is room.
std::string clipped_around(std::string_view line, std::size_t from, std::size_t to, std::size_t most);

}  // namespace BELAY_NAMESPACE::builtin
