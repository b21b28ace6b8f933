// Patterns for paths, as .gitignore has them.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::builtin {

/// `*` and `?` stand for anything but /, `[a-z]` and `[!a-z]` for one character, `\` takes the next one literally, and
/// `**` as a whole part of the path for any number of parts. Characters are code points; bytes that are not UTF-8 are
/// one each. At most pattern times square of the path, and mostly linear; no recursion.
class Glob {
 public:
  /// Nothing when the pattern can never match: a class that is not closed, a backslash at the end.
  static std::optional<Glob> compile(std::string_view pattern);
  [[nodiscard]] bool matches(std::string_view path) const;

 private:
  enum class Is : std::uint8_t {
    one,    // this character
    any,    // any but /
    some,   // one of a class
    star,   // any number of any but /
    parts,  // any number of whole parts, each with its /
    rest,   // at least one character, whatever it is
  };
  struct Token {
    Is is;
    std::uint32_t character = 0;
    bool negated = false;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  };
  static bool read_class(std::string_view& pattern, Token& token);
  static bool fits(const Token& token, std::uint32_t character);
  std::vector<Token> tokens_;
};

}  // namespace BELAY_NAMESPACE::builtin
