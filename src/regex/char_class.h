// A class in brackets.
#pragma once

#include "regex/code_set.h"
#include "regex/cursor.h"

#include <expected>
#include <string>

namespace BELAY_NAMESPACE::regex {

/// Reads a class; the cursor stands on its `[`. Nothing but `]`, `\`, `-` and a leading `^` is special, as in ECMA-262:
/// `[[:alpha:]]` is the class `[[:alph]` and a `]`.
std::expected<CodeSet, std::string> read_class(Cursor& cursor);

}  // namespace BELAY_NAMESPACE::regex
