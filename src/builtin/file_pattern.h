// Which files a search looks at.
#pragma once

#include "builtin/glob.h"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::builtin {

/// A glob with alternatives in braces, as in `*.{ts,tsx}`. Without a slash it is about the names of files, otherwise
/// about their paths from the searched folder on. Empty: every file.
class FilePattern {
 public:
  /// The error is one sentence: a pattern that is absolute, goes up, or is none.
  static std::expected<FilePattern, std::string> compile(std::string_view pattern);
  [[nodiscard]] bool matches(std::string_view path) const;

 private:
  struct Choice {
    Glob glob;
    bool whole = false;  // the path, not the name
  };
  std::vector<Choice> choices_;
};

}  // namespace BELAY_NAMESPACE::builtin
