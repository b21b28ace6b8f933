// Settings as they were given, before it is known which of them applies.
#pragma once

#include <belay/config.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace BELAY_NAMESPACE::config {

using Texts = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;
using Value = std::variant<bool, std::int64_t, double, std::string, Texts, Pairs>;

struct Entry {
  Value value;
  Source source;
  std::uint64_t column = 0;
};
/// By the name of the key, as `max_turns` or `breakers.mistakes`.
using Layer = std::map<std::string, Entry, std::less<>>;

/// What a config file says.
struct Document {
  Layer top;
  std::map<std::string, Layer, std::less<>> profiles, models;
};

}  // namespace BELAY_NAMESPACE::config
