// The sets of code points that \p{...} names.
#pragma once

#include "regex/code_set.h"

#include <optional>
#include <string_view>

namespace BELAY_NAMESPACE::regex {

/// `name`, or `name=value` when there is a value: `Lu`, `Letter`, `gc=Nd`, `Script=Greek`, `scx=Grek`, `Alphabetic`.
/// All that ECMA-262 knows, spelled exactly as there: tables 65 to 67 with the values of Unicode's
/// PropertyValueAliases.txt. Nothing when there is no such property or value.
std::optional<CodeSet> unicode_property(std::string_view name, std::string_view value = {});

/// True when there is a script of this name: \p{Greek} is not ECMA-262, \p{Script=Greek} is.
bool is_script(std::string_view name);

}  // namespace BELAY_NAMESPACE::regex
