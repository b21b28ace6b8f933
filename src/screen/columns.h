// Widths that everything on the screen has in common.
#pragma once

#include <belay/version.h>

#include <cstddef>

namespace BELAY_NAMESPACE::screen {

inline constexpr std::size_t kTab = 4;            ///< columns from one tab stop to the next
inline constexpr std::size_t kLeastColumns = 20;  ///< a narrower screen is drawn for as many

}  // namespace BELAY_NAMESPACE::screen
