// Rows of text on a terminal.
#pragma once

#include "io.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

inline constexpr std::size_t kTerminalColumns = 80;
/// Of the terminal that this goes to, 40 at least; kTerminalColumns where it goes elsewhere.
std::size_t columns_of(const Output& out);

/// printable(text), filled up with spaces to `width` columns; longer texts are cut as by clipped().
std::string padded(std::string_view text, std::size_t width);
/// The same, with the spaces before it.
std::string padded_left(std::string_view text, std::size_t width);
/// printable(text) in pieces of at most `width` columns, wherever they end: for what has no spaces.
std::vector<std::string> pieces(std::string_view text, std::size_t width);
/// The lines of a text, each broken at spaces into lines of at most `width` columns that keep its indentation. Tabs
/// become spaces; everything else is as by printable(). At most `at_most` lines; the last then says how long the text
/// is.
std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t at_most);

}  // namespace belay::cli
