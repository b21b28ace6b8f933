// Small files: read whole, and written as a whole or not at all.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::mcp {

/// Nothing when it is not there. The error is one sentence with the path in it.
std::expected<std::optional<std::string>, std::string> read_small(const std::string& path, std::size_t most = 4 << 20);
/// For the owner only (0600), its folders too (0700) where they are made. Forced to the disk.
std::expected<void, std::string> write_small(const std::string& path, std::string_view content);
/// While others who do the same with this path wait.
std::expected<void, std::string> while_locked(const std::string& path,
                                              const std::function<std::expected<void, std::string>()>& work);

}  // namespace BELAY_NAMESPACE::mcp
