// The name that someone probably meant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace belay::cli {

/// The candidate nearest to `word` by letters changed, left out, added or swapped, if one is near enough.
std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates);

/// "no tool 'reed'; did you mean read_file? belay tools lists them"
std::string no_such_tool(std::string_view name, std::span<const std::string_view> near);

}  // namespace belay::cli
