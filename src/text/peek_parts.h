// The parts of peek(), one a grammar.
#pragma once

#include "text/peek.h"

namespace BELAY_NAMESPACE::text {

/// How many lists may stand around calls that no marker announces.
inline constexpr std::size_t kLists = 8;

Is json_begins(std::string_view text, const Context& context, const Row& row, bool strict, bool final, std::size_t& at);
/// Without any marker. `full`: there are as many bytes as may wait.
Start peek_bare_json(std::string_view text, const Context& context, bool strict, bool final, bool full);
Start peek_named(std::string_view text, const Row& row, const Context& context, bool strict, bool final);
Start peek_tags(std::string_view text, const Row& row, const Context& context, bool strict, bool final);
Start peek_harmony(std::string_view text, const Context& context, bool final);

/// What follows a call without a marker, from `at` on: the end, a new line, another call, an end marker. `no`: text.
Is stands_alone(std::string_view text, std::size_t at, const Context& context, bool final);

/// Whether a name is one that documents have in the place of a tool's: "...", <name>, function_name.
bool is_placeholder(std::string_view name, const Context& context);

/// Past the start marker once more, or several times, from the end of the first on. `more` when that is not decided.
Is past_twice(std::string_view text, const Row& row, bool final, std::size_t& at, Receipt& receipt);

/// Past the markers that may stand before the first call. `more` when that is not decided.
Is past_outer(std::string_view text, const Row& row, bool final, std::size_t& at, Receipt& receipt);

}  // namespace BELAY_NAMESPACE::text
