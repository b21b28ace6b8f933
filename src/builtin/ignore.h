// The rules of .gitignore.
#pragma once

#include "builtin/glob.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::builtin {

/// The rules of one file.
class IgnoreRules {
 public:
  static constexpr std::size_t kMostRules = 5000;  ///< of one file; further ones do not count
  /// Any bytes.
  static IgnoreRules read(std::string_view text);

  /// True: ignored. False: a rule with ! says that it is not. Nothing: no rule is about it. `path` begins at the folder
  /// of the file.
  [[nodiscard]] std::optional<bool> ignored(std::string_view path, bool folder) const;
  [[nodiscard]] bool empty() const { return rules_.empty(); }

 private:
  struct Rule {
    Glob glob;
    bool negated = false;
    bool folders_only = false;
    bool anchored = false;  // from the folder of the file on; otherwise the last part, anywhere below
  };
  std::vector<Rule> rules_;
};

/// The files that count where a walk is: those of the folders from the root on. The nearest one decides.
class IgnoreStack {
 public:
  /// `place`: the folder, from the root on; empty for the root.
  void push(std::string_view place, IgnoreRules rules);
  void pop() { levels_.pop_back(); }
  [[nodiscard]] bool ignored(std::string_view path, bool folder) const;

 private:
  struct Level {
    std::string place;
    IgnoreRules rules;
  };
  std::vector<Level> levels_;
};

}  // namespace BELAY_NAMESPACE::builtin
