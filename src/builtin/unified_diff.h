// The difference of two texts, as people read it.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::builtin {

struct UnifiedDiffOptions {
  std::size_t context = 3;        ///< lines around a change
  std::size_t bytes = 16 * 1024;  ///< of the whole; beyond that it says how many changes are not shown
  std::size_t line_bytes = 400;   ///< of a line
};

/// A unified diff; empty when the texts are the same. A carriage return at the end of a line is shown as U+240D,
/// and a last line without a line end is marked as usual.
std::string unified_diff(std::string_view path, std::string_view before, std::string_view after,
                         const UnifiedDiffOptions& options = {});

}  // namespace BELAY_NAMESPACE::builtin
