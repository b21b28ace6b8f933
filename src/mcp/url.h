// Just enough of URLs: whether two lead to the same place, and where a reference leads.
#pragma once

#include <belay/version.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::mcp {

/// `https://host:port`, in lower case; empty when it is no http(s) URL.
std::string origin_of(std::string_view url);
/// Where a reference in an answer from `base` leads: a whole URL, a path, or something relative.
std::string resolved(std::string_view base, std::string_view reference);
/// A value for a header of 2026-07-28: as it is where it can be, otherwise as base64 of its bytes with a mark.
std::string header_value(std::string_view text);

}  // namespace BELAY_NAMESPACE::mcp
