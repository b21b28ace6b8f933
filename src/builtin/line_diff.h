// Which lines of one text are lines of another.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace BELAY_NAMESPACE::builtin {

/// Lines of the old text that became lines of the new one; what lies between two of these is the same in both.
struct Change {
  std::size_t old_from = 0, old_to = 0;  ///< the end is not part of it
  std::size_t new_from = 0, new_to = 0;
  bool operator==(const Change&) const = default;
};

/// Lines are numbers: equal lines, equal numbers. The shortest list of changes while it is short; for texts that differ
/// much, lines that both have once are the fixed points, and what lies between is changed as a whole where it is too
/// much. At most about n log n steps plus a fixed budget, for any input.
std::vector<Change> diff_lines(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after);

}  // namespace BELAY_NAMESPACE::builtin
