// What in a value, or around it, looks like a part of the format's own tags: it may be one that was damaged.
#pragma once

#include "text/tags.h"

#include <string>
#include <string_view>

namespace belay::text {

/// How a value's raw text begins and ends. Keeps a few bytes of each, whatever the pieces.
class Edges {
 public:
  void clear() {
    head_.clear();
    tail_.clear();
  }
  void add(std::string_view bytes);
  /// Half of a tag, or its end once more, stands right behind the opening tag or before the closing one.
  [[nodiscard]] bool doubtful(const TagStyle& style) const;

 private:
  static constexpr std::size_t kBytes = 24;
  std::string head_, tail_;
};

/// Whether a tag, or what was to be one, is nearly one of the style's own: of a call, a parameter, a key or a value. Not
/// for tags that are named like tools and parameters.
bool like_own(const Tag& tag, std::string_view text, const TagStyle& style);

/// Whether a name of a tool or a parameter holds bytes of a tag that was damaged.
bool torn_name(std::string_view name);

}  // namespace belay::text
