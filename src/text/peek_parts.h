// The parts of peek(), one a grammar.
#pragma once

#include "text/peek.h"

namespace belay::text {

Is json_begins(std::string_view text, const Context& context, const Row& row, bool strict, bool final, std::size_t& at);
Start peek_named(std::string_view text, const Row& row, const Context& context, bool final);
Start peek_tags(std::string_view text, const Row& row, const Context& context, bool strict, bool final);
Start peek_harmony(std::string_view text, const Context& context, bool final);

/// Past the markers that may stand before the first call. `more` when that is not decided.
Is past_outer(std::string_view text, const Row& row, bool final, std::size_t& at, Receipt& receipt);

}  // namespace belay::text
