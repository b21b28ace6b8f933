// What a backslash and the characters after it stand for.
#pragma once

#include "regex/code_set.h"
#include "regex/cursor.h"

#include <expected>
#include <string>
#include <variant>

namespace BELAY_NAMESPACE::regex {

/// One character, or one of several.
using Chars = std::variant<char32_t, CodeSet>;

enum class Where { pattern, char_class };

/// Reads an escape; the cursor stands on its backslash. Assertions and references (\b \B \1 \k outside of classes) are
/// not for this function.
std::expected<Chars, std::string> read_escape(Cursor& cursor, Where where);

/// The rest of \u, whose first two characters `from` points at and the cursor has passed. Two escapes that are the
/// halves of one code point are read as that.
std::expected<char32_t, std::string> read_unicode_escape(Cursor& cursor, std::size_t from);

/// What `.` stands for.
CodeSet all_but_line_ends();

}  // namespace BELAY_NAMESPACE::regex
