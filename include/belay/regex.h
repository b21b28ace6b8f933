// regex: patterns of ECMA-262, matched by RE2 in linear time. An edge: what is pure knows only belay/schema/regex.h.
#pragma once

#include <belay/schema/regex.h>

#include <cstddef>
#include <memory>
#include <string_view>

namespace BELAY_NAMESPACE::regex {

struct RegexOptions {
  /// Bytes of one pattern.
  std::size_t pattern_bytes = 64 << 10;
  /// Bytes that one compiled pattern may take, with what RE2 learns while it matches (RE2's own default). Most patterns
  /// need a few KiB, `^.{1,1000}$` half a MiB, `^\p{L}{1,100}$` 2 MiB.
  std::size_t memory = 8 << 20;
  bool operator==(const RegexOptions&) const = default;
};

/// Compiles patterns as ECMA-262 has them with the `u` flag: \d and \w are ASCII, \s is not, `$` is the very end, `.`
/// is a code point, \p{...} knows all of ECMA-262's properties. Beyond that it forgives what people write: lone braces,
/// and backslashes before punctuation (src/regex/translate.h says which).
///
/// Refused, with a sentence that says what and where:
/// - what is not ECMA-262: `\a`, `\Z`, `(?i)`, `(?P<n>x)`, `a**`, `[\w-z]`, `a{,2}`;
/// - look-ahead, look-behind and back-references, which cannot be matched in linear time;
/// - what is larger than the options allow.
///
/// Time to match is at worst proportional to the size of the text times that of the compiled pattern, and mostly to
/// that of the text alone. There is no recursion on either. What is returned may be used by several threads at once,
/// patterns outlive the Regexes that made them, and neither throws anything but std::bad_alloc.
std::unique_ptr<const schema::Regexes> make_regexes(RegexOptions options = {});

/// True for any pattern of ECMA-262, those with look-around and back-references too: what `format: regex` asks.
bool is_regex(std::string_view pattern);

}  // namespace BELAY_NAMESPACE::regex
