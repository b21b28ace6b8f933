// A file that only its person may have written.
#pragma once

#include <belay/config.h>

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

namespace BELAY_NAMESPACE::config {

struct OwnFile {
  std::string text;
  bool for_owner_only = false;  ///< nobody else may read it either: keys may stand in it
};

/// Nothing when there is no such file. A file, or a folder around it, that somebody else could have changed is a
/// Problem, and so is anything but a regular file. Links are followed: what they lead to is what counts.
std::expected<std::optional<OwnFile>, Problem> read_own_file(const std::string& path, std::uint64_t at_most);

}  // namespace BELAY_NAMESPACE::config
