// A text as it stands in JSON.
#pragma once

#include <belay/json/writer.h>

#include <string>
#include <string_view>

namespace belay::cli {

/// In quotes, with its escapes.
inline std::string json_string(std::string_view text) {
  std::string out;
  json::write_string(text, out);
  return out;
}

}  // namespace belay::cli
