// Patterns for searching texts, in the syntax of RE2.
#pragma once

#include <belay/regex.h>

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::regex {

/// What people write for grep and ripgrep, not ECMA-262: (?i), \A, \z, [[:alpha:]]. Look-around and back-references
/// are refused, since matching takes linear time whatever the pattern is. May be used by several threads at once.
class Search {
 public:
  struct Match {
    std::size_t from = 0, to = 0;
  };
  /// The error is a sentence of RE2's.
  static std::expected<Search, std::string> compile(std::string_view pattern, const RegexOptions& options = {});
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;
  ~Search();

  /// The first match in the text.
  [[nodiscard]] std::optional<Match> find(std::string_view text) const;

 private:
  struct Compiled;
  explicit Search(std::unique_ptr<const Compiled> compiled);
  std::unique_ptr<const Compiled> compiled_;
};

}  // namespace BELAY_NAMESPACE::regex
