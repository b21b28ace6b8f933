// The groups of a pattern and what refers to them: \1 and \k<name>. Nothing is captured here, but a reference to a
// group that is not there makes a pattern wrong.
#pragma once

#include "regex/code_set.h"
#include "regex/cursor.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::regex {

class References {
 public:
  using Step = std::expected<void, std::string>;

  void add_group() { ++groups_; }
  /// Reads `name>`; `from` is where the group began.
  Step read_group_name(Cursor& cursor, std::size_t from);

  /// Reads the digits of \1, which the cursor stands on; `from` is where the backslash is. Likewise `<name>` of
  /// \k<name>.
  void read_number(Cursor& cursor, std::size_t from);
  Step read_name(Cursor& cursor, std::size_t from);

  /// At the end of the pattern, since a reference may stand before its group.
  [[nodiscard]] Step check() const;

 private:
  struct Name {
    std::string name;
    std::size_t at;
  };

  std::expected<std::string, std::string> read_identifier(Cursor& cursor, std::size_t from);
  bool may_stand_in_name(char32_t c, bool first);

  std::uint64_t groups_ = 0;
  std::uint64_t highest_ = 0;
  std::size_t highest_at_ = 0;
  std::set<std::string> group_names_;
  std::vector<Name> names_;
  std::optional<CodeSet> starts_, continues_;  // Unicode's ID_Start and ID_Continue, when a name asks for them
};

}  // namespace BELAY_NAMESPACE::regex
