// Names that are the same in whatever case.
#pragma once

#include <belay/version.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::mcp {

/// The same in lower case; ASCII only.
inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return out;
}

}  // namespace BELAY_NAMESPACE::mcp
