// Where a text has something like the lines that were not found in it.
#pragma once

#include "builtin/search_replace.h"

#include <span>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::builtin {

/// Sentences for a model: the most similar place, and what is really there. `lines` are those of the text. Bounded by
/// the limits in size and time.
std::string similar_place(std::span<const std::string_view> lines, const SearchReplaceBlock& block,
                          const SearchReplaceLimits& limits);

}  // namespace BELAY_NAMESPACE::builtin
