// Regular expressions, behind an interface: the schema module is pure, and patterns come from strangers.
#pragma once

#include <belay/version.h>

#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::schema {
BELAY_API_BEGIN

/// One compiled pattern. Immutable; may be used by several threads at once.
class Pattern {
 public:
  Pattern() = default;
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  virtual ~Pattern() = default;
  /// True when the pattern matches somewhere in the text, which is valid UTF-8. Linear in the text.
  [[nodiscard]] virtual bool found_in(std::string_view text) const = 0;
};

/// Compiles patterns as `pattern` and `patternProperties` have them: ECMA-262 with the `u` flag, not anchored.
/// src/regex implements it with RE2 (belay/regex.h).
class Regexes {
 public:
  Regexes() = default;
  Regexes(const Regexes&) = delete;
  Regexes& operator=(const Regexes&) = delete;
  virtual ~Regexes() = default;
  /// The pattern, or a sentence that says what about it cannot be compiled and why.
  [[nodiscard]] virtual std::expected<std::unique_ptr<const Pattern>, std::string> compile(
      std::string_view pattern) const = 0;
  /// A Pattern that is found in texts that are patterns themselves, as `format: regex` asks; none: that is not checked.
  [[nodiscard]] virtual std::unique_ptr<const Pattern> patterns() const { return nullptr; }
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::schema
