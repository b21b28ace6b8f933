// The damaged calls that `belay demo` shows.
#pragma once

#include <belay/json/reader.h>

#include <span>
#include <string_view>
#include <vector>

namespace belay::cli {

struct DemoCall {
  std::string_view title;
  std::vector<std::string_view> pieces;  ///< as they would arrive
  json::Ending ending = json::Ending::complete;
  std::string_view lesson;  ///< what to take from it, one line
};

std::span<const DemoCall> demo_calls();

}  // namespace belay::cli
