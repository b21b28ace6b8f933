// ECMA-262's regular expressions, in the syntax of RE2.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::regex {

/// The most that a translation may need: counts beyond what RE2 knows are written out, and \p{...} is by the ranges.
inline constexpr std::size_t kMostTranslated = 1 << 20;

/// The pattern, read as ECMA-262 (2024) with the `u` flag and no other, as RE2 wants it: encoding UTF-8, Perl's syntax,
/// unanchored. RE2 finds the translation in a valid UTF-8 text exactly where ECMA-262 finds the pattern; whether, not
/// how much, since nothing captures and greed does not count. RE2 may still find it too large, but never wrong.
///
/// More lenient than ECMA-262:
/// - `{`, `}` and `]` stand for themselves where they cannot be anything else. `a{1` and `{x}` are literal; `a{,2}` and
///   `a{1, 2}` could be meant as repetition, and are refused.
/// - a backslash may stand before any ASCII punctuation and the space.
/// - groups may have the same name.
///
/// The error is a sentence with the place. Look-around and back-references, which are ECMA-262 but not regular, are
/// refused too; when the pattern is wrong as well, the sentence is about that.
///
/// Linear in the pattern and the translation, without recursion.
std::expected<std::string, std::string> translate(std::string_view ecma);

/// True when the pattern is ECMA-262 in the sense above, whether there is a translation or not.
bool is_ecma(std::string_view pattern);

}  // namespace BELAY_NAMESPACE::regex
