// How deep a TOML text nests, before anything recursive sees it.
#pragma once

#include <belay/base.h>

#include <cstddef>
#include <optional>
#include <string_view>

namespace BELAY_NAMESPACE::config {

/// Dots in one key: none of ours has more than three.
inline constexpr std::size_t kKeyDots = 16;
/// Brackets open at once: ours need two.
inline constexpr std::size_t kBrackets = 32;

/// Where a key has more parts, or a value more brackets, than any config file needs. The library that reads TOML
/// destroys its tables recursively, so that a key of a million parts would end the program.
std::optional<Position> too_deep(std::string_view text);

}  // namespace BELAY_NAMESPACE::config
